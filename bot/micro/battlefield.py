"""Everyone who could take part in a fight at this moment, as arrays.

`Scene` holds B battles at once (one in a game, many in training): what an observation shows and nothing more, in plain
numbers, so that both its readers (`reader.py` for the client, `train/reader.py` for the engine's records) give equal
bits. `Battlefield` is one battle of it with the relations between the sides, for the missions and the scripted rules.
Distances are in cells, times in game loops (22.4 a second at Faster).
"""

from __future__ import annotations

from collections.abc import Sequence
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
    def _life(self) -> tuple[np.ndarray, ...]:
        scene = self.scene
        return life(*(self.of(array) for array in (scene.hp, scene.hp_max, scene.shield, scene.shield_max)))

    @property
    def hp(self) -> np.ndarray:
        """Life and shields."""
        return self._life[0]

    @property
    def hp_max(self) -> np.ndarray:
        """The same when nothing is lost."""
        return self._life[1]

    @cached_property
    def level(self) -> np.ndarray:
        """Factor on damage from weapon upgrades."""
        return level(self.of(self.scene.attack_level))

    @cached_property
    def armor(self) -> np.ndarray:
        """Armour added by upgrades, points a hit."""
        return self.of(self.scene.armor_level)

    @cached_property
    def stimmed(self) -> np.ndarray:
        """bool."""
        return (self.buffs & HASTE) != 0


class Relations:
    """What our units and the enemies are to each other in some battles of a scene: arrays [b, A, M], each made when
    first asked for. Where either is not there the gap is endless and nobody reaches anybody."""

    def __init__(self, scene: Scene, battles: Sequence[int]) -> None:
        self.scene, self.kinds, self.battles = scene, scene.kinds, battles
        unbroken = list(battles) == list(range(battles[0], battles[0] + len(battles)))
        self.part = slice(battles[0], battles[0] + len(battles)) if unbroken else np.array(battles)
        self.here = self.of(scene.present)
        self._all = bool(self.here.all())

    def __len__(self) -> int:
        return len(self.battles)

    def of(self, array: np.ndarray) -> np.ndarray:
        """These battles' part of an array [B, ...]."""
        return array[self.part]

    def own(self, array: np.ndarray) -> np.ndarray:
        """Our part of an array [B, N]: [b, A]."""
        return array[self.part, : self.scene.agents]

    def foe(self, array: np.ndarray) -> np.ndarray:
        """The enemies' part of an array [B, N]: [b, M]."""
        return array[self.part, self.scene.agents :]

    def _where_both(self, array: np.ndarray, otherwise: float) -> np.ndarray:
        """The array with this value where either is not there."""
        if not self._all:
            a = self.scene.agents
            np.copyto(array, np.float32(otherwise), where=~(self.here[:, :a, None] & self.here[:, None, a:]))
        return array

    def among(self, columns: np.ndarray) -> np.ndarray:
        """Enemies i8 [b, A], by their columns, numbered among those that are there; NOBODY stays."""
        if self._all:
            return columns
        numbers = self.here[:, self.scene.agents :].cumsum(axis=1) - 1
        return np.where(columns >= 0, np.take_along_axis(numbers, np.maximum(columns, 0), axis=1), NOBODY)

    @cached_property
    def gap(self) -> np.ndarray:
        """f4: distance from edge to edge, 0 where they touch."""
        x, y, radius = self.scene.x, self.scene.y, self.scene.radius
        dx = self.own(x)[..., None] - self.foe(x)[:, None]
        dy = self.own(y)[..., None] - self.foe(y)[:, None]
        gap = np.hypot(dx, dy, out=dx)
        gap -= self.own(radius)[..., None]
        gap -= self.foe(radius)[:, None]
        return self._where_both(np.maximum(gap, np.float32(0.0), out=gap), np.inf)

    @cached_property
    def own_kind(self) -> np.ndarray:
        """i8 [b, A]."""
        return self.own(self.scene.kind).astype(np.int64)

    @cached_property
    def foe_kind(self) -> np.ndarray:
        """i8 [b, M]."""
        return self.foe(self.scene.kind).astype(np.int64)

    @cached_property
    def _places(self) -> np.ndarray:
        """i8: of our kind's row and the enemy's column in tables [K, K] laid flat."""
        return self.own_kind[..., None] * len(self.kinds.speed) + self.foe_kind[:, None]

    @cached_property
    def _back_places(self) -> np.ndarray:
        """i8: the same for the enemy's row and our column."""
        return self.own_kind[..., None] + self.foe_kind[:, None] * len(self.kinds.speed)

    @cached_property
    def reach(self) -> np.ndarray:
        """f4: our unit's range against this enemy, -1 where it cannot hit it."""
        shown = self.foe(self.scene.targetable)[:, None]
        return self._where_both(np.where(shown, self.kinds.reach.take(self._places), np.float32(-1.0)), -1.0)

    @cached_property
    def volley(self) -> np.ndarray:
        """f4: damage of one of our attacks on this enemy."""
        volley = self.kinds.volley.take(self._places)
        volley *= level(self.own(self.scene.attack_level))[..., None]
        return np.where(self.reach >= 0, volley, np.float32(0.0))

    @cached_property
    def foe_reach(self) -> np.ndarray:
        """f4: the enemy's range against our unit, -1 where it cannot hit it."""
        return self._where_both(self.kinds.reach.take(self._back_places), -1.0)

    @cached_property
    def foe_dps(self) -> np.ndarray:
        """f4: damage a second of the enemy against our unit."""
        dps = self.kinds.dps.take(self._back_places)
        dps *= level(self.foe(self.scene.attack_level))[:, None]
        return dps


