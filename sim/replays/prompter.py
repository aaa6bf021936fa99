"""Tells the engine what real players told the game: at its loop, later where ours is not as far, or once more where it
was refused. The reasons to wait stand in `answers.py`."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sim.engine.state import FLYING, STRUCTURE
from sim.melee.game import Game
from sim.melee.placement import TUMORS
from sim.melee.records import Result
from sim.melee.zerg_build import TOO_FAR_FROM_CREEP
from sim.replays.answers import EARLY, LEAD, PAST, Batch, Trips, answers, batches, owed
from sim.replays.binding import Binding
from sim.replays.builders import Builders
from sim.replays.issuer import NO_COUNTERPART, Drift, Issuer
from sim.replays.larvae import Larvae
from sim.replays.reader import QUEUED, RealCommand, RealGame
from sim.server.actions import TRAVEL

NOTHING: Mapping[int, Any] = {}
BARE = 320  # loops for which a site without creep is tried again: which cell has some first is chance
STRAY = 8  # loops after which a tumor without creep goes to a cell beside its own
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
POOR = (Result.NOT_ENOUGH_MINERALS, Result.NOT_ENOUGH_VESPENE)


class Known(NamedTuple):
    """What the real game made of the commands.

    effective: indices of commands that it carried out
    begun: command that started a structure -> (loop of the start, key of the structure)
    done: key of a structure -> loop of its completion
    """

    effective: frozenset[int] = frozenset()
    begun: Mapping[int, tuple[int, int]] = NOTHING
    done: Mapping[int, int] = NOTHING


@dataclass(slots=True)
class Told:
    """What became of the commands.

    verdicts: the first ActionResult of each command, NO_COUNTERPART where some unit of it has none
    held: index of a command that was given again -> loops until it was accepted
    drifts: of the units that commands were aimed at
    """

    verdicts: list[int] = field(default_factory=list)
    held: dict[int, int] = field(default_factory=dict)
    drifts: list[Drift] = field(default_factory=list)


class Prompter:
    """Gives the commands of one game, loop by loop.

    Where ours refuses what the real game carried out it is given again for `patience` loops, or until a newer command
    addresses the unit; so long waits, too, what a unit was told, or is aimed at one, that is born later here, and what
    a builder was told, or is aimed at its structure, after that was begun or complete: a walk that is a loop longer
    must not lose the structure.
    """

    def __init__(self, game: Game, real: RealGame, binding: Binding, known: Known, patience: int) -> None:
        self.told = Told()
        self._game, self._real, self._binding, self._known, self._patience = game, real, binding, known, patience
        self._issuer = Issuer(game, binding, self.told.drifts)
        self._next = 0
        self._refused: dict[int, int] = {}  # commands to be given again -> why they were refused last
        self._behind: list[int] = []  # commands that wait for a structure, or for a worker's load or its delivery
        self._within: list[RealCommand] = []  # parts of commands whose workers are in a gas structure, one worker each
        self._sites: dict[int, tuple[int, int]] = {}  # builder -> (loop of the real start, structure), the latest
        self._delays: dict[int, int] = defaultdict(int)  # structure -> loops by which its order or its start came late
        self._trips = Trips(game, TRAVEL if len(real.sides) > 1 else 0)
        self._sent = {key: real.commands[n].units[0] for n, (_, key) in known.begun.items()}  # structure -> worker
        self._came = {event.key: (event.kind, event.loop, event.key) for event in real.events if event.kind in "BI"}
        self._tumors = {event.key for event in real.events if event.kind == "I" and event.type in TUMORS}
        self._turned: dict[int, list[tuple[int, str]]] = defaultdict(list)  # unit -> (loop, new type), in order
        for event in real.events:
            if event.kind == "T":
                self._turned[event.key].append((event.loop, event.type))
        self._sorts, self._rests_on = answers(real, game.facts), owed(real, binding, patience)
        self._larvae = Larvae(game, real, binding)
        self._builders = Builders(game, binding, frozenset(known.begun))
        self._steering = deque(batches(real, self._sorts))
        self._soon: list[Batch] = []  # those of the next LEAD loops
        self._early: dict[int, int] = {}  # verdicts of commands given before their loop

    def prompt(self) -> frozenset[int]:
        """Gives what is due in this loop. -> slots of the units that were told something."""
        game, commands = self._game, self._real.commands
        touched: set[int] = set()
        self._issuer.begin_loop()
        self._give_again(touched)
        self._give_within(touched)
        due, self._behind = self._behind, []
        while self._next < len(commands) and commands[self._next].loop <= game.loop:
            if self._next not in self._early:
                due.append(self._next)
            self.told.verdicts.append(self._early.pop(self._next, Result.SUCCESS))
            self._next += 1
        busy: set[int] = set()  # units whose earlier commands wait
        for index in due:
            if not busy.isdisjoint(commands[index].units) or not self._settle(index, touched):
                self._behind.append(index)
                busy.update(commands[index].units)
        self._give_early(busy, touched)
        return frozenset(touched)

    def update(self) -> None:
        """Looks at what the loop brought. Of two SCVs that were sent to one site the one who came first is the
        counterpart of the real one who did."""
        self._trips.update()
        for key in self._binding.started:
            self._delays[key] = max(self._delays[key], self._binding.happened["I", key] - self._came[key][1])
            site, worker = self._slot(key), self._sent.get(key, -1)
            builder = int(self._game.units["builder"][site]) if site >= 0 else -1
            if builder >= 0 and worker >= 0 and builder != self._slot(worker):
                self._binding.exchange(worker, builder)

    def _give_again(self, touched: set[int]) -> None:
        """What was refused, in its order: who saves for one thing buys nothing with that money meanwhile."""
        loop, commands = self._game.loop, self._real.commands
        refused = [index for index in self._refused if loop - commands[index].loop <= self._patience_for(index)]
        self._refused = {}
        for index in refused:
            command = self._larvae.named(index, commands[index], True)
            verdict = self._afford(index, command, touched)
            tumor = self._known.begun.get(index, (0, -1))[1] in self._tumors
            if verdict == TOO_FAR_FROM_CREEP and loop - command.loop >= STRAY and tumor:
                verdict = self._plant_beside(index, command, touched)
            if verdict != Result.SUCCESS:
                self._refused[index] = verdict
                continue
            self.told.held[index] = loop - commands[index].loop
            if index in self._known.begun:
                self._delays[self._known.begun[index][1]] = self.told.held[index]

    def _plant_beside(self, index: int, command: RealCommand, touched: set[int]) -> int:
        """A tumor on the first cell round its own that will do, so that what it spreads to is not lost. -> as
        `_afford`."""
        for dx, dy in AROUND:
            if self._afford(index, command._replace(x=command.x + dx, y=command.y + dy), touched) == Result.SUCCESS:
                return Result.SUCCESS
        return TOO_FAR_FROM_CREEP

    def _patience_for(self, index: int) -> int:
        """Loops for which a refused command is given again: longer where the structure that it tells began late."""
        late = max((self._delays.get(key, 0) for key in self._real.commands[index].units), default=0)
        return late + (BARE if self._refused[index] == TOO_FAR_FROM_CREEP else self._patience)

    def _give_within(self, touched: set[int]) -> None:
        """What was told to workers who were in a gas structure here, while their group was given it."""
        waiting, self._within = self._within, []
        for command in waiting:
            if not self._trips.inside(self._slot(command.units[0])):
                self._issuer.give(command, touched)
            elif self._game.loop <= command.loop + self._patience:
                self._within.append(command)

    def _give_early(self, busy: set[int], touched: set[int]) -> None:
        """What steers a worker that is ahead of the real one: its bot would have told it earlier, too."""
        loop = self._game.loop
        while self._steering and self._steering[0].loop <= loop + LEAD:
            self._soon.append(self._steering.popleft())
        waiting = [batch for batch in self._soon if batch.loop > loop]
        self._soon = []
        for batch in waiting:
            if batch.before > loop or batch.worker in busy or not self._trips.ready(self._slot(batch.worker), batch):
                self._soon.append(batch)
                continue
            for index in batch.commands:
                if self._settle(index, touched, early=True):
                    self._early.setdefault(index, Result.SUCCESS)

    def _settle(self, index: int, touched: set[int], early: bool = False) -> bool:
        """Gives a command or leaves it out. -> False if it has to wait."""
        sort, trips, slot = self._sorts.get(index, 0), self._trips, self._slot
        effective = index in self._known.effective
        self._builders.choose(index, self._real.commands[index])
        if index in self._known.begun and ("I", self._known.begun[index][1]) in self._binding.happened:
            self._sites[self._real.commands[index].units[0]] = self._known.begun[index]
            return True  # another one who was sent there has begun it
        command = self._larvae.named(index, self._real.commands[index], effective)
        if not effective and any(why and _repeats(command, self._real.commands[n]) for n, why in self._refused.items()):
            return True
        if not self._ready(command) or (not early and self._game.loop < command.loop + trips.late(command, sort)):
            return False
        when = {trips.when(slot(key), sort, command.loop) for key in command.units if sort}
        if EARLY in when:
            return False
        if when == {PAST}:
            if not trips.elsewhere(slot(command.units[0]), slot(command.target)):
                return True
            command = command._replace(flags=command.flags & ~QUEUED)  # what was before it is over
        trips.told(command, sort)
        commands, refused = self._real.commands, self._refused
        if not self._stands(command.units):
            self._refused = {n: why for n, why in refused.items() if not _replaces(command, commands[n])}
        if not command.flags & QUEUED:
            self._within = [part for part in self._within if part.units[0] not in command.units]
        within = [key for key in command.units if len(command.units) > 1 and trips.inside(slot(key))]
        self._within += [command._replace(units=(key,)) for key in within]
        whole = self._issuer.whole(command)
        verdict = self._afford(index, command, touched)
        if effective and self._rests_on(command, verdict):
            return False
        told = self.told.verdicts if index < self._next else self._early
        told[index] = verdict if whole else NO_COUNTERPART
        if effective and verdict != Result.SUCCESS:
            self._refused[index] = verdict
        if index in self._known.begun:
            self._sites[command.units[0]] = self._known.begun[index]
            self._delays[self._known.begun[index][1]] = self._game.loop - command.loop
        return True

    def _afford(self, index: int, command: RealCommand, touched: set[int]) -> int:
        """Issues a command if the bank also holds what its player has to pay first: for other commands of this loop,
        which the engine carries out later, and for earlier ones that wait or were refused for want of money. -> as
        `Issuer.give`."""
        unpaid = [n for n, why in self._refused.items() if why in POOR]
        unpaid += [n for n in self._behind if n in self._known.effective]
        earlier = (self._real.commands[n] for n in unpaid if n < index)
        short = self._issuer.short(command, [other for other in earlier if other.player == command.player])
        return self._issuer.give(command, touched) if short is None else short

    def _ready(self, command: RealCommand) -> bool:
        """Its units are there (who is in a gas structure is not: the real one had come out) and what the real ones had
        become by then, and no structure that its builders had begun (an SCV: had completed), or that it names as a
        finished one, is still to come."""
        loop, sites, done = self._game.loop, self._sites, self._known.done
        patient = loop <= command.loop + self._patience
        if patient and command.units and all(self._trips.inside(self._slot(key)) for key in command.units):
            return False
        due = [self._came[key] for key in (*command.units, command.target) if key in self._came and self._slot(key) < 0]
        due += [("I", *sites[key]) for key in command.units if key in sites]
        stays = self._real.races[command.player] == "Terran"  # an SCV at work hears nothing
        own = [sites[key][1] for key in command.units if key in sites and stays]
        if any(self._within_its(site, command) for site in own):
            return False
        due += [("D", done[key], key) for key in (*own, *command.units, command.target) if key in done]
        patience, happened = self._patience, self._binding.happened
        late = (what for what in due if what[1] <= command.loop and loop <= what[1] + patience + self._delays[what[2]])
        return all((kind, key) in happened for kind, _, key in late) and all(
            self._turned_too(key, command.loop) for key in command.units if key in self._turned
        )

    def _within_its(self, site: int, command: RealCommand) -> bool:
        """An SCV that the command names has yet to come out of this structure, which the real one had completed."""
        structure, units, done = self._slot(site), self._game.units, self._known.done.get(site, self._game.loop)
        late = self._game.loop - done > self._patience + self._delays[site]
        slots = [self._slot(key) for key in command.units]
        within = any(slot >= 0 and units["builder"][slot] == structure for slot in slots)
        return structure >= 0 and done <= command.loop and within and not late

    def _turned_too(self, key: int, told: int) -> bool:
        """Ours is of the type that the real one had turned into when it was told something, or is too late for that: a
        Barracks that is still on the ground would refuse where to fly."""
        turned, slot = self._turned[key], self._slot(key)
        last = bisect_left(turned, told, key=lambda change: change[0]) - 1
        if last < 0 or slot < 0 or self._game.loop > turned[last][0] + self._patience:
            return True
        return self._game.facts.names[int(self._game.units["type"][slot])] == turned[last][1]

    def _stands(self, keys: Sequence[int]) -> bool:
        """Structures on the ground: what one is told calls off nothing that it was told before, as a MULE no SCV."""
        slots = [self._slot(key) for key in keys]
        flags = self._game.units["flags"]
        return all(slot >= 0 and flags[slot] & STRUCTURE and not flags[slot] & FLYING for slot in slots)

    def _slot(self, key: int) -> int:
        return self._binding.slot(key)


def _replaces(new: RealCommand, old: RealCommand) -> bool:
    """A later command makes an earlier one, still waiting, void: another order to the same units, not a queued one."""
    return new.ability != old.ability and not new.flags & QUEUED and new.units == old.units


def _repeats(new: RealCommand, old: RealCommand) -> bool:
    """A command that came while its unit was at what it had been told before, which ours still waits for: one bot
    offers each tumor dozens of places in one loop, and the first that will do is taken."""
    return new.ability == old.ability and new.units == old.units
