"""Everyone who could take part in a fight at this moment, as arrays.

`Scene` holds B battles at once (one in a game, many in training): what an observation shows and nothing more, in plain
numbers, so that both its readers (`reader.py` for the client, `train/reader.py` for the engine's records) give equal
bits. `Battlefield` is one battle of it with the relations between the sides, for the missions and the scripted rules.
Distances are in cells, times in game loops (22.4 a second at Faster).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sc2.ids.upgrade_id import UpgradeId

from bot.micro.kinds import Kinds

STIM_SPEED = 1.5  # of speed and attack rate (5.0.14.94137, buffs table)
CLOAKED = 1  # the protocol's CloakState: cloaked and not detected
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


@dataclass(frozen=True, slots=True)
class Ground:
    """What the map allows, bool [height, width], row 0 at the bottom."""

    walkable: np.ndarray
    buildable: np.ndarray

    def is_open(self, x: np.ndarray, y: np.ndarray, flying: np.ndarray) -> np.ndarray:
        """bool: whether units can be at these places, f4; those that fly need only the map. Shapes are broadcast."""
        height, width = self.walkable.shape
        column, row = x.astype(np.int32), y.astype(np.int32)
        inside = (x >= 1) & (y >= 1) & (column < width - 1) & (row < height - 1)
        place = np.where(inside, row * width + column, 0)
        return inside & (self.walkable.ravel().take(place) | flying)


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
    """i4: numbers of `Kinds`."""
    present: np.ndarray
    """bool."""
    targetable: np.ndarray
    """bool: present and not hidden by cloak or burrow."""
    flying: np.ndarray
    burrowed: np.ndarray
    cloak: np.ndarray
    """u1: the protocol's CloakState."""
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
    """f4 [B, E, 3]: x, y and radius of what hurts on the ground; radius 0 where a row is empty."""

    def __len__(self) -> int:
        return len(self.loop)


PLAIN = frozenset(
    {
        *("radius", "shield", "energy", "energy_max", "cooldown", "detect"),
        *("flying", "targetable", "cloak", "buffs", "cargo", "cargo_max"),
    }
)
"""What a `Side` shows as its scene does."""


class Side:
    """One side's units in one battle; every array has one row a unit, in the order of `tags`, and is read when first
    asked for."""

    radius: np.ndarray
    shield: np.ndarray
    energy: np.ndarray
    energy_max: np.ndarray
    cooldown: np.ndarray
    """Loops until the weapon is ready; 0 for enemies, whose cooldown nobody sees."""
    detect: np.ndarray
    flying: np.ndarray
    targetable: np.ndarray
    """Not hidden by cloak or burrow."""
    cloak: np.ndarray
    buffs: np.ndarray
    cargo: np.ndarray
    cargo_max: np.ndarray

    def __init__(self, scene: Scene, b: int, rows: np.ndarray) -> None:
        """`rows` int: rows of the scene, rising."""
        self.scene, self.b, self.rows = scene, b, rows
        first, count = (int(rows[0]), len(rows)) if len(rows) else (0, 0)
        unbroken = bool(count) and int(rows[-1]) - first + 1 == count  # nobody is missing: no need to copy
        self._part = slice(first, first + count) if unbroken else None

    def __len__(self) -> int:
        return len(self.rows)

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in PLAIN:
            raise AttributeError(name)
        found = self.__dict__[name] = self.of(getattr(self.scene, name))
        return found

    def of(self, array: np.ndarray) -> np.ndarray:
        """These units' part of an array [B, N]."""
        mine = array[self.b]
        return mine.take(self.rows) if self._part is None else mine[self._part]  # a third of array[b, rows]

    @cached_property
    def tags(self) -> list[int]:
        """The client's tags."""
        return self.of(self.scene.tag).tolist()

    @cached_property
    def kind(self) -> np.ndarray:
        """int: numbers of `Kinds`."""
        return self.of(self.scene.kind).astype(np.int64)

    @cached_property
    def xy(self) -> np.ndarray:
        """float [., 2]: positions in cells."""
        xy = np.empty((len(self), 2), np.float32)
        xy[:, 0], xy[:, 1] = self.of(self.scene.x), self.of(self.scene.y)
        return xy

    @cached_property
    def _life(self) -> np.ndarray:
        """Life and shields when nothing is lost; 0 for structures known only by a snapshot."""
        return self.of(self.scene.hp_max) + self.of(self.scene.shield_max)

    @cached_property
    def hp(self) -> np.ndarray:
        """Life and shields."""
        hp = np.where(self._life > 0, self.of(self.scene.hp) + self.shield, np.float32(UNSEEN_HP))
        return np.maximum(hp, np.float32(1.0))

    @cached_property
    def hp_max(self) -> np.ndarray:
        """The same when nothing is lost."""
        return np.where(self._life > 0, self._life, np.float32(UNSEEN_HP))

    @cached_property
    def level(self) -> np.ndarray:
        """Factor on damage from weapon upgrades."""
        return np.float32(1.0) + np.float32(PER_LEVEL) * self.of(self.scene.attack_level)

    @cached_property
    def armor(self) -> np.ndarray:
        """Armour added by upgrades, points a hit."""
        return self.of(self.scene.armor_level)

    @cached_property
    def stimmed(self) -> np.ndarray:
        """bool."""
        return (self.buffs & HASTE) != 0


