"""What built-in opponents answer to flyers, to who is hidden, and to the loss of their power."""

from __future__ import annotations

import pytest

from sim.computer.view import View
from sim.engine.state import INVULNERABLE, UNPOWERED
from sim.melee.records import Race
from tests.sim.computer.test_computer import play
from tests.sim.computer.test_forms import at_home, enemies


def rich(game, computer, until: int) -> None:
    """Plays with money in the bank; nothing of its own dies."""
    while game.loop < until:
        game.units["flags"][game.owned(1)] |= INVULNERABLE
        game.players[1]["minerals"], game.players[1]["gas"] = 400, 200
        play(game, [computer], game.loop + 100)


@pytest.mark.parametrize(
    ("race", "static"),
    [(Race.TERRAN, "MissileTurret"), (Race.ZERG, "SporeCrawler"), (Race.PROTOSS, "PhotonCannon")],
)
def test_what_uncovers_goes_up_when_dark_templar_come(race, static):
    """Two of them killed every worker: nothing that detects was made before its time."""
    game, computer, x, y = at_home(race, 7)
    if race == Race.PROTOSS:
        game.spawn(game.facts.ids["Pylon"], 1, x, y)
    if race == Race.ZERG:
        game.spawn(game.facts.ids["SpawningPool"], 1, x, y)
    rich(game, computer, 300)
    assert not game.owned(1, static)
    enemies(game, "DarkTemplar", 1, x, y + 5)
    rich(game, computer, 2600)
    assert game.owned(1, static)


def test_an_observer_is_nothing_to_answer():
    game, computer, x, y = at_home(Race.TERRAN, 7)
    enemies(game, "Observer", 1, x, y)
    rich(game, computer, 1000)
    assert not game.owned(1, "EngineeringBay")


def test_while_flyers_attack_only_what_reaches_them_is_made():
    """Roaches were made, and no Queen, until three Void Rays had killed everything."""
    game, computer, x, y = at_home(Race.ZERG)
    ids = game.facts.ids
    game.spawn(ids["SpawningPool"], 1, x, y)
    for k in range(4):
        game.spawn(ids["Overlord"], 1, 20.5 + k, 20.5)
    roaches = [game.spawn(ids["Roach"], 1, x, y + k) for k in range(4)]
    enemies(game, "VoidRay", 2, x, y)
    rich(game, computer, 1900)
    assert game.owned(1, "SporeCrawler")
    assert len(game.owned(1, "Queen")) == 2
    assert game.owned(1, "Roach") == roaches


def test_who_lost_its_power_gets_another_pylon():
    """Gateways stood dark to the end of the game while supply was not short."""
    game, computer, x, y = at_home(Race.PROTOSS)
    ids = game.facts.ids
    pylon = game.spawn(ids["Pylon"], 1, x, y)
    gateway = game.spawn(ids["Gateway"], 1, x + 3.5, y + 0.5)
    for k in range(4):  # supply is not short
        game.spawn(ids["Nexus"], 1, 30.5 + 8 * k, 30.5)
    game.remove(pylon)
    rich(game, computer, 900)
    assert game.owned(1, "Pylon")
    view = View(game, 1, computer.sight, computer.sheet)
    assert not len(view.slots[(view.slots == gateway) & (view.flags & UNPOWERED != 0)])
