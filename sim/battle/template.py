"""How a battle starts: an empty game on some ground, filled with units and upgrades, and its arrays cut to size."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sim.engine import state
from sim.engine.world import World
from sim.maps import Terrain
from sim.melee import kernel, upgrades
from sim.melee.game import Game
from sim.melee.records import PlayerSetup

ORDER_DEPTH = 8  # orders that a unit can hold in a battle
SLOTS = 1024  # units of a template; with the room of a whole game each would take 12 MB
FIELDS = 10  # distance fields, of which two are kept for queries
# rows that one battle keeps of tables which are longer in a whole game
ROWS = {"missiles": 128, "events": 256, "fields": FIELDS, "distance": FIELDS, "corner": FIELDS}
EYES, EYES_WITHOUT_FOG = 64, 8
SHARED = ("types", "weapons", "buffs", "levels")  # the same for all battles of a template
SCRATCH = ("kinds", "traits", "keys", "spots", "buckets", "labels", "queue", "near")


def empty_game(
    terrain: Terrain,
    races: tuple[int, int] = (1, 1),
    *,
    seed: int = 0,
    patch: str = "5.0.14",
    upgrade_ids: tuple[Iterable[int], Iterable[int]] = ((), ()),
) -> Game:
    """A game without units on a ground, with the finished upgrades of both sides; nobody loses it by the rules."""
    players = [PlayerSetup(race) for race in races]
    game = Game(terrain, players, seed=seed, patch=patch, start_units=False, slots=SLOTS)
    for player, ids in enumerate(upgrade_ids, 1):
        for upgrade in ids:
            upgrades.finish(game, player, int(upgrade))
    return game


def open_map(game: Game) -> None:
    """No fog of war: both sides see everything that is not hidden."""
    game.world["fog"] = 0
    game.visibility[:] = 2


def ready(game: Game) -> None:
    """After the last unit was put: the first look round, and nothing left over from the making."""
    if game.world[0]["fog"]:
        game.visibility[:] = 0
    kernel.look(game)
    for player in range(state.PLAYERS):
        game.events(player)


def trimmed(game: Game, slots: int) -> dict[str, np.ndarray]:
    """Copies of a game's arrays, cut to what one battle keeps; shared and scratch arrays are left out."""
    arrays: dict[str, np.ndarray] = {}
    eyes = EYES if game.world[0]["fog"] else EYES_WITHOUT_FOG
    for name in World._fields:
        if name in SHARED or name in SCRATCH:
            continue
        array = getattr(game.state, name)
        if name in ("units", "jobs"):
            array = array[:slots]
        elif name == "orders":
            array = array[:slots, :ORDER_DEPTH]
        elif name == "eyes":
            array = array[:eyes]
        arrays[name] = array[: ROWS.get(name, len(array))].copy()
    return arrays
