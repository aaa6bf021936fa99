"""Making things: who makes it, where it stands, whether there is enough for it now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import sites
from sim.computer.catalog import WARPED
from sim.engine.state import INSIDE, MORPHING, REACTOR, STRUCTURE, UNPOWERED
from sim.melee import addons, protoss_power, protoss_warp
from sim.melee.records import Result, Target

if TYPE_CHECKING:
    from sim.computer.catalog import Recipe
    from sim.computer.computer import Computer
    from sim.computer.view import View

BACK_OFF = 60  # loops for which something is not tried again after it could not be placed
TRIES = 4  # makers or pylons asked before giving up
PLACES = 4  # of a warp-in tried by one pylon
WARP_RING = (2.0, 5.5), (0.5, 3.5)  # cells from a pylon and from a prism at which they are


class Purse:
    """What may still be spent in one decision; taken units are not asked twice."""

    def __init__(self, view: View) -> None:
        self.minerals, self.gas = view.minerals, view.gas
        self.room = min(view.supply_cap, 200.0) - view.supply_used
        self.taken: set[int] = set()
        self.held: set[int] = set()  # trains nothing more until it has the add-on that is due

    def fits(self, recipe: Recipe) -> bool:
        """Enough of everything for one."""
        if self.minerals < recipe.minerals or self.gas < recipe.gas:
            return False
        return recipe.supply <= 0 or self.room >= recipe.supply

    def take(self, recipe: Recipe) -> None:
        """Books one."""
        self.minerals -= recipe.minerals
        self.gas -= recipe.gas
        self.room -= max(recipe.supply, 0.0)

    def reserve(self, recipe: Recipe) -> None:
        """Keeps the price of something that cannot be paid yet from being spent on less important things."""
        self.minerals -= recipe.minerals
        self.gas -= recipe.gas


def makers(computer: Computer, view: View, purse: Purse, recipe: Recipe) -> np.ndarray:
    """Slots that could make it now."""
    mask = view.mask(*recipe.casters) & view.finished & (view.flags & (INSIDE | MORPHING | UNPOWERED) == 0)
    if recipe.kind in ("train", "research", "addon", "morph"):
        width = np.where(view.flags & REACTOR != 0, 2, 1) if recipe.kind == "train" else 1
        building = view.flags & STRUCTURE != 0
        free = view.jobs < width
        if recipe.name == computer.names["worker"]:
            free |= (view.jobs == width) & (_soonest(computer, view) <= 2 * computer.level.period)
        mask &= ~building | (free & (view.orders == 0))
    if recipe.kind == "addon":
        mask &= view.units["addon"][view.slots] < 0
    found = view.slots[mask]
    if recipe.kind == "addon":
        ability = computer.game.facts.abilities[recipe.ability]
        found = found[[addons.has_room(computer.game, int(slot), ability, Target()) for slot in found]]
    if recipe.addon:
        addon = view.units["addon"][found]
        found = found[(addon >= 0) & np.isin(view.units["type"][np.maximum(addon, 0)], recipe.addon)]
    elif recipe.kind == "train" and len(found) > 1:
        # Plain units come out of producers without a tech lab first, which are then free for what needs one.
        addon = view.units["addon"][found]
        lab = (addon >= 0) & (view.units["flags"][found] & REACTOR == 0)
        found = found[np.argsort(lab, kind="stable")]
    elif recipe.kind == "morph" and view.sheet.flying[recipe.product] and len(found) > 1:
        # An overseer comes of an overlord at home, not of one that looks on far away.
        home_x, home_y = computer.ground.home
        away = np.hypot(view.units["x"][found] - home_x, view.units["y"][found] - home_y)
        found = found[np.argsort(away, kind="stable")]
    if recipe.kind == "train" and purse.held:
        found = found[~np.isin(found, list(purse.held))]
    if purse.taken:
        found = found[~np.isin(found, list(purse.taken))]
    return found


def _soonest(computer: Computer, view: View) -> np.ndarray:
    """Loops until the first unit in each own unit's queue is done; int [n]. What is done before the next decision
    gets its successor now: the real ones' town halls do not pause."""
    jobs = computer.game.jobs[view.slots]
    running = (np.arange(jobs.shape[1])[None, :] < view.jobs[:, None]) & (jobs["started"] == 1)
    return np.where(running, jobs["left"], 1 << 20).min(axis=1)


def make(computer: Computer, view: View, purse: Purse, name: str, near: tuple[float, float] | None = None) -> bool:
    """Orders one of the named thing; False when nothing came of it."""
    recipe = computer.recipes.get(name)
    if recipe is None or computer.blocked.get(name, 0) > view.loop or not purse.fits(recipe):
        return False
    if not tech_met(computer, view, recipe):
        return False
    warped = computer.recipes.get(WARPED + name)
    if recipe.kind == "build":
        done = _build(computer, view, purse, recipe, near)
    else:
        done = warped is not None and _warp(computer, view, purse, warped)
        done = done or _from_maker(computer, view, purse, recipe)
    if done:
        purse.take(recipe)
        view.making[recipe.product] += recipe.count if not recipe.is_upgrade else 0
        if recipe.is_upgrade:
            view.researching.add(recipe.product)
    return done


