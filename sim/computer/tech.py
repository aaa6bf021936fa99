"""What is wanted when: the tech list of the style, and the army's composition."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.computer import alarm, spend

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.spend import Purse
    from sim.computer.view import View

OPENING = 1000  # loops that a level's delay does not stretch
LEAD = 40  # loops between a decision and the first loop of what was decided
IDLE_GAS = 350  # gas in the bank that counts as idle
GROW_STEP = 900  # minerals in the bank for each further one that goes up at the same time
BEHIND, OPENING_LOOPS = 0.75, 3500
RUSH_LEAD = 450  # loops before the army of a rush should stand that it comes first
GAS_EACH, MOST_GAS = 2, 8  # gas structures of a town hall, and of all, once the lists are done
URGENT, URGENT_LEAST = 1.5, 400.0  # of the army wanted, and its least value, while an enemy is at the own structures


def due(computer: Computer, at: float) -> float:
    """The loop at which this level wants what the real one of the measured levels begins at `at`."""
    late = at if at <= OPENING else OPENING + (at - OPENING) * computer.level.delay
    return late - LEAD - computer.ahead


def midgame(computer: Computer) -> float:
    """The loop from which the second list of the opening counts: the first wave has set out, or it is late enough."""
    return min(computer.army.first_wave, due(computer, computer.opening.midgame))


def timetable(computer: Computer) -> list[tuple[str, float]]:
    """(name, loop from which it is due) of both lists of the opening."""
    second = midgame(computer)
    first = [(name, due(computer, at)) for name, at in computer.opening.tech]
    return first + [(name, second + at * computer.level.delay) for name, at in computer.opening.after]


def all_due(computer: Computer, view: View, name: str) -> bool:
    """The lists will ask for no more of a thing than they do now."""
    return all(view.loop >= at for what, at in timetable(computer) if what == name)


def goals(computer: Computer, view: View) -> list[tuple[str, int]]:
    """(name, how many) of what is due and missing, in the order of the lists."""
    missing = []
    timed = timetable(computer)
    asked: dict[str, int] = {computer.names["hall"]: 1}  # every side has one from the start
    upgrades = computer.game.players[computer.player]["upgrades"]
    for name, at in timed:
        asked[name] = asked.get(name, 0) + 1
        if view.loop < at or name not in computer.recipes:
            continue  # not every patch has every upgrade
        recipe = computer.recipes[name]
        if recipe.is_upgrade:
            wanted = computer.level.upgrades or name in computer.table["always"]
            if wanted and not upgrades[recipe.product] and recipe.product not in view.researching:
                missing.append((name, 1))
        elif _counted(computer, view, name) < asked[name]:
            missing.append((name, asked[name]))
    gas = computer.names["gas"]
    wanted = min(GAS_EACH * len(view.halls), MOST_GAS)
    if _counted(computer, view, gas) < wanted and all_due(computer, view, gas):
        missing.append((gas, wanted))
    return missing


def _counted(computer: Computer, view: View, name: str) -> int:
    """How many there are for the lists; a dry gas structure is none."""
    if name == computer.names["hall"]:
        return computer.counted_halls(view)
    if name == computer.names["gas"]:
        return int(view.gas_structures.sum() + view.making[computer.role("gas")])
    return computer.counted(view, name)


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


def hold_for_addons(computer: Computer, view: View, purse: Purse) -> None:
    """One structure for each add-on that is due trains nothing more: else a busy one never gets it."""
    for name, _ in goals(computer, view):
        recipe = computer.recipes[name]
        if recipe.kind != "addon":
            continue
        bare = view.slots[view.mask(*recipe.casters) & view.finished & (view.units["addon"][view.slots] < 0)]
        bare = [int(slot) for slot in bare if int(slot) not in purse.held]
        if bare:
            purse.held.add(min(bare, key=lambda slot: (view.units["job_count"][slot], slot)))


def later_halls(computer: Computer, view: View, purse: Purse) -> None:
    """Town halls beyond the first few become fortresses as soon as they stand, at the levels whose table says so."""
    row = computer.table.get("later_halls")
    if not row or computer.level.plan not in row["plans"] or computer.counted(view, row["of"]) < row["beyond"]:
        return
    recipe = computer.recipes[row["name"]]
    waiting = view.slots[view.mask(*recipe.casters) & view.finished]
    if len(waiting) and spend.tech_met(computer, view, recipe):
        purse.held.update(waiting.tolist())  # they train nothing more
        if not spend.make(computer, view, purse, row["name"]):
            purse.reserve(recipe)


def _gas_useful(view: View) -> bool:
    """Gas structures need workers: about four more on minerals than on gas."""
    gas = int(view.gas_structures.sum())
    return int(view.workers.sum()) >= 10 + 4 * gas


def grow(computer: Computer, view: View, purse: Purse) -> None:
    """More places to make units while the bank of a level that cheats overflows: the real ones of the others build
    none beyond their lists, with thousands unused. Town halls for larvae, else what makes the unit that lacks most."""
    if not computer.level.income or purse.minerals <= computer.level.overspend:
        return
    if computer.larva_types:
        places = [] if view.mask(*computer.larva_types).any() else [computer.names["hall"]]
    else:
        lack = lacking(computer, view, composition(computer, view), view.army_value())
        places = [_place_for(computer, view, name) for name in sorted(lack, key=lambda key: -lack[key])]
    for name in filter(None, places):
        product = computer.recipes[name].product
        if view.have(product) - int(view.ready[product]) <= purse.minerals // GROW_STEP:
            spend.make(computer, view, purse, name)
            return


def _place_for(computer: Computer, view: View, unit: str) -> str:
    """What has to be built for more of a unit, a producer or its add-on; "" while one waits for work or lacks tech."""
    recipe, names = computer.recipes[unit], computer.game.facts.names
    if not spend.tech_met(computer, view, recipe) or len(spend.free_makers(computer, view, spend.Purse(view), unit)):
        return ""
    host = names[recipe.casters[0]]
    bare = view.mask(*recipe.casters) & view.finished & (view.units["addon"][view.slots] < 0)
    return host + "TechLab" if recipe.addon and bare.any() else host


def _only_minerals_missing(computer: Computer, view: View, purse: Purse, name: str) -> bool:
    """The thing could be made at once with more minerals."""
    recipe = computer.recipes[name]
    if purse.minerals >= recipe.minerals or purse.gas < recipe.gas or purse.room < recipe.supply:
        return False
    if computer.blocked.get(name, 0) > view.loop or not spend.tech_met(computer, view, recipe):
        return False
    return len(spend.free_makers(computer, view, purse, name)) > 0


def composition(computer: Computer, view: View) -> dict[str, float]:
    """Shares by value of the army's units at this time; gas that lies idle makes units that cost gas count more."""
    shares: dict[str, float] = {}
    for phase in computer.opening.phases:
        if view.loop >= due(computer, phase["from"]):
            shares = phase["units"]
    spare = view.gas - max(view.minerals, IDLE_GAS)
    if spare > 0 and computer.level.patient:
        rich = 1.0 + min(spare / IDLE_GAS, 3.0)
        shares = {name: share * (rich if computer.recipes[name].gas else 1.0) for name, share in shares.items()}
    return shares


