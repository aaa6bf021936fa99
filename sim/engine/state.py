"""The whole state of a game as plain records.

Everything a game remembers between two loops lies in the arrays described here, so that a world can be hashed,
copied, reset in place, and stepped by the same kernel whether it is one melee game or one of thousands of battles.

Units of measure: distances in cells, times in game loops (22.4 a second at Faster), angles in radians, rates per loop.
Owners: 0 is the map (the protocol calls it 16), 1 and 2 are the players.
"""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import MAX_WEAPONS

PLAYERS = 3  # rows of every per-player table: the map, player 1, player 2
MAX_BUFFS = 6
ORDER_DEPTH = 32  # orders a unit can hold, the current one included (ours; scouts are sent round every base)
JOB_DEPTH = 8  # items in a production queue (five, or eight with a reactor)
MAX_UPGRADES = 320

# -- unit flags -----------------------------------------------------------------------------------------------------
FLYING = 1 << 0
BURROWED = 1 << 1
CLOAKED = 1 << 2
UNFINISHED = 1 << 3  # a structure under construction: no abilities, no sight bonus, no weapon
INSIDE = 1 << 4  # in a transport, bunker, refinery or structure: off the map, still alive
INVULNERABLE = 1 << 5  # cannot be targeted or damaged (resources)
IMMOBILE = 1 << 6  # cannot move now (sieged, burrowed, channelling, morphing)
DISARMED = 1 << 7  # weapons off (morphing, sieging)
NO_COLLISION = 1 << 8  # passes through units (harvesting workers)
STRUCTURE = 1 << 9  # copy of the type's attribute, here because the kernel asks so often
POWERED = 1 << 10
HALLUCINATION = 1 << 11
REACTOR = 1 << 12  # two jobs run at a time
AUTOCAST = 1 << 13  # its autocast ability is on (medivac heal, SCV repair)
MORPHING = 1 << 15
HOLD_FIRE = 1 << 16
DETECTED = 1 << 17  # written by the vision rule: some enemy of the owner detects it now
BLINDED = 1 << 18  # its ranged weapons reach no farther than blades (Blinding Cloud)
SPARES_STRUCTURES = 1 << 19  # looks for no structures by itself (Baneling)
REVEALED = 1 << 20  # cloak and burrow do not hide it now (EMP, a mine that reloads): seen as if they were off
CHANNELLING = 1 << 21  # a cast, or a return delay, that orders do not interrupt: new orders wait behind it
UNHARMED = 1 << 22  # takes no damage but is fought like others (the cheat "god")
ORDERED = 1 << 23  # of units in a Bunker: the present target was ordered, no other is looked for
TALL = 1 << 24  # Colossus: weapons against flyers reach it too, it sees up cliffs and strides over others
LEASHED = 1 << 27  # idle and on its way home from a chase that led too far: looks for nobody
AGILE = 1 << 26  # at full speed, and at rest, at once whatever its acceleration (afterburners)
EAGER = 1 << 28  # every hit on it is reported, not one in a period (an Immortal whose barrier is ready)
BENIGN = 1 << 29  # nobody takes it as a target by himself (the Interceptors of a Carrier that was taken over)
UNPOWERED = 1 << 25  # a structure that needs power and has none: it detects nothing

ROAMING = 255  # value of UNIT.goal_side: the goal is a unit that moves
ZONED = 3  # value of UNIT.rally: a unit that fires only into a circle round its rally point (Liberator)
FORMING = 4  # the same, but nobody in the circle is marked as a target yet

# -- verbs: what the kernel does with an order ----------------------------------------------------------------------
# Verbs up to REPAIR are carried out wholly by the kernel. APPROACH walks until the target is in range, then reports
# REACHED once and waits; the melee rules then act (place the structure, cast, load ...) and either finish the order or
# start `timer`, whose end is reported as TIMER. WAIT stands still and only counts its timer.
IDLE, MOVE, PATROL, ATTACK, ATTACK_MOVE, HOLD, FOLLOW, GATHER, RETURN, REPAIR, HEAL, APPROACH, WAIT = range(13)

