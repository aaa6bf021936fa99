"""Plays a real game's commands on the engine and writes down what happened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from sim.engine.state import AUTOCAST, STRUCTURE
from sim.maps import Terrain
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.records import Race, Result
from sim.replays.answers import EARLY, PAST, Trips, answers, owed
from sim.replays.binding import Binding
from sim.replays.reader import AUTOCAST_OFF, AUTOCAST_ON, NO_TARGET, QUEUED, RealCommand, RealGame

RACES = {"Terran": Race.TERRAN, "Zerg": Race.ZERG, "Protoss": Race.PROTOSS}
SAMPLE = 160  # loops between two statistics of a replay
NOTHING: Mapping[int, Any] = {}
PATIENCE = 96  # loops for which a refused command is given again, so that small delays do not add up


class Sample(NamedTuple):
    """One player's books at one loop; minerals and gas are all that was ever gathered."""

    minerals: float
    gas: float
    supply_used: float
    supply_made: float
    counts: dict[str, int]  # finished and unfinished units by type name


class Drift(NamedTuple):
    """Distance in cells between a mobile unit and where the real one stood."""

    loop: int
    player: int
    cells: float


@dataclass(slots=True)
class Trace:
    """What the engine did with one game.

    verdicts: the first ActionResult of each command, 0 = some unit of it has no counterpart.
    held: index of a command that was given again -> loops until it was accepted
    errors: (loop, key, ability, ActionResult) of orders that failed later
    """

    until: int
    sides: tuple[int, ...]
    verdicts: list[int] = field(default_factory=list)
    samples: dict[int, dict[int, Sample]] = field(default_factory=dict)  # player -> loop -> Sample
    drifts: list[Drift] = field(default_factory=list)
    happened: dict[tuple[str, int], int] = field(default_factory=dict)
    changed: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    extra: list[tuple[int, str, int, float, float]] = field(default_factory=list)
    upgrades: dict[tuple[int, str], int] = field(default_factory=dict)  # (player, name) -> loop
    held: dict[int, int] = field(default_factory=dict)
    errors: list[tuple[int, int, int, int]] = field(default_factory=list)


def new_game(real: RealGame, terrain: Terrain, seed: int = 1) -> Game:
    """The game at loop 0 with each player at its real start."""
    halls = {event.player: event for event in real.events if event.loop == 0 and event.player and _is_hall(event.type)}
    setups = []
    for player in (1, 2):
        at = halls[player]
        start = min(
            range(len(terrain.starts)),
            key=lambda n: abs(terrain.starts[n][0] - at.x) + abs(terrain.starts[n][1] - at.y),
        )
        setups.append(PlayerSetup(RACES[real.races[player]], start=start))
    return Game(terrain, setups, seed=seed, patch=real.patch)


def _is_hall(name: str) -> bool:
    return name in ("CommandCenter", "Hatchery", "Nexus")


def play(
    real: RealGame,
    terrain: Terrain,
    until: int,
    effective: frozenset[int] = frozenset(),
    patience: int = PATIENCE,
    progress: Callable[[int], None] = lambda loop: None,
    seed: int = 1,
    begun: Mapping[int, tuple[int, int]] = NOTHING,
    done: Mapping[int, int] = NOTHING,
) -> Trace:
    """Plays up to loop `until`; `progress` is called with the loop once every SAMPLE loops.

    effective: indices of commands that the real game carried out; where the engine refuses one, it is given again for
    `patience` loops or until a newer command addresses the unit. One that rests on what ours has still to finish waits
    for that first.
    begun: commands that started structures -> (loop of the start, key). What a builder was told after the real start
    waits up to `patience` loops for ours: a walk that is a loop longer must not lose the structure.
    done: key of a structure -> loop of its completion; what is aimed at it afterwards waits for ours likewise, and so
    does what a unit was told, or is aimed at one, that is born later here.
    """
    game = new_game(real, terrain, seed)
    sides = real.sides
    binding = Binding(game, real, sides)
    trace = Trace(until, sides, samples={player: {} for player in sides})
    position, waiting = 0, list[int]()
    behind: list[int] = []  # commands that wait for a structure, or for a worker's load or its delivery
    sites: dict[int, tuple[int, int]] = {}  # builder -> (loop of the real start, structure) of its latest such order
    delays: dict[int, int] = defaultdict(int)  # structure -> loops by which its order came later than the real one
    trips = Trips(game)
    came = {event.key: (event.kind, event.loop, event.key) for event in real.events if event.kind in "BI"}
    commands, sorts, rests_on = real.commands, answers(real, game.facts), owed(real, binding, patience)

    def ready(command: RealCommand) -> bool:
        """Its units are there (who is in a gas structure is not: the real one had come out), and no structure that its
        builders had begun (an SCV: had completed), or that it is aimed at as a finished one, is still to come."""
        if game.loop <= command.loop + patience and all(trips.inside(binding.slot(key)) for key in command.units):
            return False
        due = [came[key] for key in (*command.units, command.target) if key in came]
        due += [("I", *sites[key]) for key in command.units if key in sites]
        stays = real.races[command.player] == "Terran"  # an SCV at work hears nothing
        own = [sites[key][1] for key in command.units if key in sites and stays]
        due += [("D", done[key], key) for key in (*own, command.target) if key in done]
        late = (what for what in due if what[1] <= command.loop and game.loop <= what[1] + patience + delays[what[2]])
        return all((kind, key) in binding.happened for kind, _, key in late)

    while game.loop < until and not game.ended:
        loop = game.loop
        touched: set[int] = set()
        waiting = [index for index in waiting if loop - commands[index].loop <= patience]
        for index in list(waiting):
            if _give(game, binding, commands[index], trace, touched) == Result.SUCCESS:
                trace.held[index] = loop - commands[index].loop
                waiting.remove(index)
                if index in begun:
                    delays[begun[index][1]] = trace.held[index]
        due, behind = behind, []
        while position < len(commands) and commands[position].loop <= loop:
            due.append(position)
            trace.verdicts.append(Result.SUCCESS)
            position += 1
        busy: set[int] = set()  # units whose earlier commands wait
        for index in due:
            command = commands[index]
            waits = not busy.isdisjoint(command.units) or not ready(command)
            sort = sorts.get(index, 0)
            waits = waits or loop < command.loop + trips.late(command, sort)
            when = {trips.when(binding.slot(key), sort, command.loop) for key in command.units if sort and not waits}
            if waits or EARLY in when:
                behind.append(index)
                busy.update(command.units)
                continue
            if when == {PAST}:
                if not trips.elsewhere(binding.slot(command.units[0]), binding.slot(command.target)):
                    continue
                command = command._replace(flags=command.flags & ~QUEUED)  # what was before it is over
            trips.told(command, sort)
            waiting = [other for other in waiting if not _replaces(command, commands[other])]
            verdict = _give(game, binding, command, trace, touched)
            if index in effective and rests_on(command, verdict):
                behind.append(index)
                busy.update(command.units)
                continue
            trace.verdicts[index] = verdict
            if verdict != Result.SUCCESS and index in effective:
                waiting.append(index)
            if index in begun:
                sites[command.units[0]] = begun[index]
                delays[begun[index][1]] = loop - command.loop
        game.step()
        binding.update(frozenset(touched))
        trips.update()
        _listen(game, binding, trace)
        if game.loop % SAMPLE == 0:
            for player in sides:
                trace.samples[player][game.loop] = sample(game, player)
            progress(game.loop)
    trace.happened, trace.changed, trace.extra = binding.happened, dict(binding.changed), binding.extra
    return trace


