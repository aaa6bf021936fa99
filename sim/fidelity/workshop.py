"""What the measurements share: a row of the comparison, a rich player on a flat field, orders, waiting."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

from sim.maps import Neutral, arena
from sim.melee.game import Command, Game, PlayerSetup

TECH = ("CommandCenter", "SupplyDepot", "Barracks", "EngineeringBay", "Factory", "Armory", "Starport", "GhostAcademy")


class RefusedError(RuntimeError):
    """The engine did not do what a measurement needs."""


class Row(NamedTuple):
    """One line of the comparison: what, ours, the real game's, and how far they may be apart and still agree."""

    what: str
    ours: float
    real: float
    slack: float = 0.0

    @property
    def off(self) -> str:
        """The difference in percent of the real value or, where that is 0, as it is."""
        return f"{100 * (self.ours - self.real) / self.real:+.1f}%" if self.real else f"{self.ours:+.4g}"

    @property
    def apart(self) -> float:
        """How far: a share of the real value or, where that is 0, as it is."""
        return abs(self.ours - self.real) / (abs(self.real) or 1.0)

    @property
    def verdict(self) -> str:
        """`equal`, `within` what is allowed, or `differs`."""
        apart = abs(self.ours - self.real)
        return "equal" if apart < 1e-6 else "within" if apart <= self.slack + 1e-6 else "differs"


def workshop(patch: str) -> Game:
    """One rich Terran player with every tech on a flat field, with geysers far from home."""
    field = arena(112, 112)
    geysers = tuple(Neutral(342, 40.5 + 10 * number, 100.5) for number in range(2))
    game = Game(dataclasses.replace(field, neutrals=geysers), [PlayerSetup(1, start=0)], seed=1, patch=patch)
    for number, name in enumerate((*TECH, *("SupplyDepot",) * 12)):
        game.spawn(game.facts.ids[name], 1, 10.5 + 5 * (number // 8), 10.5 + 5 * (number % 8))
    game.players[1]["minerals"] = game.players[1]["gas"] = 50_000
    game.step()
    return game


def ability_for(game: Game, caster: str, product: str) -> int:
    """The exact ability by which a type makes a product."""
    caster_id, product_id = game.facts.ids[caster], game.facts.ids[product]
    kinds = ("train", "build", "addon")
    return next(
        ability.id
        for ability in game.facts.abilities.values()
        if ability.product == product_id and caster_id in ability.casters and ability.kind in kinds
    )


def order(game: Game, slot: int, ability: int, x: float = 0.0, y: float = 0.0, target: int = -1) -> None:
    """Player 1 orders one unit, at a unit (slot) or a point (cells) where one is given. Raises RefusedError."""
    tag = game.tag(target) if target >= 0 else 0
    point = target < 0 and (x, y) != (0.0, 0.0)
    result = game.issue(Command(1, ability, (game.tag(slot),), tag, x, y, point))
    if result != 1:
        raise RefusedError(f"the engine refused ability {ability} with result {result}")


def first_loop(game: Game, condition: Callable[[], bool], limit: int) -> int:
    """The loop at whose end the condition first holds; -1 when it does not within `limit` loops."""
    for _ in range(limit):
        game.step()
        if condition():
            return game.loop
    return -1
