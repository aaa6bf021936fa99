"""The two sides of an arena as arrays, and the game in which they fight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sim.computer import Marksmen
from sim.facts.copies import SUFFIX
from sim.melee.game import Command, Game, PlayerSetup
from train.smac.maps import MapInfo

AGENTS, ENEMIES = 1, 2
ATTACK, MOVE, STOP, HEAL = 23, 16, 4, 386  # exact ability ids
APPEAR = 40  # loops within which new armies stand after the old ones are gone


class Position(NamedTuple):
    """A place in cells."""

    x: float
    y: float


class Unit(NamedTuple):
    """One unit as the interface's users see it; a dead one has no health and keeps the rest as it last was."""

    tag: int
    name: str
    unit_type: int
    pos: Position
    health: float
    health_max: float
    shield: float
    shield_max: float
    energy: float
    weapon_cooldown: float


@dataclass(slots=True)
class Side:
    """One side's n units by their numbers; arrays [n], lengths in cells, times in game loops. hp is 0 for the dead."""

    slots: np.ndarray
    tags: list[int]
    names: list[str]
    types: np.ndarray
    x: np.ndarray
    y: np.ndarray
    hp: np.ndarray
    hp_max: np.ndarray
    shield: np.ndarray
    shield_max: np.ndarray
    energy: np.ndarray
    cooldown: np.ndarray

    def __len__(self) -> int:
        return len(self.tags)

    @property
    def alive(self) -> np.ndarray:
        """bool [n]."""
        return self.hp > 0

    def unit(self, k: int) -> Unit:
        """One unit as a value."""
        return Unit(
            tag=self.tags[k],
            name=self.names[k],
            unit_type=int(self.types[k]),
            pos=Position(float(self.x[k]), float(self.y[k])),
            health=float(self.hp[k]),
            health_max=float(self.hp_max[k]),
            shield=float(self.shield[k]),
            shield_max=float(self.shield_max[k]),
            energy=float(self.energy[k]),
            weapon_cooldown=float(self.cooldown[k]),
        )


class Field:
    """One arena being played."""

    def __init__(self, info: MapInfo, seed: int, patch: str, difficulty: int) -> None:
        """`difficulty`: API difficulty of the built-in opponent, 1 to 10 (else ComputerError)."""
        self.info, self.patch, self.seed, self.difficulty = info, patch, seed, difficulty
        self.new_game()

    def new_game(self) -> None:
        """A new game from its first loop."""
        setups = [PlayerSetup(race) for race in self.info.arena.races]
        self.game = Game(self.info.arena.terrain, setups, seed=self.seed, patch=self.patch)
        self.marksmen = Marksmen(self.game, ENEMIES, self.difficulty)
        self.seed += 1
        self.game.step()

    def step(self, loops: int) -> None:
        """Plays so many game loops."""
        for _ in range(loops):
            self.marksmen.step()
            self.game.step()

    def restart(self) -> None:
        """Everybody dies, and both armies come again, as on the challenge's maps."""
        for player in (AGENTS, ENEMIES):
            for slot in self.game.owned(player):
                self.game.kill(slot)
        for _ in range(APPEAR):
            self.game.step()
            if self.game.owned(AGENTS) and self.game.owned(ENEMIES):
                return
        self.new_game()

    def side(self, player: int, by_place: bool) -> Side:
        """A side's units as they stand now, by type and place or in the order in which an observation lists them."""
        slots = np.array(self.game.owned(player), np.int64)
        rows = self.game.units[slots]
        if by_place:
            slots = slots[np.lexsort((rows["y"], rows["x"], rows["type"]))]
            rows = self.game.units[slots]
        names = [self.game.facts.names[int(kind)].removesuffix(SUFFIX) for kind in rows["type"]]
        side = Side(slots, [self.game.tag(slot) for slot in slots.tolist()], names, rows["type"], *[rows["x"]] * 8)
        self._fill(side, rows, np.ones(len(slots), bool))
        return side

    def refresh(self, side: Side) -> Side:
        """The same units now."""
        there = np.array([self.game.slot(tag) >= 0 for tag in side.tags], bool)
        fresh = Side(*(getattr(side, name) for name in Side.__slots__))
        self._fill(fresh, self.game.units[side.slots], there)
        return fresh

    @staticmethod
    def _fill(side: Side, rows: np.ndarray, there: np.ndarray) -> None:
        for name in ("x", "y", "hp_max", "shield_max", "energy"):
            setattr(side, name, np.where(there, rows[name], getattr(side, name)))
        side.hp, side.shield = np.where(there, rows["hp"], 0), np.where(there, rows["shield"], 0)
        side.cooldown = np.where(rows["windup"] >= 0, 0, np.maximum(rows["cooldown"].max(axis=1), 0))

    def order(self, tag: int, ability: int, target: int = 0, at: Position | None = None) -> None:
        """A command to one of the agents' units."""
        x, y = at if at is not None else (0.0, 0.0)
        self.game.issue(Command(AGENTS, ability, (tag,), target_tag=target, x=x, y=y, has_point=at is not None))


def apart(side: Side, other: Side) -> np.ndarray:
    """f[n, m]: distances between centres, cells."""
    return np.hypot(other.x[None, :] - side.x[:, None], other.y[None, :] - side.y[:, None])
