"""Trips of workers: orders in the return delay, the start without orders, newborn workers."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from sim.engine.state import GATHER, RETURN
from sim.fidelity.workshop import ability_for, order
from sim.maps import load, names
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.harvest_places import DELAY, PAUSE, WALK, WORK, gap

MOVE, SMART, STOP, BRING = 16, 1, 3665, 296


@pytest.fixture
def game() -> Game:
    return Game(load(names()[0]), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1)


def until(game: Game, reached, limit: int) -> int:
    """Steps until the condition holds. -> loop."""
    while not reached() and game.loop < limit:
        game.step()
    assert reached()
    return game.loop


def test_a_start_without_orders_gathers_as_all_71_built_in_players_did(game):
    gathered = {}
    for _ in range(320):
        game.step()
        gathered[game.loop] = int(game.players[1]["minerals_gathered"])
    assert (gathered[80], gathered[240], gathered[320]) == (0, 65, 120)


def test_workers_of_a_new_game_set_out_in_loop_1_as_250_real_ones_did(game):
    units, workers = game.units, game.owned(1, "SCV")
    places = [(units[w]["x"], units[w]["y"]) for w in workers]
    far = int(game.orders[workers[-1], 0]["target"])
    game.issue(Command(1, SMART, (game.tag(workers[0]),), game.tag(far)))  # told so in loop 0, it waits as well
    game.step()
    assert [(units[w]["x"], units[w]["y"]) for w in workers] == places
    game.step()
    assert all((units[w]["x"], units[w]["y"]) != place for w, place in zip(workers, places, strict=True))


@pytest.mark.parametrize("angle", [30.7, 31.4, 58.6, 59.3])
def test_a_load_goes_straight_home_past_a_corner_of_the_hall_that_blocks_only_half_a_cell(game, angle):
    """Where bots end moves home, 2.97 cells off its middle, at the angles at which the way ends in such a cell."""
    worker, units = game.owned(1, "SCV")[0], game.units
    (hall,) = game.owned(1, "CommandCenter")
    until(game, lambda: units[worker]["carry"] > 0 and units[worker]["harvest_stage"] != DELAY, 300)
    x, y, way = float(units[hall]["x"]), float(units[hall]["y"]), math.radians(angle)
    units[worker]["x"], units[worker]["y"] = x + 4.0 * math.cos(way), y + 4.0 * math.sin(way)
    order(game, worker, game.harvest_table[units[worker]["type"]]["bring"])
    until(game, lambda: units[worker]["carry"] == 0, game.loop + 60)
    assert math.degrees(math.atan2(units[worker]["y"] - y, units[worker]["x"] - x)) == pytest.approx(angle, abs=0.5)


def test_a_worker_sent_on_in_its_return_delay_brings_its_load_and_harvests_in_full(game):
    worker, units = game.owned(1, "SCV")[0], game.units
    until(game, lambda: units[worker]["carry"] > 0 and units[worker]["harvest_stage"] == DELAY, 300)
    field = int(units[worker]["harvest_target"])
    (hall,) = game.owned(1, "CommandCenter")
    x, y = float(units[worker]["x"]), float(units[worker]["y"])
    tag = game.tag(worker)
    game.issue(Command(1, MOVE, (tag,), 0, 0.7 * x + 0.3 * float(units[hall]["x"]), y, True))
    game.issue(Command(1, SMART, (tag,), game.tag(hall), queued=True))
    game.issue(Command(1, SMART, (tag,), game.tag(field), queued=True))
    until(game, lambda: units[worker]["carry"] == 0, game.loop + 80)
    left = int(units[field]["contents"])
    assert units[worker]["order_count"] == 1
    until(game, lambda: units[worker]["carry"] > 0, game.loop + 200)
    assert game.orders[worker, 0]["verb"] == GATHER
    assert int(units[field]["contents"]) < left


def test_a_move_into_a_footprint_ends_where_the_worker_touches(game):
    """So a public bot mines: its moves aim half a cell off the middle of the field, two off the middle of the hall."""
    worker, units = game.owned(1, "SCV")[0], game.units
    (hall,) = game.owned(1, "CommandCenter")
    field, tag = int(game.orders[worker, 0]["target"]), game.tag(worker)
    for place, other, off, carry, limit in ((field, hall, 0.4, 5, 90), (hall, field, 2.0, 0, 50)):
        x, y = (float(units[place][name]) for name in "xy")
        dx, dy = (float(units[other][name]) - at for name, at in (("x", x), ("y", y)))
        share = off / math.hypot(dx, dy)
        game.issue(Command(1, MOVE, (tag,), 0, x + share * dx, y + share * dy, True))
        game.issue(Command(1, SMART, (tag,), game.tag(place), queued=True))
        until(game, lambda carry=carry: units[worker]["carry"] == carry, game.loop + limit)
        touch = gap(units[worker]["x"], units[worker]["y"], units[place], game.harvest_table[units[place]["type"]])
        assert 0.1 < touch <= game.harvest_table[units[place]["type"]]["touch"]


@pytest.mark.parametrize("wait", [0, 1])
def test_who_was_led_home_has_delivered_in_the_loop_in_which_it_touches(game, wait):
    """Six bots have answered to 278 such deliveries, 65 of them too soon for ours while it had to touch before. It
    turns in the next loop, also if it is sent back in that very one."""
    worker, units = game.owned(1, "SCV")[0], game.units
    (hall,) = game.owned(1, "CommandCenter")
    field, tag, box = int(game.orders[worker, 0]["target"]), game.tag(worker), game.harvest_table[units[hall]["type"]]
    until(game, lambda: units[worker]["carry"] > 0 and units[worker]["harvest_stage"] == WALK, 300)
    x, y, home_x, home_y = (float(units[slot][name]) for slot in (worker, hall) for name in "xy")
    share = 2.97 / math.hypot(x - home_x, y - home_y)
    game.issue(Command(1, MOVE, (tag,), 0, home_x + share * (x - home_x), home_y + share * (y - home_y), True))
    game.issue(Command(1, SMART, (tag,), game.tag(hall), queued=True))
    until(game, lambda: units[worker]["carry"] == 0, game.loop + 50)
    assert gap(units[worker]["x"], units[worker]["y"], units[hall], box) <= box["touch"]
    game.step(wait)
    game.issue(Command(1, SMART, (tag,), game.tag(field)))
    game.step()
    assert gap(units[worker]["x"], units[worker]["y"], units[hall], box) <= box["touch"] + 0.03
    assert units[worker]["speed"] < 0.03


def test_who_was_led_to_its_field_brakes_where_the_move_ends(game):
    """A real one, led so, was 0.55 cells off and four loops later at rest 0.25 off: at full speed it comes 0.2 near."""
    worker, units = game.owned(1, "SCV")[0], game.units
    field, tag = int(game.orders[worker, 0]["target"]), game.tag(worker)
    until(game, lambda: units[worker]["carry"] > 0, 300)
    until(game, lambda: units[worker]["carry"] == 0, game.loop + 100)
    field_x, field_y = float(units[field]["x"]), float(units[field]["y"])
    x, y = float(units[worker]["x"]), float(units[worker]["y"])
    share = 1.35 / math.hypot(x - field_x, y - field_y)
    point = field_x + share * (x - field_x), field_y + share * (y - field_y)
    game.issue(Command(1, MOVE, (tag,), 0, *point, True))
    game.issue(Command(1, SMART, (tag,), game.tag(field), queued=True))
    box, speeds = game.harvest_table[units[field]["type"]], []
    while gap(units[worker]["x"], units[worker]["y"], units[field], box) > box["touch"] and game.loop < 300:
        game.step()
        speeds.append(float(units[worker]["speed"]))
    assert units[worker]["harvest_target"] == field
    rate = 2.5 / 256  # cells per loop per loop
    assert speeds[-3] > 0.17 - 3 * rate
    assert speeds[-3] - speeds[-2] > 0.9 * rate


@pytest.mark.parametrize("told", [(), (STOP, SMART), (MOVE, SMART)])
def test_no_order_cuts_the_return_delay_short(game, told):
    worker, units = game.owned(1, "SCV")[0], game.units
    loaded = until(game, lambda: units[worker]["carry"] > 0, 300)
    (hall,) = game.owned(1, "CommandCenter")
    place = float(units[worker]["x"]), float(units[worker]["y"])
    for ability in told:
        target = game.tag(hall) if ability == SMART else 0
        x, y = (0.7 * place[n] + 0.3 * float(units[hall]["xy"[n]]) for n in (0, 1))
        game.issue(Command(1, ability, (game.tag(worker),), target, x, y, ability == MOVE, ability != told[0]))
    left = until(game, lambda: (float(units[worker]["x"]), float(units[worker]["y"])) != place, loaded + 20)
    assert left - loaded == 8, "eight loops of the delay, then it walks as if nobody had told it anything"
    until(game, lambda: units[worker]["carry"] == 0, left + 40)


def test_a_stop_in_the_return_delay_holds_the_worker_with_its_load(game):
    """One of three that a learned agent stopped had just its load: its minerals are those of three who stand."""
    worker, units = game.owned(1, "SCV")[0], game.units
    until(game, lambda: units[worker]["carry"] > 0, 300)
    game.issue(Command(1, STOP, (game.tag(worker),)))
    game.step(200)
    assert not units[worker]["order_count"]
    assert units[worker]["carry"] == 5


@pytest.mark.parametrize("queued", [True, False])
def test_a_queued_return_without_a_load_ends_the_work(game, queued):
    """Of five Drones of a learned agent who were told to return behind what they did, the three on their way home were
    idle then; who brings its load by the order goes on mining."""
    worker, units = game.owned(1, "SCV")[0], game.units
    until(game, lambda: units[worker]["carry"] > 0 and game.orders[worker, 0]["verb"] == RETURN, 300)
    game.issue(Command(1, BRING, (game.tag(worker),), queued=queued))
    until(game, lambda: units[worker]["carry"] == 0, 400)
    game.step(3)
    assert (not units[worker]["order_count"]) is queued


def test_the_edge_of_a_town_hall_has_eight_corners(game):
    (hall,) = game.owned(1, "CommandCenter")
    place, box = game.units[hall], game.harvest_table[int(game.units[hall]["type"])]
    x, y = float(place["x"]), float(place["y"])
    for dx, dy, cells in ((2.875, 0.5, 0.375), (2.0, -2.0, 0.354), (-1.7, 2.29, 0.346), (-2.8, -1.4, 0.495), (1, 1, 0)):
        assert gap(x + dx, y + dy, place, box) == pytest.approx(cells, abs=0.002)


def test_a_plain_worker_comes_to_rest_just_inside_its_reach(game):
    units = game.units
    for _ in range(70):
        game.step()
    rests = []
    for worker in game.owned(1, "SCV"):
        if units[worker]["harvest_stage"] == WORK:
            field = units[int(units[worker]["harvest_target"])]
            rests.append(gap(units[worker]["x"], units[worker]["y"], field, game.harvest_table[int(field["type"])]))
    assert rests
    assert all(0.3 <= cells <= 0.375 for cells in rests)


def test_a_plain_trip_rests_at_the_field_only_and_brakes_at_the_rate_of_the_catalog(game):
    """Real workers, seen every other loop: at the town hall four of them were off in the loop after they had come; on
    the way their speed changes by the catalog's acceleration, up and down."""
    worker, units = game.owned(1, "SCV")[0], game.units
    for other in game.owned(1, "SCV")[1:]:
        game.remove(other)
    until(game, lambda: units[worker]["carry"] > 0, 200)
    until(game, lambda: units[worker]["carry"] == 0, 300)
    places, loads = [], []
    for _ in range(240):
        game.step()
        places.append((float(units[worker]["x"]), float(units[worker]["y"])))
        loads.append(int(units[worker]["carry"]))
    speeds = [math.dist(*pair) for pair in pairwise(places)]
    rests = [n for n, speed in enumerate(speeds) if speed < 1e-4]
    stay, load = 53, 46
    assert len(rests) == 2 * stay, "two stays at the field, and no other rest"
    assert rests[stay - 1] - rests[0] == stay - 1
    assert loads[rests[0] + load - 1 : rests[0] + load + 1] == [0, 5], "46 loops and the pause from contact to load"
    rate = 2.5 / 256  # cells per loop per loop
    for before, after in pairwise(speeds):
        assert abs(after - before) <= rate + 1e-3 or after < 6 * rate, "it comes to rest, or turns, at some speed"
    assert sum(1 for pair in pairwise(speeds) if pair[0] - pair[1] > rate - 1e-3) > 30, "it brakes"


