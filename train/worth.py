"""What every battle's units are worth now, and who earned what, compiled: passes over the records after each step."""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import MAX_WEAPONS
from sim.engine.jit import inlined, rule
from sim.engine.state import CLOAKED, DETECTED

OURS = 1
_NOTHING, _ALL = np.float32(0.0), np.float32(1.0)


@inlined
def worth_of(unit, generation, value):
    """(value if the unit of the start lives, the same by its share of life)."""
    if not unit.alive or unit.generation != generation:
        return _NOTHING, _NOTHING
    share = (unit.hp + unit.shield) / max(unit.hp_max + unit.shield_max, 1.0)
    return value, np.float32(value * min(max(share, 0.0), 1.0))


@rule
def tally(units, generation, value, owner, worth):
    """worth f4[slots, 2] of the units of one start, 0 for others; as `account`."""
    for slot in range(units.shape[0]):
        worth[slot, 0] = 0.0
        worth[slot, 1] = 0.0
        if owner[slot] > 0:
            worth[slot, 0], worth[slot, 1] = worth_of(units[slot], generation[slot], value[slot])


@rule
def account(units, generation, value, owner, fights, price, before, fall, standing, left, betrayed):
    """What every unit of each battle's start lost since the last step, at the price f4[B, 3] of our losses, of theirs,
    and the part of both that goes by life: fall f4[B, 2, slots], by side.

    units UNIT[B, slots]; generation u4, value f4, owner i1 and fights bool, all [B, slots], as they were at the start.
    before f4[B, slots, 2]: the worth after the last step, renewed. standing u1[B, 2] tells by side whether a fighter
    lives, left f4[B, 2] what the living are worth; betrayed i4[B] counts our units that are cloaked and yet detected.
    """
    for b in range(units.shape[0]):
        hurt = price[b, 2]
        for side in range(2):
            standing[b, side] = 0
            left[b, side] = 0.0
        betrayed[b] = 0
        for slot in range(units.shape[1]):
            unit = units[b, slot]
            fall[b, 0, slot] = 0.0
            fall[b, 1, slot] = 0.0
            if unit.alive and unit.owner == OURS and unit.flags & CLOAKED and unit.flags & DETECTED:
                betrayed[b] += 1
            side = owner[b, slot] - 1
            if side < 0:
                continue
            alive, whole = worth_of(unit, generation[b, slot], value[b, slot])
            loss = (before[b, slot, 0] - alive) * (_ALL - hurt) + (before[b, slot, 1] - whole) * hurt
            fall[b, side, slot] = loss * price[b, side]
            before[b, slot, 0] = alive
            before[b, slot, 1] = whole
            left[b, side] += alive
            if fights[b, slot] and unit.alive and unit.generation == generation[b, slot]:
                standing[b, side] = 1


@rule
def aim_of(unit, owner):
    """Slot of whom one of our units fires at, -1 for nobody."""
    if not unit.alive or owner != OURS:
        return -1
    if unit.windup >= 0.0:
        return unit.target
    for k in range(MAX_WEAPONS):
        if unit.cooldown[k] > 0.0:
            return unit.target
    return -1


@rule
def credit(units, owner, falls, aim, shooters, paid):
    """paid f4[B, slots]: what the enemies' losses, falls[:, 1] f4[B, 2, slots], pay each of our units. Those that fire
    at an enemy, now or as the step began, share what it loses; what nobody fires at (spells, mines) pays all that live,
    or all of the start where none does.

    aim i4[B, slots]: whom each fired at when the step began, renewed; shooters f4[slots]: scratch.
    """
    for b in range(units.shape[0]):
        fall = falls[b, 1]
        for slot in range(units.shape[1]):
            shooters[slot] = 0.0
        living, ours = 0, 0
        for slot in range(units.shape[1]):
            now = aim_of(units[b, slot], owner[b, slot])
            if owner[b, slot] == OURS:
                ours += 1
                living += units[b, slot].alive
            if now >= 0:
                shooters[now] += 1.0
            if aim[b, slot] >= 0 and aim[b, slot] != now:
                shooters[aim[b, slot]] += 1.0
        rest = 0.0
        for slot in range(units.shape[1]):
            if shooters[slot] == 0.0:
                rest += fall[slot]
        rest /= max(living if living else ours, 1)
        for slot in range(units.shape[1]):
            now = aim_of(units[b, slot], owner[b, slot])
            before = aim[b, slot]
            paid[b, slot] = rest if owner[b, slot] == OURS and (units[b, slot].alive or not living) else 0.0
            if now >= 0:
                paid[b, slot] += fall[now] / shooters[now]
            if before >= 0 and before != now:
                paid[b, slot] += fall[before] / shooters[before]
            aim[b, slot] = now
