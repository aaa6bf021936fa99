"""A flat field with a rich Terran player, for tests of single rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from sim.engine.state import UNFINISHED
from sim.maps import Neutral, arena
from sim.melee import upgrades as upgrade_rules
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.placement import can_place

GEYSER, FIELD = 342, 341
TECH = ("SupplyDepot", "Barracks", "EngineeringBay", "Factory", "Armory", "Starport", "GhostAcademy", "FusionCore")


def terran(*, rich: bool = True, seed: int = 1, tech: bool = True, enemy: bool = True, patch: str = "5.0.14") -> Game:
    """A game on a flat field of 96x96; player 1 has every tech and much money, unless told otherwise."""
    neutrals = (Neutral(GEYSER, 60.5, 80.5), *(Neutral(FIELD, 14.0 + 2 * k, 80.5) for k in range(4)))
    terrain = dataclasses.replace(arena(96, 96), neutrals=neutrals)
    setups = [PlayerSetup(1, start=0), PlayerSetup(1, start=1)][: 2 if enemy else 1]
    game = Game(terrain, setups, seed=seed, patch=patch)
    for number, name in enumerate(TECH if tech else ()):
        game.spawn(game.facts.ids[name], 1, 10.5 + 6 * number, 10.5)
    if tech:
        for number in range(8):
            game.spawn(game.facts.ids["SupplyDepot"], 1, 10 + 3 * number, 16)
    if rich:
        game.players[1]["minerals"] = game.players[1]["gas"] = 20_000
    game.step()
    return game


def give(game: Game, name: str, x: float = 48.5, y: float = 48.5, owner: int = 1, **fields: float) -> int:
    """A finished unit of that name. -> slot."""
    return game.spawn(game.facts.ids[name], owner, x, y, **fields)


def energetic(game: Game, name: str, energy: float = 200.0) -> int:
    """A finished unit with so much energy. -> slot."""
    slot = give(game, name)
    game.units[slot]["energy"] = energy
    return slot


def learn(game: Game, *upgrades: int) -> None:
    """Player 1 has these upgrades, as if their research had ended."""
    for upgrade in upgrades:
        upgrade_rules.finish(game, 1, upgrade)


def permit(game: Game, ability: int) -> None:
    """Player 1 has the upgrades that the ability requires."""
    learn(game, *game.facts.requirements[game.facts.abilities[ability].requirement].upgrades)


def order(game: Game, slot: int, ability: int, at: tuple[float, float] | int | None = None, **more: bool) -> int:
    """Orders one unit: no target, a point, or the unit in a slot. -> ActionResult."""
    player = int(game.units[slot]["owner"])
    if at is None:
        return game.issue(Command(player, ability, (game.tag(slot),), **more))
    if isinstance(at, tuple):
        return game.issue(Command(player, ability, (game.tag(slot),), 0, at[0], at[1], True, **more))
    return game.issue(Command(player, ability, (game.tag(slot),), game.tag(at), **more))


def until(game: Game, condition: Callable[[], bool], limit: int) -> int:
    """Plays until the condition holds. -> loops that took."""
    begun = game.loop
    while not condition():
        assert game.loop - begun < limit, "it never happened"
        game.step()
    return game.loop - begun


def finished(game: Game, slot: int) -> bool:
    """The structure is complete."""
    return not int(game.units[slot]["flags"]) & UNFINISHED


def name_of(game: Game, slot: int) -> str:
    """Type name of a unit."""
    return game.facts.names[int(game.units[slot]["type"])]


def room_for(game: Game, ability: int, x: float = 48.5, y: float = 48.5) -> tuple[float, float]:
    """A free place for what the ability builds, near a point."""
    for reach in range(30):
        for dx, dy in ((reach, 0), (0, reach), (-reach, 0), (0, -reach), (reach, reach)):
            if can_place(game, 1, ability, x + dx, y + dy) == 1:
                return x + dx, y + dy
    raise AssertionError("no room")


def bank(game: Game) -> tuple[int, int]:
    """Minerals and gas of player 1."""
    return int(game.players[1]["minerals"]), int(game.players[1]["gas"])


def newest(game: Game, name: str) -> int:
    """The unit of that name born last."""
    return max(game.owned(1, name), key=lambda slot: int(game.units[slot]["born"]))


def geyser(game: Game) -> int:
    """Slot of the geyser."""
    return int(np.flatnonzero(game.units["type"] == GEYSER)[0])
