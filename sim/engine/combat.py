"""Fighting: a target taken or let go, facing, wind-up to the damage point, the shot, the cooldown."""

from __future__ import annotations

from sim.engine.catalog import MAX_WEAPONS
from sim.engine.damage import Shot
from sim.engine.geometry import heading, turned, wrap
from sim.engine.impact import impact
from sim.engine.jit import inlined, rule
from sim.engine.missiles import launch
from sim.engine.parameters import GARRISON_RANGE, GARRISON_TYPE, LATER, READY
from sim.engine.rng import uniform
from sim.engine.state import INSIDE
from sim.engine.targeting import armed, fight_distance, in_zone, range_of


@inlined
def on_map(units, slot, generation):
    """True if slot and generation name a unit that is alive and on the map."""
    if slot < 0:
        return False
    unit = units[slot]
    return unit.alive != 0 and unit.generation == generation and not unit.flags & INSIDE


@inlined
def manned(unit, units):
    """True if the unit sits in a structure that it can shoot out of."""
    if not unit.flags & INSIDE or unit.inside < 0:
        return False
    carrier = units[unit.inside]
    return carrier.alive != 0 and carrier.type == GARRISON_TYPE


@inlined
def longer_reach(unit, kind, kinds):
    """What a unit in a Bunker reaches farther than its weapon's range from its own edge."""
    return GARRISON_RANGE + kinds[unit.inside].radius - kind.radius


@inlined
def in_reach(unit, kind, target, target_kind, weapon, slop):
    """True if the weapon reaches the target from edge to edge, `slop` farther than its range."""
    distance = fight_distance(unit, kind, target, target_kind)
    return distance <= range_of(unit, weapon) + slop + 1e-4 and distance >= weapon.min_range - slop - 1e-4


@inlined
def aim(unit, kind, weapon, target):
    """Turn the turret or the body towards the target; True once the body is within the weapon's arc, or the turret was
    at the loop's start (first kills of landed Vikings and of sieged tanks in real games, see `fidelity/setups.py`)."""
    wanted = heading(target.x - unit.x, target.y - unit.y)
    if weapon.turret:
        off = abs(wrap(wanted - unit.turret))
        unit.turret = turned(unit.turret, wanted, weapon.turret_rate)
        return off <= max(weapon.arc, 1e-3)
    if not unit.moving:
        rate = kind.turn_rate_still if kind.turn_rate_still > 0.0 else kind.turn_rate
        unit.facing = turned(unit.facing, wanted, rate)
    return abs(wrap(wanted - unit.facing)) <= max(weapon.arc, 1e-3)


@inlined
def fresh_beam(unit, weapon, units):
    """True if the weapon is a beam whose last victim is gone: its cooldown was that one's (catalog: BeamTargetCD)."""
    return weapon.beam != 0 and not on_map(units, unit.struck, unit.struck_generation)


@rule
def shoot(world, slot, weapon, row, roster, missiles, events, crowd):
    """The damage point: the shot lands, or its missile starts. A suicide weapon takes its shooter along."""
    unit = roster.units[slot]
    unit.windup = -1.0
    unit.backswing = weapon.backswing / unit.attack_factor
    unit.struck = unit.target
    unit.struck_generation = unit.target_generation
    if weapon.apart > 0.0:
        for number in range(1, weapon.attacks):
            launch(world, slot, weapon, row, number * weapon.apart + LATER, roster, missiles)
    if weapon.missile_speed > 0.0:
        launch(world, slot, weapon, row, 0.0, roster, missiles)
    else:
        impact(world, unit.target, Shot(slot, unit.owner, unit.flags, weapon), roster, events, crowd)
    if weapon.suicide:
        unit.hp = 0.0
        unit.shield = 0.0
        unit.hit_by = unit.owner
        unit.timer = -1.0  # the rules of its death know by this that it has struck


@inlined
def cool_down(unit, loops):
    """Set the cooldown of all weapons of a unit (catalog: LinkedCooldown): who has fired at a flyer is ready for who is
    on the ground no sooner."""
    for k in range(MAX_WEAPONS):
        unit.cooldown[k] = loops


@inlined
def cancel_shot(unit):
    """Break off a wind-up: nothing was fired, so the weapon is ready again."""
    if unit.windup >= 0.0:
        unit.windup = -1.0
        if unit.weapon >= 0:
            cool_down(unit, 0.0)


@inlined
def clear_target(unit):
    """Fight nobody; a shot in preparation is broken off. Who can fight looks for the next at once."""
    cancel_shot(unit)
    unit.target = -1
    unit.weapon = -1
    unit.looked = 0


@inlined
def set_target(unit, slot, generation, weapon):
    """Fight a unit with one of the weapons; changing either breaks off a shot in preparation, and nobody stands out
    the backswing of a shot at another."""
    if unit.target != slot or unit.target_generation != generation or unit.weapon != weapon:
        cancel_shot(unit)
        unit.backswing = 0.0
        unit.target = slot
        unit.target_generation = generation
        unit.weapon = weapon


@inlined
def fight(world, slot, roster, missiles, events, crowd):
    """One loop of a unit's fight with `unit.target` by `unit.weapon`; the orders decide whom it fights and whether it
    stands still."""
    unit = roster.units[slot]
    unit.backswing -= 1.0 if unit.backswing > 0.0 else 0.0
    if unit.weapon < 0 or not on_map(roster.units, unit.target, unit.target_generation):
        cancel_shot(unit)
        if unit.weapon < 0 and unit.moving:  # a turret at rest stays as it is (catalog: Hold, ResetIfMoving)
            unit.turret = unit.facing
        return
    inside = manned(unit, roster.units)
    kind = roster.kinds[slot]
    row = kind.weapons[unit.weapon]
    if row < 0 or not (inside or armed(unit)):
        cancel_shot(unit)
        return
    weapon = roster.weapons[unit.owner, row]
    target = roster.units[unit.target]
    target_kind = roster.kinds[unit.target]
    slop = longer_reach(unit, kind, roster.kinds) if inside else 0.0
    if unit.windup >= 0.0:
        slop += weapon.slop
    if not in_reach(unit, kind, target, target_kind, weapon, slop) or (unit.moving and not weapon.moving_fire):
        cancel_shot(unit)
        return
    if target.hp <= 0.0 or not in_zone(unit, target.x, target.y, target_kind.radius, target_kind.structure):
        cancel_shot(unit)  # nobody wastes a shot on who was killed in this loop already
        return
    aimed = inside or aim(unit, kind, weapon, target)
    if unit.windup >= 0.0:
        unit.windup -= unit.attack_factor
        if unit.windup <= 0.0:
            shoot(world, slot, weapon, row, roster, missiles, events, crowd)
    elif aimed and (unit.cooldown[unit.weapon] <= READY or fresh_beam(unit, weapon, roster.units)):
        delay = uniform(world, weapon.random_min, weapon.random_max)
        cool_down(unit, weapon.period / unit.attack_factor + delay)
        unit.windup = weapon.damage_point
        if unit.windup <= 0.0:
            shoot(world, slot, weapon, row, roster, missiles, events, crowd)
