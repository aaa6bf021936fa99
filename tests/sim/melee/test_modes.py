"""Units that change their shape: siege, depots, landing, zones, cloak."""

import math

import pytest

from sim.engine.bufftable import add_buff, remove_buff
from sim.engine.state import CLOAKED, DISARMED, FLYING, IMMOBILE, MORPHING
from sim.melee.records import Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, terran, until
from tests.sim.melee.powers_world import duel, learn

MOVE, ATTACK, CANCEL = 16, 23, 3659
SIEGE, UNSIEGE, LOWER, RAISE, FLY, DIG = 388, 390, 556, 558, 405, 2095
GRAVITON = 5


def test_siege_changes_the_type_early_and_is_ready_later():
    game = terran()
    tank, tag = give(game, "SiegeTank"), None
    tag = game.tag(tank)
    assert order(game, tank, SIEGE) == Result.SUCCESS
    changed = until(game, lambda: name_of(game, tank) == "SiegeTankSieged", 40)
    assert 8 <= changed <= 17
    ready = until(game, lambda: not int(game.units[tank]["flags"]) & MORPHING, 80)
    assert ready in (56, 57)
    assert game.tag(tank) == tag
    assert order(game, tank, MOVE, (60.0, 60.0)) == Result.ERROR
    order(game, tank, UNSIEGE)
    order(game, tank, MOVE, (60.0, 60.0), queued=True)
    assert until(game, lambda: name_of(game, tank) == "SiegeTank", 20) <= 9
    x = float(game.units[tank]["x"])
    game.step(40)
    assert game.units[tank]["x"] == x  # still folding up


@pytest.mark.parametrize("taken", [True, False])
def test_a_tank_that_a_beam_lets_go_while_it_sieges_stays(taken):
    """The beam's end, in its time or before, does not end what the siege itself forbids."""
    game = terran()
    tank, marine = give(game, "SiegeTank"), give(game, "Marine", 55.5, 48.5, owner=2)
    order(game, tank, SIEGE)
    until(game, lambda: name_of(game, tank) == "SiegeTankSieged", 40)
    add_buff(game.units[tank], game.state.buffs, GRAVITON)
    if taken:
        remove_buff(game.units[tank], game.state.buffs, GRAVITON)
    until(game, lambda: not game.units[tank]["buff"].any(), 20)
    flags = int(game.units[tank]["flags"])
    assert flags & MORPHING
    assert flags & IMMOBILE
    assert flags & DISARMED
    assert not flags & FLYING
    until(game, lambda: not int(game.units[tank]["flags"]) & MORPHING, 60)
    until(game, lambda: not game.units[marine]["alive"], 200)


