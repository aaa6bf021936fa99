"""A built-in opponent: eyes (`View`), a handful of managers, and hands that only `Game.issue` obeys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import alarm, care, defence, detectors, economy, force, levels, scout, spend, static, tech
from sim.computer import army as army_manager
from sim.computer.catalog import Recipe, recipes
from sim.computer.first_waves import first_waves, with_wave
from sim.computer.ground import Ground
from sim.computer.hands import Hands
from sim.computer.levels import ComputerError
from sim.computer.marksmen import Marksmen
from sim.computer.view import TypeSheet, View
from sim.engine.state import BURROWED, CLOAKED, DETECTED, PLAYERS
from sim.melee.sight import Sight

if TYPE_CHECKING:
    from sim.melee.game import Game

SEEN_DECAY = 0.995  # of the memory of enemy flyers, per decision
RANDOM = 1  # API AIBuild
RICH = 600  # minerals from which more is ordered in one decision


class Computer:
    """Plays one side of a game. Call `step()` once per game loop; it acts every few loops, by its level.

    game        the game, at loop 0 (or later: it takes over what is there)
    player      1 or 2
    race        API race of that player (1 Terran, 2 Zerg, 3 Protoss; others raise ComputerError)
    difficulty  API difficulty 1 (VeryEasy) to 10 (CheatInsane)
    build       API AIBuild: 1 random, 2 rush, 3 timing, 4 power, 5 macro, 6 air
    seed        fixes everything it decides by chance
    asked       False for a build that stands for one which RandomBuild took: its openings are others at times
    """

    def __init__(
        self,
        game: Game,
        player: int,
        race: int,
        difficulty: int,
        build: int = RANDOM,
        seed: int = 0,
        *,
        asked: bool = True,
    ) -> None:
        self.game, self.player = game, player
        self.level = levels.level(int(difficulty))
        self.table = levels.race_table(int(race))
        self.rng = np.random.default_rng([seed & 0xFFFFFFFF, player, int(difficulty)])
        plan, random = self.level.plan, self.table["openings"][self.level.plan]["random"]
        self.style = levels.style(self._style(int(build), random), plan)
        self.sheet = TypeSheet(game, self.table)
        self.opening = self._opening(int(race), asked=asked and int(build) != RANDOM)
        self.curves = levels.curves(int(race), int(difficulty), self.opening.bases)
        self.recipes: dict[str, Recipe] = recipes(game.patch)
        self.names: dict[str, str] = self.table["roles"]
        self.sight = Sight(game, player, reveal=self.level.vision)
        self.hands = Hands(game, player)
        self.marksmen = Marksmen(game, player, int(difficulty))
        ids = game.facts.ids
        self.supply_each = float(game.facts.types[ids[self.names["supply"]]]["food"])
        self.helper_types = tuple(ids[name] for name in self.table.get("helpers", ()))
        self.on_creep = bool(self.table.get("on_creep"))
        self.larva_types = (ids["Larva"],) if self.on_creep else ()
        self.addon_room = {ids[host]: ids[addon] for host, addon in self.table.get("addon_room", {}).items()}
        self.ground = Ground(game, player)
        self.army = army_manager.Army()
        self.blocked: dict[str, int] = {}  # by name: loop until which it is not tried again
        self.equivalents: dict[str, tuple[int, ...]] = {}
        self.scouts: dict[int, tuple[int, int]] = {}
        self.posted: set[tuple[int, int]] = set()
        least, most = self.level.first_scout
        self.next_scout = int(least + (most - least) * float(self.rng.random()))
        self.militia: dict[int, int] = {}  # slot -> generation
        self.sheltering = False  # defenders wait for more
        self.next_cast = 0  # loop from which it may cast again
        self.aimed: dict[tuple[int, int], int] = {}  # (ability, slot of the target, -1: any) -> loop of the last cast
        self.last_threat = self.hidden_seen = self.scanned = self.flyers_came = self.hidden_came = -10000
        self.air_seen = 0.0
        self.next_act = 1 + int(self.rng.integers(self.level.period))
        self.turn = 0
        self._rally: dict[tuple[int, int], tuple[float, float]] = {}  # the foremost hall -> the point ahead of it
        self.gathered = self._gathered()
        self.ahead = 0  # loops by which the lists of the opening come earlier
        self.halls_counted, self.last_hall = 1, 0  # town halls counted last, and the loop at which another one came
        self.owed = [0.0, 0.0]  # parts of a mineral and of gas that are still to be paid

    def _style(self, build: int, random: dict[str, float]) -> str:
        if not 1 <= build <= 6:
            raise ComputerError(f"unknown AI build {build}; known: 1 (RandomBuild) to 6 (Air)")
        return self._pick(random) if build == RANDOM else levels.STYLES[build - 2]

    def _opening(self, race: int, *, asked: bool) -> levels.Opening:
        level = self.level
        if asked and (waves := first_waves(race, level.id, self.style.name)):
            wave = waves[int(self._pick({str(index): wave.chance for index, wave in enumerate(waves)}))]
            value, ids = self.sheet.value, self.game.facts.ids
            return with_wave(race, wave, level.delay, lambda name: float(value[ids[name]]))
        choices = levels.openings(race, level.plan, self.style.name, asked=asked)
        return levels.opening(race, self._pick(choices))

    def _pick(self, weights: dict[str, float]) -> str:
        """One of the names, by weight."""
        chance = np.array(list(weights.values()), float)
        return list(weights)[int(self.rng.choice(len(chance), p=chance / chance.sum()))]

    # -- one loop ----------------------------------------------------------------------------------------------------
    def step(self) -> None:
        """Called once per game loop; decides every `level.period` loops, economy and army in turn."""
        game = self.game
        if game.ended or not game.players[self.player]["playing"]:
            return
        self.marksmen.step()
        if game.loop < self.next_act:
            return
        self.next_act = game.loop + self.level.period
        self.turn += 1
        if self.level.income:
            self._extra_income()
        view = View(game, self.player, self.sight, self.sheet)
        if self.turn % 2:
            self._economy(view)
        if self.turn % 2 == 0 or self.militia:  # who sends workers to fight looks twice as often
            self._fight(view)

    def _economy(self, view: View) -> None:
        purse = spend.Purse(view)
        if self.level.income and view.minerals > self.level.overspend:
            self.ahead += 2 * self.level.period
        economy.work(self, view)
        self._only_hall(view, purse)
        care.build(self, view, purse)
        tech.hold_for_addons(self, view, purse)
        urgent = view.loop - self.last_threat < 150
        if economy.short_of_supply(self, view):
            spend.make(self, view, purse, self.names["supply"])
        if urgent:
            tech.train_army(self, view, purse, urgent=True)
        if alarm.raised(self, view):
            static.build(self, view, purse)
        behind = tech.army_is_behind(self, view)
        if behind and self.style.army_rate:
            tech.train_army(self, view, purse, urgent=False)
        tech.later_halls(self, view, purse)
        self._workers(view, purse)
        if behind:
            tech.train_army(self, view, purse, urgent=False)
        tech.follow_list(self, view, purse)
        self._halls(view, purse)
        self._queens(view, purse)
        detectors.more(self, view, purse)
        static.build(self, view, purse)
        if not behind:
            tech.train_army(self, view, purse, urgent=False)
        tech.grow(self, view, purse)
        care.act(self, view)

    def _fight(self, view: View) -> None:
        self._remember(view)
        if self._hopeless(view):
            self.game.surrender(self.player)
            return
        army_manager.act(self, view)
        defence.stand_down(self, view)
        scout.act(self, view)
        care.fight(self, view)

    def _hopeless(self, view: View) -> bool:
        """Nothing to rebuild with: the real opponent concedes such a game."""
        lost = not len(view.halls) and not view.army.any()
        helpless = lost and (not view.workers.any() or economy.exhausted(self, view))
        return helpless and not (self.larva_types and view.mask(*self.larva_types).any())

    # -- spending ----------------------------------------------------------------------------------------------------
    @property
    def orders_each(self) -> int:
        """Things of one sort ordered in one decision: more with a full bank."""
        return 2 + int(self.game.players[self.player]["minerals"]) // RICH * 2

    def role(self, name: str) -> int:
        """Unit type of a role of the race table."""
        return int(self.game.facts.ids[self.names[name]])

    def counted(self, view: View, name: str) -> int:
        """How many of a thing stand, go up or are on the way; what it turned into counts too."""
        if name not in self.equivalents:
            facts = self.game.facts
            self.equivalents[name] = facts.equivalents(facts.ids[name])
        return sum(view.have(type_id) for type_id in self.equivalents[name])

    def _workers(self, view: View, purse: spend.Purse) -> None:
        worker = self.role("worker")
        for _ in range(self.orders_each):
            if view.have(worker) >= economy.wanted_workers(self, view):
                return
            if not spend.make(self, view, purse, self.names["worker"]):
                return

    def _only_hall(self, view: View, purse: spend.Purse) -> None:
        """Who has no town hall gets one before anything else; until it goes up, its price is not spent otherwise."""
        name = self.names["hall"]
        if len(view.all_halls):
            return
        if self.counted_halls(view):
            purse.reserve(self.recipes[name])
        else:
            spend.make(self, view, purse, name)

    def _halls(self, view: View, purse: spend.Purse) -> None:
        """Beside those of the opening: another one where the bases run dry, and from time to time."""
        name, halls = self.names["hall"], self.counted_halls(view)
        if halls > self.halls_counted:
            self.last_hall = view.loop
        self.halls_counted = halls
        gap = self.level.hall_gap * self.style.hall_gap
        later = view.loop - self.last_hall >= gap and tech.all_due(self, view, name)
        if not later and not economy.bases_run_dry(self, view):
            return
        recipe = self.recipes[name]
        made = spend.make(self, view, purse, name)
        if not made and len(view.all_halls) and self.blocked.get(name, 0) <= view.loop:
            purse.reserve(recipe)

    def counted_halls(self, view: View) -> int:
        """Town halls of every sort, standing, going up or ordered."""
        return int((view.total + view.making)[self.sheet.hall].sum()) - self._morphing(view)

    def _morphing(self, view: View) -> int:
        """Halls on the way to a better sort are counted twice in `have`: as what they are and as what they will be."""
        return int((self.sheet.hall[view.product] & self.sheet.hall[view.type]).sum())

    def _queens(self, view: View, purse: spend.Purse) -> None:
        name = self.names.get("queen")
        if name and view.have(self.game.facts.ids[name]) < self.level.queens * len(view.halls) - 0.01:
            spend.make(self, view, purse, name)

    def _gathered(self) -> tuple[int, int]:
        record = self.game.players[self.player]
        return int(record["minerals_gathered"]), int(record["gas_gathered"])

    def _extra_income(self) -> None:
        """The cheat of the highest levels: all that came in comes in again, in part."""
        now, share = self._gathered(), self.level.income_at(self.game.loop)
        self.owed = [owed + (new - old) * share for owed, new, old in zip(self.owed, now, self.gathered, strict=True)]
        self.gathered = now
        extra = [int(owed) for owed in self.owed]
        self.owed = [owed - whole for owed, whole in zip(self.owed, extra, strict=True)]
        self.game.refund(self.player, *extra)

    # -- knowledge of the enemy --------------------------------------------------------------------------------------
    def _remember(self, view: View) -> None:
        enemies = view.enemies
        types = view.units["type"][enemies]
        worth = self.sheet.value[types] * self.sheet.fighter[types]
        total = float(worth.sum())
        self.air_seen *= SEEN_DECAY
        if total > 0:
            self.air_seen = max(self.air_seen, float(worth[self.sheet.flying[types]].sum()) / total)

    def known_structures(self, view: View) -> list[tuple[int, float, float]]:
        """(slot, x, y) of enemy structures in sight or remembered that have to fall: no tumors, nothing hidden."""
        units, counting = view.units, self.game.counting_structures
        flags = units["flags"][view.enemies]
        hidden = (flags & (BURROWED | CLOAKED) != 0) & (flags & DETECTED == 0)
        seen = view.enemies[counting[units["type"][view.enemies]] & ~hidden]
        found = [(int(slot), float(units["x"][slot]), float(units["y"][slot])) for slot in seen]
        copies = self.sight.snapshots()
        copies = copies[counting[copies["type"]]]
        for copy in copies[(copies["owner"] > 0) & (copies["owner"] < PLAYERS) & (copies["owner"] != self.player)]:
            found.append((int(copy["slot"]), float(copy["x"]), float(copy["y"])))
        return found

    def attack_targets(self, view: View) -> list[tuple[float, float]]:
        """Known enemy structures, the nearest to the wave first; without any all bases, those unseen longest first."""
        wave = np.array(sorted(self.army.wave), np.int64)
        x, y = force.middle(view, wave) if len(wave) else self.rally_point(view)
        closed = {place for place, until in self.army.given_up.items() if view.loop < until}
        known = sorted(self.known_structures(view), key=lambda entry: (np.hypot(entry[1] - x, entry[2] - y), entry[0]))
        if places := [(x, y) for _, x, y in known if (x, y) not in closed]:
            return places
        looked = self.ground.look(self.game.visibility[self.player], view.loop)
        search = [place for place in looked if place not in closed]
        return search or looked

    # -- places ------------------------------------------------------------------------------------------------------
    def rally_point(self, view: View) -> tuple[float, float]:
        """Ahead of the foremost own town hall, on the way to the enemy."""
        places = [view.place(int(slot)) for slot in view.halls] or [self.ground.home]
        front = min(places, key=self.ground.steps_from)
        key = (round(front[0]), round(front[1]))
        if key not in self._rally:
            self._rally = {key: self.ground.ahead(front)}
        return self._rally[key]