# -- events: what the kernel reports of one loop --------------------------------------------------------------------
DEATH, REACHED, TIMER, JOB_DONE, BUILT, DEPLETED, HIT, EXPIRED, DELIVERED = range(1, 10)

ORDER = np.dtype(
    [
        ("ability", "i4"),  # exact API ability id, as the order is reported; 0 = empty
        ("verb", "u1"),
        ("stage", "u1"),  # APPROACH: 0 on the way, 1 reached (the rules act, or its timer runs); other verbs: 1 = begun
        ("target", "i4"),  # slot of the target unit, -1 = none
        ("target_generation", "u4"),  # must equal the slot's, else the target is gone
        ("x", "f4"),  # target point (for unit targets: its place when the order was given)
        ("y", "f4"),
        ("x2", "f4"),  # patrol: the other end
        ("y2", "f4"),
        ("range", "f4"),  # APPROACH: distance from edge to edge (points: from centre) at which it counts as reached
        ("timer", "f4"),  # loops left; -1 = not running
        ("product", "i4"),  # what it makes: unit type or upgrade id, 0 = nothing
        ("minerals", "i4"),  # paid when the order was given, and given back when it is dropped before it acts
        ("gas", "i4"),
    ],
    align=True,
)

JOB = np.dtype(
    [
        ("ability", "i4"),  # API ability id
        ("product", "i4"),  # unit type or upgrade id
        ("is_upgrade", "u1"),
        ("started", "u1"),  # supply is taken and the time runs
        ("total", "i4"),  # loops
        ("left", "i4"),
        ("minerals", "i4"),
        ("gas", "i4"),
        ("supply", "f4"),
    ],
    align=True,
)

