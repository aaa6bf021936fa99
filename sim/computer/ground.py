"""What every player knows of a map before the first loop: bases, start locations, the ground way to the enemy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import bases
from sim.melee.sight import VISIBLE

if TYPE_CHECKING:
    from sim.melee.game import Game

AHEAD_OF_HALL = 9  # steps from the foremost town hall towards the enemy to the rally point


class Ground:
    """The map as one player plans on it; places are (x, y) in cells.

    Attributes:
        home, enemy_start: where the first town hall of our own stands, and the start location of the enemy
        bases, base_order: all bases, and their indices in the order in which one expands
        mineral_slots, geyser_slots: i8 [m], slots of all mineral fields and geysers
        to_enemy: [h, w], steps on the ground to the enemy's start
        way: the cells of the shortest way from home to there
        seen: loop at which each base was last looked at during a search, i8 [bases]
        posts: places worth a look: the bases that are next for us
    """

    def __init__(self, game: Game, player: int) -> None:
        units = game.units[: int(game.world[0]["slots"])]
        halls = [slot for slot in game.owned(player) if int(units["type"][slot]) in game.facts.town_halls]
        starts = [(float(x), float(y)) for x, y in game.terrain.starts]
        first = halls[0] if halls else game.owned(player)[0]
        self.home = (float(units["x"][first]), float(units["y"][first]))
        others = [place for place in starts if np.hypot(place[0] - self.home[0], place[1] - self.home[1]) > 10]
        self.enemy_start = (
            others[0] if others else (game.terrain.width - self.home[0], game.terrain.height - self.home[1])
        )
        self.bases = bases.find(game)
        self.base_order = bases.by_distance(game, self.bases, self.home, self.enemy_start)
        self.mineral_slots = np.array(sorted(s for base in self.bases for s in base.minerals), np.int64)
        self.geyser_slots = np.array(sorted(s for base in self.bases for s in base.geysers), np.int64)
        self.to_enemy = bases.flood(bases.open_ground(game.terrain), self.enemy_start)
        self.way = self.descend(self.home, 10**6)
        self.seen = np.full(len(self.bases), -1)
        self.posts = [(self.bases[index].x, self.bases[index].y) for index in self.base_order[1:3]]

    def descend(self, start: tuple[float, float], steps: int) -> list[tuple[float, float]]:
        """Points on the ground from a point towards the enemy's start, at most `steps` of them."""
        grid = self.to_enemy
        row, column = int(start[1]), int(start[0])
        points = [start]
        while grid[row, column] > 0 and len(points) <= steps:
            around = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
            around = [(r, c) for r, c in around if 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1]]
            best = min(around, key=lambda cell: int(grid[cell]))
            if grid[best] >= grid[row, column]:
                break
            row, column = best
            points.append((column + 0.5, row + 0.5))
        return points

    def look(self, visibility: np.ndarray, loop: int) -> list[tuple[float, float]]:
        """Notes which bases are in sight now (visibility [h, w]). -> all of them, those unseen longest first, of those
        the nearest to the enemy's start."""
        for index, base in enumerate(self.bases):
            if visibility[int(base.y), int(base.x)] == VISIBLE:
                self.seen[index] = loop
        order = sorted(range(len(self.bases)), key=lambda index: (self.seen[index], self.from_enemy(self.bases[index])))
        return [(self.bases[index].x, self.bases[index].y) for index in order]

    def from_enemy(self, base: bases.Base) -> float:
        """Cells from the enemy's start, as the crow flies."""
        return float(np.hypot(base.x - self.enemy_start[0], base.y - self.enemy_start[1]))

    def steps_from(self, place: tuple[float, float]) -> int:
        """Steps on the ground from a place to the enemy's start."""
        return int(self.to_enemy[int(place[1]), int(place[0])])

    def ahead(self, place: tuple[float, float]) -> tuple[float, float]:
        """A point before a town hall, on the way to the enemy."""
        return self.descend(place, AHEAD_OF_HALL)[-1]

    def on_the_way(self, start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
        """The point of the ground way to the enemy nearest to `share` of the straight line between two points."""
        x, y = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        return min(self.way, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)
