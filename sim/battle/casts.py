"""Abilities that act at once on their own user, compiled: the verdict and the effect of many, one after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

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


class Uses(NamedTuple):
    """Orders to m units to use an ability, i8[m] each."""

    battles: np.ndarray
    slots: np.ndarray
    abilities: np.ndarray


class Book(NamedTuple):
    """What is known of the abilities of B battles."""

    awake: np.ndarray  # u1[B]: its `Game` keeps the cooldowns
    which: np.ndarray  # i4[B]: its template
    casts: np.ndarray  # CAST[templates, PLAYERS, n]
    ready: np.ndarray  # i4[B, slots, n]: the loop from which on the unit may cast


@rule
def judge(uses, answers, spoke, book, worlds, units, players):
    """What comes of each of m orders: answers u1[m]; spoke u1[B, PLAYERS] as in `giving.give`."""
    for index in range(uses.battles.shape[0]):
        battle = uses.battles[index]
        slot = uses.slots[index]
        unit = units[battle, slot]
        answers[index] = REFUSED
        if not unit.alive:
            continue
        own = book.casts[book.which[battle], unit.owner]
        row = row_of(own, uses.abilities[index], unit.type)
        if row < 0 or (book.awake[battle] and own[row].cooldown > 0):
            answers[index] = LONG_WAY
            continue
        upgrades = players[battle, unit.owner].upgrades
        answers[index] = verdict(worlds[battle, 0].loop, unit, own[row], book.ready[battle, slot, row], upgrades)
        if answers[index] == GIVEN:
            spoke[battle, unit.owner] = 1


@rule
def carry_out(uses, generations, book, worlds, units, players, buffs):
    """The effect of m orders; generations u4[m]: those of the units that they were given to."""
    for index in range(uses.battles.shape[0]):
        battle = uses.battles[index]
        slot = uses.slots[index]
        unit = units[battle, slot]
        if not unit.alive or unit.generation != generations[index]:
            continue
        own = book.casts[book.which[battle], unit.owner]
        row = row_of(own, uses.abilities[index], unit.type)
        cast = own[row]
        loop = worlds[battle, 0].loop
        if verdict(loop, unit, cast, book.ready[battle, slot, row], players[battle, unit.owner].upgrades) != GIVEN:
            continue
        unit.hp -= cast.life
        book.ready[battle, slot, row] = loop + cast.cooldown
        for k in range(cast.buffs.shape[0]):
            if cast.buffs[k]:
                apply_buff(unit, buffs, cast.buffs[k])
