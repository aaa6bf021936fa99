"""What each race does besides: larvae of the Zerg, depots, MULEs and tanks of the Terrans,
chrono boost of the Protoss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.computer import casting, detectors, protoss_care, terran_care, zerg_care

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.spend import Purse
    from sim.computer.view import View

ECONOMY = {"Drone": zerg_care.act, "SCV": terran_care.act, "Probe": protoss_care.act}
BUILD = {"Probe": protoss_care.build}
FIGHT = {"Probe": protoss_care.fight, "SCV": terran_care.fight}


def act(computer: Computer, view: View) -> None:
    """The race's own chores at home."""
    ECONOMY[computer.names["worker"]](computer, view)


def build(computer: Computer, view: View, purse: Purse) -> None:
    """What the race repairs by building, before anything else is bought."""
    repairs = BUILD.get(computer.names["worker"])
    if repairs:
        repairs(computer, view, purse)


def fight(computer: Computer, view: View) -> None:
    """The race's own ways to fight, and at the better levels what its units cast."""
    ways = FIGHT.get(computer.names["worker"])
    if ways:
        ways(computer, view)
    detectors.follow(computer, view)
    casting.act(computer, view)