def _replaces(new: RealCommand, old: RealCommand) -> bool:
    """A later command makes an earlier one, still waiting, void: another order to the same units, not a queued one."""
    producing = new.ability == old.ability or new.target == new.units[0]
    return not producing and not new.flags & QUEUED and new.units == old.units


def _give(game: Game, binding: Binding, command: RealCommand, trace: Trace, touched: set[int]) -> int:
    """Issues one command. -> ActionResult, 0 when units of it have no counterpart."""
    if command.player not in binding.sides:
        return 0
    slots = [binding.slot(key) for key in command.units]
    known = [slot for slot in slots if slot >= 0]
    target = binding.slot(command.target) if command.target >= 0 else -1
    if target >= 0:
        _measure(game, command, target, trace)
    if not known:
        return 0
    flags, tag = command.flags, game.tag(target) if target >= 0 else 0
    wanted = flags & AUTOCAST_ON, flags & AUTOCAST_OFF
    if any(wanted):
        known = [slot for slot in known if bool(int(game.units[slot]["flags"]) & AUTOCAST) != bool(wanted[0])]
        if not known:
            return Result.SUCCESS
    point = command.has_point or (command.target != NO_TARGET and not tag)
    verdict = game.issue(
        Command(
            command.player,
            command.ability,
            tuple(game.tag(slot) for slot in known),
            tag,
            command.x if point else 0.0,
            command.y if point else 0.0,
            point,
            bool(flags & QUEUED),
            any(wanted),
        )
    )
    touched.update(known)
    lost = len(known) < len(slots) and not any(wanted)
    own = command.target >= 0 and target < 0 and _driven(binding, command.target)
    return 0 if lost or own else verdict


def _driven(binding: Binding, key: int) -> bool:
    """The unit's owner is the map or a player whose commands are played."""
    return binding.owners.get(key, -1) in (0, *binding.sides)


def _measure(game: Game, command: RealCommand, slot: int, trace: Trace) -> None:
    """Compares a target's place with that of the real one."""
    unit = game.units[slot]
    if unit["owner"] in trace.sides and not int(unit["flags"]) & STRUCTURE:
        cells = float(np.hypot(unit["x"] - command.x, unit["y"] - command.y))
        trace.drifts.append(Drift(command.loop, int(unit["owner"]), cells))


def _listen(game: Game, binding: Binding, trace: Trace) -> None:
    """Notes orders that failed late, and finished upgrades."""
    for player in trace.sides:
        for error in game.events(player).errors:
            slot = game.slot(error.tag)
            trace.errors.append((game.loop, binding.slots.get(slot, -1), error.ability, error.result))
        for upgrade in np.flatnonzero(game.players[player]["upgrades"]):
            found = game.facts.upgrades.get(int(upgrade))
            if found is not None:
                trace.upgrades.setdefault((player, found.name), game.loop)


def sample(game: Game, player: int) -> Sample:
    """The player's books now."""
    record = game.players[player]
    units = game.units[: int(game.world[0]["slots"])]
    own = (units["alive"] == 1) & (units["owner"] == player)
    ids, numbers = np.unique(units["type"][own], return_counts=True)
    counts = {game.facts.names[int(i)]: int(n) for i, n in zip(ids, numbers, strict=True)}
    return Sample(
        float(record["minerals_gathered"]),
        float(record["gas_gathered"]),
        float(record["supply_used"]),
        float(record["supply_cap"]),
        counts,
    )
