"""What the computer sees at one moment, as arrays: its own units in full, of the enemy only what its eyes show.

Built once per decision; every manager reads it, none changes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.catalog import AIR, GROUND
from sim.engine.state import APPROACH, GATHER, INSIDE, RETURN, STRUCTURE, UNFINISHED

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.melee.sight import Sight


class TypeSheet:
    """Per unit type what the managers ask most: arrays [n_types], from the facts of one patch and race."""

    def __init__(self, game: Game, race_table: dict) -> None:
        facts, types = game.facts, game.facts.types
        self.value = (types["minerals"].astype(np.float32) + types["gas"]).clip(0)
        self.worker = types["worker"] == 1
        self.count_of = np.ones(max(facts.abilities) + 1, np.int64)  # units that one job of an ability makes
        for ability in facts.abilities.values():
            self.count_of[ability.id] = max(ability.count, 1)
        rows = types["weapons"]
        self.hits_air = ((facts.weapons["targets"][np.maximum(rows, 0)] & AIR != 0) & (rows >= 0)).any(axis=1)
        self.hits_ground = ((facts.weapons["targets"][np.maximum(rows, 0)] & GROUND != 0) & (rows >= 0)).any(axis=1)
        self.armed = (types["weapons"][:, 0] >= 0) & ~self.worker
        self.structure = types["structure"] == 1
        self.flying = types["flying"] == 1
        support = [facts.ids[name] for name in ("Medivac", "Infestor", "Viper", "HighTemplar")]
        self.fighter = (self.armed & ~self.structure) | np.isin(np.arange(len(types)), support)
        self.fighter[facts.ids["Broodling"]] = False
        self.measured = self.fighter.copy()  # what the curves count
        self.measured[[facts.ids[name] for name in ("Observer", "Raven")]] = True
        self.threat = (self.fighter | (self.armed & self.structure)) & (types["exists"] == 1)
        for name, others in race_table["forms"].items():  # who can turn into what hits it goes there, too
            alike = [facts.ids[form] for form in (name, *others)]
            self.hits_air[alike] = self.hits_air[alike].any()
            self.hits_ground[alike] = self.hits_ground[alike].any()
        names = [*race_table["army"], *(form for forms in race_table["forms"].values() for form in forms)]
        self.army = _mark(len(types), (facts.ids[name] for name in names))
        self.measured |= self.army
        self.hall = _mark(len(types), facts.town_halls)
        eyes = _mark(len(types), (facts.ids[name] for name in ("Observer", "ObserverSiegeMode")))
        self.harms_hidden = ~(self.structure | self.worker | eyes)  # does harm where it hides: no tumors, no Observers
        self.minerals = _mark(len(types), facts.minerals)
        self.gas_structure = _mark(len(types), facts.gas_structures)


def _mark(count: int, type_ids: Iterable[int]) -> np.ndarray:
    """bool [count], true for these types."""
    marked = np.zeros(count, bool)
    marked[list(type_ids)] = True
    return marked


class View:
    """The moment. Slot arrays are int64; per-unit arrays are aligned with `slots` (own units, those inside too)."""

    def __init__(self, game: Game, player: int, sight: Sight, sheet: TypeSheet) -> None:
        self.game, self.player, self.sheet = game, player, sheet
        self.loop = game.loop
        record = game.players[player]
        self.minerals, self.gas = int(record["minerals"]), int(record["gas"])
        self.supply_used, self.supply_cap = float(record["supply_used"]), float(record["supply_cap"])
        units = game.units[: int(game.world[0]["slots"])]
        self.units = units
        self.slots = np.flatnonzero((units["alive"] == 1) & (units["owner"] == player))
        own = self.slots
        self.type = units["type"][own].astype(np.int64)
        self.flags = units["flags"][own]
        self.orders = units["order_count"][own]
        self.jobs = units["job_count"][own]
        first = game.orders[:, 0]
        self.verb = np.where(self.orders > 0, first["verb"][own], 0)
        self.product = np.where(self.orders > 0, first["product"][own], 0)
        self.finished = self.flags & UNFINISHED == 0
        count = len(sheet.value)
        self.total = np.bincount(self.type, minlength=count)
        self.ready = np.bincount(self.type[self.finished], minlength=count)
        self.making = self._making(count)
        self.sight = sight
        self._enemies: np.ndarray | None = None
        is_hall = sheet.hall[self.type]
        self.all_halls = own[is_hall]  # slots of the own town halls, and of the finished ones
        self.halls = own[is_hall & self.finished]
        self.room_for_workers = -1  # kept by economy.capacity

    def _making(self, count: int) -> np.ndarray:
        """Units and structures ordered but not there yet, by type: queues, eggs, morphs, sites to come, but not what an
        SCV is at work at, which stands."""
        making = np.zeros(count, np.int64)
        self.researching: set[int] = set()
        busy = self.slots[self.jobs > 0]
        if len(busy):
            jobs, held = self.game.jobs[busy], self.units["job_count"][busy]
            jobs = jobs[np.arange(jobs.shape[1])[None, :] < held[:, None]]
            upgrade = jobs["is_upgrade"] == 1
            self.researching.update(jobs["product"][upgrade].tolist())
            units = jobs[~upgrade]
            np.add.at(making, units["product"], self.sheet.count_of[units["ability"]])
        at_work = self.workers & (self.units["builder"][self.slots] >= 0)
        ordered = self.product[(self.product > 0) & (self.verb >= APPROACH) & ~at_work]
        np.add.at(making, ordered[ordered < count], 1)
        return making

    # -- own units ---------------------------------------------------------------------------------------------------
    def have(self, type_id: int) -> int:
        """Alive, unfinished, or on the way."""
        return int(self.total[type_id] + self.making[type_id])

    def mask(self, *type_ids: int) -> np.ndarray:
        """bool over `slots`."""
        found = self.type == type_ids[0]
        for type_id in type_ids[1:]:
            found |= self.type == type_id
        return found

    def place(self, slot: int) -> tuple[float, float]:
        """Where a unit is."""
        return float(self.units["x"][slot]), float(self.units["y"][slot])

    @property
    def workers(self) -> np.ndarray:
        """bool over `slots`: workers on the map."""
        return self.sheet.worker[self.type] & (self.flags & INSIDE == 0)

    @property
    def harvesting(self) -> np.ndarray:
        """bool over `slots`: workers that mine or bring home."""
        return self.workers & ((self.verb == GATHER) | (self.verb == RETURN))

    @property
    def gas_structures(self) -> np.ndarray:
        """bool over `slots`: gas structures that still hold something, those going up too."""
        return self.sheet.gas_structure[self.type] & (self.units["contents"][self.slots] > 0)

    @property
    def army(self) -> np.ndarray:
        """bool over `slots`: fighting units on the map."""
        return self.sheet.army[self.type] & (self.flags & (INSIDE | UNFINISHED) == 0)

    @property
    def structures(self) -> np.ndarray:
        """bool over `slots`."""
        return self.flags & STRUCTURE != 0

    @property
    def holdings(self) -> np.ndarray:
        """bool over `slots`: structures that the player needs, no tumors far from home."""
        return self.game.counting_structures[self.type]

    def army_value(self) -> float:
        """Minerals and gas in fighting units, eggs and queues included; queens and eyes too, as in the curves."""
        held = (self.total + self.making)[self.sheet.measured]
        return float((held * self.sheet.value[self.sheet.measured]).sum())

    # -- the enemy ---------------------------------------------------------------------------------------------------
    @property
    def enemies(self) -> np.ndarray:
        """Slots of the enemy's units in sight now."""
        if self._enemies is None:
            seen = self.sight.visible_slots()
            owner = self.units["owner"][seen]
            self._enemies = seen[(owner != self.player) & (owner > 0)]
        return self._enemies
