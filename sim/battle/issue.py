"""Plain orders for many units of many battles at once, with the verdicts and effects of a client's commands.

Whatever is not plain (a morph or an ability under way, cargo, stasis) goes through `Game.issue`, unit by unit.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine import state
from sim.facts import load
from sim.melee.commands import POINT
from sim.melee.orders import ANYWHERE

if TYPE_CHECKING:
    from sim.battle.battles import Battles

# verb -> (general or exact id as a client would give it, kind of ability)
_ASKED = {
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
_TARGETED = (state.FOLLOW, state.ATTACK, state.HEAL, state.REPAIR)
_POINTED = (state.MOVE, state.ATTACK_MOVE, state.PATROL)
_MENDING = (state.HEAL, state.REPAIR)
_NOT_COMMANDED = ("Interceptor",)
# what makes a unit's orders more than a row to write
_UNUSUAL = state.MORPHING | state.INSIDE | state.UNFINISHED | state.HALLUCINATION | state.STRUCTURE


@cache
def ability_table(patch: str) -> np.ndarray:
    """i4[verbs, types]: exact ability by which a type obeys a verb, 0 = it has none."""
    facts = load(patch)
    table = np.zeros((state.WAIT + 1, len(facts.types)), np.int32)
    for verb, (asked, kind) in _ASKED.items():
        for ability in reversed(facts.general.get(asked, (asked,))):
            known = facts.abilities.get(ability)
            if known is not None and known.kind == kind:
                table[verb, list(known.casters)] = ability
    table[:, [facts.ids[name] for name in _NOT_COMMANDED]] = 0
    return table


class Orders:
    """The door for plain orders of one `Battles`."""

    def __init__(self, battles: Battles) -> None:
        self._battles = battles
        known = ability_table(battles.templates[0].patch)
        self._abilities = np.zeros((known.shape[0], battles.types.shape[2]), np.int32)
        self._abilities[:, : known.shape[1]] = known[:, : battles.types.shape[2]]
        self._blank = np.zeros((), state.ORDER)

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
        unit = b.units[battles, slots]
        alive = unit["alive"] == 1
        current = b.orders[battles, slots, 0]
        busy = unit["order_count"] > 0
        unusual = (unit["flags"] & _UNUSUAL != 0) | (busy & (current["verb"] >= state.APPROACH))
        kinds = b.types[b.tables[battles], unit["owner"], unit["type"]]
        unusual |= (unit["order_count"] > 1) | ((unit["flags"] & state.IMMOBILE != 0) & (kinds["speed"] > 0))
        possible = np.zeros(len(battles), bool)
        for index in np.flatnonzero(alive & unusual).tolist():
            possible[index] = self._as_command(
                int(battles[index]), int(slots[index]), int(verbs[index]), int(targets[index]), x[index], y[index]
            )
        plain = alive & ~unusual
        ability = self._abilities[verbs, unit["type"]]
        legal = plain & (ability > 0) & self._allowed(battles, slots, verbs, targets, unit, kinds)
        possible |= legal
        b.spoke[battles[legal], unit["owner"][legal]] = True
        rows = self._rows(battles, verbs, targets, x, y, unit, ability)
        same = busy & (current["ability"] == ability) & (current["target"] == rows["target"])
        near = (np.abs(current["x"] - rows["x"]) < POINT) & (np.abs(current["y"] - rows["y"]) < POINT)
        near |= ~np.isin(verbs, _POINTED)
        aimed = rows["target"] >= 0
        same &= np.where(aimed, current["target_generation"] == rows["target_generation"], near)
        new = legal & ~same & ~((verbs == state.ATTACK_MOVE) & self._rooted(unit, kinds))
        at, slot = battles[new], slots[new]
        b.orders[at, slot, 0] = rows[new]
        stop = verbs[new] == state.IDLE
        b.orders[at[stop], slot[stop], 0] = self._blank
        b.units["order_count"][at, slot] = ~stop
        b.units["moving"][at, slot] = 0
        return possible

    def _allowed(
        self,
        battles: np.ndarray,
        slots: np.ndarray,
        verbs: np.ndarray,
        targets: np.ndarray,
        unit: np.ndarray,
        kinds: np.ndarray,
    ) -> np.ndarray:
        """bool[m]: the checks of `melee/moving.py` and `melee/mending.py`."""
        b = self._battles
        walks = kinds["speed"] > 0
        fits = walks | ~np.isin(verbs, (state.MOVE, state.FOLLOW, state.PATROL, state.HOLD))
        aimed = np.isin(verbs, _TARGETED)
        other = b.units[battles, np.maximum(targets, 0)]
        there = (targets >= 0) & (other["alive"] == 1) & (other["flags"] & state.INSIDE == 0) & (targets != slots)
        fits &= ~aimed | there
        fits &= (verbs != state.ATTACK) | (other["flags"] & state.INVULNERABLE == 0)
        mends = np.isin(verbs, _MENDING)
        if mends.any():
            kind = b.types[b.tables[battles], other["owner"], other["type"]]
            body = np.where(verbs == state.HEAL, state.BIOLOGICAL, state.MECHANICAL)
            patient = (other["owner"] == unit["owner"]) & (kind["attributes"] & body != 0)
            patient &= (other["flags"] & state.UNFINISHED == 0) | (verbs == state.HEAL)
            patient &= (other["flags"] & state.STRUCTURE == 0) | (verbs == state.REPAIR)
            fits &= ~mends | patient
        return fits

    @staticmethod
    def _rooted(unit: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        """bool[m]: cannot walk, so that an attack on a point means nothing."""
        return (kinds["speed"] <= 0) | (unit["flags"] & state.IMMOBILE != 0)

    def _rows(
        self,
        battles: np.ndarray,
        verbs: np.ndarray,
        targets: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
        unit: np.ndarray,
        ability: np.ndarray,
    ) -> np.ndarray:
        """ORDER[m] as `melee/orders.push` fills them."""
        b = self._battles
        aimed = np.isin(verbs, _TARGETED)
        pointed = np.isin(verbs, _POINTED)
        target = np.where(aimed, targets, -1)
        other = b.units[battles, np.maximum(target, 0)]
        rows = np.zeros(len(battles), state.ORDER)
        rows["ability"], rows["verb"], rows["timer"], rows["range"] = ability, verbs, -1, ANYWHERE
        rows["target"] = target
        rows["target_generation"] = np.where(aimed, other["generation"], 0)
        rows["x"] = np.where(aimed, other["x"], np.where(pointed, np.trunc(x / POINT) * POINT, unit["x"]))
        rows["y"] = np.where(aimed, other["y"], np.where(pointed, np.trunc(y / POINT) * POINT, unit["y"]))
        patrols = verbs == state.PATROL
        rows["x2"], rows["y2"] = np.where(patrols, unit["x"], 0), np.where(patrols, unit["y"], 0)
        return rows

    def _as_command(self, battle: int, slot: int, verb: int, target: int, x: float, y: float) -> bool:
        """The long way: a command like a client's."""
        pointed = verb in _POINTED
        target = target if verb in _TARGETED else -1
        if verb in _TARGETED and target < 0:
            return False
        result = self._battles.cast(
            battle, slot, _ASKED[verb][0], target, float(x) if pointed else None, float(y) if pointed else None
        )
        return result == 1
