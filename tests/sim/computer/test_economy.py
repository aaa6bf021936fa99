"""Where workers of built-in opponents go: to gas, to fields without a base, to the next free base."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import economy, sites, spend
from sim.computer.view import View
from sim.melee.records import Command, Race
from tests.sim.computer.test_computer import play
from tests.sim.computer.test_forms import at_home, enemies

GATHER, STOP = 3666, 4


@pytest.mark.parametrize(("level", "sent"), [(5, 6), (5, 1), (1, 6)])
def test_a_gas_structure_has_as_many_workers_as_the_level_wants(level, sent):
    game, computer, *_ = at_home(Race.TERRAN, level)
    units, scvs = game.units, game.owned(1, "SCV")
    x, y = computer.ground.home
    known = computer.ground.geyser_slots
    geyser = known[np.hypot(units["x"][known] - x, units["y"][known] - y).argmin()]
    gas = game.spawn(game.facts.ids["Refinery"], 1, float(units["x"][geyser]), float(units["y"][geyser]))
    game.issue(Command(1, GATHER, tuple(map(game.tag, scvs[:sent])), target_tag=game.tag(gas)))
    play(game, [computer], 600)
    assert (units["harvest_target"][scvs] == gas).sum() == computer.level.gas_each


def test_who_has_no_field_beside_a_town_hall_mines_the_nearest():
    game, computer, *_ = at_home(Race.TERRAN)
    ids, scvs = game.facts.ids, game.owned(1, "SCV")
    far = computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.3)
    game.remove(game.owned(1, "CommandCenter")[0])
    game.spawn(ids["CommandCenter"], 1, *far)
    game.issue(Command(1, STOP, tuple(map(game.tag, scvs))))
    game.step(2)
    view = View(game, 1, computer.sight, computer.sheet)
    assert not economy.fields_in_reach(view, computer)
    economy.work(computer, view)
    game.step(2)
    sent = [slot for slot in scvs if game.units["order_count"][slot]]
    assert len(sent) == 2 * economy.MOVES, "so many in one decision"
    assert {int(game.orders[slot, 0]["target"]) for slot in sent} <= set(computer.ground.mineral_slots.tolist())


@pytest.mark.parametrize(("there", "taken"), [(None, 0), ("Roach", 1), ("SpineCrawler", 1), ("Hatchery", 1)])
def test_the_next_base_is_one_where_no_enemy_is(there, taken):
    game, computer, *_ = at_home(Race.TERRAN)
    ground = computer.ground
    first = ground.bases[ground.base_order[1]]
    if there is not None:
        watcher = game.spawn(game.facts.ids["Medivac"], 1, first.x, first.y)
        enemies(game, there, 1, first.x + 4, first.y)
        game.step(20)
        computer.sight.update(force=True)
        if there == "SpineCrawler":
            game.remove(watcher)  # what it saw is remembered
            game.step(40)
            computer.sight.update(force=True)
    view = View(game, 1, computer.sight, computer.sheet)
    x, y, _ = sites.hall(computer, view)
    assert (x, y) == (ground.bases[ground.base_order[1 + taken]].x, ground.bases[ground.base_order[1 + taken]].y)


@pytest.mark.parametrize(
    ("minerals", "base", "gives_up"), [(399, False, True), (400, False, False), (0, True, False), (399, None, True)]
)
def test_who_can_neither_mine_nor_pay_a_town_hall_gives_up(minerals, base, gives_up):
    """A town hall at minerals is one to live by; without any (None) nobody mines either."""
    game, computer, *_ = at_home(Race.TERRAN)
    far = computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.3)
    if not base:
        game.remove(game.owned(1, "CommandCenter")[0])
    if base is False:
        game.spawn(game.facts.ids["CommandCenter"], 1, *far)
    game.players[1]["minerals"] = minerals
    game.step(2)
    assert economy.exhausted(computer, View(game, 1, computer.sight, computer.sheet)) == gives_up


@pytest.mark.parametrize(("used", "depots", "short"), [(30, 0, False), (31, 0, True), (31, 1, False), (199, 0, False)])
def test_supply_is_ordered_ahead_but_not_beyond_what_counts(used, depots, short):
    """Four ahead of 31 used; nobody has more than 200."""
    game, computer, *_ = at_home(Race.TERRAN)
    game.step()
    view = View(game, 1, computer.sight, computer.sheet)
    view.supply_used, view.supply_cap = float(used), 35.0 if used < 100 else 200.0
    view.making[computer.role("supply")] += depots
    ahead = {computer.level.plan: 4.0 / computer.level.supply_ahead}
    computer.table = computer.table | {"supply_ahead": ahead}
    assert economy.short_of_supply(computer, view) == short


def test_a_map_without_minerals_stops_nobody():
    game, computer, *_ = at_home(Race.TERRAN)
    game.units["contents"][computer.ground.mineral_slots] = 0
    play(game, [computer], 200)
    assert len(game.owned(1, "SCV")) == 12


def test_plain_units_leave_the_tech_lab_free():
    """And who is to get an add-on trains nothing, but gets it."""
    game, computer, *_ = at_home(Race.TERRAN)
    ids, (ex, ey) = game.facts.ids, computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.3)
    first, second = (game.spawn(ids["Barracks"], 1, ex + 8 * k, ey) for k in range(2))
    px, py = (float(game.units[axis][first]) for axis in "xy")
    game.spawn(ids["BarracksTechLab"], 1, px + 2.5, py - 0.5)
    game.step(2)
    assert game.units["addon"][first] >= 0
    view = View(game, 1, computer.sight, computer.sheet)
    purse = spend.Purse(view)
    assert spend.makers(computer, view, purse, computer.recipes["Marine"]).tolist() == [second, first]
    assert spend.makers(computer, view, purse, computer.recipes["Marauder"]).tolist() == [first]
    purse.held.add(first)
    assert spend.makers(computer, view, purse, computer.recipes["Marine"]).tolist() == [second]
    purse.held.add(second)
    assert spend.makers(computer, view, purse, computer.recipes["Marine"]).tolist() == []
    assert spend.makers(computer, view, purse, computer.recipes["BarracksTechLab"]).tolist() == [second]


def test_steps_to_the_enemy_fall_on_the_way():
    _, computer, *_ = at_home(Race.TERRAN)
    ground = computer.ground
    steps = [ground.steps_from(place) for place in ground.way]
    assert steps == list(range(steps[0], -1, -1))
    assert ground.way[0] == ground.home
    assert ground.ahead(ground.home) == ground.way[9]