@dataclass(frozen=True)
class Battlefield:
    """Both sides of battle `b` of a scene and the n x m relations between them, each made when first asked for.

    `Kinds` holds the tables behind the numbers.
    """

    scene: Scene
    b: int
    own: Side
    foe: Side

    @property
    def kinds(self) -> Kinds:
        """The tables of kinds."""
        return self.scene.kinds

    @property
    def ground(self) -> Ground:
        """The map."""
        return self.scene.ground

    @cached_property
    def gap(self) -> np.ndarray:
        """float [n, m]: distance from edge to edge, 0 where they touch."""
        own, foe = self.own, self.foe
        gap = np.hypot(own.xy[:, :1] - foe.xy[:, 0], own.xy[:, 1:] - foe.xy[:, 1])
        gap -= own.radius[:, None]
        gap -= foe.radius
        return np.maximum(gap, np.float32(0.0), out=gap)

    @cached_property
    def _places(self) -> np.ndarray:
        """int [n, m]: of our kind's row and the enemy's column in tables [K, K] laid flat."""
        return self.own.kind[:, None] * len(self.kinds.speed) + self.foe.kind

    @cached_property
    def _back_places(self) -> np.ndarray:
        """int [n, m]: the same for the enemy's row and our column."""
        return self.own.kind[:, None] + self.foe.kind * len(self.kinds.speed)

    @cached_property
    def reach(self) -> np.ndarray:
        """float [n, m]: our unit's range against this enemy, -1 where it cannot hit it."""
        return np.where(self.foe.targetable, self.kinds.reach.take(self._places), np.float32(-1.0))

    @cached_property
    def volley(self) -> np.ndarray:
        """float [n, m]: damage of one of our attacks on this enemy."""
        volley = self.kinds.volley.take(self._places)
        volley *= self.own.level[:, None]
        return np.where(self.reach >= 0, volley, np.float32(0.0))

    @cached_property
    def foe_reach(self) -> np.ndarray:
        """float [n, m]: the enemy's range against our unit, -1 where it cannot hit it."""
        return self.kinds.reach.take(self._back_places)

    @cached_property
    def foe_dps(self) -> np.ndarray:
        """float [n, m]: damage a second of the enemy against our unit."""
        dps = self.kinds.dps.take(self._back_places)
        dps *= self.foe.level
        return dps

    @cached_property
    def speed(self) -> np.ndarray:
        """float [n]: our cells a loop, Stim included."""
        return self.kinds.speed[self.own.kind] * np.where(self.own.stimmed, np.float32(STIM_SPEED), np.float32(1.0))


def battle(scene: Scene, b: int = 0) -> Battlefield:
    """One battle of a scene."""
    here = scene.present[b]
    own = Side(scene, b, np.flatnonzero(here[: scene.agents]))
    foe = Side(scene, b, scene.agents + np.flatnonzero(here[scene.agents :]))
    return Battlefield(scene, b, own, foe)
