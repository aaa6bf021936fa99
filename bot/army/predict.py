"""Who would win: a Lanchester-like estimate from the client's own numbers for life, damage and range.

Each side has damage a second on the other side's mix, and life; strength is their product, and the ratio of strengths
is brought back to numbers by a square root: twice the units of one kind give a ratio of 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.kinds import LEAST_DAMAGE, Kinds
from bot.micro.stim import SHARES

if TYPE_CHECKING:
    from bot.knowledge.model import Sighting
    from bot.micro.battlefield import Battlefield

CERTAIN_WIN = 99.0


@dataclass(frozen=True, slots=True)
class Force:
    """Units as arrays: kind int [k], life [k], factor on damage [k]; life that healers add, mean armour upgrades."""

    kind: np.ndarray
    hp: np.ndarray
    level: np.ndarray
    healing: float = 0.0
    armor: float = 0.0

    def __len__(self) -> int:
        return len(self.kind)


def own_force(field: Battlefield, rows: np.ndarray, config: Mapping[str, Any], *, stim: bool = False) -> Force:
    """Our units of these rows (int [k]); `stim` says that Stim is researched: then they will use it."""
    own = field.own
    kind = own.kind[rows]
    types = [field.kinds.type_of(number) for number in kind.tolist()]
    medic = np.array([kind is UnitTypeId.MEDIVAC for kind in types], bool)
    users = np.array([stim and kind in SHARES for kind in types], bool)
    energy = own.energy[rows][medic]
    healing = np.minimum(energy / config["heal_energy"], config["heal"] * config["heal_rate"]).sum()
    # Healers heal the others: without any there is nothing to add.
    biological = own.hp[rows][field.kinds.biological[kind]].sum()
    level = own.level[rows] * np.where(users, config["stim"], 1.0)
    armor = float(own.armor[rows].mean()) if len(kind) else 0.0
    return Force(kind, own.hp[rows], level, float(min(healing, biological)), armor)


def seen_force(sightings: Iterable[Sighting], kinds: Kinds, loop: int, config: Mapping[str, Any]) -> Force:
    """Remembered enemies; units not in sight now count less, what is unfinished or unarmed not at all."""
    kind, hp, level = [], [], []
    for sighting in sightings:
        if sighting.type_id.value in kinds.ignored_ids:
            continue  # the tables would grow in the middle of a step, under those who have read them
        number = kinds.number(sighting.type_id.value, sighting.is_flying)
        if not kinds.armed[number] or kinds.worker[number] or sighting.finished > loop:
            continue
        kind.append(number)
        hp.append(max(sighting.health, 1.0))
        level.append(1.0 if sighting.is_structure or sighting.loop == loop else config["unsure"])
    return Force(np.array(kind, np.int64), np.array(hp, np.float32), np.array(level, np.float32))


def ratio(own: Force, foe: Force, kinds: Kinds, config: Mapping[str, Any]) -> float:
    """Our strength over theirs: 0 where we cannot hurt them, CERTAIN_WIN where nobody can hurt us."""
    if not len(own):
        return 0.0
    if not len(foe):
        return CERTAIN_WIN
    ours, theirs = strength(own, foe, kinds, config), strength(foe, own, kinds, config)
    if ours <= 0.0 or theirs <= 0.0:
        return CERTAIN_WIN if ours > 0.0 else 0.0
    return float(min(np.sqrt(ours / theirs), CERTAIN_WIN))


def strength(side: Force, against: Force, kinds: Kinds, config: Mapping[str, Any]) -> float:
    """Damage a second on the mix of the other side times own life."""
    if not len(side) or not len(against):
        return 0.0
    share = against.hp / against.hp.sum()
    dps = kinds.dps[side.kind][:, against.kind]
    if against.armor:
        per_hit = kinds.volley[side.kind][:, against.kind] / kinds.hits[side.kind][:, against.kind]
        dps = dps * np.maximum(per_hit - against.armor, LEAST_DAMAGE) / np.maximum(per_hit, LEAST_DAMAGE)
    damage = (dps * share[None, :]).sum(axis=1)
    room = np.where(kinds.range[side.kind] < 1.0, config["melee"], 1.0)
    total = (damage * kinds.splash[side.kind] * room * side.level).sum()
    return float(total * (side.hp.sum() + side.healing))
