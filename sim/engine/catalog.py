"""The game's data as the kernel reads it: types[player, type id], weapons[player, weapon row], buffs[buff id].

One copy of types and weapons per player: a finished upgrade changes the player's own copy, so no rule ever asks for an
upgrade. Units of measure as in `state.py`: cells, game loops, radians, rates per loop.
"""

from __future__ import annotations

import numpy as np

MAX_WEAPONS = 4
RINGS = 3  # of splash

# -- unit types -----------------------------------------------------------------------------------------------------
# attributes (bits)
LIGHT, ARMORED, BIOLOGICAL, MECHANICAL = 1, 2, 4, 8
ROBOTIC, PSIONIC, MASSIVE, STRUCTURE_ATTR, HEROIC, SUMMONED = 16, 32, 64, 128, 256, 512
ATTRIBUTES = {
    "Light": LIGHT,
    "Armored": ARMORED,
    "Biological": BIOLOGICAL,
    "Mechanical": MECHANICAL,
    "Robotic": ROBOTIC,
    "Psionic": PSIONIC,
    "Massive": MASSIVE,
    "Structure": STRUCTURE_ATTR,
    "Heroic": HEROIC,
    "Summoned": SUMMONED,
}
# where a unit walks: on open cells; over cliffs of one level, too; on open cells in a square of four only
WALK, CLIMB, BROAD = range(3)

TYPE = np.dtype(
    [
        ("exists", "u1"),
        ("race", "i1"),
        ("attributes", "u2"),
        ("structure", "u1"),
        ("flying", "u1"),
        ("worker", "u1"),
        ("minerals", "i2"),  # whole price, as the API gives it
        ("gas", "i2"),
        ("supply", "f4"),
        ("food", "f4"),  # supply provided
        ("build_loops", "f4"),
        ("hp", "f4"),
        ("hp_start", "f4"),
        ("hp_regen", "f4"),  # per loop
        ("hp_delay", "f4"),  # loops after a hit until it begins
        ("armor", "f4"),  # upgrades included
        ("armor_level", "u1"),  # armour that upgrades added, as the API reports it
        ("attack_level", "u1"),
        ("shield_level", "u1"),
        ("shield", "f4"),
        ("shield_armor", "f4"),
        ("shield_regen", "f4"),  # per loop
        ("shield_delay", "f4"),  # loops
        ("energy_start", "f4"),
        ("energy_max", "f4"),
        ("energy_regen", "f4"),  # per loop
        ("speed", "f4"),  # cells per loop
        ("creep_speed", "f4"),  # factor on creep (Zerg ground units), 1 otherwise
        ("acceleration", "f4"),  # cells per loop per loop; 0 = instant
        ("deceleration", "f4"),  # 0 = instant
        ("turn_rate", "f4"),  # radians per loop while moving
        ("turn_rate_still", "f4"),
        ("radius", "f4"),  # edge for ranges
        ("separation", "f4"),  # keeps units apart
        ("height", "f4"),  # flying height above the ground
        ("sight", "f4"),
        ("detect", "f4"),
        ("linger", "f4"),  # cells that stay seen where it died, and for how many loops
        ("linger_loops", "f4"),
        ("cargo_size", "i4"),  # space it takes
        ("cargo_space", "i4"),  # space it offers
        ("target_priority", "i4"),
        ("subgroup", "i4"),  # the higher, the earlier in a selection
        ("untargetable", "u1"),  # no order names it, though weapons find it by themselves (Interceptor)
        ("threatens", "u1"),  # counts as who can hit back, whatever its weapons (casters, mines)
        ("prized", "u1"),  # the computer's fighters prefer it (the catalog's AIHighPrioTarget and AISplash)
        ("repair_loops", "f4"),
        ("api_radius", "f4"),
        ("footprint", "i2"),  # side of the square it blocks in cells: 0 none, 1, 2, 3, 5 (other shapes: sim/maps)
        ("weapons", "i2", (MAX_WEAPONS,)),  # rows of the weapon table, -1 = none
        ("score", "i4"),
        ("turns_first", "u1"),  # stands while it looks more than one loop's turn aside of its course
        ("ground", "u1"),  # WALK, CLIMB (Reaper, Colossus), BROAD (those too broad for a gap of one cell)
        ("heal_rate", "f4"),  # hp per loop it gives biological allies (Medivac), 0 = no healer
        ("heal_range", "f4"),  # edge to edge
        ("heal_energy", "f4"),  # energy for one hp
    ],
    align=True,
)

