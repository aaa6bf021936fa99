"""Where what is made looks at first.

Catalog: Facing, less a quarter turn (0 stands for south: resources look to 270 degrees in all recordings, Command
Centers, whose Facing is 315, to 224.9). A structure that lands turns to it again, and so does a tank that sets up
(`morphs`). Units of a producer look where they set out to, see `birth`.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from sim.facts import load

SOUTH = 3 * math.pi / 2
SOUTHWEST = 3.9252973  # of all recorded Command Centers and zones: 315 in the catalog
FACINGS = {  # degrees in the catalog, of structures; those that are not named have 0
    315.0: (
        *("Assimilator", "AssimilatorRich", "Nexus", "Gateway", "WarpGate", "Forge", "TwilightCouncil"),
        *("CyberneticsCore", "RoboticsFacility", "Stargate", "FleetBeacon"),
        *("Refinery", "RefineryRich", "SupplyDepot", "SupplyDepotLowered", "EngineeringBay", "Bunker"),
        *("Barracks", "Factory", "Starport", "BarracksFlying", "FactoryFlying", "StarportFlying"),
        *("TechLab", "BarracksTechLab", "FactoryTechLab", "StarportTechLab"),
        *("Reactor", "BarracksReactor", "FactoryReactor", "StarportReactor"),
        *("GhostAcademy", "FusionCore", "SensorTower", "PlanetaryFortress"),
        *("CommandCenter", "CommandCenterFlying", "OrbitalCommand", "OrbitalCommandFlying"),
        *("SpineCrawler", "SporeCrawler", "Spire", "BanelingNest"),
    ),
    45.0: ("TemplarArchive", "PhotonCannon"),
    329.9963: ("Extractor", "ExtractorRich", "InfestationPit", "EvolutionChamber"),
    29.9926: ("LurkerDenMP", "UltraliskCavern"),
    29.9707: ("NydusCanal",),
    344.9707: ("NydusNetwork",),
    332.9956: ("HydraliskDen",),
    326.997: ("RoachWarren",),
    339.994: ("GreaterSpire",),
}
TURN = ("Barracks", "Factory", "Starport", "CommandCenter", "OrbitalCommand", "GreaterSpire")  # as they become such
# (catalog: the stage Facing of their morphs)


@cache
def of(patch: str) -> np.ndarray:
    """float64[n_types]: the direction in which a new unit of each type looks."""
    facts = load(patch)
    first = np.full(len(facts.types), SOUTH)
    for degrees, names in FACINGS.items():
        angle = SOUTHWEST if degrees == 315.0 else math.radians((degrees - 90.0) % 360.0)
        first[[facts.ids[name] for name in names]] = angle
    return first
