"""What every battle's units are worth now, and who earned what, compiled: passes over the records after each step."""

from __future__ import annotations

from sim.engine.jit import rule
from sim.engine.state import CLOAKED, DETECTED, MAX_WEAPONS

OURS = 1


@rule
def tally(units, generation, value, owner, fights, worth, standing, betrayed):
    """Of the units of each battle's start that live: worth f4[B, slots, 2], their value and the same by the share of
    life left, 0 for others; standing u1[B, 2], by side whether a fighter is among them. betrayed i4[B] counts all our
    units that are cloaked and yet detected.

    units UNIT[B, slots]; generation u4, value f4, owner i1 and fights bool, all [B, slots], as they were at the start.
    """
    for b in range(units.shape[0]):
        standing[b, 0] = 0
        standing[b, 1] = 0
        betrayed[b] = 0
        for slot in range(units.shape[1]):
            unit = units[b, slot]
            worth[b, slot, 0] = 0.0
            worth[b, slot, 1] = 0.0
            if not unit.alive:
                continue
            if unit.owner == OURS and unit.flags & CLOAKED and unit.flags & DETECTED:
                betrayed[b] += 1
            side = owner[b, slot] - 1
            if unit.generation != generation[b, slot] or side < 0:
                continue
            if fights[b, slot]:
                standing[b, side] = 1
            share = (unit.hp + unit.shield) / max(unit.hp_max + unit.shield_max, 1.0)
            worth[b, slot, 0] = value[b, slot]
            worth[b, slot, 1] = value[b, slot] * min(max(share, 0.0), 1.0)


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
def credit(units, owner, fall, aim, shooters, paid):
    """paid f4[B, slots]: what the enemies' losses `fall` f4[B, slots] pay each of our units. Those that fire at an
    enemy, now or as the step began, share what it loses; what nobody fires at (spells, mines) pays all that live.

    aim i4[B, slots]: whom each fired at when the step began, renewed; shooters f4[slots]: scratch.
    """
    for b in range(units.shape[0]):
        for slot in range(units.shape[1]):
            shooters[slot] = 0.0
        living = 0
        for slot in range(units.shape[1]):
            now = aim_of(units[b, slot], owner[b, slot])
            if units[b, slot].alive and owner[b, slot] == OURS:
                living += 1
            if now >= 0:
                shooters[now] += 1.0
            if aim[b, slot] >= 0 and aim[b, slot] != now:
                shooters[aim[b, slot]] += 1.0
        rest = 0.0
        for slot in range(units.shape[1]):
            if shooters[slot] == 0.0:
                rest += fall[b, slot]
        rest /= max(living, 1)
        for slot in range(units.shape[1]):
            now = aim_of(units[b, slot], owner[b, slot])
            before = aim[b, slot]
            paid[b, slot] = rest if units[b, slot].alive and owner[b, slot] == OURS else 0.0
            if now >= 0:
                paid[b, slot] += fall[b, now] / shooters[now]
            if before >= 0 and before != now:
                paid[b, slot] += fall[b, before] / shooters[before]
            aim[b, slot] = now
