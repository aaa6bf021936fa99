"""Everyone who could take part in a fight at this moment, as arrays.

`Scene` holds B battles at once (one in a game, many in training): what an observation shows and nothing more, in plain
numbers, so that both its readers (`reader.py` for the client, `train/reader.py` for the engine's records) give equal
bits. Distances are in cells, times in game loops (22.4 a second at Faster).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sc2.ids.upgrade_id import UpgradeId

from bot.micro.kinds import Kinds

STIM_SPEED = 1.5  # of speed and attack rate (5.0.14.94137, buffs table)
CLOAKED = 1  # the protocol's CloakState: cloaked and not detected
ALLIED_CLOAK = 4  # the protocol's CloakState of own cloaked units
UNSEEN_HP = 500.0  # of a structure known only by its snapshot, which carries no life
PER_LEVEL = 0.1  # one weapon level adds about a tenth to most weapons' damage
NOBODY = -1
"""Instead of a row where there is none."""

HASTE, SLOWED, LOCKED, JAMMED, SHREDDED, BOOSTED, BURNING, SHIELDED = (1 << bit for bit in range(8))
BUFFS = {
    HASTE: (27, 24),  # Stim of Marine and Marauder
    SLOWED: (33, 17, 34, 121, 293),  # Concussive Shells, Fungal Growth, time warps, inhibitor zones
    LOCKED: (116,),  # Lock-On
    JAMMED: (277, 22, 5, 83, 129),  # Interference Matrix, Neural Parasite, Graviton Beam, Blinding Cloud, Stasis
    SHREDDED: (280, 298),  # Anti-Armor Missile
    BOOSTED: (89,),  # Ignite Afterburners
    BURNING: (28, 132),  # Psionic Storm, Parasitic Bomb
    SHIELDED: (18, 68),  # Guardian Shield, Protective Barrier
}
"""Groups of buff ids (5.0.14 buffs table) that mean the same to whoever fights; the keys are bits of `Scene.buffs`."""
BUFF_BIT = np.zeros(1024, np.int32)
"""The bit of each buff id, 0 for those that say nothing about a fight."""
for _bit, _ids in BUFFS.items():
    BUFF_BIT[list(_ids)] = _bit

NEEDS: tuple[str, ...] = (
    UpgradeId.STIMPACK.name,
    UpgradeId.PUNISHERGRENADES.name,
    UpgradeId.BANSHEECLOAK.name,
    UpgradeId.PERSONALCLOAKING.name,
    UpgradeId.BATTLECRUISERENABLESPECIALIZATIONS.name,
    UpgradeId.INTERFERENCEMATRIX.name,
    "ARMORY",
    "NUKE",
)
"""What skills may require: upgrades by name, a finished Armory, a nuke that is ready. Columns of `Scene.researched`."""

IDLE, MOVING, ATTACKING, STANDING, MORPHING, CASTING = range(6)
"""What an own unit's present order is about: values of `Scene.order`."""
VALUES: tuple[str, ...] = (
    "x",
    "y",
    "z",
    "facing",
    "radius",
    "hp",
    "hp_max",
    "shield",
    "shield_max",
    "energy",
    "energy_max",
    "attack_level",
    "armor_level",
    "shield_level",
    "progress",
    "detect",
    "cooldown",
    "cargo",
    "cargo_max",
)
"""The float columns of a `Scene`, in the order in which readers fill them."""


@dataclass(frozen=True)
class Ground:
    """What the map allows, bool [height, width], row 0 at the bottom."""

    walkable: np.ndarray
    buildable: np.ndarray

    @cached_property
    def _cells(self) -> np.ndarray:
        """bool, laid flat: where one can walk, then where one can fly: never on the map's outermost cells."""
        inside = np.zeros(self.walkable.shape, bool)
        inside[1:-1, 1:-1] = True
        return np.stack((inside & self.walkable, inside)).ravel()

    def is_open(self, x: np.ndarray, y: np.ndarray, flying: np.ndarray) -> np.ndarray:
        """bool: whether units can be at these places, f4; those that fly need only the map. Shapes are broadcast."""
        layer, row, column = flying.astype(np.int64), y.astype(np.int64), x.astype(np.int64)
        return self._cells.take(np.ravel_multi_index((layer, row, column), (2, *self.walkable.shape), mode="clip"))


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of B battles. Arrays are [B, N] unless they say otherwise; the first `agents` rows are our units.

    Rows where `present` is false hold nothing. Of enemies the arrays show what an observation shows: a cloaked one has
    a place and a type and nothing else, `cooldown` and `cargo` are 0.
    """

    kinds: Kinds
    agents: int
    step: int
    """Loops until the next decision."""
    ground: Ground
    loop: np.ndarray
    """i8 [B]."""
    tag: np.ndarray
    """i8: the client's tags, 0 where nobody is."""
    kind: np.ndarray
    """i8: numbers of `Kinds`."""
    present: np.ndarray
    """bool."""
    targetable: np.ndarray
    """bool: present and not hidden by cloak or burrow."""
    flying: np.ndarray
    burrowed: np.ndarray
    cloak: np.ndarray
    """u1: the protocol's CloakState, but ALLIED_CLOAK for own units that are burrowed."""
    buffs: np.ndarray
    """i4: bits of `BUFFS`."""
    x: np.ndarray
    """f4: cells."""
    y: np.ndarray
    z: np.ndarray
    facing: np.ndarray
    """f4: radians, 0..2 pi."""
    radius: np.ndarray
    hp: np.ndarray
    hp_max: np.ndarray
    """0 for structures known only by a snapshot."""
    shield: np.ndarray
    shield_max: np.ndarray
    energy: np.ndarray
    energy_max: np.ndarray
    attack_level: np.ndarray
    """Weapon upgrades, 0..3."""
    armor_level: np.ndarray
    shield_level: np.ndarray
    progress: np.ndarray
    """0..1, how far construction is."""
    detect: np.ndarray
    """Radius of detection."""
    cooldown: np.ndarray
    """Loops until the weapon is ready."""
    cargo: np.ndarray
    cargo_max: np.ndarray
    order: np.ndarray
    """u1 [B, agents]: IDLE, MOVING ... of the present order."""
    order_row: np.ndarray
    """i4 [B, agents]: row of the unit that order aims at, NOBODY without."""
    aim: np.ndarray
    """i4 [B, agents]: row of the unit the weapon is at work on, NOBODY without."""
    ready_at: np.ndarray
    """i4 [B, agents, verbs]: loop from which a skill may be used again, by what we used: nobody shows it."""
    researched: np.ndarray
    """bool [B, NEEDS]."""
    effects: np.ndarray
    """f4 [B, E, 3]: x, y and radius of what hurts: below 0 where it only hurts who walks, 0 where a row is empty."""

    def __len__(self) -> int:
        return len(self.loop)
