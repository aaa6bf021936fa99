"""The smaller powers of single Zerg units, and cocoons."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sim.engine.bufftable import add_buff
from sim.engine.state import BURROWED, CHANNELLING, INSIDE, UNFINISHED
from sim.melee.game import Game
from sim.melee.harm import is_dragged
from sim.melee.records import Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, learn, lost

End = Callable[[Game, int], None]
GUARDIAN_SHIELD = 18
MOVE, HOLD, ATTACK, SMART, FRENZY, HOLD_FIRE, FREE_FIRE = 16, 18, 23, 1, 4109, 2550, 2552


# -- single units -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("patch", "life"), [("5.0.14", 80), ("4.10.0", 128)])
def test_a_brood_lord_strikes_twice_and_its_broodlings_go_on(patch: str, life: int) -> None:
    game = duel(patch)
    lord, tank = give(game, "BroodLord", 40.0, 40.0), give(game, "CommandCenter", 50.5, 40.5, 2)
    order(game, lord, ATTACK, tank)
    until(game, lambda: game.units[lord]["cooldown"][0] > 0 and game.units[lord]["windup"] < 0, 60)
    game.step(10)
    assert not lost(game, tank), "they are on their way"
    assert not game.owned(1, "Broodling")
    until(game, lambda: lost(game, tank) > 0, 12)
    assert lost(game, tank) == pytest.approx(2 * (20 - 1))
    game.step(3)
    broodlings = game.owned(1, "Broodling")
    assert len(broodlings) == 2
    assert all(away(game, slot, 50.5, 40.5) < 6 for slot in broodlings)
    game.step(40)
    assert len(game.owned(1, "Broodling")) == 4
    order(game, lord, MOVE, (20.0, 40.0))
    game.step(1)
    left = max(float(game.units[slot]["life_left"]) for slot in game.owned(1, "Broodling"))
    assert life - 8 < left < life
    until(game, lambda: not game.owned(1, "Broodling"), life)


def test_hydralisks_run_in_the_newer_patch() -> None:
    game = duel()
    hydra = give(game, "Hydralisk", 40.0, 40.0)
    game.step()
    assert order(game, hydra, FRENZY) == Result.TECH_REQUIREMENTS_NOT_MET
    learn(game, "Frenzy")
    order(game, hydra, MOVE, (70.0, 40.0))
    game.step(10)
    assert order(game, hydra, FRENZY) == Result.SUCCESS
    start = float(game.units[hydra]["x"])
    game.step(16)
    speed = float(game.types[1, game.units[hydra]["type"]]["speed"])
    assert float(game.units[hydra]["x"]) - start == pytest.approx(32 * speed, rel=0.1)
    assert game.units[hydra]["order_count"], "it runs on"
    game.step(2)
    assert game.units[hydra]["speed_factor"] == 1
    assert order(game, hydra, FRENZY) == Result.COOLDOWN


def test_lurkers_strike_a_line_and_hold_their_fire() -> None:
    game = duel()
    lurker = give(game, "LurkerMP", 40.0, 40.0)
    game.step()
    order(game, lurker, 2108)
    until(game, lambda: bool(int(game.units[lurker]["flags"]) & BURROWED), 60)
    assert HOLD_FIRE in available_abilities(game, lurker)
    assert FREE_FIRE not in available_abilities(game, lurker)
    assert order(game, lurker, HOLD_FIRE) == Result.SUCCESS
    line = [give(game, "Marauder", 44.0 + 1.5 * k, 40.0, 2) for k in range(3)]
    beside, buried = give(game, "Marauder", 45.0, 43.0, 2), give(game, "RoachBurrowed", 46.2, 40.0, 2)
    at_rest(game, *line, beside)
    for slot in line:
        order(game, slot, HOLD)  # who only rests runs from what it does not see
    game.step(40)
    assert not any(lost(game, slot) for slot in line)
    assert order(game, lurker, FREE_FIRE) == Result.SUCCESS
    until(game, lambda: lost(game, line[0]) > 0, 60)
    assert lost(game, line[2]) == 0, "the spines run on, a cell every two loops"
    assert any(effect.id == 12 for effect in game.memory.effects)
    game.step(7)
    assert [lost(game, slot) for slot in line] == [pytest.approx(29)] * 3
    assert lost(game, beside) == 0
    assert lost(game, buried) > 0
    add_buff(game.units[line[0]], game.state.buffs, GUARDIAN_SHIELD, 100.0)
    game.step(32)
    assert [lost(game, slot) for slot in line[:2]] == [pytest.approx(29 + 27), pytest.approx(29 + 29)]
    order(game, lurker, HOLD_FIRE)
    game.step()
    order(game, lurker, 2110)
    until(game, lambda: name_of(game, lurker) == "LurkerMP", 40)
    order(game, lurker, 2108)
    until(game, lambda: bool(int(game.units[lurker]["flags"]) & BURROWED), 60)
    assert FREE_FIRE in available_abilities(game, lurker), "up and down again it still holds its fire"
    order(game, lurker, 2110)
    until(game, lambda: name_of(game, lurker) == "LurkerMP", 40)
    game.step(12)
    assert order(game, lurker, ATTACK, (30.0, 40.0)) == Result.SUCCESS
    game.step(3)
    order(game, lurker, 2108)
    until(game, lambda: bool(int(game.units[lurker]["flags"]) & BURROWED), 60)
    assert HOLD_FIRE in available_abilities(game, lurker), "an attack above the ground ends that"


def silenced(game: Game, lurker: int) -> None:
    """The lurker is told to hold its fire: it attacks nobody any more."""
    order(game, lurker, HOLD_FIRE)


def clouded(game: Game, lurker: int) -> None:
    """The lurker stands in a Blinding Cloud."""
    add_buff(game.units[lurker], game.state.buffs, 83, 20.0)


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
@pytest.mark.parametrize(("end", "ends"), [(None, ()), (silenced, ("4.10.0",)), (clouded, ("5.0.14",))])
def test_what_ends_a_row_of_spines(patch: str, end: End | None, ends: tuple[str, ...]) -> None:
    """Before 4.11 the spines of a clouded Lurker that found somebody beside it ran their whole way (its notes)."""
    game = duel(patch)
    lurker = give(game, "LurkerMPBurrowed", 40.0, 40.0)
    first, last = give(game, "Marauder", 43.0, 40.0, 2), give(game, "Marauder", 47.5, 40.0, 2)
    at_rest(game, first, last)
    for slot in (first, last):
        order(game, slot, HOLD)
    until(game, lambda: lost(game, first) > 0, 60)
    assert lost(game, last) == 0
    if end is clouded:
        game.units[first]["x"] = float(game.units[lurker]["x"]) + 1.2  # whom it still attacks
    if end is not None:
        end(game, lurker)
    game.step(12)
    assert (lost(game, last) == 0) is (patch in ends)


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_lurker_that_holds_its_fire_strikes_whom_it_is_told_to(patch: str) -> None:
    game = duel(patch)
    lurker = give(game, "LurkerMPBurrowed", 40.0, 40.0)
    first, last = give(game, "SiegeTankSieged", 43.0, 40.0, 2), give(game, "SiegeTankSieged", 47.5, 40.0, 2)
    at_rest(game, first, last)
    game.step(4)
    order(game, lurker, HOLD_FIRE)
    game.step(4)
    assert order(game, lurker, ATTACK, first) == Result.SUCCESS
    until(game, lambda: lost(game, first) > 0, 60)
    game.step(12)
    assert lost(game, last) > 0
    assert HOLD_FIRE in available_abilities(game, lurker), "that ended it (CasterNotAttacking)"
    order(game, lurker, HOLD_FIRE)
    game.step(2)
    assert not game.units[lurker]["order_count"], "holding its fire ends the attack (CancelAttackOrders)"


def test_a_queen_transfuses_at_once_and_over_ten_seconds() -> None:
    game = duel()
    give(game, "Hatchery", 40.5, 40.5)
    game.step(600)  # creep grows as far as the queen
    queen, ultra = give(game, "Queen", 40.0, 36.0, facing=0.0), give(game, "Ultralisk", 44.0, 36.0)
    game.units[queen]["energy"] = 60
    game.units[ultra]["hp"] = 100
    game.step(60)
    before = float(game.units[ultra]["hp"])
    pool = game.spawn(game.facts.ids["SpawningPool"], 1, 46.5, 44.5, flags=UNFINISHED)
    assert order(game, queen, 1664, pool) == 150, "not under construction"
    assert order(game, queen, 1664, ultra) == Result.SUCCESS
    assert until(game, lambda: 288 in game.units[ultra]["buff"], 40) == 5, "three loops of spitting (catalog: .2 n)"
    assert float(game.units[ultra]["hp"]) - before == pytest.approx(75, abs=1)
    game.step(165)
    assert float(game.units[ultra]["hp"]) - before == pytest.approx(125, abs=4)
    assert 288 not in game.units[ultra]["buff"]
    assert game.units[queen]["energy"] < 25


def transfusing() -> tuple[Game, int, int]:
    """A game, a Queen who is about to spit, and her patient."""
    game = duel()
    queen, ultra = give(game, "Queen", 40.0, 36.0), give(game, "Ultralisk", 43.0, 36.0)
    game.units[queen]["energy"], game.units[ultra]["hp"] = 60, 100
    game.creep[30:42, 34:50] = 1
    assert order(game, queen, 1664, ultra) == Result.SUCCESS
    game.step(3)
    return game, queen, ultra


def test_a_queen_that_is_told_something_else_before_she_spits_heals_nobody() -> None:
    game, queen, ultra = transfusing()
    order(game, queen, 16, (30.0, 36.0))
    game.step(10)
    assert 288 not in game.units[ultra]["buff"]
    assert game.units[queen]["energy"] > 59


def test_a_transfusion_leaves_the_slowing_by_a_field_as_this_game_has_it() -> None:
    game = duel("4.10.0")
    time_warp = 121
    game.state.buffs[time_warp]["speed"] = 0.5  # as `protoss_air.time_warp` of this patch
    queen, ultra = give(game, "Queen", 40.0, 36.0), give(game, "Ultralisk", 43.0, 36.0)
    game.units[queen]["energy"], game.units[ultra]["hp"] = 60, 100
    game.creep[30:42, 34:50] = 1
    add_buff(game.units[ultra], game.state.buffs, time_warp, 1000.0)
    assert order(game, queen, 1664, ultra) == Result.SUCCESS
    until(game, lambda: 288 in game.units[ultra]["buff"], 40)
    assert game.units[ultra]["speed_factor"] == 0.5


def test_overlords_become_transports_and_drop() -> None:
    game = duel()
    give(game, "Lair", 20.5, 30.5)
    lord, roach = give(game, "Overlord", 40.0, 40.0), give(game, "Roach", 42.0, 40.0)
    game.step()
    assert 1406 not in available_abilities(game, lord)
    assert order(game, lord, 2708) == Result.SUCCESS
    until(game, lambda: name_of(game, lord) == "OverlordTransport", 360)
    assert order(game, roach, SMART, lord) == Result.SUCCESS
    until(game, lambda: bool(int(game.units[roach]["flags"]) & INSIDE), 60)
    assert game.units[lord]["cargo"] == 2
    assert order(game, lord, 1408, (52.0, 40.0)) == Result.SUCCESS
    until(game, lambda: not int(game.units[roach]["flags"]) & INSIDE, 400)
    assert away(game, roach, 52.0, 40.0) < 2


def test_mutalisk_glaives_bounce_to_two_more() -> None:
    game = duel(enemy=Race.TERRAN)
    mutalisk = give(game, "Mutalisk", 40.0, 40.0)
    line = [give(game, "Marauder", 43.0 + 1.5 * k, 40.0, 2) for k in range(4)]
    at_rest(game, *line)
    order(game, mutalisk, ATTACK, line[0])
    until(game, lambda: lost(game, line[0]) > 0, 60)
    order(game, mutalisk, MOVE, (20.0, 40.0))
    game.step(8)
    assert [round(lost(game, slot), 2) for slot in line] == [8, 2, 0.5, 0]


def test_glaives_do_not_bounce_to_a_changeling_in_disguise() -> None:
    game = duel(enemy=Race.TERRAN)
    mutalisk = give(game, "Mutalisk", 40.0, 40.0)
    names = ("Marauder", "ChangelingMarine", "Marine")
    line = [give(game, name, 43.0 + k, 40.0, 2) for k, name in enumerate(names)]
    at_rest(game, *line)
    order(game, mutalisk, ATTACK, line[0])
    until(game, lambda: lost(game, line[0]) > 0, 60)
    game.step(2)
    assert [round(lost(game, slot), 2) for slot in line] == [8, 0, 3]


def test_the_older_patch_trains_banelings_in_eggs_of_their_own() -> None:
    game = duel("4.10.0")
    give(game, "Hatchery", 20.5, 30.5)
    give(game, "BanelingNest", 26.5, 30.5)
    zergling = give(game, "Zergling", 40.0, 40.0)
    game.step()
    tag, gas = game.tag(zergling), int(game.players[1]["gas"])
    assert 80 in available_abilities(game, zergling)
    assert order(game, zergling, 80) == Result.SUCCESS
    game.step()
    begun = game.loop
    assert name_of(game, zergling) == "BanelingCocoon"
    assert game.tag(zergling) == tag
    assert gas - int(game.players[1]["gas"]) == 25
    order(game, zergling, MOVE, (50.0, 40.0))
    game.events(1)
    assert until(game, lambda: bool(game.owned(1, "Baneling")), 330) in (319, 320)
    baneling = game.owned(1, "Baneling")[0]
    assert game.tag(baneling) != tag
    assert tag in game.events(1).dead
    assert away(game, baneling, 40.0, 40.0) < 0.1
    assert game.loop > begun
    second = give(game, "Zergling", 44.0, 40.0)
    order(game, second, 80)
    game.step(20)
    assert order(game, second, 304) == Result.SUCCESS
    game.step()
    assert name_of(game, second) == "Zergling"
    assert gas - int(game.players[1]["gas"]) == 25 + 6, "as any morph gives back"
    order(game, second, MOVE, (50.0, 40.0))
    game.step(30)
    assert away(game, second, 44.0, 40.0) > 3


def test_a_queen_stands_a_while_after_an_inject() -> None:
    game = duel()
    hall, queen = give(game, "Hatchery", 40.5, 40.5), give(game, "Queen", 40.5, 37.0)
    game.units[queen]["energy"] = 60
    game.step()
    order(game, queen, 251, hall)
    until(game, lambda: 11 in game.units[hall]["buff"], 20)
    x = float(game.units[queen]["x"])
    assert order(game, queen, MOVE, (60.0, 37.0)) == Result.SUCCESS
    assert until(game, lambda: float(game.units[queen]["x"]) > x + 0.05, 60) == pytest.approx(37, abs=3)


def test_a_locust_told_to_attack_a_structure_swoops_on_it() -> None:
    game = duel()
    locust, depot = give(game, "LocustMPFlying", 40.0, 40.0), give(game, "SupplyDepot", 52.0, 40.0, 2)
    game.step(4)
    assert order(game, locust, ATTACK, depot) == Result.SUCCESS
    until(game, lambda: lost(game, depot) > 0, 160)
    assert name_of(game, locust) == "LocustMP"


@pytest.mark.parametrize(
    ("patch", "name", "ability", "cocoon", "after", "before", "inside"),
    [
        ("5.0.14", "Overlord", 1448, "OverlordCocoon", "Overseer", (1, 1), 266),
        ("4.10.0", "Overlord", 1448, "OverlordCocoon", "Overseer", (1, 1), 266),
        ("5.0.14", "Roach", 2330, "RavagerCocoon", "Ravager", (0, 0), 271),
        ("4.10.0", "Roach", 2330, "RavagerCocoon", "Ravager", (1, 8), 191),
        ("5.0.14", "Hydralisk", 2332, "LurkerMPEgg", "LurkerMP", (0, 0), 403),
        ("4.10.0", "Hydralisk", 2332, "LurkerMPEgg", "LurkerMP", (1, 8), 399),
        ("4.10.0", "Overlord", 2708, "TransportOverlordCocoon", "OverlordTransport", (1, 1), 266),
    ],
)
def test_cocoons_close_and_open_when_real_ones_do(
    patch: str, name: str, ability: int, cocoon: str, after: str, before: tuple[int, int], inside: int
) -> None:
    game = duel(patch)
    for number, structure in enumerate(("Lair", "RoachWarren", "LurkerDenMP")):
        give(game, structure, 20.5 + 7 * number, 20.5)
    unit = give(game, name, 40.0, 40.0)
    game.step()
    tag = game.tag(unit)
    assert order(game, unit, ability) == Result.SUCCESS
    game.step()
    waited = until(game, lambda: name_of(game, unit) == cocoon, 12)
    assert before[0] <= waited <= before[1]
    assert until(game, lambda: name_of(game, unit) == after, 500) == inside
    assert game.tag(unit) == tag


@pytest.mark.parametrize(
    ("patch", "name", "ability"),
    [
        ("5.0.14", "Roach", 2330),
        ("4.10.0", "Hydralisk", 2332),
        ("5.0.14", "Zergling", 4121),
        ("4.10.0", "Zergling", 80),
    ],
)
def test_what_comes_out_of_a_cocoon_goes_to_its_rally_point_once(patch: str, name: str, ability: int) -> None:
    """Catalog: Rally, RallyReset."""
    game = duel(patch)
    for number, structure in enumerate(("Lair", "RoachWarren", "LurkerDenMP", "BanelingNest")):
        give(game, structure, 20.5 + 7 * number, 20.5)
    unit = give(game, name, 40.0, 40.0)
    game.step()
    assert order(game, unit, ability) == Result.SUCCESS
    game.step(20)
    assert order(game, unit, 195, (50.0, 40.0)) == Result.SUCCESS
    game.step(600)
    (born,) = game.owned(1, "Ravager", "LurkerMP", "Baneling")
    assert away(game, born, 50.0, 40.0) < 1
    assert not game.units[born]["rally"]


def test_a_transfusion_whose_patient_dies_while_she_spits_costs_nothing() -> None:
    game, queen, ultra = transfusing()
    game.kill(ultra)
    game.step(10)
    assert game.units[queen]["energy"] > 59
    assert not game.units[queen]["order_count"]
    assert (queen, 1664) not in game.memory.ready


@pytest.mark.parametrize(("ability", "target"), [(1664, "Ultralisk"), (251, "Hatchery")])
def test_a_queen_that_is_abducted_while_she_is_busy_is_free_when_she_is_down(ability: int, target: str) -> None:
    game = duel("5.0.14", Race.ZERG, Race.ZERG)
    queen, other = give(game, "Queen", 40.0, 36.0), give(game, target, 43.5, 36.5)
    viper = give(game, "Viper", 40.0, 29.0, 2)
    game.units["energy"][[queen, viper]] = 190
    game.units[other]["hp"] -= 200
    game.creep[30:42, 34:50] = 1
    game.step(2)
    assert order(game, queen, ability, other) == Result.SUCCESS
    assert order(game, viper, 2067, queen) == Result.SUCCESS
    until(game, lambda: bool(int(game.units[queen]["flags"]) & CHANNELLING), 20)
    until(game, lambda: is_dragged(game, queen), 20)
    until(game, lambda: not is_dragged(game, queen), 30)
    assert not int(game.units[queen]["flags"]) & CHANNELLING
    assert order(game, queen, 16, (50.0, 30.0)) == Result.SUCCESS
    until(game, lambda: away(game, queen, 50.0, 30.0) < 1, 300)
