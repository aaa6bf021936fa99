"""Orders are values: every stage returns them, one function (`sending.send`) issues them.

An order names its unit by tag and its target by tag or by point (cells). It does nothing by itself, so it can be
compared, logged, tested, and replaced by a later stage.

Example:
    orders = [Move(marine.tag, (40.0, 31.5)), Cast(tank.tag, AbilityId.SIEGEMODE_SIEGEMODE)]
    await send([macro_orders, army_orders], bot)      # the army's order wins where both address one unit
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

Point = tuple[float, float]
Target = int | Point | None


@dataclass(frozen=True, slots=True)
class Order:
    """One command for one own unit.

    `tag` is the unit's; `queue` appends to what the unit does (shift-click). `exclusive` orders replace each other,
    one chain per unit; the others (training, research, rally, instant abilities) leave the unit's work alone.
    """

    tag: int
    target: Target = None
    queue: bool = False

    ability: ClassVar[AbilityId | None] = None
    exclusive: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Move(Order):
    """Walk to a point, or follow the unit with the target tag, without a fight."""

    ability = AbilityId.MOVE_MOVE


@dataclass(frozen=True, slots=True)
class Attack(Order):
    """Attack-move to a point, or attack the unit with the target tag."""

    ability = AbilityId.ATTACK


@dataclass(frozen=True, slots=True)
class Smart(Order):
    """A right click: gathers, repairs, loads, follows or moves, as the target allows."""

    ability = AbilityId.SMART


@dataclass(frozen=True, slots=True)
class Stop(Order):
    """Drop all orders; an idle unit still fights who comes near."""

    ability = AbilityId.STOP


@dataclass(frozen=True, slots=True)
class Hold(Order):
    """Stay here and fire at what comes within range."""

    ability = AbilityId.HOLDPOSITION


@dataclass(frozen=True, slots=True)
class Gather(Order):
    """Mine the resource, or the gas structure, with the target tag."""

    ability = AbilityId.HARVEST_GATHER


@dataclass(frozen=True, slots=True)
class Return(Order):
    """Bring home what the worker carries."""

    ability = AbilityId.HARVEST_RETURN


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """Mend the machine or structure with the target tag."""

    ability = AbilityId.EFFECT_REPAIR


@dataclass(frozen=True, slots=True)
class Unload(Order):
    """A bunker or transport sets down everyone where it is."""

    ability = AbilityId.UNLOADALL


@dataclass(frozen=True, slots=True)
class Cancel(Order):
    """The unfinished structure is given up; three quarters of its price come back."""

    ability = AbilityId.CANCEL


@dataclass(frozen=True, slots=True)
class Cast(Order):
    """Use an ability. `instant` ones (Stim, scan, MULE) leave the caster's other orders alone."""

    cast: AbilityId = AbilityId.NULL_NULL
    instant: bool = False


@dataclass(frozen=True, slots=True)
class Train(Order):
    """A structure starts one unit. Two equal orders to one structure with a reactor start two."""

    product: UnitTypeId = UnitTypeId.NOTAUNIT
    exclusive = False


@dataclass(frozen=True, slots=True)
class Research(Order):
    """A structure researches one upgrade."""

    upgrade: UpgradeId = UpgradeId.NULL
    exclusive = False


@dataclass(frozen=True, slots=True)
class Build(Order):
    """A worker raises a structure at a point (its centre) or on the geyser with the target tag.

    For an add-on the builder is the structure itself and the target is None or the place to land at.
    """

    product: UnitTypeId = UnitTypeId.NOTAUNIT


@dataclass(frozen=True, slots=True)
class Morph(Order):
    """A structure becomes another (Orbital Command, Planetary Fortress)."""

    product: UnitTypeId = UnitTypeId.NOTAUNIT
    exclusive = False


def is_exclusive(order: Order) -> bool:
    """Whether the order takes the unit's time: only one chain of such orders reaches a unit each step."""
    return order.exclusive and not (isinstance(order, Cast) and order.instant)
