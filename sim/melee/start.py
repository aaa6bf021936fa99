"""The first moment of a game: the map's own units, town halls, workers, the bank."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.state import BUILT, INVULNERABLE
from sim.facts import load
from sim.maps import mini_games
from sim.melee import arena, birth, mini_game, verdicts
from sim.melee.records import Race, Target
from sim.melee.registry import KINDS, START, on_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.maps.mini_games import MiniGame
    from sim.melee.game import Game

MINERALS = 50
WORKERS = 12
TOWN_HALL = {Race.TERRAN: "CommandCenter", Race.ZERG: "Hatchery", Race.PROTOSS: "Nexus"}
WORKER = {Race.TERRAN: "SCV", Race.ZERG: "Drone", Race.PROTOSS: "Probe"}
RING = 3.0  # start workers stand on the square of this half side round the town hall (real recordings)
NEAR_MAIN = 11.0  # fields within this of the town hall are its own
NEAR_NEW = 6.5  # a new one looks so far for the edge of a field (catalog of 5.0.15: CommandStructureAutoRally)
FIELD_HALF = 1.0, 0.5  # cells from a field's middle to its edges
OLD_HALLS = ("4.10.0",)  # patches in which a new town hall sends its workers nowhere
PATCHES_OF_MAPS = ("5.0.14", "4.10.0")  # whose unit type ids maps use: the older ones where the newer patch has none


def set_up(game: Game) -> None:
    """Neutral units, then every player's start units; workers set out for one field together, as in the real game."""
    for neutral in game.terrain.neutrals:
        spawn_neutral(game, game.facts.ids.get(name_on_maps(neutral.type_id), -1), neutral.x, neutral.y)
    if game.arena is not None:
        arena.set_up(game, game.arena)
        return
    rules = mini_game.playing(game)
    if rules is not None:
        _set_up_mini_game(game, rules)
        return
    places = start_places(game)
    for player, setup in enumerate(game.setups, 1):
        record = game.players[player]
        record["race"], record["playing"] = setup.race, 1
        if game.terrain.bare:
            continue  # nor a bank: after a gift of 5000 it holds 5000 (tests of the official C++ client)
        record["minerals"] = MINERALS
        x, y = game.terrain.starts[places[player]]
        before, after = START.get(setup.race, (nothing, nothing))
        base(game, player, Race(setup.race), x, y, before)
        after(game, player)


def _set_up_mini_game(game: Game, rules: MiniGame) -> None:
    """A mini-game's one player, whatever race it asked for, with its base or its Marines."""
    record = game.players[mini_game.PLAYER]
    record["race"], record["playing"] = game.setups[0].race, 1
    if rules.base is not None:
        record["minerals"] = MINERALS
        x, y = rules.base
        hall, worker = (game.facts.ids[names[Race.TERRAN]] for names in (TOWN_HALL, WORKER))
        home = game.spawn(hall, mini_game.PLAYER, x, y)
        workers = [
            game.spawn(worker, mini_game.PLAYER, x + right, y + up, facing=game.random() * 2 * math.pi)
            for right, up in mini_games.WORKERS
        ]
        if rules.mining:
            set_out(game, home, workers, middle_field(game, x, y, NEAR_MAIN)[0])
    mini_game.set_up(game, rules)


def name_on_maps(type_id: int) -> str:
    """The name of a unit type by its id on a map; empty where no patch knows it."""
    tables = (load(patch).names for patch in PATCHES_OF_MAPS)
    return next((names[type_id] for names in tables if type_id < len(names) and names[type_id]), "")


def nothing(game: Game, player: int) -> None:
    """A race without extra units."""


def set_up_empty(game: Game) -> None:
    """No units; the players have their races and cannot lose."""
    for player, setup in enumerate(game.setups, 1):
        game.players[player]["race"] = setup.race


def spawn_neutral(game: Game, type_id: int, x: float, y: float) -> int:
    """A resource with its contents, or a rock. -> slot. Types that the facts do not know are left out (-1)."""
    if not 0 <= type_id < game.types.shape[1] or not game.types[0, type_id]["exists"]:
        return -1
    resource = game.facts.resources.get(type_id)
    flags = INVULNERABLE if type_id in game.facts.flags["invulnerable"] or resource else 0
    return game.spawn(type_id, 0, x, y, flags=flags, contents=resource.contents if resource else 0)


def start_places(game: Game) -> dict[int, int]:
    """Start location of each player: as the set-up says, the others drawn from the seed."""
    taken = {player: setup.start for player, setup in enumerate(game.setups, 1) if setup.start is not None}
    free = [index for index in range(len(game.terrain.starts)) if index not in taken.values()]
    for player in range(1, len(game.setups) + 1):
        if player not in taken:
            taken[player] = free.pop(int(game.random() * len(free)))
    return taken