# What every loop asks of every unit comes first: a record is five cache lines, these fields are three.
UNIT = np.dtype(
    [
        # identity
        ("type", "i2"),  # API unit type id
        ("owner", "i1"),
        ("alive", "u1"),  # the slot is in use
        ("generation", "u4"),  # grows each time the slot is used; tag = (slot << 18 | generation) + 2**32
        ("flags", "u4"),
        # orders and production
        ("order_count", "u1"),
        ("job_count", "u1"),
        ("rally", "u1"),  # 0 none, 1 point, 2 unit, 3 the middle of the zone that it fires into
        # place
        ("moving", "u1"),  # 1 = it has a goal
        ("x", "f4"),
        ("y", "f4"),
        ("z", "f4"),
        ("facing", "f4"),
        ("turret", "f4"),  # absolute direction of the turret
        ("speed", "f4"),  # now, cells per loop
        ("push_x", "f4"),  # what the separation rule adds this loop
        ("push_y", "f4"),
        ("goal_x", "f4"),  # where the order wants it to be
        ("goal_y", "f4"),
        ("to_go", "f4"),  # of who walks to its target, to fight or to mend: cells until it reaches that
        ("way_x", "f4"),  # next corner on the way there
        ("way_y", "f4"),
        ("way_goal_x", "f4"),  # the goal that this way was planned for, owned by engine/route
        ("way_goal_y", "f4"),
        ("way_state", "u1"),  # owned by engine/route
        ("goal_side", "u1"),  # side of the structure whose middle the goal is, 0 = a point, ROAMING = a unit that moves
        ("weapon", "i1"),  # weapon in use, -1 = none
        ("braking", "u1"),  # a worker has begun to brake for the end of its way, owned by melee/harvest
        ("walled", "u1"),  # loops in which its way round others ended at a wall, owned by engine/movement
        ("stuck", "u2"),  # loops without progress, owned by engine/movement
        ("hit_by", "i1"),  # player whose damage it took last, 0 = nobody's; he has its death
        ("looked", "u1"),  # it has looked for targets since it lost one, or could not fight
        ("builder", "i4"),  # slot of the SCV at work, or -1; on the SCV: slot of the structure
        # vitals
        ("hp", "f4"),
        ("hp_max", "f4"),
        ("shield", "f4"),
        ("shield_max", "f4"),
        ("energy", "f4"),
        ("last_hit", "i4"),  # loop of the last damage taken
        ("last_attacker", "i4"),  # slot of who did that damage, -1 = none, or gone already when it struck
        ("attacker_generation", "u4"),
        ("called", "i4"),  # loop in which a hit last made it call its friends
        ("foe", "i4"),  # slot of who did that, and its generation
        ("foe_generation", "u4"),
        ("mended", "i4"),  # loop in which a healer last gave it life
        ("mender", "i4"),  # slot of that healer
        ("life_left", "f4"),  # timed life in loops, 0 = none (MULE)
        # fighting
        ("cooldown", "f4", (MAX_WEAPONS,)),  # loops until each weapon may start again
        ("windup", "f4"),  # loops to the damage point of the shot being made, -1 = none
        ("backswing", "f4"),
        ("struck", "i4"),  # slot of whom its beam struck last, -1 = nobody yet
        ("struck_generation", "u4"),
        ("target", "i4"),  # slot it fights now, -1 = none (own choice or by order)
        ("target_generation", "u4"),
        ("home_x", "f4"),  # where it stood when it began to chase by its own choice
        ("home_y", "f4"),
        # buffs: parallel arrays, id 0 = free
        ("speed_factor", "f4"),  # product of the buffs
        ("attack_factor", "f4"),
        ("buff", "i2", (MAX_BUFFS,)),  # API buff id
        ("buff_left", "f4", (MAX_BUFFS,)),  # loops
        ("buff_total", "f4", (MAX_BUFFS,)),
        # construction and morphs
        ("build_left", "f4"),  # loops of work left while UNFINISHED
        ("build_total", "f4"),
        ("build_rate", "f4"),  # loops of work per loop: 0 halted, 1 normal
        # economy
        ("contents", "i4"),  # resource left in a field, geyser or gas structure
        ("carry", "i2"),  # resource carried
        ("carry_gas", "u1"),  # it is gas
        ("harvest_stage", "u1"),  # owned by melee/harvest
        ("harvest_timer", "f4"),
        ("harvest_target", "i4"),  # slot of the resource it works on, -1 = none, -2 = it is gone, and was here:
        ("marked", "i4"),  # slot of the mineral field that has its marker, -1 = none (melee/harvest_fields)
        ("marked_loop", "i4"),  # when it was put there, or its worker was there last
        ("harvest_x", "f4"),
        ("harvest_y", "f4"),
        ("occupant", "i4"),  # resource: slot of the worker at work on it, -1 = free
        # rally point
        ("rally_x", "f4"),
        ("rally_y", "f4"),
        ("rally_target", "i4"),
        ("rally_generation", "u4"),
        # attachments
        ("addon", "i4"),  # slot of its add-on (or, on an add-on, of its host), -1 = none
        ("inside", "i4"),  # slot of what carries it, -1 = none
        ("cargo", "i4"),  # space in use
        ("timer", "f4"),  # larva spawn, inject, unload; gas: loop of the last exit ... owned by the rule of its type
        ("born", "i4"),  # loop of its birth
    ],
    align=True,
)
# fields of UNIT that name a slot or a weapon, and are -1 when there is none
LINKS = ("builder", "last_attacker", "foe", "weapon", "target", "struck", "harvest_target", "marked")
LINKS += ("occupant", "rally_target", "addon", "inside")

EVENT = np.dtype([("kind", "i4"), ("unit", "i4"), ("other", "i4"), ("value", "f4")], align=True)

