"""What is wanted when: the tech list of the style, static defence, and the army's composition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import spend

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.spend import Purse
    from sim.computer.view import View

OPENING = 1000  # loops that a level's delay does not stretch
IDLE_GAS = 350  # gas in the bank that counts as idle
AT_HALL = 12.0  # cells from a town hall within which static defence counts as its own
GROW_STEP = 900  # minerals in the bank for each further one that goes up at the same time
BEHIND, OPENING_LOOPS = 0.75, 3500
MAKING_LOOPS = 450  # the curves count finished units: what is begun now counts so much later


def due(computer: Computer, at: float) -> float:
    """The loop at which this level wants what a perfect player wants at `at`."""
    return at if at <= OPENING else OPENING + (at - OPENING) * computer.level.delay


def goals(computer: Computer, view: View) -> list[tuple[str, int]]:
    """(name, how many) of what is due and missing, in the order of the list."""
    missing = []
    asked: dict[str, int] = {}
    upgrades = computer.game.players[computer.player]["upgrades"]
    for name, at in computer.tech_list:
        asked[name] = asked.get(name, 0) + 1
        if view.loop < due(computer, at):
            continue
        recipe = computer.recipes[name]
        if recipe.is_upgrade:
            if computer.level.upgrades and not upgrades[recipe.product] and recipe.product not in view.researching:
                missing.append((name, 1))
        elif computer.counted(view, name) < asked[name]:
            missing.append((name, asked[name]))
    return missing


def follow_list(computer: Computer, view: View, purse: Purse) -> None:
    """Makes what is due; what cannot be paid yet is saved for, the first one only."""
    saved = False
    for name, _ in goals(computer, view)[:4]:
        recipe = computer.recipes[name]
        if recipe.is_gas and not _gas_useful(view):
            continue
        if spend.make(computer, view, purse, name):
            continue
        if not saved and computer.blocked.get(name, 0) <= view.loop and spend.tech_met(computer, view, recipe):
            purse.reserve(recipe)
            saved = True


def _gas_useful(view: View) -> bool:
    """Gas structures need workers: about four more on minerals than on gas."""
    gas = int(view.sheet.gas_structure[view.type].sum())
    return int(view.workers.sum()) >= 10 + 4 * gas


def static_defence(computer: Computer, view: View, purse: Purse) -> None:
    """Crawlers, turrets or bunkers at every town hall: a few by level, more of what answers the enemy's units seen."""
    table = computer.table["static"]
    if view.loop < due(computer, table["at"]) or purse.minerals < 200:
        return
    places = view.halls
    air_seen = computer.air_seen
    for name, share in (("against_air", 0.5 + 0.5 * air_seen), ("against_ground", 0.5)):
        thing = table.get(name)
        if not thing:
            continue
        recipe = computer.recipes[thing]
        wanted = int(computer.level.static * share * len(places) * min(1 + view.loop / 20000, 1.4) + 0.5)
        if view.have(recipe.product) >= wanted:
            continue
        mine = view.slots[view.mask(recipe.product)]
        if len(places):
            x, y = view.units["x"], view.units["y"]
            near = np.hypot(x[places][:, None] - x[mine], y[places][:, None] - y[mine]) < AT_HALL
            spend.make(computer, view, purse, thing, near=view.place(int(places[near.sum(axis=1).argmin()])))


def grow(computer: Computer, view: View, purse: Purse) -> None:
    """More places to make units while the bank overflows: town halls for larvae, barracks."""
    name = computer.table["growth"]
    rich = purse.minerals > computer.level.overspend + computer.recipes[name].minerals
    product = computer.recipes[name].product
    idle = (view.mask(*computer.larva_types) if computer.larva_types else view.mask(product) & (view.jobs == 0)).any()
    growing = view.have(product) - int(view.ready[product])
    if rich and not idle and growing <= purse.minerals // GROW_STEP:
        spend.make(computer, view, purse, name)


def _only_minerals_missing(computer: Computer, view: View, purse: Purse, name: str) -> bool:
    """The thing could be made at once with more minerals."""
    recipe = computer.recipes[name]
    if purse.minerals >= recipe.minerals or purse.gas < recipe.gas or purse.room < recipe.supply:
        return False
    if computer.blocked.get(name, 0) > view.loop or not spend.tech_met(computer, view, recipe):
        return False
    return len(spend.makers(computer, view, purse, recipe)) > 0


def composition(computer: Computer, view: View) -> dict[str, float]:
    """Shares by value of the army's units at this time; gas that lies idle makes units that cost gas count more."""
    shares: dict[str, float] = {}
    for phase in computer.phases:
        if view.loop >= due(computer, phase["from"]):
            shares = phase["units"]
    spare = view.gas - max(view.minerals, IDLE_GAS)
    if spare > 0 and computer.level.patient:
        rich = 1.0 + min(spare / IDLE_GAS, 3.0)
        shares = {name: share * (rich if computer.recipes[name].gas else 1.0) for name, share in shares.items()}
    return shares


def army_wanted(computer: Computer, loop: int) -> float:
    """Value of the army that this level and style has at a loop."""
    style = computer.style
    return max(computer.curves.army_at(loop), style.army_rate * (loop - style.army_from)) * computer.level.army


def army_is_behind(computer: Computer, view: View) -> bool:
    """The army is far below its curve: it comes before tech and town halls."""
    style = computer.style
    start = min(OPENING_LOOPS, style.army_from + MAKING_LOOPS) if style.army_rate else OPENING_LOOPS
    if not computer.level.patient or view.loop < start:
        return False
    return view.army_value() < BEHIND * army_wanted(computer, view.loop)


def train_army(computer: Computer, view: View, purse: Purse, urgent: bool) -> None:
    """Spends on fighting units up to this level's curve; the unit furthest below its share comes first."""
    limit = army_wanted(computer, view.loop + MAKING_LOOPS)
    if urgent:
        limit = max(limit * 1.5, 400.0)
    value = view.army_value()
    shares = composition(computer, view)
    sheet = view.sheet
    for _ in range(computer.orders_each):
        if value >= limit and view.minerals < computer.level.overspend:
            return
        made = False
        total = max(sum(shares.values()), 1e-6)
        ids = computer.game.facts.ids
        lack = {
            name: share / total - view.have(ids[name]) * float(sheet.value[ids[name]]) / max(value, 100.0)
            for name, share in shares.items()
        }
        for name in sorted(lack, key=lambda key: -lack[key]):
            recipe = computer.recipes[name]
            if recipe.kind == "morph" and lack[name] <= 0:
                continue  # it would eat what the army has enough of too
            if spend.make(computer, view, purse, name):
                value += recipe.minerals + recipe.gas
                made = True
                break
            if computer.level.patient and lack[name] > 0 and _only_minerals_missing(computer, view, purse, name):
                return  # waits for what the army lacks instead of filling up with the cheapest
        if not made:
            return
