"""Buffs as rows: what each changes while it lasts. Needs no compiler.

Source: catalog 5.0.14.94137 (`buffs.csv`); durations there are in normal seconds of 16 loops. Energy per loop is the
catalog's regeneration per normal second divided by 16.
"""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import BUFF
from sim.engine.state import (
    AGILE,
    BLINDED,
    CLOAKED,
    DISARMED,
    FLYING,
    HOLD_FIRE,
    IMMOBILE,
    INVULNERABLE,
    MORPHING,
    REVEALED,
)

BUFF_IDS = 512
INTERNAL = 480  # ids from here on are ours: the engine counts them, no observation lists them
MATRIX, JAMMED_CARRIER = 277, 300  # RavenScramblerMissile, and what Carriers wear instead
RELOADING, LOCKING, FAST_BOOST, BEAMING, RECALLED = range(INTERNAL, INTERNAL + 5)
SLOW_ALIGNMENT, UNSLOWED, EMERGING, FALLEN, SALVAGED, DROP_COMING, TONGUED, PUSHED = range(INTERNAL + 5, INTERNAL + 13)
RELOADING_HIDDEN = INTERNAL + 13  # a Widow Mine with Drilling Claws that has fired
TIMED = (RELOADING, RELOADING_HIDDEN)  # their owner is shown how long they last all the same

# id: (speed, attack, armor, shield armor, energy per loop, hp per loop, flags, loops)
_ROWS: dict[int, tuple[float, float, float, float, float, float, int, float]] = {
    5: (1, 1, 0, 0, 0, 0, IMMOBILE | DISARMED | FLYING | REVEALED, 8),  # GravitonBeam
    6: (1, 1, 0, 0, -1.4765 / 16, 0, CLOAKED, 0),  # GhostCloak
    7: (1, 1, 0, 0, -1.4765 / 16, 0, CLOAKED, 0),  # BansheeCloak
    13: (1, 1, 0, 0, 0, 0, HOLD_FIRE, 0),  # GhostHoldFireB
    16: (1, 1, 0, 0, 0, 0, REVEALED, 160),  # EMPDecloak
    17: (0.25, 1, 0, 0, 0, 0, REVEALED, 64),  # FungalGrowth: its damage differs by patch and is dealt by the rules
    24: (1.5, 1.5, 0, 0, 0, 0, 0, 240),  # StimpackMarauder
    27: (1.5, 1.5, 0, 0, 0, 0, 0, 240),  # Stimpack
    29: (1, 1, 0, 0, 0, 0, CLOAKED, 10),  # CloakFieldEffect
    30: (2.2, 1, 0, 0, 0, 0, 0, 56),  # Charging
    33: (0.5, 1, 0, 0, 0, 0, 0, 24),  # Slow (Concussive Shells)
    38: (1, 1, 0, 0, 0, 0, BLINDED, 10),  # BlindingCloudStructure
    72: (1, 1, 0, 0, 0, 0, IMMOBILE | DISARMED, 0),  # Stasis
    83: (1, 1, 0, 0, 0, 0, BLINDED, 10),  # BlindingCloud
    89: (1.7, 1, 0, 0, 0, 0, AGILE, 128),  # MedivacSpeedBoost: its acceleration grows by 500, too
    99: (1, 1, 0, 0, -2 / 16, 0, 0, 0),  # OracleWeapon
    121: (0.6, 0.6, 0, 0, 0, 0, 0, 4),  # TemporalField
    122: (0.75, 1, 0, 0, 0, 0, 0, 320),  # VoidRaySwarmDamageBoost
    129: (1, 1, 0, 0, 0, 0, IMMOBILE | DISARMED | INVULNERABLE | REVEALED, 480),  # OracleStasisTrapTarget
    MATRIX: (1, 1, 0, 0, 0, 0, DISARMED | REVEALED, 240),  # 176 in 4.10
    280: (1, 1, -3, -3, 0, 0, 0, 480),  # RavenShredderMissileArmorReduction, on units in 4.10 only
    288: (1, 1, 0, 0, 0, 0.3125, 0, 160),  # Transfusion
    RELOADING: (1, 1, 0, 0, 0, 0, REVEALED, 640),  # a Widow Mine that has fired
    LOCKING: (1, 1, 0, 0, 0, 0, DISARMED, 0),  # a Cyclone whose turret holds a target (LockOnDisableAttack)
    FAST_BOOST: (1.4406 / 1.7, 1, 0, 0, 0, 0, 0, 128),  # MedivacIncreaseSpeedBoost makes the boost's factor 1.4406
    SLOW_ALIGNMENT: (0.621 / 0.75, 1, 0, 0, 0, 0, 0, 320),  # VoidRaySpeedUpgrade makes the alignment's factor 0.621
    EMERGING: (1, 1, 3, 0, 0, 0, 0, 0),  # a Nydus Worm that is not complete yet: NydusWormArmor's two and its own one
    FALLEN: (1, 1, 0, 0, 0, 0, IMMOBILE | DISARMED | REVEALED, 7),  # the last GravitonBeam lasts on, 6 to 8 loops
    SALVAGED: (1, 1, 0, 0, 0, 0, 0, 81),  # SalvageShared
    DROP_COMING: (1, 1, 0, 0, 0, 0, 0, 65),  # SupplyDropEnRoute
    TONGUED: (1, 1, 0, 0, 0, 0, 0, 32),  # YoinkMarker
    PUSHED: (1, 1, 0, 0, 0, 0, IMMOBILE, 16),  # ReaperKD8Knockback: a loop longer than its way
    UNSLOWED: (4, 1, 0, 0, 0, 0, 0, 64),  # an Ultralisk in a fungus (FungalGrowthSlowMovement spares the frenzied)
    RECALLED: (1, 1, 0, 0, 0, 0, IMMOBILE | DISARMED, 75),  # NexusMassRecallWarpOut, MothershipStrategicWarpOut
    BEAMING: (
        1,
        1,
        0,
        0,
        -0.5625 / 16,
        0,
        0,
        160,
    ),  # a Phoenix that lifts something regains no energy (DisableEnergyRegen)
    298: (1, 1, -2, -2, 0, 0, 0, 480),  # RavenShredderMissileArmorReductionUISubtruct
    JAMMED_CARRIER: (1, 1, 0, 0, 0, 0, DISARMED | REVEALED, 240),  # RavenScramblerMissileCarrier
    302: (2, 1, 0, 0, 0, 0, 0, 16),  # HydraliskFrenzy
}


