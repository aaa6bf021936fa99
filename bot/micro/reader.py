"""Reads a `Scene` from the client's observation: the only file of micro that knows burnysc2's units."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.data import Alert
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.micro.kinds import Kinds
from bot.micro.scene import ALLIED_CLOAK, BUFF_BIT, CLOAKED, NEEDS, NOBODY, VALUES, Ground, Scene
from bot.micro.skills import ORDER_CLASS, Casts
from bot.sending import current_order

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

    from bot.knowledge.model import Knowledge

OWN_TOO = frozenset({"NUKEPERSISTENT", "KD8CHARGE"})
"""Effects of ours that hurt us too."""
WALKERS_ONLY = frozenset(
    {
        *("LURKERMP", "BLINDINGCLOUDCP", "KD8CHARGE"),
        *("LIBERATORTARGETMORPHDELAYPERSISTENT", "LIBERATORTARGETMORPHPERSISTENT"),
    }
)
"""Effects that hurt nobody who flies."""
BITS = {buff: int(BUFF_BIT[buff]) for buff in np.flatnonzero(BUFF_BIT).tolist()}
"""Bits of the buffs that say something about a fight."""
UPGRADES = tuple(UpgradeId[name] if name in UpgradeId.__members__ else None for name in NEEDS)
TAG = attrgetter("tag")
BUFF_IDS = attrgetter("buff_ids")
POSITION = attrgetter("pos")
PLACE = attrgetter("x", "y", "z")
STATE = attrgetter(
    *("facing", "radius", "health", "health_max", "shield", "shield_max", "energy", "energy_max"),
    *("attack_upgrade_level", "armor_upgrade_level", "shield_upgrade_level", "build_progress", "detect_range"),
    *("weapon_cooldown", "cargo_space_taken", "cargo_space_max"),
    *("unit_type", "is_flying", "is_burrowed", "cloak"),
)
"""The columns of `VALUES` behind the place, then four small numbers: one call for all takes half the time."""


class Silos:
    """How many nukes wait in our Ghost Academies: units do not show it, alerts and launches do."""

    def __init__(self) -> None:
        self.nukes = 0
        self._falling = 0

    def hear(self, bot: BotAI, academies: int) -> None:
        """Counts what is new in this step's observation; a missile is lost with its academy."""
        self.nukes += sum(alert == Alert.NukeComplete.value for alert in getattr(bot.state, "alerts", ()))
        falling = sum(_name(effect) == "NUKEPERSISTENT" and effect.is_mine for effect in bot.state.effects)
        self.nukes = min(max(self.nukes - max(falling - self._falling, 0), 0), academies)
        self._falling = falling


def read(
    knowledge: Knowledge,
    kinds: Kinds,
    ground: Ground,
    casts: Casts,
    effects: Mapping[str, float],
    *,
    nuke: bool = False,
) -> Scene:
    """The moment as the observation shows it (B = 1), both sides in the order of their tags.

    `effects` gives the radius of each harmful effect by name, `nuke` says that one is ready.
    """
    units = sorted(knowledge.own.army, key=TAG)
    agents = len(units)
    units += sorted((*knowledge.enemy.units, *knowledge.enemy.structures), key=TAG)
    protos = [unit._proto for unit in units]
    protos[agents:] = [proto for proto in protos[agents:] if proto.unit_type not in kinds.ignored_ids]
    places = _columns(map(PLACE, map(POSITION, protos)), 3)
    table = np.concatenate((places, _columns(map(STATE, protos), len(VALUES) + 1)))[:, None]
    types, flying, burrowed, cloak = table[len(VALUES) :].astype(np.int64)
    table[len(VALUES) - 3 : len(VALUES), :, agents:] = 0.0  # weapons and cargo of enemies are theirs to know
    burrowed = burrowed != 0
    cloak[:, :agents][burrowed[:, :agents]] = ALLIED_CLOAK  # the client calls own burrowed units not cloaked
    tags = list(map(TAG, protos))
    rows = dict(zip(tags, range(len(tags)), strict=True))
    orders = list(map(current_order, protos[:agents]))
    return Scene(
        kinds=kinds,
        agents=agents,
        step=knowledge.step,
        ground=ground,
        loop=np.array([knowledge.loop], np.int64),
        tag=np.array([tags], np.int64),
        kind=kinds.of_keys(types * 2 + flying),
        present=np.ones_like(burrowed),
        targetable=cloak != CLOAKED,
        flying=flying != 0,
        burrowed=burrowed,
        cloak=cloak.astype(np.uint8),
        buffs=np.array([[_bits(ids) if ids else 0 for ids in map(BUFF_IDS, protos)]], np.int32),
        **dict(zip(VALUES, table, strict=False)),
        order=ORDER_CLASS.take(np.array([[o.ability_id if o else 0 for o in orders]], np.int64)),
        order_row=_rows(rows, [o.target_unit_tag if o else 0 for o in orders]),
        aim=_rows(rows, [p.engaged_target_tag for p in protos[:agents]]),
        ready_at=casts.ready_at(tags[:agents]),
        researched=researched(knowledge, nuke),
        effects=circles(knowledge.bot, effects),
    )


def _columns(rows: Iterable[tuple[float, ...]], width: int) -> np.ndarray:
    """f4 [width, n]: n rows of so many numbers, laid out by columns."""
    packed = b"".join(starmap(struct.Struct(f"{width}f").pack, rows))
    return np.frombuffer(packed, np.float32).reshape(-1, width).T.copy()


def _bits(buffs: Iterable[int]) -> int:
    """The bits of a unit's buffs, by their ids."""
    bits = 0
    for buff in buffs:
        bits |= BITS.get(buff, 0)
    return bits


def _rows(rows: Mapping[int, int], tags: Sequence[int]) -> np.ndarray:
    """i4 [1, n]: the rows of these tags, NOBODY for unknown ones."""
    return np.array([[rows.get(tag, NOBODY) for tag in tags]], np.int32).reshape(1, len(tags))


def researched(knowledge: Knowledge, nuke: bool) -> np.ndarray:
    """bool [1, NEEDS]: what our skills may require and we have."""
    has = np.array([[upgrade in knowledge.upgrades for upgrade in UPGRADES]], bool)
    has[:, NEEDS.index("ARMORY")] = bool(knowledge.own.ready(UnitTypeId.ARMORY))
    has[:, NEEDS.index("NUKE")] = nuke
    return has


def _name(effect: Any) -> str:
    """Name of an effect, empty for ids that the client's enum lacks."""
    try:
        return effect.id.name if isinstance(effect.id, EffectId) else str(effect.id)
    except ValueError:
        return ""


def circles(bot: BotAI, known: Mapping[str, float]) -> np.ndarray:
    """f4 [1, E, 3]: centre and radius of every harmful effect that is shown, below 0 where it only hurts who walks;
    unknown ids are left out.

    Our own zones and bombs are ours to know, but for those in `OWN_TOO`.
    """
    found: set[tuple[float, float, float]] = set()
    for effect in bot.state.effects:
        name = _name(effect)
        radius = known.get(name)
        if radius is not None and (name in OWN_TOO or not effect.is_mine):
            radius = max(radius, float(effect.radius or 0.0))
            found |= {(p.x, p.y, -radius if name in WALKERS_ONLY else radius) for p in effect.positions}
    return np.array(sorted(found), np.float32).reshape(1, len(found), 3)
