"""Thousands of random commands, sensible or not: nothing breaks, and the same storm gives the same game."""

import random

import numpy as np
import pytest

from sim.engine.state import INSIDE, ORDER_DEPTH
from sim.maps import load, names
from sim.melee.game import Command, Game, PlayerSetup

STRUCTURES = {
    1: ("Barracks", "Factory", "Starport", "EngineeringBay", "Armory", "Bunker", "SupplyDepot", "OrbitalCommand"),
    2: ("SpawningPool", "RoachWarren", "EvolutionChamber", "Spire", "HydraliskDen", "Lair", "BanelingNest"),
}
BANK = 20_000


def world(seed: int, races: tuple[int, int]) -> Game:
    """A game in which both players have units of every sort."""
    chance = random.Random(seed)
    game = Game(load(names()[0]), [PlayerSetup(races[0], start=0), PlayerSetup(races[1], start=1)], seed=seed)
    facts = game.facts
    for player, race in enumerate(races, 1):
        game.players[player]["minerals"] = game.players[player]["gas"] = BANK
        x, y = game.terrain.starts[player - 1]
        movers = [t for t in facts.ids.values() if facts.types[t]["race"] == race and facts.types[t]["speed"] > 0]
        for _ in range(25):
            game.spawn(chance.choice(movers), player, x + chance.uniform(-9, 9), y + chance.uniform(-9, 9))
        for name in STRUCTURES[race]:
            game.spawn(facts.ids[name], player, x + chance.randint(-12, 12), y + chance.randint(-12, 12))
    return game


def some_command(game: Game, player: int, chance: random.Random) -> Command:
    """A random order to one or several own units, at a random thing or point."""
    own = game.owned(player)
    slot = chance.choice(own)
    ids = [i for kind in game.abilities_of(int(game.units[slot]["type"])).values() for i in kind] + [1, 3674]
    tags = tuple(game.tag(s) for s in [slot, *chance.sample(own, min(2, len(own)))][: chance.choice((1, 1, 3))])
    living = np.flatnonzero(game.units["alive"] == 1)
    at = game.units[int(chance.choice(living))]
    x, y = float(at["x"]) + chance.uniform(-4, 4), float(at["y"]) + chance.uniform(-4, 4)
    sort = chance.choice(("unit", "point", "none"))
    target = game.tag(int(chance.choice(living))) if sort == "unit" else 0
    return Command(player, chance.choice(ids), tags, target, x, y, sort == "point", chance.random() < 0.3)


def storm(seed: int, races: tuple[int, int], loops: int) -> str:
    """Plays a storm and looks at the books all along. -> state hash"""
    chance, game = random.Random(seed), world(seed, races)
    while game.loop < loops and not game.ended:
        for player in (1, 2):
            for _ in range(3):
                assert game.issue(some_command(game, player, chance)) > 0
        game.step()
        units = game.units[: int(game.world[0]["slots"])]
        alive = units["alive"] == 1
        assert np.isfinite(units["hp"][alive]).all()
        assert (units["order_count"][alive] <= ORDER_DEPTH).all()
        assert (game.players["minerals"][1:] >= 0).all()
        assert (game.players["gas"][1:] >= 0).all()
        for slot in np.flatnonzero(alive & (units["flags"] & INSIDE != 0)):
            assert units["alive"][units["inside"][slot]]  # nobody sits in something that is gone
    return game.state_hash()


@pytest.mark.parametrize("races", [(1, 2), (2, 1)])
def test_random_commands_break_nothing(races):
    assert storm(5, races, 300) == storm(5, races, 300)
