"""pysc2's mini-games: one player is rewarded for reaching things, for kills, for what it makes or gathers, until the
time is up or its last Marine has fallen. What there is to reach or to kill comes again when nothing is left of it.

What the page of pysc2 says of each is in `sim/maps/mini_games.py`. How near counts as reached and where
the lines stand is what real games show (docs/rules/maps.md); that the time's end is a victory is ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.state import INVULNERABLE
from sim.maps import mini_games
from sim.maps.mini_games import BEACON, MIDDLE, SECOND, SHARD
from sim.melee import birth, protoss_nexus
from sim.melee.records import Outcome, Result
from sim.melee.registry import EVERY, FORBID, ON_FINISHED, TABLES

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.maps.mini_games import MiniGame, Wave
    from sim.melee.game import Game

PLAYER, ENEMY = 1, 2
RADII = {BEACON: 2.0, SHARD: 0.5}  # cells
REACH = {BEACON: 0.875, SHARD: 1.375}  # cells between the middles at which a Marine has it, by real games' scores
BORDER = 1.0  # cells at the edge of the ground where nothing comes
FIRST_BEACON, NEXT_BEACON, SHARD_FROM = 4.0, 5.0, 2.0  # cells off the Marines
APART = 5.0  # cells between scattered enemies
SEEN, UNSEEN, LATER = (7.5, 9.5), (10.5, math.inf), (9.0, math.inf)  # cells off the middle, later off the Marines
SEEN_FIRST = 2  # of the first scattered enemies
ASIDE, ABOVE = (5.0, 9.0), (-1.0, 2.0)  # cells from the middle to the middle of a line, by chance
GAP, FILE = 1.0, 9  # cells between the units of a line; so many Marines stand side by side
TRIES = 400  # places tried before distances are shortened


def playing(game: Game) -> MiniGame | None:
    """The mini-game that is played, if one is."""
    return mini_games.GAMES.get(game.terrain.mini_game)


def add_things(game: Game) -> None:
    """Beacon and shards, of which the catalog's tables of units know nothing."""
    if playing(game) is None:
        return
    for kind, radius in RADII.items():
        row = game.types[:, kind]
        row["exists"], row["untargetable"] = 1, 1
        row["hp"], row["radius"], row["api_radius"] = 1, radius, radius


def set_up(game: Game, rules: MiniGame) -> None:
    """The player's Marines, and what they are rewarded for."""
    if rules.wave is not None and not rules.scattered:
        _face(game, rules, rules.marines)
    else:
        for _ in range(rules.marines):
            x, y = MIDDLE if rules.scattered else _somewhere(game, rules, [])
            _marine(game, *birth.free_spot(game, x, y, 0.0, 0.0, game.facts.ids["Marine"], PLAYER))
    if rules.beacon:
        _thing(game, BEACON, *_somewhere(game, rules, _places(game, PLAYER), FIRST_BEACON))
    _scatter_shards(game, rules)
    if rules.scattered:
        _scatter(game, rules, rules.wave, first=True)


def watch(game: Game) -> None:
    """What was reached or killed is rewarded, and comes again; the end."""
    rules = playing(game)
    if rules is None or game.ended:
        return
    memory = game.memory
    for tag in [tag for tag in memory.prizes if game.slot(tag) < 0]:
        memory.points += memory.prizes.pop(tag)
    for slot in list(memory.things):
        _reach(game, rules, slot)
    _scatter_shards(game, rules)
    marines = game.owned(PLAYER)
    if rules.marines and not marines:
        game.declare({PLAYER: int(Outcome.DEFEAT)})
        return
    if rules.wave is not None and not game.owned(ENEMY):
        if rules.scattered:
            _scatter(game, rules, rules.wave, first=False)
        else:
            _face(game, rules, rules.wave.reinforcements)
    if rules.gathered:
        record = game.players[PLAYER]
        memory.points = int(record["minerals_gathered"] + record["gas_gathered"])
    if game.loop >= rules.seconds * SECOND:
        game.declare({PLAYER: int(Outcome.VICTORY)})


def count_made(game: Game, slot: int) -> None:
    """Each unit of the wanted type that is made is worth a point."""
    rules, unit = playing(game), game.units[slot]
    if rules is not None and rules.made and unit["owner"] == PLAYER:
        game.memory.points += game.facts.names[int(unit["type"])] == rules.made


def forbid(game: Game, slot: int, ability: Ability) -> int:
    """Nothing else is made than what the mini-game is about."""
    rules = playing(game)
    if rules is None or not rules.allowed or not (ability.product or ability.kind in ("lift", "addon", "research")):
        return Result.SUCCESS
    wanted = {game.facts.ids[name] for name in rules.allowed}
    plain = ability.kind in ("train", "build") and ability.product in wanted
    return Result.SUCCESS if plain else Result.NOT_SUPPORTED