# -- weapons --------------------------------------------------------------------------------------------------------
# weapon target bits
GROUND, AIR = 1, 2
# splash shapes
NO_SPLASH, SPLASH_AT_TARGET, SPLASH_AT_SELF, SPLASH_LINE, SPLASH_ACROSS = range(5)

WEAPON = np.dtype(
    [
        ("exists", "u1"),
        ("targets", "u1"),  # GROUND | AIR
        ("melee", "u1"),
        ("suicide", "u1"),  # the shooter dies with the shot (Baneling)
        ("damage", "f4"),  # upgrades included
        ("bonus", "f4"),
        ("bonus_attribute", "u2"),
        ("shield_bonus", "f4"),  # more of it that only shields take (Sentry)
        ("structure_damage", "f4"),  # replaces `damage` against structures when > 0 (Baneling 80)
        ("attacks", "i4"),  # hits per attack
        ("apart", "f4"),  # loops between them, 0 = all at once
        ("range", "f4"),
        ("min_range", "f4"),
        ("slop", "f4"),  # a started attack may be outrun this far
        ("late_slop", "f4"),  # and before its later hits this far
        ("scan_range", "f4"),  # radius of the idle search
        ("period", "f4"),  # loops
        ("damage_point", "f4"),  # loops
        ("backswing", "f4"),  # loops
        ("random_min", "f4"),  # loops added to the cooldown, uniform
        ("random_max", "f4"),
        ("beam", "u1"),  # its cooldown is one target's: who goes on to the next does not wait
        ("arc", "f4"),  # radians either side within which it may fire
        ("turret", "u1"),
        ("turret_rate", "f4"),  # radians per loop
        ("moving_fire", "u1"),  # fires while it moves
        ("glides", "u1"),  # a flyer fires it while it slows down, and glides on meanwhile
        ("free_fire", "u1"),  # and then at others than the ordered target, until that is in reach
        ("steady", "u1"),  # leaves a target in reach for none that is first by the weapon alone (Battlecruiser)
        ("by_angle", "u1"),  # of equal ones it takes who needs the least turn, not the nearest
        ("spares_tall", "u1"),  # hits flyers, but no Colossus (Thor's Javelins)
        ("missile_speed", "f4"),  # at most, cells per loop; 0 = hits at the damage point
        ("missile_start", "f4"),  # cells per loop from which an accelerating missile speeds up
        ("missile_acceleration", "f4"),  # cells per loop per loop, 0 = it has its full speed at once
        ("missile_throw", "f4"),  # cells of a slow first stage; below 0: it lasts until so near to the target
        ("missile_throw_speed", "f4"),  # cells per loop
        ("splash", "u1"),
        ("splash_targets", "u1"),  # GROUND | AIR
        ("splash_friends", "u1"),  # hits own units too
        ("splash_neutral", "u1"),  # hits rocks
        ("splash_level", "u1"),  # does not cross cliffs
        ("splash_small", "u1"),  # round small targets only (a sieged tank's)
        ("splash_arc", "f4"),  # radians either side of the shooter's facing (Hellbat, Ultralisk), 0 = all round
        ("ring_radius", "f4", (RINGS,)),  # first ring that fits decides; 0 = no more rings
        ("ring_fraction", "f4", (RINGS,)),
        ("ignore_armor", "u1"),
        ("slow_buff", "i2"),  # buff it applies to the victim (Concussive Shells), 0 = none
        ("bounces", "u1"),  # further targets hit in turn (Mutalisk: 2)
        ("bounce_fraction", "f4"),  # damage of each next hit as part of the one before
        ("bounce_range", "f4"),
        ("beams", "u1"),  # further targets struck at the same time, the nearest around the shooter (Mothership: 4)
        ("beam_range", "f4"),  # from the shooter's middle to their edge
    ],
    align=True,
)

# -- buffs ----------------------------------------------------------------------------------------------------------
# What a buff changes while it lasts, by API buff id; `flags` are unit flags (`state.py`) that it sets and clears again.
BUFF = np.dtype(
    [
        ("speed", "f4"),  # factor
        ("attack", "f4"),  # factor on the rate of attack
        ("armor", "f4"),  # added
        ("shield_armor", "f4"),
        ("energy", "f4"),  # per loop, added to the unit's own
        ("hp", "f4"),  # per loop
        ("flags", "u4"),
        ("loops", "f4"),  # its usual time, 0 = until it is taken away
        ("bonus", "f4"),  # added to the bonus damage of its weapons (Prismatic Alignment)
        ("ranged_armor", "f4"),  # taken off every hit of ranged weapons, shields or not (Guardian Shield)
        ("from_air", "f4"),  # factor on hits by flyers (Microbial Shroud)
    ],
    align=True,
)
