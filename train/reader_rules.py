"""What `reader.py` reads of every unit, compiled. Constants of `bot` are arguments: the cache of compiled code knows of
changes in `sim` and in this file only."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.engine.answer import goes_home
from sim.engine.jit import inlined, rule
from sim.engine.shown import shown_cooldown
from sim.engine.state import BURROWED, CLOAKED, DETECTED, FLYING, INSIDE, MAX_BUFFS, UNFINISHED

UNSEEN, HIDDEN, SHOWN = range(3)
VISIBLE = 2  # of the visibility grids
CLOAKED_STATE, DETECTED_CLOAK, UNCLOAKED, ALLIED_CLOAK = 1, 2, 3, 4  # the protocol's CloakState
SIEGED, SIEGE = 32, 388  # SiegeTankSieged and the order that made it
GUARDING, ZONE = 734, 2558  # LiberatorAG, likewise
MOVE_ON = 16  # what who goes home shows
_TINY, _NONE = np.float32(1e-6), np.float32(0.0)


@rule
def sort_out(units, slots, generation, viewer, visibility, everything, standing, keys):
    """How much the viewer sees of whoever is in the slots i8[N] now: standing u1[B, N] is UNSEEN, HIDDEN (a cloaked
    enemy's shimmer) or SHOWN; keys i8[B, N] are `Kinds.of_keys` of all that live.

    units UNIT[B, slots], generation u4[B, A] of our agents, visibility u1[B, PLAYERS, h, w].
    """
    agents = generation.shape[1]
    for b in range(units.shape[0]):
        for n in range(slots.shape[0]):
            unit = units[b, slots[n]]
            standing[b, n] = UNSEEN
            keys[b, n] = 0
            mine = n < agents
            if not unit.alive or unit.flags & INSIDE:
                continue
            if mine:
                if unit.owner != viewer or unit.generation != generation[b, n]:
                    continue
                standing[b, n] = SHOWN
            else:
                if unit.owner == viewer or unit.owner <= 0:
                    continue
                row = min(max(int(unit.y), 0), visibility.shape[2] - 1)
                column = min(max(int(unit.x), 0), visibility.shape[3] - 1)
                if everything:
                    standing[b, n] = SHOWN
                elif visibility[b, viewer, row, column] == VISIBLE:
                    if not unit.flags & (CLOAKED | BURROWED) or unit.flags & DETECTED:
                        standing[b, n] = SHOWN
                    elif not unit.flags & BURROWED:
                        standing[b, n] = HIDDEN
            flies = standing[b, n] == SHOWN and unit.flags & FLYING != 0
            keys[b, n] = unit.type * 2 + (1 if flies else 0)


@inlined
def progress_of(unit):
    """0..1, how far construction is."""
    if unit.build_left <= _NONE or unit.build_total <= _NONE:
        return 1.0
    return min(max(1.0 - float(unit.build_left / max(unit.build_total, _TINY)), 0.0), 1.0)


class Columns(NamedTuple):
    """What `show` fills of a `Scene`, [B, N] each."""

    kind: np.ndarray  # i4
    tag: np.ndarray  # i8
    present: np.ndarray  # bool
    targetable: np.ndarray  # bool
    flying: np.ndarray  # bool
    burrowed: np.ndarray  # bool
    cloak: np.ndarray  # u1
    buffs: np.ndarray  # bits, see `BUFF_BIT`
    values: np.ndarray  # f4[V, B, N], in the order of `VALUES`


@rule
def show(units, slots, agents, standing, ignored, types, tables, buff_bits, out):
    """Fill the `Columns` of a `Scene`; all are 0 before, but for `kind`. Enemies of the kinds ignored bool[K] count as
    unseen.

    types TYPE[T, PLAYERS, types], tables i4[B]: each battle's own.
    """
    for b in range(units.shape[0]):
        for n in range(slots.shape[0]):
            mine = n < agents
            if standing[b, n] == UNSEEN or (ignored[out.kind[b, n]] and not mine):
                standing[b, n] = UNSEEN
                out.kind[b, n] = 0
                continue
            slot = slots[n]
            unit = units[b, slot]
            number = types[tables[b], unit.owner, unit.type]
            out.present[b, n] = True
            out.tag[b, n] = (slot << 18) + (int(unit.generation) & 0x3FFFF) + (1 << 32)
            out.values[0, b, n] = unit.x
            out.values[1, b, n] = unit.y
            out.values[2, b, n] = unit.z
            out.values[4, b, n] = number.api_radius
            concealed = unit.flags & (CLOAKED | BURROWED) != 0
            out.cloak[b, n] = UNCLOAKED
            if concealed:
                out.cloak[b, n] = ALLIED_CLOAK if mine else DETECTED_CLOAK
            if standing[b, n] == HIDDEN:
                out.cloak[b, n] = CLOAKED_STATE
                continue
            out.values[14, b, n] = progress_of(unit)
            out.targetable[b, n] = True
            out.flying[b, n] = unit.flags & FLYING != 0
            out.burrowed[b, n] = unit.flags & BURROWED != 0
            for k in range(MAX_BUFFS):
                if unit.buff[k] > 0:
                    out.buffs[b, n] |= buff_bits[unit.buff[k]]
            armed = number.weapons[0] >= 0
            out.values[3, b, n] = (
                unit.facing if unit.facing >= _NONE else np.float32(float(unit.facing) + 2.0 * math.pi)
            )
            out.values[5, b, n] = unit.hp
            out.values[6, b, n] = unit.hp_max
            out.values[7, b, n] = unit.shield
            out.values[8, b, n] = unit.shield_max
            out.values[9, b, n] = unit.energy
            out.values[10, b, n] = number.energy_max
            out.values[11, b, n] = number.attack_level if armed else 0
            out.values[12, b, n] = number.armor_level
            out.values[13, b, n] = number.shield_level
            out.values[15, b, n] = _NONE if unit.flags & UNFINISHED else number.detect
            if mine:
                out.values[16, b, n] = shown_cooldown(unit) if armed else _NONE
                out.values[17, b, n] = unit.cargo
                out.values[18, b, n] = number.cargo_space


@inlined
def row_of(units, slot, generation, rows, nobody):
    """Row of the unit in a slot, nobody for other generations and strangers."""
    if slot < 0 or slot >= rows.shape[0] - 1 or units[slot].generation != generation:
        return nobody
    return rows[slot]


@inlined
def is_form(unit, ability):
    """True for the order that made the unit's present form: it shows as long as the form lasts (`sending.FORMS`), so it
    is none that the unit carries out."""
    return (unit.type == SIEGED and ability == SIEGE) or (unit.type == GUARDING and ability == ZONE)


@rule
def intents(units, orders, slots, standing, rows, nobody, classes, order, order_row, aim):
    """What our agents are about, [B, A]: class of the present order by its ability, the row that it aims at and the row
    that the weapon is at work on. rows i4[slots + 1]: the row of each slot."""
    for b in range(order.shape[0]):
        mine = units[b]
        for n in range(order.shape[1]):
            order[b, n] = 0
            order_row[b, n] = nobody
            aim[b, n] = nobody
            if standing[b, n] != SHOWN:
                continue
            slot = slots[n]
            unit = mine[slot]
            at = 1 if unit.order_count and is_form(unit, orders[b, slot, 0].ability) else 0
            if unit.order_count > at:
                present = orders[b, slot, at]
                order[b, n] = classes[present.ability]
                order_row[b, n] = row_of(mine, present.target, present.target_generation, rows, nobody)
            elif goes_home(unit):
                order[b, n] = classes[MOVE_ON]
            if unit.target >= 0 and mine[unit.target].alive:
                aim[b, n] = row_of(mine, unit.target, unit.target_generation, rows, nobody)
