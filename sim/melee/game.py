"""One melee game: the arrays, and the only door through which clients and rules change them."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine import state
from sim.engine.state import PLAYERS, tag_of
from sim.engine.world import new_world
from sim.facts import Ability, Facts, balance, load
from sim.maps import Terrain, arenas
from sim.melee import commands, digest, harvest, kernel, lifecycle, orders, start, supply, tables
from sim.melee.memory import Memory
from sim.melee.records import (
    COMPLETIONS,
    ActionError,
    Alert,
    Command,
    Outcome,
    PlayerEvents,
    PlayerSetup,
    Result,
)
from sim.melee.registry import AFTER, EVERY, ON_EVENT, TABLES
from sim.melee.rules import RULES
from sim.melee.score import Score

if TYPE_CHECKING:
    from sim.melee.protoss_power import Power
    from sim.melee.zerg_creep import Creep

# Late failures that make no line of text: of energy spent meanwhile (observed) and, which is ours, of an ability that
# cools down still; an error without a name has no text.
UNTOLD = (Result.ERROR, Result.NOT_ENOUGH_ENERGY, Result.COOLDOWN)
MAX_SLOTS = 4096  # far above what two players at 200 supply, creep tumors, eggs and a map's neutrals need


class Game:
    """A melee game of two players (one player alone also runs; nobody then loses to an enemy).

    Everything the game remembers is in the arrays and in small tables; `state_hash()` covers it.
    Lengths are cells, times game loops; owner 0 is the map.
    """

    world: np.ndarray  # WORLD[1]
    units: np.ndarray  # UNIT[slots]
    orders: np.ndarray  # ORDER[slots, ORDER_DEPTH]
    jobs: np.ndarray  # JOB[slots, JOB_DEPTH]
    players: np.ndarray  # PLAYER[PLAYERS]
    walk: np.ndarray  # u1[h, w], 1 = walkable now
    creep: np.ndarray  # u1[h, w]
    visibility: np.ndarray  # u1[PLAYERS, h, w]: 0 never seen, 1 seen, 2 visible now

    def __init__(
        self,
        terrain: Terrain,
        players: Sequence[PlayerSetup],
        *,
        seed: int,
        patch: str = "5.0.14",
        start_units: bool = True,
        slots: int = MAX_SLOTS,
    ) -> None:
        """Sets the map up with its neutrals, start units and 50 minerals a player. Without `start_units` it is empty
        and nobody loses for want of structures: the ground of a battle. `slots`: how many units can be there at a time.

        Raises:
            FactsError: unknown patch.
            ValueError: no or too many players, or fewer start locations than players.
        """
        if not 1 <= len(players) < PLAYERS or len(players) > len(terrain.starts):
            raise ValueError(f"{len(players)} players on {terrain.name} with {len(terrain.starts)} start locations")
        assert RULES  # importing them has filled the tables
        self.arena = arenas.load(terrain.arena) if terrain.arena else None
        self.patch = balance(patch, self.arena.copies) if self.arena else patch
        self.terrain, self.setups, self.seed = terrain, tuple(players), seed
        self.facts: Facts = load(self.patch)
        self.types = self.facts.player_types()
        self.weapons = self.facts.player_weapons()
        for change in TABLES:
            change(self)
        ground, climb = (terrain.walkable, terrain.levels), terrain.climbable
        self.state = new_world(slots, *ground, self.types, self.weapons, seed=seed, melee=True, climb=climb)
        self.run_kernel = kernel.ready(self.state)
        for name in ("world", "units", "orders", "jobs", "players", "walk", "creep", "visibility"):
            setattr(self, name, getattr(self.state, name))
        self.place = np.array(terrain.buildable, np.uint8, order="C")
        self.harvest_table = harvest.table(self.facts)
        self.producer_types = tables.producers(self.facts)
        self.counting_structures = tables.counting_structures(self.facts)
        self.hall_types = tables.halls(self.facts)
        self.scores = [Score() for _ in range(PLAYERS)]
        self.memory = Memory()
        self.creep_state: Creep | None = None  # of `zerg_creep`, made when it is first needed
        self.power_state: Power | None = None  # of `protoss_power`, likewise
        self.pending: list[list[commands.Accepted]] = [[] for _ in range(PLAYERS)]
        self.supply_dirty = [True] * PLAYERS
        self.counts_version = 0  # grows whenever units appear, vanish, finish or change type
        self.inbox = [PlayerEvents() for _ in range(PLAYERS)]
        self.watchtowers: dict[int, None] = {}
        self.speed_zones: dict[int, tuple[int, float]] = {}  # zone of the map -> buff, radius
        self.shrines: dict[int, None] = {}
        self.finished_cache: dict[int, tuple[int, frozenset[int]]] = {}
        self.resource_version, self.zone_version, self.victory_version = 1, 0, -1
        self.zone = np.zeros_like(self.walk)
        self.commanding = False  # commands are being carried out: the kernel's step of this loop is still to come
        self.progress = 0  # loop in which a player last had income or completed or destroyed something
        self.ended = False
        (start.set_up if start_units else start.set_up_empty)(self)
        supply.recount(self)
        kernel.look(self)

    # -- time -------------------------------------------------------------------------------------------------------
    @property
    def loop(self) -> int:
        """Game loops played."""
        return int(self.world["loop"][0])  # in this order no record is made: everybody asks all the time

    def step(self, loops: int = 1) -> None:
        """Plays up to `loops` game loops; stops early when the game ends."""
        for _ in range(loops):
            if self.ended:
                return
            if any(self.pending):
                commands.apply_pending(self)
            for event in kernel.step(self):
                for handler in ON_EVENT.get(int(event["kind"]), ()):
                    handler(self, event)
            loop = self.loop
            while self.memory.later_heap and self.memory.later_heap[0][0] <= loop:
                _, _, name, numbers = heapq.heappop(self.memory.later_heap)
                AFTER[name](self, *numbers)
            for period, rule in EVERY:
                if loop % period == 0:
                    rule(self)
            if any(self.supply_dirty):
                supply.recount(self)

    def later(self, loops: int, name: str, *numbers: float) -> None:
        """Calls `AFTER[name](game, *numbers)` once `loops` more loops have been played (at the end of that loop)."""
        self.memory.later_count += 1
        heapq.heappush(self.memory.later_heap, (self.loop + int(loops), self.memory.later_count, name, numbers))

    def random(self) -> float:
        """A number in [0, 1) from the world's own generator."""
        x = int(self.world[0]["rng"])
        x ^= x >> 12
        x ^= (x << 25) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 27
        self.world[0]["rng"] = x
        return ((x * 0x2545F4914F6CDD1D) >> 40 & 0xFFFFFF) / 2**24

    # -- commands ---------------------------------------------------------------------------------------------------
    def issue(self, command: Command) -> int:
        """Judges a command by the state as the last step left it; the next step carries it out. -> ActionResult id."""
        return commands.issue(self, command)

    def surrender(self, player: int) -> None:
        """The player leaves the game and loses."""
        lifecycle.defeat(self, player)

    def result(self, player: int) -> int:
        """API result of a player: 0 undecided, 1 victory, 2 defeat, 3 tie."""
        return int(self.players[player]["result"])

    def declare(self, results: dict[int, int]) -> None:
        """Ends the game with the given results (debug end_game, time limits of a match)."""
        for player, outcome in results.items():
            self.players[player]["result"] = outcome
        self.ended = True

    def events(self, player: int) -> PlayerEvents:
        """What the player is told since the last call; drained."""
        box, self.inbox[player] = self.inbox[player], PlayerEvents()
        return box

    def alert(self, player: int, alert: Alert | int) -> None:
        """Adds an alert to the player's next report."""
        self.inbox[player].alerts.append(int(alert))
        if alert in COMPLETIONS:
            self.progress = self.loop

    def error(self, slot: int, ability: int, result: int) -> None:
        """Reports that an accepted order of the unit failed later, if the player is shown a line of text for it."""
        if result in UNTOLD:
            return
        self.inbox[int(self.units[slot]["owner"])].errors.append(ActionError(self.tag(slot), int(ability), int(result)))

    # -- units ------------------------------------------------------------------------------------------------------
    def tag(self, slot: int) -> int:
        """API tag of the unit in a slot."""
        return tag_of(slot, int(self.units[slot]["generation"]))

    def slot(self, tag: int) -> int:
        """Slot of a living unit by its tag, -1 when there is none (or no more)."""
        slot, generation = state.slot_of(tag) if tag >= 1 << 32 else (MAX_SLOTS, 0)
        if slot >= int(self.world[0]["slots"]):
            return -1
        unit = self.units[slot]
        return slot if unit["alive"] and int(unit["generation"]) & 0x3FFFF == generation else -1

    def spawn(self, type_id: int, owner: int, x: float, y: float, **fields: Any) -> int:
        """Makes a complete unit at a place; `fields` overwrite fields of its record (flags are added). -> slot."""
        return lifecycle.spawn(self, type_id, owner, x, y, **fields)

    def remove(self, slot: int) -> None:
        """Takes a unit off the game without a death (drone that became a structure, cancelled placeholder)."""
        lifecycle.remove(self, slot)

    def kill(self, slot: int, *, dark: bool = False) -> None:
        """Kills a unit at once (debug kill_unit, end of timed life); `dark`: nothing of its sight stays."""
        lifecycle.kill(self, slot, dark=dark)

    def change_type(self, slot: int, type_id: int) -> None:
        """Gives a unit another type, keeping its tag and its share of life."""
        lifecycle.change_type(self, slot, type_id)

    def owned(self, player: int, *names: str) -> list[int]:
        """Slots of the player's living units of the named types (all of them without names), lowest first."""
        units = self.units[: int(self.world[0]["slots"])]
        mask = (units["alive"] == 1) & (units["owner"] == player)
        if names:
            mask &= tables.types_named(self.patch, names)[units["type"]]
        return [int(slot) for slot in np.flatnonzero(mask)]

    def near(self, x: float, y: float, radius: float, mask: np.ndarray | None = None) -> list[int]:
        """Slots of living units on the map with their centre within `radius`, nearest first; `mask` [slots] narrows."""
        units = self.units[: int(self.world[0]["slots"])]
        distance = (units["x"] - x) ** 2 + (units["y"] - y) ** 2
        found = (units["alive"] == 1) & (units["flags"] & state.INSIDE == 0) & (distance <= radius * radius)
        if mask is not None:
            found &= mask[: len(units)]
        slots = np.flatnonzero(found)
        return [int(slot) for slot in slots[np.argsort(distance[slots], kind="stable")]]

    def type_of(self, slot: int) -> Any:
        """The TYPE row of a unit, its owner's upgrades folded in."""
        unit = self.units[slot]
        return self.types[unit["owner"], unit["type"]]

    def abilities_of(self, type_id: int) -> dict[str, tuple[int, ...]]:
        """Exact ability ids of a unit type by kind, lowest first."""
        return tables.by_kind(self.facts.patch, type_id)

    # -- orders and money -------------------------------------------------------------------------------------------
    def push_order(self, slot: int, ability: int, target: Any, **fields: Any) -> bool:
        """Gives the unit an order (see `orders.push`). -> False when its queue is full."""
        return orders.push(self, slot, ability, target, **fields)

    def finish_order(self, slot: int) -> None:
        """The current order is done; the next one begins."""
        orders.finish(self, slot)

    def clear_orders(self, slot: int) -> None:
        """Drops all orders of the unit and gives back what had been paid for them."""
        orders.clear(self, slot)

    def pay(self, player: int, minerals: float, gas: float) -> None:
        """Takes a price off the bank."""
        if player in self.memory.spared:
            return
        self.players[player]["minerals"] -= int(minerals)
        self.players[player]["gas"] -= int(gas)

    def can_pay(self, player: int, minerals: float, gas: float) -> bool:
        """The bank holds the price, or the player need not pay."""
        bank = self.players[player]
        return player in self.memory.spared or bool(bank["minerals"] >= minerals and bank["gas"] >= gas)

    def energy_for(self, slot: int, ability: Ability) -> float:
        """What a cast costs this unit now."""
        return 0.0 if int(self.units[slot]["owner"]) in self.memory.spared else ability.energy

    def life_for(self, slot: int, ability: Ability) -> float:
        """What a cast costs this unit's life now: nothing where costs are waived (a user of the official client)."""
        return 0.0 if int(self.units[slot]["owner"]) in self.memory.spared else ability.hp_cost

    def refund(self, player: int, minerals: float, gas: float) -> None:
        """Gives a price back."""
        self.pay(player, -minerals, -gas)

    def mark_supply(self, player: int) -> None:
        """Supply or tech of the player may have changed; it is counted again at the end of the loop."""
        self.supply_dirty[player] = True
        self.counts_version += 1

    def state_hash(self) -> str:
        """Hash over the whole state: equal games with equal commands have equal hashes, loop by loop."""
        return digest.state_hash(self)


__all__ = ["Command", "Game", "Outcome", "PlayerEvents", "PlayerSetup"]