def army_wanted(computer: Computer, loop: int) -> float:
    """Value of the army that this level, style and opening has at a loop."""
    style, opening, loop = computer.style, computer.opening, loop + computer.ahead
    curve, rush, own = computer.curves.army_at(loop), style.army_rate * (loop - style.army_from), opening.army_at(loop)
    wanted = max(curve, rush, own) * computer.level.army
    if math.isfinite(computer.army.first_wave):
        return wanted
    if opening.exact:
        return own and own + _queens_worth(computer)
    return min(wanted, opening.most + _queens_worth(computer))


def _queens_worth(computer: Computer) -> float:
    """Value of its Queens: they count with the army here and in the measured curves, not in an opening's own list."""
    name = computer.names.get("queen")
    number = math.ceil(computer.level.queens * computer.opening.bases)
    return number * float(computer.sheet.value[computer.role("queen")]) if name else 0.0


def army_is_behind(computer: Computer, view: View) -> bool:
    """The army is far below its curve: it comes before tech and town halls."""
    style = computer.style
    start = min(OPENING_LOOPS, style.army_from + RUSH_LEAD) if style.army_rate else OPENING_LOOPS
    if not computer.level.patient or view.loop < start:
        return False
    return view.army_value() < BEHIND * army_wanted(computer, view.loop)


def _worth(computer: Computer, view: View, name: str) -> float:
    """Minerals and gas in all units of a sort, with what they have become."""
    ids, value = computer.game.facts.ids, view.sheet.value
    sorts = [ids[sort] for sort in (name, *computer.table["forms"].get(name, ()))]
    return float(sum(view.have(sort) * float(value[sort]) for sort in sorts))


def lacking(computer: Computer, view: View, shares: dict[str, float], value: float) -> dict[str, float]:
    """By how much of the army's value each sort of unit is short of its share."""
    total, value = max(sum(shares.values()), 1e-6), max(value, 100.0)
    return {name: share / total - _worth(computer, view, name) / value for name, share in shares.items()}


def train_army(computer: Computer, view: View, purse: Purse, urgent: bool) -> None:
    """Spends on fighting units up to this level's curve; the unit furthest below its share comes first."""
    value = view.army_value()
    shares = composition(computer, view)
    if urgent and alarm.flyers(computer, view):
        shares, value = alarm.hitters(computer, view, shares)
    build_loops = computer.game.facts.types["build_loops"]
    rich = view.minerals >= computer.level.overspend
    for _ in range(computer.orders_each):
        lack = lacking(computer, view, shares, value)
        for name in sorted(lack, key=lambda key: -lack[key]):
            recipe = computer.recipes[name]
            if recipe.kind == "morph" and lack[name] <= 0:
                continue  # it would eat what the army has enough of too
            price = recipe.minerals + recipe.gas
            limit = army_wanted(computer, view.loop + int(build_loops[recipe.product]))
            if urgent:
                limit = max(limit * URGENT, URGENT_LEAST)
            if value + price / 2 > limit and not rich:
                return  # would end further from the curve than without it
            if spend.make(computer, view, purse, name):
                value += price
                break
            if computer.level.patient and lack[name] > 0 and _only_minerals_missing(computer, view, purse, name):
                return  # waits for what the army lacks instead of filling up with the cheapest
        else:
            return