def test_a_change_that_waits_for_another_one_takes_a_loop_at_the_least():
    """Real tanks that were told to unsiege while they sieged changed back 58 to 65 loops after they had changed."""
    game = terran()
    tanks = [give(game, "SiegeTank", 20.0 + 3 * (k % 20), 30.0 + 3 * (k // 20)) for k in range(100)]
    game.step(2)
    for tank in tanks:
        order(game, tank, SIEGE)
    sieged: dict[int, int] = {}
    taken: dict[int, int] = {}
    while len(taken) < len(tanks):
        game.step()
        assert game.loop < 200
        for tank in tanks:
            if tank not in sieged and name_of(game, tank) == "SiegeTankSieged":
                sieged[tank] = game.loop
                order(game, tank, UNSIEGE)
            elif tank in sieged and tank not in taken and name_of(game, tank) == "SiegeTank":
                taken[tank] = game.loop - sieged[tank]
    assert set(taken.values()) == set(range(58, 66))


@pytest.mark.parametrize(
    ("name", "ability", "stops"),
    [("SiegeTank", SIEGE, False), ("Hellion", 1998, False), ("Thor", 2362, True), ("CommandCenter", 1516, True)],
)
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_only_changes_that_can_be_interrupted_are_cancelled(patch, name, ability, stops):
    """Catalog: flag Interruptible; the changes without it have a cancel without a name."""
    game = terran(patch=patch)
    unit = give(game, name)
    assert order(game, unit, ability) == Result.SUCCESS
    until(game, lambda: int(game.units[unit]["flags"]) & MORPHING, 4)
    assert name_of(game, unit) == name
    assert order(game, unit, CANCEL) == (Result.SUCCESS if stops else Result.ERROR)
    game.step(2)
    assert bool(int(game.units[unit]["flags"]) & MORPHING) is not stops


@pytest.mark.parametrize(("degrees", "loops"), [(135, 61), (105, 62), (180, 63), (0, 67), (-45, 69)])
@pytest.mark.parametrize("way", [0.0, 2.5])
def test_a_sieged_tank_fires_as_soon_as_its_turret_has_turned(degrees, loops, way):
    """The turret starts at 135 degrees wherever the tank came from: first kills of 78 real ones by their direction."""
    game = terran()
    tank = give(game, "SiegeTank", 48.5, 48.5)
    game.units[tank]["facing"] = way
    angle = math.radians(degrees)
    prey = give(game, "Drone", 48.5 + 9 * math.cos(angle), 48.5 + 9 * math.sin(angle), owner=2)
    give(game, "Observer", 48.5 + 9 * math.cos(angle), 48.5 + 9 * math.sin(angle))
    order(game, tank, SIEGE)
    game.units[prey]["hp"] = 1000
    until(game, lambda: name_of(game, tank) == "SiegeTankSieged", 40)
    game.units[prey]["hp"] = 30
    changed = game.loop
    until(game, lambda: not game.units[prey]["alive"], 80)
    assert game.loop - changed == loops


@pytest.mark.parametrize(
    ("name", "ability", "standing"),
    [("SiegeTank", SIEGE, (8, 15)), ("VikingAssault", FLY, (1, 8)), ("WidowMine", DIG, (1, 4))],
)
@pytest.mark.parametrize("walking", [False, True])
def test_walkers_come_to_rest_before_they_change_their_form(name, ability, standing, walking):
    game = terran()
    units = [give(game, name, 20.5 + 5 * (k % 8), 30.5 + 6 * (k // 8)) for k in range(32)]
    game.step(8)
    if walking:
        for unit in units:
            order(game, unit, MOVE, (float(game.units[unit]["x"]), float(game.units[unit]["y"]) + 20))
        game.step(8)
    assert {order(game, unit, ability) for unit in units} == {Result.SUCCESS}
    when: dict[int, int] = {}
    for loop in range(1, 20):
        game.step()
        when |= {unit: loop for unit in units if unit not in when and name_of(game, unit) != name}
    late = 2 if walking else 0
    assert (min(when.values()), max(when.values())) == (standing[0] + late, standing[1] + late)


@pytest.mark.parametrize("queued", [False, True])
def test_what_waits_behind_a_change_of_form_and_is_not_for_it_is_dropped(queued):
    game = terran()
    tank = give(game, "SiegeTank")
    order(game, tank, SIEGE)
    game.step()
    for ability in (MOVE, ATTACK):
        assert order(game, tank, ability, (70.0, 60.0), queued=queued) == Result.SUCCESS
    until(game, lambda: name_of(game, tank) == "SiegeTankSieged", 40)
    until(game, lambda: not int(game.units[tank]["flags"]) & MORPHING, 80)
    assert game.units[tank]["order_count"] == 0


def test_who_changes_its_form_may_be_told_to_change_back():
    game = terran()
    depot, tank = give(game, "SupplyDepotLowered"), give(game, "SiegeTank", 60.5, 60.5)
    order(game, depot, RAISE)
    order(game, tank, SIEGE)
    game.step(4)
    assert order(game, tank, SIEGE) == Result.SUCCESS, "told again, which changes nothing"
    game.step(6)
    assert name_of(game, depot) == "SupplyDepot"
    assert LOWER not in available_abilities(game, depot), "taken, but not offered"
    assert order(game, depot, LOWER) == Result.SUCCESS
    assert 10 + until(game, lambda: name_of(game, depot) == "SupplyDepotLowered", 40) in (21, 22), "as real ones"
    assert name_of(game, tank) == "SiegeTankSieged"
    assert order(game, tank, UNSIEGE) == Result.SUCCESS
    assert 40 <= until(game, lambda: name_of(game, tank) == "SiegeTank", 80) <= 66, "when it has set up"


def test_depots_go_down_and_up():
    game = terran()
    depot = give(game, "SupplyDepot", 48.0, 48.0)
    cap = float(game.players[1]["supply_cap"])
    assert order(game, depot, LOWER) == Result.SUCCESS
    game.step()
    assert name_of(game, depot) == "SupplyDepotLowered"
    game.step(25)
    assert not int(game.units[depot]["flags"]) & MORPHING
    assert game.walk[48, 48] == 1
    assert game.place[48, 48] == 0
    assert game.players[1]["supply_cap"] == cap + 8
    marine = give(game, "Marine", 48.0, 48.0)
    assert order(game, depot, RAISE) == Result.SUCCESS
    game.step(30)
    assert game.walk[48, 48] == 0
    assert max(abs(float(game.units[marine]["x"]) - 48), abs(float(game.units[marine]["y"]) - 48)) >= 1


@pytest.mark.parametrize(
    ("who", "x", "loops"), [("Marine", 48.0, 9), ("Marine", 49.0, 9), ("Marine", 52.0, 1), ("SiegeTankSieged", 49.1, 1)]
)
def test_a_depot_rises_half_a_second_later_if_somebody_has_to_make_room(who, x, loops):
    game = terran(enemy=False)
    depot = give(game, "SupplyDepot", 48.0, 48.0)
    assert order(game, depot, LOWER) == Result.SUCCESS
    game.step(25)
    unit = give(game, who, x, 48.5)
    assert order(game, depot, RAISE) == Result.SUCCESS
    assert until(game, lambda: name_of(game, depot) == "SupplyDepot", 40) == loops
    assert max(abs(float(game.units[unit]["x"]) - 48), abs(float(game.units[unit]["y"]) - 48)) >= 1, "he has"
    game.step(25)
    assert order(game, depot, LOWER) == Result.SUCCESS, "it is done"


def test_a_depot_made_lowered_lets_people_make_room_too():
    game = terran(enemy=False)
    depot, marine = give(game, "SupplyDepotLowered", 48.0, 48.0), give(game, "Marine", 48.0, 48.0)
    game.step()
    assert order(game, depot, RAISE) == Result.SUCCESS
    assert until(game, lambda: name_of(game, depot) == "SupplyDepot", 40) == 9
    assert float(game.units[marine]["x"]) >= 49
    game.step(25)
    assert order(game, depot, LOWER) == Result.SUCCESS
    game.step(25)
    assert game.walk[47:49, 47:49].all(), "no wall is left"


@pytest.mark.parametrize(
    ("start", "ability", "end"),
    [("VikingFighter", 403, "VikingAssault"), ("Hellion", 1998, "HellionTank"), ("Thor", 2362, "ThorAP")],
)
def test_other_units_change_their_shape(start, ability, end):
    game = terran()
    unit = give(game, start)
    game.units[unit]["hp"] /= 2
    assert order(game, unit, ability) == Result.SUCCESS
    until(game, lambda: name_of(game, unit) == end and not int(game.units[unit]["flags"]) & MORPHING, 120)
    assert game.units[unit]["hp"] == pytest.approx(game.units[unit]["hp_max"] / 2, rel=0.01)


def test_a_liberator_sets_up_over_a_zone_and_leaves_it():
    game = terran()
    liberator = give(game, "Liberator")
    assert order(game, liberator, 2558, (60.5, 48.5)) == Result.SUCCESS
    until(game, lambda: name_of(game, liberator) == "LiberatorAG", 200)
    assert float(game.units[liberator]["x"]) == pytest.approx(57.0, abs=0.5), "5 from there, and what it needs to stop"
    assert until(game, lambda: not int(game.units[liberator]["flags"]) & MORPHING, 100) in (64, 65)
    assert [(effect.id, effect.x, effect.radius) for effect in game.memory.effects] == [(9, 60.5, 5)]
    enemy = give(game, "Marauder", 60.5, 48.5, owner=2)
    order(game, enemy, 18)
    until(game, lambda: not game.units[enemy]["alive"], 200)
    assert order(game, liberator, 2560) == Result.SUCCESS
    until(game, lambda: name_of(game, liberator) == "Liberator", 10)
    assert not game.memory.effects


def test_a_banshee_cloaks_until_its_energy_is_spent():
    game = terran()
    banshee = give(game, "Banshee")
    assert order(game, banshee, 392) == Result.TECH_REQUIREMENTS_NOT_MET
    game.players[1]["upgrades"][20] = 1
    assert order(game, banshee, 393) == Result.NOT_SUPPORTED
    assert order(game, banshee, 392) == Result.SUCCESS
    game.step()
    assert int(game.units[banshee]["flags"]) & CLOAKED
    assert game.units[banshee]["energy"] == pytest.approx(25, abs=0.2)
    lasted = until(game, lambda: not int(game.units[banshee]["flags"]) & CLOAKED, 800)
    assert lasted == pytest.approx(25 / ((1.4765 - 0.5625) / 16), abs=20)


def test_a_banshee_shows_itself_again_when_it_is_told_to():
    game = terran()
    banshee = give(game, "Banshee")
    game.players[1]["upgrades"][20] = 1
    order(game, banshee, 392)
    game.step(20)
    energy = float(game.units[banshee]["energy"])
    assert order(game, banshee, 393) == Result.SUCCESS
    game.step(20)
    assert not int(game.units[banshee]["flags"]) & CLOAKED
    assert game.units[banshee]["energy"] > energy, "it pays no more"


def test_an_order_of_its_old_form_is_dropped_with_it():
    game = duel()
    game.memory.taught.add(1)
    game.memory.fed.add(1)
    learn(game, "Burrow")
    roach = give(game, "Roach", 40.0, 40.0)
    order(game, roach, 16, (42.0, 40.0))
    for ability in (2330, 1386):
        assert order(game, roach, ability, queued=True) == Result.SUCCESS
    until(game, lambda: name_of(game, roach) == "Ravager", 500)
    game.step(60)
    assert name_of(game, roach) == "Ravager"
    assert not game.units[roach]["order_count"]