def _from_maker(computer: Computer, view: View, purse: Purse, recipe: Recipe) -> bool:
    for slot in makers(computer, view, purse, recipe)[:TRIES]:
        verdict = computer.hands.order(recipe.ability, [int(slot)])
        if verdict == Result.SUCCESS:
            purse.taken.add(int(slot))
            return True
    return False


def free_makers(computer: Computer, view: View, purse: Purse, name: str) -> list[int]:
    """Slots that could make the named unit at once, warp gates too."""
    warped = computer.recipes.get(WARPED + name)
    gates = _cooled_gates(computer, view, purse, warped) if warped else ()
    return [*makers(computer, view, purse, computer.recipes[name]), *gates]


def _cooled_gates(computer: Computer, view: View, purse: Purse, recipe: Recipe) -> np.ndarray:
    cooling, gates = computer.game.memory.ready, makers(computer, view, purse, recipe)
    return gates[[cooling.get((int(gate), recipe.ability), 0) <= view.loop for gate in gates]]


def _warp(computer: Computer, view: View, purse: Purse, recipe: Recipe) -> bool:
    """A warp gate sends it to the field of a prism, else to a pylon, those nearest to the rally point first."""
    gates = _cooled_gates(computer, view, purse, recipe)
    prism = computer.game.facts.ids["WarpPrismPhasing"]
    sources = view.slots[view.mask(computer.role("supply"), prism) & view.finished]
    if not len(gates) or not len(sources):
        return False
    x, y = computer.rally_point(view)
    field = view.units["type"][sources] == prism
    away = np.hypot(view.units["x"][sources] - x, view.units["y"][sources] - y)
    gate = int(gates[int(computer.rng.integers(len(gates)))])
    for source in sources[np.lexsort((away, ~field))][:TRIES]:
        px, py = view.place(int(source))
        least, most = WARP_RING[int(view.units["type"][source] == prism)]
        for _ in range(PLACES):
            angle = 2 * np.pi * float(computer.rng.random())
            far = least + (most - least) * float(computer.rng.random())
            place = px + far * np.cos(angle), py + far * np.sin(angle)
            if protoss_warp.site(computer.game, computer.player, recipe.product, *place) != Result.SUCCESS:
                continue
            if computer.hands.at(recipe.ability, [gate], *place) == Result.SUCCESS:
                purse.taken.add(gate)
                return True
    return False


def _build(computer: Computer, view: View, purse: Purse, recipe: Recipe, near: tuple[float, float] | None) -> bool:
    spot = sites.geyser(computer, view) if recipe.is_gas else sites.find(computer, view, recipe, near)
    if spot is None:
        computer.blocked[recipe.name] = view.loop + 4 * BACK_OFF
        _more_power(computer, view, purse, recipe, near)
        return False
    x, y, target = spot
    free = view.harvesting | (view.workers & (view.orders == 0))
    pool = view.slots[free & np.isin(view.type, recipe.casters)]
    if purse.taken:
        pool = pool[~np.isin(pool, list(purse.taken))]
    pool = pool[view.units["carry_gas"][pool] == 0]
    if not len(pool):
        return False
    way = np.hypot(view.units["x"][pool] - x, view.units["y"][pool] - y)
    worker = int(pool[way.argmin()])
    hands = computer.hands
    verdict = hands.on(recipe.ability, [worker], target) if target >= 0 else hands.at(recipe.ability, [worker], x, y)
    if verdict != Result.SUCCESS:
        computer.blocked[recipe.name] = view.loop + BACK_OFF
        return False
    purse.taken.add(worker)
    return True


def _more_power(computer: Computer, view: View, purse: Purse, recipe: Recipe, near: tuple[float, float] | None) -> None:
    """Another pylon where those that stand have no room for it, unless one is on the way."""
    pylon = computer.role("supply")
    coming = int(view.total[pylon] - view.ready[pylon]) + int(view.making[pylon])
    if recipe.product in protoss_power.users(computer.game.patch) and not coming:
        make(computer, view, purse, computer.names["supply"], near)


def tech_met(computer: Computer, view: View, recipe: Recipe) -> bool:
    """The player has the structures and upgrades that the recipe asks for (add-ons are the makers' affair)."""
    requirement = computer.game.facts.requirements.get(recipe.requirement)
    if requirement is None:
        return True
    upgrades = computer.game.players[computer.player]["upgrades"]
    if not all(upgrades[upgrade] for upgrade in requirement.upgrades):
        return False
    return all(any(view.ready[type_id] for type_id in group) for group in requirement.units)