# id: (bonus damage, armour against ranged weapons)
_FIGHT: dict[int, tuple[float, float]] = {
    18: (0, 2),  # GuardianShield
    122: (6, 0),  # VoidRaySwarmDamageBoost
}


def buff_table() -> np.ndarray:
    """BUFF[BUFF_IDS] by API buff id; a buff without a row changes nothing."""
    table = np.zeros(BUFF_IDS, BUFF)
    for name in ("speed", "attack", "from_air"):
        table[name] = 1
    for buff, row in _ROWS.items():
        table[buff] = (*row, 0, 0, 1)
    for buff, (bonus, ranged) in _FIGHT.items():
        table[buff]["bonus"], table[buff]["ranged_armor"] = bonus, ranged
    table[18]["loops"] = 10
    table[297]["loops"], table[297]["from_air"] = 80, 0.5  # AmorphousArmorcloud
    return table


def add_buff(unit: np.void, table: np.ndarray, buff: int, loops: float = 0.0) -> bool:
    """Put a buff on a unit (a row of `units`) or start its time anew; False if the unit holds too many already.

    `loops` 0 takes the table's time; where that is 0 too the buff stays until it is removed.
    """
    ids = unit["buff"]
    places = np.flatnonzero(ids == buff) if (ids == buff).any() else np.flatnonzero(ids == 0)
    if not len(places):
        return False
    time = loops or float(table["loops"][buff]) or 1e9
    ids[places[0]] = buff
    unit["buff_left"][places[0]] = unit["buff_total"][places[0]] = time
    unit["speed_factor"] = np.prod(table["speed"][ids[ids > 0]])
    unit["attack_factor"] = np.prod(table["attack"][ids[ids > 0]])
    unit["flags"] |= table["flags"][buff]
    return True


def buff_flags(unit: np.void, table: np.ndarray) -> int:
    """Unit flags that the unit's buffs set."""
    ids = unit["buff"][unit["buff"] > 0]
    return int(np.bitwise_or.reduce(table["flags"][ids])) if len(ids) else 0


def remove_buff(unit: np.void, table: np.ndarray, buff: int) -> None:
    """Take a buff away; flags that no other buff sets are cleared, but not those of a morph that goes on."""
    ids = unit["buff"]
    ids[ids == buff] = 0
    rest = ids[ids > 0]
    unit["speed_factor"] = np.prod(table["speed"][rest])
    unit["attack_factor"] = np.prod(table["attack"][rest])
    kept = int(np.bitwise_or.reduce(table["flags"][rest])) if len(rest) else 0
    if int(unit["flags"]) & MORPHING:
        kept |= IMMOBILE | DISARMED
    unit["flags"] &= ~np.uint32(int(table["flags"][buff]) & ~kept)
