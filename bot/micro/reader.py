"""Reads a `Scene` from the client's observation: the only file of micro that knows burnysc2's units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.data import Alert
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.micro.kinds import Kinds
from bot.micro.scene import ALLIED_CLOAK, BUFF_BIT, CLOAKED, NEEDS, NOBODY, VALUES, Ground, Scene
from bot.micro.skills import ORDER_CLASS, Casts
from bot.orders import current_order

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI
    from sc2.unit import Unit

    from bot.knowledge.model import Knowledge

OWN_TOO = frozenset({"NUKEPERSISTENT", "KD8CHARGE"})
"""Effects of ours that hurt us too."""
KNOWN_BUFFS = frozenset(np.flatnonzero(BUFF_BIT).tolist())


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
    knowledge: Knowledge, kinds: Kinds, casts: Casts, effects: Mapping[str, float], *, nuke: bool = False
) -> Scene:
    """The moment as the observation shows it (B = 1), both sides in the order of their tags.

    `effects` gives the radius of each harmful effect by name, `nuke` says that one is ready. About a
    millisecond at 200 units a side.
    """
    own = sorted(knowledge.own.army, key=_tag)
    enemies = sorted((*knowledge.enemy.units, *knowledge.enemy.structures), key=_tag)
    protos = [unit._proto for unit in own]
    ignored, number = kinds.ignored_ids, kinds.number
    protos += [p for p in (unit._proto for unit in enemies) if p.unit_type not in ignored]
    agents, count = len(own), len(protos)
    values = np.fromiter(chain.from_iterable(map(_values, protos)), np.float32, count * len(VALUES))
    table = np.ascontiguousarray(values.reshape(count, len(VALUES)).T)[:, None]
    table[-3:, :, agents:] = 0.0  # weapons and cargo of enemies are theirs to know
    tags = [p.tag for p in protos]
    rows = {tag: row for row, tag in enumerate(tags)}
    burrowed = np.array([p.is_burrowed for p in protos], bool)
    cloak = np.array([p.cloak for p in protos], np.uint8)
    cloak[:agents][burrowed[:agents]] = ALLIED_CLOAK  # the client calls own burrowed units not cloaked, but they hide
    orders = [current_order(p) for p in protos[:agents]]
    return Scene(
        kinds=kinds,
        agents=agents,
        step=knowledge.step,
        ground=Ground(knowledge.terrain.walkable, knowledge.terrain.buildable),
        loop=np.array([knowledge.loop], np.int64),
        tag=np.array([tags], np.int64).reshape(1, count),
        kind=np.array([[number(p.unit_type, p.is_flying) for p in protos]], np.int32).reshape(1, count),
        present=np.ones((1, count), bool),
        targetable=(cloak != CLOAKED)[None, :],
        flying=np.array([[p.is_flying for p in protos]], bool).reshape(1, count),
        burrowed=burrowed[None, :],
        cloak=cloak[None, :],
        buffs=np.array([[_buffs(p.buff_ids) if p.buff_ids else 0 for p in protos]], np.int32).reshape(1, count),
        **dict(zip(VALUES, table, strict=True)),
        order=np.array([[ORDER_CLASS[o.ability_id] if o else 0 for o in orders]], np.uint8).reshape(1, agents),
        order_row=_rows(rows, [o.target_unit_tag if o else 0 for o in orders]),
        aim=_rows(rows, [p.engaged_target_tag for p in protos[:agents]]),
        ready_at=casts.ready_at(tags[:agents]),
        researched=researched(knowledge, nuke),
        effects=circles(knowledge.bot, effects),
    )


def _tag(unit: Unit) -> int:
    return unit._proto.tag


def _values(p: Any) -> tuple[float, ...]:
    """The columns of `VALUES` of one unit."""
    place = p.pos
    return (
        place.x,
        place.y,
        place.z,
        p.facing,
        p.radius,
        p.health,
        p.health_max,
        p.shield,
        p.shield_max,
        p.energy,
        p.energy_max,
        p.attack_upgrade_level,
        p.armor_upgrade_level,
        p.shield_upgrade_level,
        p.build_progress,
        p.detect_range,
        p.weapon_cooldown,
        p.cargo_space_taken,
        p.cargo_space_max,
    )


def _buffs(ids: Sequence[int]) -> int:
    """The bits of a unit's buffs."""
    bits = 0
    for buff in ids:
        if buff in KNOWN_BUFFS:
            bits |= int(BUFF_BIT[buff])
    return bits


def _rows(rows: Mapping[int, int], tags: Sequence[int]) -> np.ndarray:
    """i4 [1, n]: the rows of these tags, NOBODY for unknown ones."""
    return np.array([[rows.get(tag, NOBODY) for tag in tags]], np.int32).reshape(1, len(tags))


def researched(knowledge: Knowledge, nuke: bool) -> np.ndarray:
    """bool [1, NEEDS]: what our skills may require and we have."""
    names = {upgrade.name for upgrade in knowledge.upgrades if isinstance(upgrade, UpgradeId)}
    if knowledge.own.ready(UnitTypeId.ARMORY):
        names.add("ARMORY")
    if nuke:
        names.add("NUKE")
    return np.array([[name in names for name in NEEDS]], bool)


def _name(effect: Any) -> str:
    """Name of an effect, empty for ids that the client's enum lacks."""
    try:
        return effect.id.name if isinstance(effect.id, EffectId) else str(effect.id)
    except ValueError:
        return ""


def circles(bot: BotAI, known: Mapping[str, float]) -> np.ndarray:
    """f4 [1, E, 3]: centre and radius of every harmful effect in the observation; unknown ids are left out.

    Our own zones and bombs are ours to know, but for those in `OWN_TOO`.
    """
    found: set[tuple[float, float, float]] = set()
    for effect in bot.state.effects:
        name = _name(effect)
        radius = known.get(name)
        if radius is not None and (name in OWN_TOO or not effect.is_mine):
            found |= {(point.x, point.y, max(radius, float(effect.radius or 0.0))) for point in effect.positions}
    return np.array(sorted(found), np.float32).reshape(1, len(found), 3)
