"""Healing and repair: life for energy, life for money. Who is jammed, lifted or in stasis mends nobody."""

from __future__ import annotations

import math

from sim.engine.catalog import BIOLOGICAL
from sim.engine.combat import clear_target
from sim.engine.jit import inlined, rule
from sim.engine.parameters import HEAL_SEARCH, HEAL_START, REPAIR_COST, REPAIR_RANGE, REPAIR_SEARCH, SEARCH_PERIOD
from sim.engine.rng import turn_of
from sim.engine.state import ATTACK_MOVE, AUTOCAST, DISARMED, HOLD, INSIDE, INVULNERABLE, PATROL, UNFINISHED
from sim.engine.targeting import edge_distance, find_patient
from sim.engine.world import PATIENT_BODY, PATIENT_MACHINE


@rule
def reach_patient(unit, kind, slot, reach, units, kinds):
    """Walk to the patient; True while it is within reach. The healer's `target` names it, without a weapon."""
    patient = units[slot]
    clear_target(unit)
    unit.target = slot
    unit.target_generation = patient.generation
    unit.to_go = max(edge_distance(unit, kind, patient, kinds[slot]) - reach, 0.0)
    if unit.to_go <= 0.0:
        unit.moving = 0
        return True
    unit.goal_x = patient.x
    unit.goal_y = patient.y
    unit.moving = 1
    return False


@inlined
def in_other_hands(world, healer, patient):
    """Another healer is at it: they do not add up."""
    return patient.mended >= world.loop - 1 and patient.mender != healer


@rule
def heal(world, healer, unit, kind, slot, units, kinds):
    """One loop of healing; True if it is over: the patient is whole or beyond help (invulnerable: catalog's filter),
    or the energy is spent. Who is another's patient is waited for."""
    patient = units[slot]
    if unit.flags & DISARMED or patient.hp >= patient.hp_max or kind.heal_rate <= 0.0:
        return True
    if patient.flags & (INSIDE | INVULNERABLE) or not kinds[slot].attributes & BIOLOGICAL:
        return True
    amount = min(kind.heal_rate, patient.hp_max - patient.hp)
    begins = patient.mended < world.loop - 1 or patient.mender != healer
    if unit.energy < (HEAL_START if begins else amount * kind.heal_energy):
        return True
    if reach_patient(unit, kind, slot, kind.heal_range, units, kinds) and not in_other_hands(world, healer, patient):
        patient.mended = world.loop
        patient.mender = healer
        patient.hp += amount
        world.healed[unit.owner, 0] += amount
        unit.energy -= amount * kind.heal_energy
    return False


@rule
def pay_repair(player, kind, before, after, full):
    """Take the price of repaired life, pro rata of a quarter of the unit's; False if the player cannot pay."""
    share = REPAIR_COST / max(full, 1.0)
    minerals = int(math.floor(after * share * kind.minerals) - math.floor(before * share * kind.minerals))
    gas = int(math.floor(after * share * kind.gas) - math.floor(before * share * kind.gas))
    if player.minerals < minerals or player.gas < gas:
        return False
    player.minerals -= minerals
    player.gas -= gas
    return True


@rule
def repair(world, unit, kind, slot, units, kinds, players):
    """One loop of repair; True if it is over: the patient is whole, cannot be repaired (so nobody in stasis: catalog's
    filter), or money is lacking."""
    patient = units[slot]
    patient_kind = kinds[slot]
    if unit.flags & DISARMED or patient.flags & (INSIDE | UNFINISHED | INVULNERABLE):
        return True
    if patient.hp >= patient.hp_max or patient.hp <= 0.0:
        return True
    if reach_patient(unit, kind, slot, REPAIR_RANGE, units, kinds):
        loops = patient_kind.repair_loops if patient_kind.repair_loops > 0.0 else patient_kind.build_loops
        after = min(patient.hp + patient.hp_max / max(loops, 1.0), patient.hp_max)
        if not pay_repair(players[unit.owner], patient_kind, patient.hp, after, patient.hp_max):
            return True
        world.healed[unit.owner, 0] += after - patient.hp
        patient.hp = after
    return False


@rule
def mend(world, slot, unit, kind, chase, roster, players, crowd):
    """A healer or worker looks after the wounded; True while it does. Without `chase` (on hold) it takes whom it
    reaches from where it stands only; an idle worker goes back there afterwards (both observed of 4.10 of an SCV)."""
    healer = kind.heal_rate > 0.0
    if not healer and not kind.worker:
        return False
    patient = unit.target
    alive = patient >= 0 and roster.units[patient].alive and roster.units[patient].generation == unit.target_generation
    close = kind.heal_range if healer else REPAIR_RANGE
    if (
        alive
        and not chase
        and unit.weapon < 0
        and edge_distance(unit, kind, roster.units[patient], roster.kinds[patient]) > close
    ):
        clear_target(unit)
        alive = False
    if (not alive or unit.weapon >= 0) and turn_of(world, slot, SEARCH_PERIOD):
        mark = PATIENT_BODY if healer else PATIENT_MACHINE
        reach = close + 1e-3 if not chase else (HEAL_SEARCH if healer else REPAIR_SEARCH)
        patient = find_patient(world, slot, unit, kind, mark, reach, roster.units, crowd)
        alive = patient >= 0
    if not alive or unit.weapon >= 0:
        return False
    if healer:
        done = in_other_hands(world, slot, roster.units[patient]) or heal(
            world, slot, unit, kind, patient, roster.units, roster.kinds
        )
    else:
        done = repair(world, unit, kind, patient, roster.units, roster.kinds, players)
    if done:
        clear_target(unit)
        unit.moving = 0
    elif not healer and unit.order_count == 0 and unit.home_x < 0.0:
        unit.home_x = unit.x
        unit.home_y = unit.y
    return not done


@rule
def mends_by_itself(unit, order):
    """It looks after somebody without an order to; `order` is its first."""
    if unit.order_count and order.verb != PATROL and order.verb != HOLD and order.verb != ATTACK_MOVE:
        return False
    return unit.flags & AUTOCAST != 0 and unit.target >= 0 and unit.weapon < 0


@inlined
def autocast_mending(world, slot, unit, kind, chase, roster, players, crowd):
    """Healers and workers with autocast on look after the wounded; True while they do."""
    if not unit.flags & AUTOCAST or unit.owner == 0:
        return False
    return mend(world, slot, unit, kind, chase, roster, players, crowd)
