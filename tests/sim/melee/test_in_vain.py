"""Orders that were taken and come to nothing: what the client is told when the time has come, and that nothing is
paid."""

import pytest

from sim.melee.game import Game
from sim.melee.records import Race, Result
from tests.sim.melee.field import bank, give, name_of, order, terran, until
from tests.sim.melee.powers_world import at_rest, duel, full, lost

NUKE, ARM, TECH_LAB, RAVAGER, ROOT, MOVE = 1622, 710, 421, 2330, 1729, 16


def late_errors(game: Game, slot: int) -> list[int]:
    """What player 1 was told of the unit's orders since the last time. -> ActionResults"""
    return [error.result for error in game.events(1).errors if error.tag == game.tag(slot)]


@pytest.mark.parametrize(
    ("caster", "ability", "prey"),
    [
        ("Ghost", 2714, "Marauder"),  # Snipe
        ("Phoenix", 173, "Marauder"),  # Graviton Beam
        ("Infestor", 249, "Marauder"),  # Neural Parasite
        ("Viper", 2067, "Marauder"),  # Abduct
        ("HighTemplar", 140, "Medivac"),  # Feedback
        ("Queen", 251, "Hatchery"),  # Spawn Larva
        ("Oracle", 2505, None),  # Stasis Ward
    ],
)
def test_who_has_no_energy_left_when_it_comes(caster: str, ability: int, prey: str | None) -> None:
    game = duel(mine=Race.ZERG)
    game.memory.taught.add(1)
    unit = give(game, caster, 40.0, 40.0)
    other = give(game, prey, 56.5, 40.5, 1 if prey == "Hatchery" else 2) if prey else -1
    full(game, unit)
    at_rest(game, unit, *[other] * bool(prey))
    give(game, "Overseer", 54.0, 44.0)
    game.step(4)
    assert order(game, unit, ability, other if prey else (56.0, 40.0)) == Result.SUCCESS
    game.step(4)
    assert game.units[unit]["order_count"]
    game.units[unit]["energy"] = 1
    game.events(1)
    until(game, lambda: not game.units[unit]["order_count"] or game.units[unit]["energy"] < 1, 500)
    game.step(20)
    assert game.units[unit]["energy"] > 1
    assert not late_errors(game, unit), "the game has no line of text for it"
    assert not game.owned(1, "OracleStasisTrap")
    assert other < 0 or (not game.units[other]["buff"].any() and lost(game, other) == 0)


def test_of_two_ghosts_with_one_missile_the_first_calls_it_and_the_other_is_told() -> None:
    game = terran()
    assert order(game, game.owned(1, "GhostAcademy")[0], ARM) == Result.SUCCESS
    game.step(962)
    near, far = give(game, "Ghost", 40.5, 48.5), give(game, "Ghost", 30.5, 48.5)
    for ghost in (near, far):
        assert order(game, ghost, NUKE, (56.5, 48.5)) == Result.SUCCESS
    until(game, lambda: near in game.memory.nukes, 200)
    game.events(1)
    until(game, lambda: not game.units[far]["order_count"], 200)
    assert late_errors(game, far) == [Result.TECH_REQUIREMENTS_NOT_MET]


def test_an_addon_whose_place_is_taken_before_it_is_begun_is_not_paid() -> None:
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    before = bank(game)
    assert order(game, host, TECH_LAB, (60.5, 48.5)) == Result.SUCCESS
    game.step(20)
    give(game, "SupplyDepot", 63.0, 48.0)
    game.events(1)
    until(game, lambda: not game.units[host]["order_count"], 900)
    assert late_errors(game, host) == [Result.CANT_BUILD_LOCATION_INVALID]
    assert bank(game) == before


def test_a_larger_form_for_which_another_has_taken_the_supply_is_not_paid() -> None:
    """A Ravager needs one more than a Roach."""
    game = duel()
    game.memory.taught.add(1)
    first, second = give(game, "Roach", 40.0, 40.0), give(game, "Roach", 42.0, 40.0)
    game.step(2)
    game.players[1]["supply_cap"] = game.players[1]["supply_used"] + 1
    before = bank(game)
    for slot in (first, second):
        order(game, slot, MOVE, (float(game.units[slot]["x"]), 41.0))
        assert order(game, slot, RAVAGER, queued=True) == Result.SUCCESS
    game.step(20)
    assert [name_of(game, slot) for slot in (first, second)] == ["RavagerCocoon", "Roach"]
    assert (before[0] - bank(game)[0], before[1] - bank(game)[1]) == (25, 75)


def test_a_crawler_that_finds_its_place_taken_when_it_digs_in_stays_on_its_legs() -> None:
    game = duel()
    crawler = give(game, "SpineCrawlerUprooted", 40.0, 40.0)
    game.creep[30:60, 30:60] = 1
    assert order(game, crawler, ROOT, (44.0, 40.0)) == Result.SUCCESS
    until(game, lambda: game.orders[crawler, 0]["timer"] > 0, 200)
    game.creep[:] = 0
    game.events(1)
    until(game, lambda: not game.units[crawler]["order_count"], 400)
    assert late_errors(game, crawler) == [Result.CANT_BUILD_LOCATION_INVALID]
    assert game.owned(1, "SpineCrawlerUprooted") == [crawler]
    assert order(game, crawler, MOVE, (50.0, 40.0)) == Result.SUCCESS
    game.step(30)
    assert game.units[crawler]["x"] > 44.5


def test_nobody_is_warped_in_without_supply() -> None:
    game = duel(mine=Race.PROTOSS)
    give(game, "Pylon", 40.0, 40.0)
    gate = give(game, "WarpGate", 44.5, 40.5)
    game.step(4)
    game.players[1]["supply_cap"] = game.players[1]["supply_used"] + 1
    before = bank(game)
    assert order(game, gate, 1413, (40.0, 44.0)) == Result.NOT_ENOUGH_FOOD
    game.step(4)
    assert not game.owned(1, "Zealot")
    assert bank(game) == before
