"""One world as a bundle of arrays: what `step_world` takes, in its order. Needs no compiler."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.engine import catalog, state
from sim.engine.bufftable import buff_table
from sim.engine.parameters import BUCKET

FIELDS = 36  # distance fields kept for a map of full size
QUERY_FIELDS = 2  # of these, the last ones serve pathing queries alone
EVENTS = 1024
MISSILES = 512
EYES = 256
BUCKETS_OF_QUEUE = 4096  # quarter cells: ways up to 1,024 cells long are told apart
ROWS_PER_CELL = 10  # of a queue: a cell is offered by its eight neighbours, put off, and taken up again
BLOCKERS = 32  # neighbours a unit steers round at once

# What follows of a unit's type and its owner's weapons, written by engine/traits.
TRAIT = np.dtype(
    [
        ("hits", "u1"),  # GROUND | AIR
        ("mobile", "u1"),  # some weapon fires on the move
        ("against_ground", "i1"),  # its first weapon that hits the ground, -1 = none
        ("against_air", "i1"),
        ("against_tall", "i1"),  # that hits a Colossus
        ("free", "u1"),  # see WEAPON: free_fire, steady, by_angle
        ("steady", "u1"),
        ("by_angle", "u1"),
        ("melee", "u1"),  # it has blades only
        ("least_range", "f4"),  # smallest minimum range of its weapons
        ("still_ground", "f4"),  # radius of its search, edge to edge, where it stays; -1 without weapons
        ("still_air", "f4"),
        ("scan_ground", "f4"),  # and where it may leave its place
        ("scan_air", "f4"),
        ("flags", "u4"),  # unit flags for which `marks` holds
        ("marks", "u4"),  # of SPOTS, as far as they follow from type and flags
    ],
    align=True,
)

# Units as their neighbours see them, copied every loop into the order of the spatial hash: LANES units a record, field
# by field, so that a search compares all of them in a few instructions. Place p is lane p % LANES of record p // LANES;
# lanes without a unit have no marks. `marks` are the bits below.
LANE_BITS = 4
LANES = 1 << LANE_BITS
FEW = 2 * LANES  # searches look at so many units without telling their rows apart
SPOTS = np.dtype(
    [
        ("x", "f4", (LANES,)),
        ("y", "f4", (LANES,)),
        ("radius", "f4", (LANES,)),
        ("separation", "f4", (LANES,)),
        ("room", "f4", (LANES,)),  # a mover looks out for it from this far, edge to edge
        ("marks", "u4", (LANES,)),
        ("owner", "i4", (LANES,)),
        ("slot", "i4", (LANES,)),
        ("rank", "i4", (LANES,)),  # target priority
    ],
    align=True,
)
SOLID, MOVING, FIGHTING, FIXED = 1, 2, 4, 8
TARGETABLE, HIDDEN, HITS_GROUND, HITS_AIR = 16, 32, 64, 128
BODY, PATIENT_BODY, PATIENT_MACHINE, ANY_PLANE, SOLID_IN_AIR, IN_AIR = 256, 512, 1024, 2048, 4096, 8192
SOLID_BELOW, HOLDING = 16384, 32768

# A distance field: how far every cell is from one goal cell, and the next corner on the way there.
FIELD = np.dtype(
    [
        ("goal", "i4"),  # cell y * width + x, -1 = unused
        ("ground", "i4"),  # where those walk for whom it is: WALK, CLIMB or BROAD
        ("version", "i4"),  # terrain_version it was filled for
        ("filled", "i4"),  # loop in which it was filled
        ("used", "i4"),  # loop of its last use
        ("levels", "i4"),  # blocked cells it looked through
    ],
    align=True,
)


class World(NamedTuple):
    """All arrays of one world."""

    world: np.ndarray  # WORLD[1]
    units: np.ndarray  # UNIT[slots]
    orders: np.ndarray  # ORDER[slots, ORDER_DEPTH]
    jobs: np.ndarray  # JOB[slots, JOB_DEPTH]
    players: np.ndarray  # PLAYER[PLAYERS]
    types: np.ndarray  # TYPE[PLAYERS, type ids]
    weapons: np.ndarray  # WEAPON[PLAYERS, weapon rows]
    buffs: np.ndarray  # BUFF[buff ids]
    walk: np.ndarray  # u1[h, w], 1 = walkable now
    levels: np.ndarray  # u1[h, w], the terrain_height byte
    creep: np.ndarray  # u1[h, w], 1 = creep
    visibility: np.ndarray  # u1[PLAYERS, h, w]: 0 never seen, 1 seen, 2 visible now
    eyes: np.ndarray  # EYE[EYES]
    missiles: np.ndarray  # MISSILE[MISSILES]
    events: np.ndarray  # EVENT[EVENTS], world.event_count of them are valid
    # scratch: nothing here is remembered between two loops, but for the fields, which can be filled again
    kinds: np.ndarray  # TYPE[slots]: each unit's
    traits: np.ndarray  # TRAIT[slots]
    keys: np.ndarray  # u4[slots]: what orders `spots`
    spots: np.ndarray  # SPOTS[slots / LANES]
    buckets: np.ndarray  # i4[rows + 1]: the first place of each row
    fields: np.ndarray  # FIELD[fields]
    distance: np.ndarray  # f4[fields, h * w]
    corner: np.ndarray  # i4[fields, h * w]
    labels: np.ndarray  # i4[h * w], see flood
    queue: np.ndarray  # i4[rows, 2], see flood
    near: np.ndarray  # f4[4, BLOCKERS]
    # part of the ground again
    climb: np.ndarray  # u1[h, w], 1 = climbers pass now: walkable, or a cliff
    broad: np.ndarray  # u1[h, w], 1 = broad units pass: filled from `walk` when one of them first needs it


def new_world(
    slots: int,
    walk: np.ndarray,
    levels: np.ndarray,
    types: np.ndarray,
    weapons: np.ndarray,
    *,
    seed: int,
    melee: bool = False,
    fields: int = FIELDS,
    climb: np.ndarray | None = None,
) -> World:
    """An empty world.

    `walk` and `levels` are uint8 [h, w] and are copied; `types` TYPE[PLAYERS, n] and `weapons` WEAPON[PLAYERS, n] are
    kept as they are, so worlds may share them. `climb` is where climbers pass; without it they walk as others do.
    """
    height, width = walk.shape
    if fields <= QUERY_FIELDS:
        raise ValueError(f"a world needs more than {QUERY_FIELDS} distance fields")
    head = np.zeros(1, state.WORLD)
    head["rng"] = first_rng(seed)
    head["salt"] = first_rng(seed) & 0xFFFFFFFF
    head["melee"] = melee
    head["fog"] = 1
    head["broad_version"] = -1
    records = -(-slots // LANES)
    distance_fields = np.zeros(fields, FIELD)
    distance_fields["goal"] = -1
    return World(
        world=head,
        units=np.zeros(slots, state.UNIT),
        orders=np.zeros((slots, state.ORDER_DEPTH), state.ORDER),
        jobs=np.zeros((slots, state.JOB_DEPTH), state.JOB),
        players=np.zeros(state.PLAYERS, state.PLAYER),
        types=types,
        weapons=weapons,
        buffs=buff_table(),
        walk=np.array(walk, np.uint8, order="C"),
        levels=np.array(levels, np.uint8, order="C"),
        creep=np.zeros((height, width), np.uint8),
        visibility=np.zeros((state.PLAYERS, height, width), np.uint8),
        eyes=np.zeros(EYES, state.EYE),
        missiles=np.zeros(MISSILES, state.MISSILE),
        events=np.zeros(EVENTS, state.EVENT),
        kinds=np.zeros(slots, catalog.TYPE),
        traits=np.zeros(slots, TRAIT),
        keys=np.zeros(slots, np.uint32),
        spots=np.zeros(records, SPOTS),
        buckets=np.zeros(int(height / BUCKET) + 2, np.int32),
        fields=distance_fields,
        distance=np.zeros((fields, height * width), np.float32),
        corner=np.zeros((fields, height * width), np.int32),
        labels=np.zeros(height * width, np.int32),
        queue=np.zeros((BUCKETS_OF_QUEUE + ROWS_PER_CELL * height * width, 2), np.int32),
        near=np.zeros((4, BLOCKERS), np.float32),
        climb=np.array(walk if climb is None else climb, np.uint8, order="C"),
        broad=np.zeros((height, width), np.uint8),
    )


def first_rng(seed: int) -> int:
    """State of the generator for a seed: never 0, and far apart for neighbouring seeds (splitmix64)."""
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 % 2**64
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
    return (mixed ^ (mixed >> 31)) or 1


def put_unit(world: World, slot: int, type_id: int, owner: int, x: float, y: float, facing: float = 0.0) -> None:
    """Fill a slot with a fresh, finished unit of full life; identity counts up, everything else starts anew.

    The caller chooses the slot (and keeps dead slots empty for two loops); flags beyond flying, structure and
    immobile, and everything of the economy, are the caller's.
    """
    kind = world.types[owner, type_id]
    generation = int(world.units["generation"][slot])
    row = np.zeros(1, state.UNIT)[0]
    row["type"], row["owner"], row["alive"], row["generation"] = type_id, owner, 1, generation + 1
    row["born"] = world.world["loop"][0]
    flags = 0
    if kind["flying"]:
        flags |= state.FLYING
    if kind["structure"]:
        flags |= state.STRUCTURE
    if kind["heal_rate"] > 0:
        flags |= state.AUTOCAST
    row["flags"] = flags
    row["x"], row["y"], row["facing"], row["turret"] = x, y, facing, facing
    row["z"] = (float(world.levels[int(y), int(x)]) - 127) / 8 + kind["height"]
    row["hp"] = row["hp_max"] = kind["hp"]
    row["shield"] = row["shield_max"] = kind["shield"]
    row["energy"] = kind["energy_start"]
    for name in state.LINKS:
        row[name] = -1
    row["windup"] = row["home_x"] = -1
    row["last_hit"] = row["mended"] = row["called"] = -1_000_000
    row["speed_factor"] = row["attack_factor"] = 1
    row["build_rate"] = 1
    world.units[slot] = row
    world.orders[slot] = np.zeros((), state.ORDER)
    world.jobs[slot] = np.zeros((), state.JOB)
    world.world["slots"] = max(int(world.world["slots"][0]), slot + 1)
