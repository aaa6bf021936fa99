"""Which structures an SCV raises, what must stand before each, and which forms count as one thing."""

from __future__ import annotations

from collections.abc import Mapping

from sc2.ids.unit_typeid import UnitTypeId

ALIASES: Mapping[UnitTypeId, UnitTypeId] = {
    UnitTypeId.SUPPLYDEPOTLOWERED: UnitTypeId.SUPPLYDEPOT,
    UnitTypeId.ORBITALCOMMAND: UnitTypeId.COMMANDCENTER,
    UnitTypeId.ORBITALCOMMANDFLYING: UnitTypeId.COMMANDCENTER,
    UnitTypeId.COMMANDCENTERFLYING: UnitTypeId.COMMANDCENTER,
    UnitTypeId.PLANETARYFORTRESS: UnitTypeId.COMMANDCENTER,
    UnitTypeId.BARRACKSFLYING: UnitTypeId.BARRACKS,
    UnitTypeId.FACTORYFLYING: UnitTypeId.FACTORY,
    UnitTypeId.STARPORTFLYING: UnitTypeId.STARPORT,
    UnitTypeId.REFINERYRICH: UnitTypeId.REFINERY,
    UnitTypeId.SIEGETANKSIEGED: UnitTypeId.SIEGETANK,
    UnitTypeId.VIKINGASSAULT: UnitTypeId.VIKINGFIGHTER,
    UnitTypeId.LIBERATORAG: UnitTypeId.LIBERATOR,
    UnitTypeId.WIDOWMINEBURROWED: UnitTypeId.WIDOWMINE,
    UnitTypeId.HELLIONTANK: UnitTypeId.HELLION,
    UnitTypeId.THORAP: UnitTypeId.THOR,
}
"""Forms of one thing, counted as the thing that is built or trained."""

CONSTRUCTED = frozenset(
    {
        UnitTypeId.COMMANDCENTER,
        UnitTypeId.SUPPLYDEPOT,
        UnitTypeId.REFINERY,
        UnitTypeId.BARRACKS,
        UnitTypeId.ENGINEERINGBAY,
        UnitTypeId.BUNKER,
        UnitTypeId.MISSILETURRET,
        UnitTypeId.SENSORTOWER,
        UnitTypeId.FACTORY,
        UnitTypeId.STARPORT,
        UnitTypeId.ARMORY,
        UnitTypeId.FUSIONCORE,
        UnitTypeId.GHOSTACADEMY,
    }
)
"""Structures that an SCV raises."""

REQUIRES: Mapping[UnitTypeId, UnitTypeId] = {
    UnitTypeId.BARRACKS: UnitTypeId.SUPPLYDEPOT,
    UnitTypeId.BUNKER: UnitTypeId.BARRACKS,
    UnitTypeId.FACTORY: UnitTypeId.BARRACKS,
    UnitTypeId.GHOSTACADEMY: UnitTypeId.BARRACKS,
    UnitTypeId.STARPORT: UnitTypeId.FACTORY,
    UnitTypeId.ARMORY: UnitTypeId.FACTORY,
    UnitTypeId.FUSIONCORE: UnitTypeId.STARPORT,
    UnitTypeId.ENGINEERINGBAY: UnitTypeId.COMMANDCENTER,
    UnitTypeId.MISSILETURRET: UnitTypeId.ENGINEERINGBAY,
    UnitTypeId.SENSORTOWER: UnitTypeId.ENGINEERINGBAY,
}
"""What must stand before a structure; the API's own requirement field is not reliable for structures."""
