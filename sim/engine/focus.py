"""Whom the fighters of a built-in opponent turn to in a fight: the best enemy that each would notice by itself.

That the real opponent turns its fighters to its best target, what it prefers and how many may share one is told by the
game's own AI scripts. How its program weighs these is not: their order, and that each looks as far as it notices
enemies by itself, is ours.
"""

from __future__ import annotations

from sim.engine.catalog import AIR, GROUND, MAX_WEAPONS
from sim.engine.jit import inlined, rule
from sim.engine.state import ATTACK, ATTACK_MOVE, BURROWED, FLYING, HALLUCINATION, STRUCTURE
from sim.engine.targeting import armed, can_be_target, fight_distance, rank

# What is preferred among enemies of one rank, the foremost first; then the nearest.
_PRIZED, _HEALER, _BONUS, _HURT = 8, 4, 2, 1
ROOM, CHOSEN = 3, 2  # rows of what `turn_to` writes, and the one with its result


@inlined
def row_against(kind, weapons, flags):
    """Row of the type's first weapon that reaches a unit with these flags, -1 = none."""
    plane = AIR if flags & FLYING else GROUND
    for index in range(MAX_WEAPONS):
        row = kind.weapons[index]
        if row >= 0 and weapons[row].targets & plane:
            return row
    return -1


@inlined
def merit(unit, weapon, other, kind, weapons):
    """How much a unit with this weapon wants to fight another one of type `kind`: who can hit it first, as without
    orders, but nobody whose time runs out; then by what is preferred. `weapons` are those of the other one's side."""
    healer = kind.heal_rate > 0.0
    threat = healer or kind.threatens != 0 or row_against(kind, weapons, unit.flags) >= 0
    if kind.worker and other.target < 0:
        threat = False
    if other.life_left > 0.0 and not other.flags & HALLUCINATION:
        threat = False
    liked = _PRIZED if kind.prized else 0
    liked |= _HEALER if healer else 0
    liked |= _BONUS if weapon.bonus > 0.0 and weapon.bonus_attribute & kind.attributes else 0
    liked |= _HURT if other.hp + other.shield < other.hp_max + other.shield_max else 0
    return rank(kind.target_priority, threat, 0) * 16 + liked


@inlined
def attacks(unit, orders):
    """True if the unit is free to turn to somebody: idle, or told to attack."""
    return unit.order_count == 0 or orders[0].verb == ATTACK or orders[0].verb == ATTACK_MOVE


@rule
def turn_to(units, orders, types, weapons, visibility, player, most, room):
    """Write whom each of the player's fighters should attack into `room[CHOSEN]`: an enemy's slot, -1 = leave it.

    units UNIT[slots], orders ORDER[slots, depth]; types TYPE[PLAYERS, n], weapons WEAPON[PLAYERS, m] and visibility
    u1[PLAYERS, h, w] as in a world; most: how many may turn to one enemy; room i4[ROOM, slots]: its other rows hold the
    enemies' slots and how many have turned to each.
    """
    foes, shared, chosen = room[0], room[1], room[CHOSEN]
    enemies = 0
    for slot in range(len(units)):
        shared[slot] = 0
        chosen[slot] = -1
        unit = units[slot]
        hostile = unit.alive and unit.owner != player and unit.owner != 0
        if hostile and can_be_target(units, visibility, player, slot, unit.generation):
            foes[enemies] = slot
            enemies += 1
    for slot in range(len(units) if enemies else 0):
        unit = units[slot]
        if not unit.alive or unit.owner != player or not armed(unit):
            continue
        kind = types[player, unit.type]
        if unit.flags & (STRUCTURE | BURROWED) or kind.speed <= 0.0 or kind.worker or kind.untargetable:
            continue
        if not attacks(unit, orders[slot]):
            continue
        best = -1
        best_merit = -1
        best_distance = 0.0
        for index in range(enemies):
            other = foes[index]
            if shared[other] >= most:
                continue
            enemy = units[other]
            row = row_against(kind, weapons[player], enemy.flags)
            if row < 0:
                continue
            weapon = weapons[player, row]
            theirs = types[enemy.owner, enemy.type]
            if theirs.untargetable:
                continue
            distance = fight_distance(unit, kind, enemy, theirs)
            if distance > max(weapon.scan_range, weapon.range) or distance < weapon.min_range:
                continue
            wanted = merit(unit, weapon, enemy, theirs, weapons[enemy.owner])
            if wanted < best_merit or (wanted == best_merit and distance >= best_distance):
                continue
            best = other
            best_merit = wanted
            best_distance = distance
        if best >= 0:
            shared[best] += 1
            chosen[slot] = best
