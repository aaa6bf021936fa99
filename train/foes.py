"""What the other side does by itself: orders for all battles at once, no Python per unit."""

from __future__ import annotations

import numpy as np

from sim.battle import Battles
from sim.computer import levels
from sim.engine import state
from sim.engine.catalog import AIR, GROUND
from sim.engine.focus import ROOM
from train.unit_rules import idle, turning

THEIRS, OURS = 2, 1
BEHAVIOURS = ("attack", "hold", "raid", "hunt", "none")
NUMBER = {name: index for index, name in enumerate(BEHAVIOURS)}
LEVEL = 7  # VeryHard, the level of the challenge
RAID_BACK, RAID_AGAIN = 0.6, 12  # share of strength at which raiders run home, steps they stay there


class Foes:
    """The enemies of one `Battles`.

    kind i1[B] (NUMBER, -1 = driven from outside), point and home f4[B, 2]; aims bool[B]: they turn to the best targets.
    """

    def __init__(self, battles: Battles) -> None:
        count = battles.count
        self.battles = battles
        self.kind = np.full(count, -1, np.int8)
        self.aims = np.zeros(count, bool)
        self._turning = np.empty((3, battles.units.size), np.int64)
        self._room = np.empty((ROOM, battles.units.shape[1]), np.int32)
        self.point = np.zeros((count, 2), np.float32)
        self.home = np.zeros((count, 2), np.float32)
        self.rest = np.zeros(count, np.int32)  # steps that raiders stay at home
        self.mark = np.zeros(count, np.float32)  # life at which raiders run

    def start(
        self, battles: np.ndarray, kind: np.ndarray, aims: np.ndarray, point: np.ndarray, home: np.ndarray
    ) -> None:
        """These battles (i8 [m]) begin anew: behaviour i8 [m], aims bool [m], the mission's point and home f4 [m, 2],
        cells."""
        self.kind[battles], self.point[battles], self.home[battles] = kind, point, home
        self.aims[battles] = aims
        self.rest[battles] = 0
        raiding = battles[kind == NUMBER["raid"]]
        if len(raiding):
            self.mark[raiding] = RAID_BACK * self._life()[raiding]

    def _life(self) -> np.ndarray:
        units = self.battles.units
        mine = (units["alive"] == 1) & (units["owner"] == THEIRS)
        return np.where(mine, units["hp"] + units["shield"], 0).sum(axis=1)

    def act(self) -> None:
        """This step's orders."""
        for name, verb in (("attack", state.ATTACK_MOVE), ("hold", state.HOLD)):
            if (self.kind == NUMBER[name]).any():
                self._give(*self._idle(self.kind == NUMBER[name]), verb, self.point)
        if (self.kind == NUMBER["raid"]).any():
            self._raid()
        if (self.kind == NUMBER["hunt"]).any():
            self._hunt(*self._idle(self.kind == NUMBER["hunt"]))
        if self.aims.any():
            self._aim()

    def _aim(self) -> None:
        """Each turns to the best enemy that it would notice by itself."""
        battles = self.battles
        tables = battles.tables, battles.types, battles.weapons, battles.visibility
        most = levels.level(LEVEL).attackers
        wanted = self.aims & (self.kind >= 0)
        count = turning(battles.units, battles.orders, *tables, wanted, THEIRS, most, self._room, *self._turning)
        b, s, targets = self._turning[:, :count]
        nowhere = np.zeros(count, np.float32)
        battles.issue(b, s, np.full(count, state.ATTACK), targets, nowhere, nowhere)

    def _idle(self, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(battle, slot) of the enemies without orders in the battles wanted bool[B]."""
        units = self.battles.units
        b, s = np.empty(units.size, np.int64), np.empty(units.size, np.int64)
        count = idle(units, wanted, THEIRS, b, s)
        return b[:count], s[:count]

    def _give(self, b: np.ndarray, s: np.ndarray, verb: int, points: np.ndarray) -> None:
        if len(b):
            x, y = points[b, 0], points[b, 1]
            self.battles.issue(b, s, np.full(len(b), verb), np.full(len(b), -1), x, y)

    def _raid(self) -> None:
        """Attack; at RAID_BACK of the strength run home; come again after a while, until there is little left."""
        units = self.battles.units
        mine = (units["alive"] == 1) & (units["owner"] == THEIRS) & (units["flags"] & state.INSIDE == 0)
        raiding = self.kind == NUMBER["raid"]
        life = self._life()
        fleeing = raiding & (self.rest == 0) & (life < self.mark)
        self.rest[fleeing] = RAID_AGAIN
        self.mark[fleeing] = RAID_BACK * life[fleeing]
        self._give(*np.nonzero(mine & fleeing[:, None]), state.MOVE, self.home)
        resting = raiding & (self.rest > 0)
        self.rest[resting] -= 1
        waiting = mine & (units["order_count"] == 0) & (raiding & (self.rest == 0))[:, None]
        self._give(*np.nonzero(waiting), state.ATTACK_MOVE, self.point)

    def _hunt(self, b: np.ndarray, s: np.ndarray) -> None:
        """Each attacks the nearest of our units that it can hit; who can hit none of them is told nothing."""
        if not len(b):
            return
        units = self.battles.units
        one, others = units[b, s], units[b]
        prey = (others["alive"] == 1) & (others["owner"] == OURS) & (others["flags"] & state.INSIDE == 0)
        reach = self._reach(b, one)
        plane = np.where(others["flags"] & state.FLYING, AIR, GROUND)
        prey &= reach[:, None] & plane != 0
        away = (others["x"] - one["x"][:, None]) ** 2 + (others["y"] - one["y"][:, None]) ** 2
        target = np.where(prey, away, np.inf).argmin(axis=1)
        some = prey.any(axis=1)
        b, s, target = b[some], s[some], target[some]
        self.battles.issue(b, s, np.full(len(b), state.ATTACK), target, np.zeros(len(b)), np.zeros(len(b)))

    def _reach(self, b: np.ndarray, units: np.ndarray) -> np.ndarray:
        """i4[m]: GROUND | AIR of what each unit's weapons hit."""
        table = self.battles.tables[b]
        rows = self.battles.types[table, units["owner"], units["type"]]["weapons"]
        hits = self.battles.weapons[table[:, None], units["owner"][:, None], np.maximum(rows, 0)]["targets"]
        return np.bitwise_or.reduce(np.where(rows >= 0, hits, 0), axis=1).astype(np.int32)
