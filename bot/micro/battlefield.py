"""Everyone who could take part in a fight at this moment, as arrays.

n own units, m visible enemies. Distances are in cells from edge to edge, times in game loops. The reader is the only
thing below this line that knows burnysc2's units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sc2.ids.buff_id import BuffId
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.kinds import Kinds

if TYPE_CHECKING:
    from sc2.unit import Unit

    from bot.knowledge.model import Knowledge

STIM_BUFFS = {BuffId.STIMPACK.value, BuffId.STIMPACKMARAUDER.value}
STIM_SPEED = 1.5  # of speed and attack rate (5.0.14.94137, buffs table)
CLOAKED = 1  # the protocol's CloakState: cloaked and not detected
IGNORED = {UnitTypeId.LARVA, UnitTypeId.EGG, UnitTypeId.KD8CHARGE, UnitTypeId.ADEPTPHASESHIFT, UnitTypeId.CHANGELING}
IGNORED_IDS = {kind.value for kind in IGNORED}
UNSEEN_HP = 500.0  # of a structure known only by its snapshot, which carries no life
PER_LEVEL = 0.1  # one weapon level adds about a tenth to most weapons' damage


@dataclass(frozen=True, slots=True)
class Side:
    """One side's units; every array has one row a unit, in the order of `tags`."""

    units: list[Unit]
    tags: list[int]
    kind: np.ndarray
    """int: numbers of `Kinds`."""
    xy: np.ndarray
    """float [., 2]: positions in cells."""
    radius: np.ndarray
    hp: np.ndarray
    """Life and shields."""
    hp_max: np.ndarray
    energy: np.ndarray
    cooldown: np.ndarray
    """Loops until the weapon is ready; 0 for enemies, whose cooldown nobody sees."""
    level: np.ndarray
    """Factor on damage from weapon upgrades."""
    armor: np.ndarray
    """Armour added by upgrades, points a hit."""
    flying: np.ndarray
    targetable: np.ndarray
    """Not hidden by cloak or burrow."""
    stimmed: np.ndarray

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True, slots=True)
class Battlefield:
    """Both sides and the n x m relations between them; `Kinds` holds the tables behind the numbers."""

    kinds: Kinds
    own: Side
    foe: Side
    gap: np.ndarray
    """float [n, m]: distance from edge to edge, 0 where they touch."""
    reach: np.ndarray
    """float [n, m]: our unit's range against this enemy, -1 where it cannot hit it."""
    volley: np.ndarray
    """float [n, m]: damage of one of our attacks on this enemy."""
    foe_reach: np.ndarray
    """float [n, m]: the enemy's range against our unit, -1 where it cannot hit it."""
    foe_dps: np.ndarray
    """float [n, m]: damage a second of the enemy against our unit."""
    speed: np.ndarray
    """float [n]: our cells a loop, Stim included."""


def read(knowledge: Knowledge, kinds: Kinds) -> Battlefield:
    """The moment as the observation shows it. About a millisecond at 200 units a side."""
    own = read_side(knowledge.own.army, kinds, own=True)
    enemies = [*knowledge.enemy.units, *knowledge.enemy.structures]
    foe = read_side([unit for unit in enemies if unit._proto.unit_type not in IGNORED_IDS], kinds, own=False)
    return relate(own, foe, kinds)


def relate(own: Side, foe: Side, kinds: Kinds) -> Battlefield:
    """The n x m relations of two sides."""
    apart = np.hypot(own.xy[:, None, 0] - foe.xy[None, :, 0], own.xy[:, None, 1] - foe.xy[None, :, 1])
    gap = np.maximum(apart - own.radius[:, None] - foe.radius[None, :], 0.0)
    reach = np.where(foe.targetable[None, :], kinds.reach[own.kind][:, foe.kind], np.float32(-1.0))
    return Battlefield(
        kinds=kinds,
        own=own,
        foe=foe,
        gap=gap,
        reach=reach,
        volley=np.where(reach >= 0, kinds.volley[own.kind][:, foe.kind] * own.level[:, None], np.float32(0.0)),
        foe_reach=kinds.reach.T[own.kind][:, foe.kind],
        foe_dps=kinds.dps.T[own.kind][:, foe.kind] * foe.level[None, :],
        speed=kinds.speed[own.kind] * np.where(own.stimmed, STIM_SPEED, 1.0).astype(np.float32),
    )


def read_side(units: Sequence[Unit], kinds: Kinds, *, own: bool) -> Side:
    """Units as arrays; enemies lack what only an owner sees."""
    number = kinds.number
    rows, numbers, tags, stimmed = [], [], [], []
    for unit in units:
        p = unit._proto
        where = p.pos
        rows.append(
            (
                where.x,
                where.y,
                p.radius,
                p.health + p.shield,
                p.health_max + p.shield_max,
                p.energy,
                p.weapon_cooldown if own else 0.0,
                p.attack_upgrade_level,
                p.is_flying,
                p.cloak != CLOAKED,
                p.armor_upgrade_level,
            )
        )
        numbers.append(number(p.unit_type, p.is_flying))
        tags.append(p.tag)
        stimmed.append(own and not STIM_BUFFS.isdisjoint(p.buff_ids))
    table = np.array(rows, np.float32).reshape(-1, 11)
    hp = np.where(table[:, 4] > 0, table[:, 3], UNSEEN_HP)
    return Side(
        units=list(units),
        tags=tags,
        kind=np.array(numbers, np.int64),
        xy=table[:, :2],
        radius=table[:, 2],
        hp=np.maximum(hp, 1.0),
        hp_max=np.where(table[:, 4] > 0, table[:, 4], UNSEEN_HP),
        energy=table[:, 5],
        cooldown=table[:, 6],
        level=1.0 + PER_LEVEL * table[:, 7],
        armor=table[:, 10],
        flying=table[:, 8] > 0,
        targetable=table[:, 9] > 0,
        stimmed=np.array(stimmed, bool),
    )
