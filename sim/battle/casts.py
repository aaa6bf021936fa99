"""Abilities that act at once on their own user, compiled: the verdict and the effect of many, one after the other."""

from __future__ import annotations

from sim.battle.giving import GIVEN, LONG_WAY, REFUSED, UNUSUAL
from sim.engine.buffs import apply_buff
from sim.engine.jit import rule
from sim.engine.state import DISARMED, IMMOBILE


@rule
def row_of(casts, ability, kind):
    """Row of an ability as the units of a type have it, -1 if they do not; casts CAST[n]."""
    for row in range(casts.shape[0]):
        if casts[row].ability == ability and casts[row].type == kind:
            return row
    return -1


@rule
def verdict(loop, unit, cast, ready, upgrades):
    """What comes of one order; ready: the loop from which on the unit may cast, upgrades u1[MAX_UPGRADES]: its
    owner's."""
    if unit.flags & (UNUSUAL | IMMOBILE | DISARMED) or (cast.upgrade > 0 and not upgrades[cast.upgrade]):
        return LONG_WAY
    return GIVEN if unit.hp > cast.life and ready <= loop else REFUSED


@rule
def judge(battles, slots, abilities, answers, spoke, awake, which, casts, ready, worlds, units, players):
    """What comes of each of m orders, all i8[m] but answers u1[m].

    casts CAST[T, PLAYERS, n] by the battles' templates which i4[B]; ready i4[B, slots, n] as `verdict` says, but not of
    the battles awake u1[B]; spoke u1[B, PLAYERS] as in `giving.give`.
    """
    for index in range(battles.shape[0]):
        battle = battles[index]
        slot = slots[index]
        unit = units[battle, slot]
        answers[index] = REFUSED
        if not unit.alive:
            continue
        own = casts[which[battle], unit.owner]
        row = row_of(own, abilities[index], unit.type)
        if row < 0 or (awake[battle] and own[row].cooldown > 0):
            answers[index] = LONG_WAY
            continue
        upgrades = players[battle, unit.owner].upgrades
        answers[index] = verdict(worlds[battle, 0].loop, unit, own[row], ready[battle, slot, row], upgrades)
        if answers[index] == GIVEN:
            spoke[battle, unit.owner] = 1


@rule
def carry_out(battles, slots, abilities, generations, which, casts, ready, worlds, units, players, buffs):
    """The effect of m orders, all i8[m] but generations u4[m]: those of the units that they were given to."""
    for index in range(battles.shape[0]):
        battle = battles[index]
        slot = slots[index]
        unit = units[battle, slot]
        if not unit.alive or unit.generation != generations[index]:
            continue
        own = casts[which[battle], unit.owner]
        row = row_of(own, abilities[index], unit.type)
        cast = own[row]
        loop = worlds[battle, 0].loop
        if verdict(loop, unit, cast, ready[battle, slot, row], players[battle, unit.owner].upgrades) != GIVEN:
            continue
        unit.hp -= cast.life
        ready[battle, slot, row] = loop + cast.cooldown
        for k in range(cast.buffs.shape[0]):
            if cast.buffs[k]:
                apply_buff(unit, buffs, cast.buffs[k])
