"""Small battles that the tests of `sim.battle` play, and what they read off them."""

from __future__ import annotations

import hashlib

import numpy as np

from sim.battle import Battles, empty_game, open_map, ready
from sim.engine import state
from sim.maps.terrain import arena
from sim.melee.game import Game

UNDECIDED, NOBODY = 0, -1
STIM, SHIELDS, CLOAK, YAMATO_UPGRADE = 15, 16, 20, 76
Army = list[tuple[str, int, float, float]]  # type name, owner, x, y


def template(army: Army, *, fog: bool = False, races: tuple[int, int] = (1, 1), upgrades: tuple[int, ...] = ()) -> Game:
    """A flat field with an army on each side."""
    game = empty_game(arena(40, 40), races, upgrade_ids=(upgrades, upgrades))
    if not fog:
        open_map(game)
    for name, owner, x, y in army:
        game.spawn(game.facts.ids[name], owner, x, y)
    ready(game)
    return game


def winners(battles: Battles) -> np.ndarray:
    """i8 [count]: the owner who alone has units left, UNDECIDED, or NOBODY."""
    alive, owner = battles.units["alive"] == 1, battles.units["owner"]
    one, two = ((alive & (owner == number)).any(axis=1) for number in (1, 2))
    return np.select([one & two, one, two], [UNDECIDED, 1, 2], NOBODY)


def rows(names: list[str], owner: int, x: float) -> Army:
    """Units in a column."""
    return [(name, owner, x, 10.0 + 1.5 * k) for k, name in enumerate(names)]


def marines(count: int = 5) -> Game:
    """Marines against zerglings."""
    return template(rows(["Marine"] * count, 1, 12) + rows(["Zergling"] * count, 2, 24))


def attack_all(battles: Battles) -> None:
    """Everybody attacks across the field."""
    b, s = np.nonzero(battles.units["alive"])
    x = np.where(battles.units["owner"][b, s] == 1, 30.0, 6.0)
    battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 14.0))


def digest(battles: Battles) -> list[str]:
    """One hash per battle."""
    return [
        hashlib.sha256(u.tobytes() + o.tobytes() + w.tobytes()).hexdigest()
        for u, o, w in zip(battles.units, battles.orders, battles.worlds, strict=True)
    ]


def play(count: int, threads: int, seed: int = 3) -> Battles:
    """Fight to the end."""
    battles = Battles(marines(), count, seed=seed, threads=threads)
    for _ in range(40):
        attack_all(battles)
        battles.step(8)
    return battles