@pytest.mark.parametrize(("cells", "loses"), [(0.7, True), (1.4, False)])
def test_who_comes_home_by_itself_loses_a_while_in_a_crowd(game, cells, loses):
    """Minerals of 71 real sides: where workers came home in a bunch they lost 3 loops a trip and more, else 1 to 2."""
    worker, other, *rest = game.owned(1, "SCV")
    (hall,) = game.owned(1, "CommandCenter")
    for slot in rest:
        game.remove(slot)
    units = game.units
    box = game.harvest_table[units[hall]["type"]]
    until(game, lambda: units[worker]["carry"] > 0 and units[worker]["harvest_stage"] != DELAY, 300)
    while gap(units[worker]["x"], units[worker]["y"], units[hall], box) > box["touch"]:
        units["x"][other], units["y"][other] = units["x"][worker], units["y"][worker] + cells
        game.step()
    came = game.loop
    until(game, lambda: units[worker]["carry"] == 0, 420)
    assert game.loop - came == 1 + loses * PAUSE


def test_a_move_into_the_hall_and_then_home_delivers(game):
    """Bots tell their workers so (a return that names no hall); ours walked against its wall for ever."""
    worker, units = game.owned(1, "SCV")[0], game.units
    (hall,) = game.owned(1, "CommandCenter")
    until(game, lambda: units[worker]["carry"] > 0 and units[worker]["harvest_stage"] != DELAY, 300)
    tag, home = (game.tag(worker),), game.harvest_table[units[worker]["type"]]["bring"]
    game.issue(Command(1, MOVE, tag, 0, float(units[hall]["x"]), float(units[hall]["y"]), True))
    game.issue(Command(1, int(home), tag, queued=True))
    until(game, lambda: units[worker]["carry"] == 0, game.loop + 60)