def base(
    game: Game, player: int, race: Race, x: float, y: float, before: Callable[[Game, int], None] = nothing
) -> None:
    """A town hall with twelve workers on its mineral side; `before` makes what comes between them."""
    ids = game.facts.ids
    hall = game.spawn(ids[TOWN_HALL[race]], player, x, y)
    before(game, player)
    first, *middle = middle_field(game, x, y, NEAR_MAIN)
    workers = [
        game.spawn(ids[WORKER[race]], player, spot_x, spot_y, facing=game.random() * 2 * math.pi)
        for spot_x, spot_y in ring(x, y, (middle[0], middle[1]))[:WORKERS]
    ]
    set_out(game, hall, workers, first)


def set_out(game: Game, hall: int, workers: list[int], field: int) -> None:
    """Sends workers for one field (-1 = none) together."""
    if field < 0:
        return
    target = mine_at(game, hall, field)
    for worker in workers:
        for exact in verdicts.candidates(game, worker, GATHER, target):
            KINDS["gather"].apply(game, worker, game.facts.abilities[exact], target)
            break


def middle_field(game: Game, x: float, y: float, radius: float) -> tuple[int, float, float]:
    """The mineral field nearest to the middle of those round a town hall, where its workers go (all twelve recordings),
    -1 = none, and that middle."""
    units = game.units[: int(game.world[0]["slots"])]
    minerals = game.facts.minerals
    fields = [s for s in game.near(x, y, radius, units["owner"] == 0) if int(units["type"][s]) in minerals]
    if not fields:
        return -1, x, y - 7
    middle = float(np.mean([units["x"][f] for f in fields])), float(np.mean([units["y"][f] for f in fields]))
    first = min(fields, key=lambda f: math.hypot(float(units["x"][f]) - middle[0], float(units["y"][f]) - middle[1]))
    return first, *middle


def far_field(game: Game, x: float, y: float) -> int:
    """The farthest mineral field of those that reach into a circle round a new town hall, -1 = none; of several the
    lowest, then the leftmost (861 of 874 newborn workers of real expansions came out that way)."""
    units, minerals = game.units[: int(game.world[0]["slots"])], game.facts.minerals

    def off(slot: int) -> tuple[float, float]:
        return float(units["x"][slot]) - x, float(units["y"][slot]) - y

    def reaches(slot: int) -> bool:
        dx, dy = (max(abs(part) - half, 0.0) for part, half in zip(off(slot), FIELD_HALF, strict=True))
        return math.hypot(dx, dy) <= NEAR_NEW + 1e-3

    near = game.near(x, y, NEAR_NEW + 2.0, units["owner"] == 0)
    fields = [slot for slot in near if int(units["type"][slot]) in minerals and reaches(slot)]
    return max(fields, key=lambda f: (round(math.hypot(*off(f)), 3), -off(f)[1], -off(f)[0]), default=-1)


def mine_at(game: Game, hall: int, field: int) -> Target:
    """New workers of the town hall go to the field. -> the field as a target."""
    target = Target(field, float(game.units[field]["x"]), float(game.units[field]["y"]))
    birth.set_workers_rally(game, hall, target)
    return target


def new_hall(game: Game, event: Any) -> None:
    """A town hall that was built sends its workers to its farthest field, unless it has been told otherwise.

    On maps of 2026 all of 1,111 SCVs and Probes whose bases had no rally point came out towards the minerals, in 4.10
    824 of 826 below. Drones of one bot's expansions mine though nobody told them anything for 200 loops
    (docs/rules/economy.md).
    """
    hall = game.units[int(event["unit"])]
    new = hall["alive"] and hall["rally"] == birth.NO_RALLY
    if game.patch in OLD_HALLS or not new or int(hall["type"]) not in game.facts.town_halls:
        return
    field = far_field(game, float(hall["x"]), float(hall["y"]))
    if field >= 0:
        mine_at(game, int(event["unit"]), field)


def ring(x: float, y: float, towards: tuple[float, float]) -> list[tuple[float, float]]:
    """Whole-cell places on the square round a town hall, those nearest to a point first."""
    side = int(RING)
    places = [
        (x + dx, y + dy)
        for dx in range(-side, side + 1)
        for dy in range(-side, side + 1)
        if max(abs(dx), abs(dy)) == side
    ]
    return sorted(places, key=lambda place: math.hypot(place[0] - towards[0], place[1] - towards[1]))


GATHER = 3666  # general id Harvest_Gather


on_event(BUILT, new_hall)