MISSILE = np.dtype(
    [
        ("alive", "u1"),
        ("owner", "i1"),  # of the shooter when it fired
        ("weapon", "i2"),  # row of the weapon table
        ("source", "i4"),  # slot of the shooter, who may be gone
        ("source_generation", "u4"),
        ("flags", "u4"),  # of the shooter when it fired
        ("target", "i4"),
        ("target_generation", "u4"),
        ("x", "f4"),
        ("y", "f4"),
        ("speed", "f4"),
        ("thrown", "f4"),  # cells left of its first stage
        ("wait", "f4"),  # loops until it starts: a later hit of one attack, of blades too
        ("bounced", "u1"),  # how many it has hit so far
        ("before", "i4"),  # slot of the last of them, -1 = nobody
    ],
    align=True,
)

PLAYER = np.dtype(
    [
        ("race", "i1"),  # API: 1 Terran, 2 Zerg, 3 Protoss
        ("playing", "u1"),
        ("result", "i1"),  # API: 0 none yet, 1 victory, 2 defeat, 3 tie
        ("minerals", "i4"),
        ("gas", "i4"),
        ("supply_used", "f4"),
        ("supply_cap", "f4"),
        ("minerals_gathered", "i4"),
        ("gas_gathered", "i4"),
        ("upgrades", "u1", (MAX_UPGRADES,)),  # 1 = finished, by API upgrade id
    ],
    align=True,
)

# What sees without being a unit: a scan, the lingering sight of a dead unit, a revealed spot.
EYE = np.dtype(
    [
        ("owner", "i1"),
        ("flying", "u1"),  # sees higher ground
        ("x", "f4"),
        ("y", "f4"),
        ("radius", "f4"),
        ("detect", "f4"),  # radius of detection, 0 = none
        ("left", "f4"),  # loops, 0 = the row is free
    ],
    align=True,
)

WORLD = np.dtype(
    [
        ("loop", "i4"),
        ("rng", "u8"),  # xorshift64* state
        ("salt", "u4"),  # of the seed: spreads what units do every few loops over these loops
        ("slots", "i4"),  # slots 0..slots-1 have been used
        ("event_count", "i4"),
        ("missile_count", "i4"),  # missiles 0..missile_count-1 have been used
        ("terrain_version", "i4"),  # grows whenever `walk` changes; paths of older versions are stale
        ("broad_version", "i4"),  # terrain_version for which the ground of broad units was filled
        ("melee", "u1"),  # economy rules on
        ("fog", "u1"),  # fog of war on; without it the grids stay as they are and only detection is renewed
        ("widest_radius", "f4"),  # largest radius on the map this loop, and the largest separation among units that
        ("widest_separation", "f4"),  # move: how far a search has to look (owned by engine/grid)
        ("highest_priority", "i4"),  # of all units on the map as targets (owned by engine/grid)
        ("present", "i4"),  # units on the map this loop (owned by engine/grid)
        ("dealt", "f8", (PLAYERS, 2)),  # damage that each player did to others: life, shields (score details)
        ("taken", "f8", (PLAYERS, 2)),  # and what its own units took, from whomever
        ("called", "i4", (PLAYERS,)),  # loop in which one of their units last called its friends
        ("healed", "f8", (PLAYERS, 2)),  # life and shields that its healers, workers and batteries gave
        ("fields_filled", "i4"),  # distance fields filled this loop, owned by engine/pathing
    ],
    align=True,
)


def tag_of(slot: int, generation: int) -> int:
    """API tag of a unit: (slot << 18) + generation + 2**32 (measured in replays, see mechanics)."""
    return (int(slot) << 18) + (int(generation) & 0x3FFFF) + (1 << 32)


def slot_of(tag: int) -> tuple[int, int]:
    """Slot and generation of an API tag; the generation still has to be compared with the slot's."""
    tag -= 1 << 32
    return (tag >> 18) & 0x3FFF, tag & 0x3FFFF
