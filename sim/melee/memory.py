"""What the rules of one game remember beside its arrays; all of it is part of the state and its hash."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sim.melee.records import GroundEffect


@dataclass(slots=True)
class Memory:
    """Small tables, by the slot of a unit unless said otherwise; a dict of None is a set that keeps its order."""

    later_heap: list[tuple[int, int, str, tuple[float, ...]]] = field(default_factory=list)
    """Heap of (loop, number, name in `registry.AFTER`, its numbers): what `Game.later` was asked for."""
    later_count: int = 0
    free_slots: list[tuple[int, int]] = field(default_factory=list)
    """(loop from which it may be used again, slot), in the order in which they fell."""
    ready: dict[tuple[int, int], int] = field(default_factory=dict)
    """(slot, ability) -> loop from which it may be used again."""
    blocked: dict[int, None] = field(default_factory=dict)
    """Producers whose queue head waits for supply."""
    attacked: dict[int, int] = field(default_factory=dict)
    """Loop of the last hit that could raise an alarm."""
    effects: list[GroundEffect] = field(default_factory=list)
    """Scans and the like, as observations show them."""
    cloaks: dict[int, int] = field(default_factory=dict)
    """Units that cloak themselves for energy, by their buff."""
    dropping: dict[int, int] = field(default_factory=dict)
    """Carriers that let their passengers out as they fly: since which loop."""
    boarded: dict[int, int] = field(default_factory=dict)
    """Passengers: numbers that grow in the order in which they boarded."""
    glimpsed: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Who killed: its generation, whose unit fell, and until which loop that player is shown it."""
    routes: dict[int, tuple[tuple[Any, ...], ...]] = field(default_factory=dict)
    """Producers -> the rally points behind their first (`birth.Point`)."""
    walls: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Force fields, sieged tanks and depots that are about to rise: the cells (x, y) that they close."""
    pushes: dict[int, int] = field(default_factory=dict)
    """Whom a charge pushes: the number of the newest push."""

    # -- Terran
    zones: dict[int, GroundEffect] = field(default_factory=dict)
    """What Liberators guard."""
    mines: dict[int, None] = field(default_factory=dict)
    """Burrowed Widow Mines."""
    cyclones: dict[int, None] = field(default_factory=dict)
    locks: dict[int, Any] = field(default_factory=dict)
    """What Cyclones hold (`lockon.Lock`)."""
    nukes: dict[int, GroundEffect] = field(default_factory=dict)
    """The dots of Ghosts that aim a missile."""
    missiles: dict[int, int] = field(default_factory=dict)
    """The tags of their missiles, which are units."""
    aiming: dict[int, int] = field(default_factory=dict)
    """Ghosts that aim their rifle: loop of the beginning."""
    supply_drops: dict[int, None] = field(default_factory=dict)
    """Depots that received a supply drop."""

    # -- Zerg
    drones: dict[int, int] = field(default_factory=dict)
    """Structure under construction -> slot of the drone that it holds."""
    rallies: dict[int, Any] = field(default_factory=dict)
    """Town hall -> where its workers go, and where its other units."""

    # -- mini-games
    points: int = 0
    """What the player was rewarded with."""
    prizes: dict[int, int] = field(default_factory=dict)
    """Tag -> reward for the unit's death."""
    things: dict[int, None] = field(default_factory=dict)
    """What the player's units are to reach."""
    mustered: int = -1
    """Loop in which the player's Marines last took their places."""

    # -- players, by number
    races: set[int] = field(default_factory=set)
    """Of units that players have or had: their rules run."""
    ruins: dict[int, int] = field(default_factory=dict)
    """Who has no town hall: since which loop."""
    masters: set[int] = field(default_factory=set)
    """Who may also order about the units of others (a cheat)."""
    spared: set[int] = field(default_factory=set)
    """To whom nothing costs minerals, gas or energy (a cheat)."""
    fed: set[int] = field(default_factory=set)
    """Who has supply for everything (a cheat)."""
    taught: set[int] = field(default_factory=set)
    """For whom everything counts as built (a cheat)."""
