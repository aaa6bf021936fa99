"""Sides that told their workers nothing, played again: the real built-in players of Kairos Junction.

Workers are born, and structures begun, when and where they really were; the books of a replay, which know no minerals
that a builder has taken along, are left alone: the collection rate is the income of the last 240 loops.
"""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

from sim.engine.state import GATHER, RETURN
from sim.fidelity.workshop import RefusedError, Row
from sim.maps import Terrain
from sim.melee import birth
from sim.melee.game import Command
from sim.melee.harvest_places import WALK
from sim.replays.drive import new_game
from sim.replays.reader import PLAYERS, RealEvent, RealGame, ReplayError, read_games, read_heads

WORKERS = {"Terran": "SCV", "Zerg": "Drone", "Protoss": "Probe"}
HALLS = ("CommandCenter", "Hatchery", "Nexus")
GAS = ("Refinery", "Assimilator", "Extractor")
ASIDE = ("CreepTumor", "Nydus", "TechLab", "Reactor")  # structures that no worker begins
MOVE = 16
LAST, SAMPLE, WINDOW = 1600, 160, 240  # loops
RATE = 28.0  # of a collection rate: one trip of 5 minerals in WINDOW, a minute being 5.6 of these
SPEED, AROUND = 0.1758, 3.0  # cells per loop; cells round a town hall where its workers are
CREW = 3  # workers of a gas structure
ALIKE = 3  # sides of one race and start that are played
ALLOWED = 1.0  # trip


def plain(replays: Path, terrain: Terrain) -> list[Row]:
    """Trips brought home in the last 240 loops, means over races and starts, at every 160th loop."""
    try:
        ids = {head["id"] for head in read_heads(replays) if head["terrain"] == terrain.name}
        sides = [(real, n) for real in read_games(replays, ids) for n in PLAYERS if n not in real.sides]
    except ReplayError as error:
        raise RefusedError(str(error)) from None
    ours, truth = defaultdict(list), defaultdict(list)
    played: dict[tuple[str, int, int], int] = defaultdict(int)
    for real, player in sides:
        home = next(e for e in real.events if e.player == player and e.type in HALLS)
        played[real.races[player], home.x, home.y] += 1
        if played[real.races[player], home.x, home.y] > ALIKE:
            continue
        curve, stats = trips(real, player, terrain), dict(real.stats[player])
        for loop in range(SAMPLE, LAST + 1, SAMPLE):
            if loop in stats:
                ours[loop].append(curve[loop] - curve.get(loop - WINDOW, 0))
                truth[loop].append(stats[loop].get("MineralsCollectionRate", 0) / RATE * min(loop / WINDOW, 1))
    return [Row(f"sides at {n}", sum(ours[n]) / len(ours[n]), sum(truth[n]) / len(ours[n]), ALLOWED) for n in ours]


def trips(real: RealGame, player: int, terrain: Terrain, until: int = LAST) -> dict[int, int]:
    """Trips that a side of ours has brought home, by loop (every 80th)."""
    side = _Side(real, player, terrain)
    plan = sorted(_plan(real, player, side.home), key=lambda step: step[0])
    curve, done = {0: 0}, 0
    while side.game.loop < until:
        while done < len(plan) and plan[done][0] <= side.game.loop:
            _, what, event = plan[done]
            getattr(side, what)(event)
            done += 1
        side.game.step()
        if side.game.loop % 80 == 0:
            curve[side.game.loop] = int(side.game.players[player]["minerals_gathered"]) // 5
    return curve


def _plan(real: RealGame, player: int, home: tuple[float, float]) -> list[tuple[int, str, RealEvent]]:
    """What happens to a side's workers: (loop, method of `_Side`, the event behind it)."""
    plan = []
    begun = {e.key: e for e in real.events if e.kind == "I" and e.player == player and not e.type.endswith(ASIDE)}
    begun = {key: e for key, e in begun.items() if not e.type.startswith(ASIDE)}
    for event in real.events:
        if event.kind == "B" and event.loop and event.player == player and event.type in WORKERS.values():
            plan.append((event.loop, "born", event))
        elif event.kind == "I" and event.key in begun:
            way = max(math.dist((event.x + 0.5, event.y + 0.5), home) - AROUND, 1.0)
            plan += [(max(event.loop - int(way / SPEED), 1), "sent", event), (event.loop, "begins", event)]
        elif event.kind == "D" and event.key in begun:
            plan.append((event.loop, "done", begun[event.key]))
    return plan


class _Side:
    """A side of ours whose workers are told what the tracker says of the real ones."""

    def __init__(self, real: RealGame, player: int, terrain: Terrain) -> None:
        self.game, self.player = new_game(real, terrain), player
        self.name = WORKERS[real.races[player]]
        (self.hall,) = (slot for name in HALLS for slot in self.game.owned(player, name))
        units = self.game.units
        self.home = float(units[self.hall]["x"]), float(units[self.hall]["y"])
        self.gather = self.game.abilities_of(self.game.facts.ids[self.name])["gather"][0]
        near, minerals = self.game.near(*self.home, 11), self.game.facts.minerals
        self.fields = [slot for slot in near if int(units[slot]["type"]) in minerals]
        self.builders: dict[int, int] = {}  # key of a structure -> slot

    def born(self, event: RealEvent) -> None:
        slot = self.game.spawn(self.game.facts.ids[self.name], self.player, event.x + 0.5, event.y + 0.5, facing=0.0)
        birth.send_to_rally(self.game, self.hall, slot)

    def sent(self, event: RealEvent) -> None:
        x, y = event.x + 0.5, event.y + 0.5
        self.builders[event.key] = self._nearest(x, y)
        self._tell(self.builders[event.key], MOVE, 0, x, y)

    def begins(self, event: RealEvent) -> None:
        """A Drone is gone, a Probe goes back to mine, an SCV stays until all is done."""
        if self.name == "Drone":
            self.game.remove(self.builders.pop(event.key))
        elif self.name == "Probe":
            self._back(self.builders.pop(event.key))

    def done(self, event: RealEvent) -> None:
        """Gas takes workers away for good; they are none of the minerals' any more."""
        if event.key in self.builders:
            self._back(self.builders.pop(event.key))
        if event.type in GAS:
            for _ in range(CREW):
                self.game.remove(self._nearest(event.x, event.y))

    def _nearest(self, x: float, y: float) -> int:
        """The worker without a load that is nearest and has nothing else to do."""
        units, orders = self.game.units, self.game.orders
        free = [slot for slot in self.game.owned(self.player, self.name) if slot not in self.builders.values()]
        idle = [s for s in free if int(orders[s, 0]["verb"]) in (GATHER, RETURN) and units[s]["harvest_stage"] == WALK]
        idle = [slot for slot in idle if not units[slot]["carry"]] or free
        return min(idle, key=lambda slot: math.hypot(float(units[slot]["x"]) - x, float(units[slot]["y"]) - y))

    def _back(self, slot: int) -> None:
        at_work = [int(self.game.units[w]["harvest_target"]) for w in self.game.owned(self.player, self.name)]
        self._tell(slot, self.gather, self.game.tag(min(self.fields, key=at_work.count)))

    def _tell(self, slot: int, ability: int, tag: int, x: float = 0.0, y: float = 0.0) -> None:
        self.game.issue(Command(self.player, ability, (self.game.tag(slot),), tag, x, y, not tag))
