"""A Zerg game on a shipped map, and short ways to ask and order."""

from __future__ import annotations

from sim.maps import load
from sim.melee import placement
from sim.melee.game import Game
from sim.melee.records import Command, PlayerSetup, Race, Result

MAP = "AmberFordAIE"


def zerg_game(seed: int = 1) -> Game:
    """Zerg (player 1) against Zerg."""
    return Game(load(MAP), [PlayerSetup(Race.ZERG, start=0), PlayerSetup(Race.ZERG, start=1)], seed=seed)


def order(game: Game, slot: int, ability: int, **where: float) -> int:
    """One order to one own unit of player 1. -> ActionResult"""
    return game.issue(Command(1, ability, (game.tag(slot),), **where))


def at(game: Game, slot: int, ability: int, x: float, y: float) -> int:
    """An order with a point."""
    return order(game, slot, ability, x=x, y=y, has_point=True)


def on(game: Game, slot: int, ability: int, target: int) -> int:
    """An order with a unit."""
    return order(game, slot, ability, target_tag=game.tag(target))


def count(game: Game, name: str, player: int = 1) -> int:
    """Living units of a type."""
    return len(game.owned(player, name))


def first(game: Game, name: str, player: int = 1) -> int:
    """Slot of the player's first unit of a type."""
    return game.owned(player, name)[0]


def rich(game: Game, minerals: int = 5000, gas: int = 5000) -> None:
    """Fills player 1's bank."""
    game.players[1]["minerals"], game.players[1]["gas"] = minerals, gas


def give(game: Game, name: str, dx: float = 6.0, dy: float = 0.0, **fields: float) -> int:
    """A finished unit of player 1 beside the first town hall. -> slot"""
    hall = game.units[first(game, "Hatchery")]
    return game.spawn(game.facts.ids[name], 1, float(hall["x"]) + dx, float(hall["y"]) + dy, **fields)


def until(game: Game, done, most: int = 3000) -> int:
    """Steps until `done()`; -> loops it took. Fails when it takes more than `most`."""
    start = game.loop
    while not done():
        assert game.loop - start < most, "it never happened"
        game.step()
    return game.loop - start


def spot(game: Game, ability: int, wanted: int = Result.SUCCESS, far: int = 9) -> tuple[float, float]:
    """A point near the first town hall with the wanted placement answer."""
    hall = game.units[first(game, "Hatchery")]
    for dx in range(-far, far + 1):
        for dy in range(-far, far + 1):
            x, y = float(hall["x"]) + dx, float(hall["y"]) + dy
            if placement.can_place(game, 1, ability, x, y) == wanted:
                return x, y
    raise AssertionError("no such place")