def _reach(game: Game, rules: MiniGame, slot: int) -> None:
    """A Marine at the beacon sends it elsewhere, one at a shard takes it."""
    thing = game.units[slot]
    x, y, kind = float(thing["x"]), float(thing["y"]), int(thing["type"])
    for marine in game.owned(PLAYER):
        unit = game.units[marine]
        if math.hypot(float(unit["x"]) - x, float(unit["y"]) - y) > REACH[kind]:
            continue
        game.memory.points += 1
        if kind == BEACON:
            place = _somewhere(game, rules, _places(game, PLAYER), NEXT_BEACON)
            protoss_nexus.place_at(game, slot, *place)
        else:
            del game.memory.things[slot]
            game.remove(slot)
        return


def _scatter_shards(game: Game, rules: MiniGame) -> None:
    if rules.shards and not game.memory.things:
        for _ in range(rules.shards):
            _thing(game, SHARD, *_somewhere(game, rules, _places(game, PLAYER), SHARD_FROM))


def _thing(game: Game, kind: int, x: float, y: float) -> None:
    game.memory.things[game.spawn(kind, 0, x, y, flags=INVULNERABLE)] = None


def _marine(game: Game, x: float, y: float) -> int:
    slot = game.spawn(game.facts.ids["Marine"], PLAYER, x, y)
    game.memory.prizes[game.tag(slot)] = -1 if playing(game).wave is not None else 0
    return slot


def _enemy(game: Game, name: str, reward: int, x: float, y: float, facing: float) -> None:
    slot = game.spawn(game.facts.ids[name], ENEMY, x, y, facing=facing)
    game.memory.prizes[game.tag(slot)] = reward


def _face(game: Game, rules: MiniGame, more: int) -> None:
    """The Marines and so many more in a line on one side, a new wave on the other. Who lives keeps its life."""
    side = 1 if game.random() < 0.5 else -1
    game.memory.mustered = game.loop
    marines = [*game.owned(PLAYER), *(_marine(game, *MIDDLE) for _ in range(more))]
    files = [min(FILE, len(marines) - first) for first in range(0, len(marines), FILE)]
    for slot, (x, y) in zip(marines, _lines(game, files, -side), strict=True):
        game.clear_orders(slot)
        protoss_nexus.teleport(game, slot, x, y)
        game.units[slot]["facing"] = 0.0 if side > 0 else math.pi
    names = [name for name, count in rules.wave.groups for _ in range(count)]
    for name, (x, y) in zip(names, _lines(game, [count for _, count in rules.wave.groups], side), strict=True):
        _enemy(game, name, rules.wave.reward, x, y, math.pi if side > 0 else 0.0)


def _lines(game: Game, files: list[int], side: int) -> list[tuple[float, float]]:
    """Places of lines of so many somewhere on one side of the middle (1: the right), the later ones behind."""
    (near, far), (low, high) = ASIDE, ABOVE
    x = MIDDLE[0] + side * (near + game.random() * (far - near))
    y = MIDDLE[1] + low + game.random() * (high - low)
    return [
        (x + side * GAP * file, y + GAP * (place - (count - 1) / 2))
        for file, count in enumerate(files)
        for place in range(count)
    ]


def _scatter(game: Game, rules: MiniGame, wave: Wave, first: bool) -> None:
    """Enemies all over the ground, away from each other and from the Marines, who stand in the middle at first."""
    marines, others = _places(game, PLAYER), []
    for name, count in wave.groups:
        for number in range(count):
            near = LATER if not first else SEEN if number < SEEN_FIRST else UNSEEN
            x, y = _somewhere(game, rules, [MIDDLE] if first else marines, *near, others=others)
            others.append((x, y))
            _enemy(game, name, wave.reward, x, y, game.random() * 2 * math.pi)


def _places(game: Game, player: int) -> list[tuple[float, float]]:
    return [(float(game.units[slot]["x"]), float(game.units[slot]["y"])) for slot in game.owned(player)]


def _somewhere(
    game: Game,
    rules: MiniGame,
    points: list[tuple[float, float]],
    least: float = 0.0,
    most: float = math.inf,
    others: list[tuple[float, float]] | None = None,
) -> tuple[float, float]:
    """A place by chance, so far from each of the points and APART from the others, as far as there is room."""
    left, low, right, high = rules.playable
    share, tried = 1.0, 0
    while True:
        x = left + BORDER + game.random() * (right - left - 2 * BORDER)
        y = low + BORDER + game.random() * (high - low - 2 * BORDER)
        away = [math.hypot(x - at_x, y - at_y) for at_x, at_y in points]
        fits = all(least * share <= off <= most for off in away)
        if fits and all(math.hypot(x - at_x, y - at_y) >= APART * share for at_x, at_y in others or ()):
            return x, y
        tried += 1
        if tried % TRIES == 0:
            share *= 0.9


TABLES.append(add_things)
EVERY.append((1, watch))
ON_FINISHED.append(count_made)
FORBID.append(forbid)
