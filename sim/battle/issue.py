"""Plain orders for many units of many battles at once, with the verdicts and effects of a client's commands.

Whatever is not plain (a morph or an ability under way, cargo, stasis) goes through `Game.issue`, unit by unit.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.battle.giving import GIVEN, LONG_WAY, UNLIKE, Asked, give
from sim.engine import state
from sim.facts import load

if TYPE_CHECKING:
    from sim.battle.battles import Battles

# verb -> (general or exact id as a client would give it, kind of ability)
ASKED = {
    state.IDLE: (3665, "stop"),
    state.MOVE: (3794, "move"),
    state.FOLLOW: (3794, "move"),
    state.ATTACK: (3674, "attack"),
    state.ATTACK_MOVE: (3674, "attack"),
    state.PATROL: (3795, "patrol"),
    state.HOLD: (3793, "hold"),
    state.HEAL: (386, "heal"),
    state.REPAIR: (3685, "repair"),
}
TARGETED = (state.FOLLOW, state.ATTACK, state.HEAL, state.REPAIR)
POINTED = (state.MOVE, state.ATTACK_MOVE, state.PATROL)
_NOT_COMMANDED = ("Interceptor",)


@cache
def ability_table(patch: str) -> np.ndarray:
    """i4[verbs, types]: exact ability by which a type obeys a verb; 0 = it has none, UNLIKE = one of another kind that
    only the long way knows (a Bunker's attack is its passengers')."""
    facts = load(patch)
    table = np.zeros((state.WAIT + 1, len(facts.types)), np.int32)
    for verb, (asked, kind) in ASKED.items():
        found = facts.general.get(asked, (asked,))
        meant = [facts.abilities[ability] for ability in reversed(found) if ability in facts.abilities]
        for ability in sorted(meant, key=lambda ability: ability.kind == kind):
            table[verb, list(ability.casters)] = ability.id if ability.kind == kind else UNLIKE
    table[:, [facts.ids[name] for name in _NOT_COMMANDED]] = 0
    return table


class Orders:
    """The door for plain orders of one `Battles`."""

    def __init__(self, battles: Battles) -> None:
        self._battles = battles
        known = ability_table(battles.patch)
        self._abilities = np.zeros((known.shape[0], battles.types.shape[2]), np.int32)
        self._abilities[:, : known.shape[1]] = known[:, : battles.types.shape[2]]

    def issue(
        self,
        battles: np.ndarray,
        slots: np.ndarray,
        verbs: np.ndarray,
        targets: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
    ) -> np.ndarray:
        """See `Battles.issue`."""
        b = self._battles
        whole = [np.ascontiguousarray(column, np.int64) for column in (battles, slots, verbs, targets)]
        answers = np.zeros(len(whole[0]), np.uint8)
        asked = Asked(*whole, np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64))
        give(asked, answers, b.spoke, b.tables, self._abilities, b.units, b.orders, b.types, b.weapons)
        possible = answers == GIVEN
        for index in np.flatnonzero(answers == LONG_WAY).tolist():
            possible[index] = self._as_command(*(int(column[index]) for column in whole), x[index], y[index])
        return possible

    def _as_command(self, battle: int, slot: int, verb: int, target: int, x: float, y: float) -> bool:
        """The long way: a command like a client's."""
        pointed = verb in POINTED
        target = target if verb in TARGETED else -1
        if verb in TARGETED and target < 0:
            return False
        result = self._battles.cast(
            battle, slot, ASKED[verb][0], target, float(x) if pointed else None, float(y) if pointed else None
        )
        return result == 1
