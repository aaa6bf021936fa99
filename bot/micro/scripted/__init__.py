"""How units in a fight act by rule: one file per unit type, each a chain `retreat | dodge | cast | fight | move`.

To teach a unit something of its own, write a file with `act` and name it in `RULES`. `Twin` (twin.py) plays them.
"""

from __future__ import annotations

from collections.abc import Callable

from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.kinds import Kinds
from bot.micro.moment import Moment
from bot.micro.scripted import (
    banshee,
    battlecruiser,
    cyclone,
    generic,
    ghost,
    hellion,
    liberator,
    marine,
    medivac,
    raven,
    reaper,
    scv,
    siege_tank,
    thor,
    viking,
    widow_mine,
)
from bot.micro.task import Task
from bot.orders import Order

Rule = Callable[[Moment, int, Task], list[Order]]

RULES: dict[UnitTypeId, Rule] = {
    UnitTypeId.MARINE: marine.act,
    UnitTypeId.MARAUDER: marine.act,
    UnitTypeId.MEDIVAC: medivac.act,
    UnitTypeId.SIEGETANK: siege_tank.act,
    UnitTypeId.SIEGETANKSIEGED: siege_tank.act_sieged,
    UnitTypeId.VIKINGFIGHTER: viking.act,
    UnitTypeId.VIKINGASSAULT: viking.act_landed,
    UnitTypeId.REAPER: reaper.act,
    UnitTypeId.HELLION: hellion.act,
    UnitTypeId.HELLIONTANK: hellion.act_hellbat,
    UnitTypeId.WIDOWMINE: widow_mine.act,
    UnitTypeId.WIDOWMINEBURROWED: widow_mine.act_burrowed,
    UnitTypeId.CYCLONE: cyclone.act,
    UnitTypeId.THOR: thor.act,
    UnitTypeId.THORAP: thor.act,
    UnitTypeId.BANSHEE: banshee.act,
    UnitTypeId.GHOST: ghost.act,
    UnitTypeId.RAVEN: raven.act,
    UnitTypeId.LIBERATOR: liberator.act,
    UnitTypeId.LIBERATORAG: liberator.act_zone,
    UnitTypeId.BATTLECRUISER: battlecruiser.act,
    UnitTypeId.SCV: scv.act,
}


def rules_of(kinds: Kinds) -> list[Rule]:
    """The rule of each kind."""
    found = kinds.notes.get("rules")
    if found is None:
        types = (kinds.type_of(number) for number in range(len(kinds.speed)))
        found = kinds.notes["rules"] = [RULES.get(type_id, generic.act) for type_id in types]
    return found