def test_newborn_workers_appear_towards_the_rally_point_whoever_mines_there(game):
    (hall,) = game.owned(1, "CommandCenter")
    places = []
    for _ in range(2):
        known = set(game.owned(1, "SCV"))
        order(game, hall, ability_for(game, "CommandCenter", "SCV"))
        game.players[1]["minerals"] = 500
        if places:  # one that walks by when the second is born
            until(game, lambda: int(game.jobs[hall, 0]["left"]) == 1, game.loop + 300)
            passer = game.units[min(known)]
            passer["x"], passer["y"] = places[0]
            game.issue(Command(1, MOVE, (game.tag(min(known)),), 0, 80.0, 80.0, True))
        until(game, lambda known=known: bool(set(game.owned(1, "SCV")) - known), game.loop + 300)
        (born,) = set(game.owned(1, "SCV")) - known
        places.append((round(float(game.units[born]["x"]), 3), round(float(game.units[born]["y"]), 3)))
    assert places[0] == places[1]


def test_gas_is_brought_home_before_what_was_queued_behind_it(game):
    units = game.units
    x, y = game.terrain.starts[0]
    geyser = next(s for s in game.near(x, y, 11) if int(units[s]["type"]) in game.facts.geysers)
    refinery = game.spawn(game.facts.ids["Refinery"], 1, float(units[geyser]["x"]), float(units[geyser]["y"]))
    game.step()
    worker = game.owned(1, "SCV")[0]
    gather = game.abilities_of(game.facts.ids["SCV"])["gather"][0]
    order(game, worker, gather, target=refinery)
    until(game, lambda: units[worker]["carry"] > 0, 400)
    assert game.orders[worker, 0]["verb"] == RETURN, "the order home shows with the load"
    field = next(s for s in game.near(x, y, 11) if int(units[s]["type"]) in game.facts.minerals)
    game.issue(Command(1, gather, (game.tag(worker),), game.tag(field), queued=True))
    until(game, lambda: units[worker]["carry"] == 0, game.loop + 100)
    assert game.players[1]["gas_gathered"] == 4
    until(game, lambda: units[worker]["carry"] > 0, game.loop + 300)
    assert not units[worker]["carry_gas"]


def test_workers_at_a_crowded_field_take_turns(game):
    """Who has waited longest is next: none of six at one field stands there for ever."""
    units, (x, y) = game.units, game.terrain.starts[0]
    gather = game.abilities_of(game.facts.ids["SCV"])["gather"][0]
    field, *others = (s for s in game.near(x, y, 11) if int(units[s]["type"]) in game.facts.minerals)
    workers = game.owned(1, "SCV")
    for slot in (*others, *workers[6:]):
        game.remove(slot)
    game.resource_version += 1
    for worker in workers[:6]:
        order(game, worker, gather, target=field)
    loads = dict.fromkeys(workers[:6], 0)
    for _ in range(1200):
        before = {worker: float(units[worker]["carry"]) for worker in loads}
        game.step()
        for worker in loads:
            loads[worker] += units[worker]["carry"] > before[worker]
    assert sum(loads.values()) > 20
    assert max(loads.values()) - min(loads.values()) <= 1