@dataclass(frozen=True)
class Battlefield:
    """Both sides of one battle, number `b` of its scene and `place` of those that `relations` are about; the n x m
    relations between them are parts of those, made when first asked for."""

    relations: Relations
    place: int

    @cached_property
    def own(self) -> Side:
        """Our units."""
        here = self.relations.here[self.place, : self.scene.agents]
        return Side(self.scene, self.b, np.flatnonzero(here))

    @cached_property
    def foe(self) -> Side:
        """The enemies."""
        agents = self.scene.agents
        return Side(self.scene, self.b, agents + np.flatnonzero(self.relations.here[self.place, agents:]))

    @property
    def scene(self) -> Scene:
        """The moment."""
        return self.relations.scene

    @property
    def b(self) -> int:
        """The battle's number in the scene."""
        return self.relations.battles[self.place]

    @property
    def kinds(self) -> Kinds:
        """The tables of kinds."""
        return self.relations.kinds

    @property
    def ground(self) -> Ground:
        """The map."""
        return self.scene.ground

    def part(self, array: np.ndarray) -> np.ndarray:
        """Our n x m part of an array [b, A, M]."""
        mine = array[self.place]
        if mine.shape == (len(self.own), len(self.foe)):
            return mine
        return mine[self.own.rows[:, None], self.foe.rows - self.scene.agents]

    @cached_property
    def gap(self) -> np.ndarray:
        """float [n, m]: distance from edge to edge, 0 where they touch."""
        return self.part(self.relations.gap)

    @cached_property
    def reach(self) -> np.ndarray:
        """float [n, m]: our unit's range against this enemy, -1 where it cannot hit it."""
        return self.part(self.relations.reach)

    @cached_property
    def volley(self) -> np.ndarray:
        """float [n, m]: damage of one of our attacks on this enemy."""
        return self.part(self.relations.volley)

    @cached_property
    def foe_reach(self) -> np.ndarray:
        """float [n, m]: the enemy's range against our unit, -1 where it cannot hit it."""
        return self.part(self.relations.foe_reach)

    @cached_property
    def foe_dps(self) -> np.ndarray:
        """float [n, m]: damage a second of the enemy against our unit."""
        return self.part(self.relations.foe_dps)

    @cached_property
    def speed(self) -> np.ndarray:
        """float [n]: our cells a loop, Stim included."""
        return self.kinds.speed[self.own.kind] * haste(self.own.stimmed)


def battle(scene: Scene, b: int = 0) -> Battlefield:
    """One battle of a scene."""
    return Battlefield(Relations(scene, [b]), 0)


def level(upgrades: np.ndarray) -> np.ndarray:
    """f4: factor on damage from so many levels of weapon upgrades."""
    return np.float32(1.0) + np.float32(PER_LEVEL) * upgrades


def haste(stimmed: np.ndarray) -> np.ndarray:
    """f4: factor on speed and attack rate."""
    return np.where(stimmed, np.float32(STIM_SPEED), np.float32(1.0))


def life(hp: np.ndarray, hp_max: np.ndarray, shield: np.ndarray, shield_max: np.ndarray) -> tuple[np.ndarray, ...]:
    """f4: (life and shields, the same when nothing is lost)."""
    most = hp_max + shield_max
    known = most > 0
    left = np.maximum(np.where(known, hp + shield, np.float32(UNSEEN_HP)), np.float32(1.0))
    return left, np.where(known, most, np.float32(UNSEEN_HP))
