"""ResponseGameInfo of one seat: the map as this player knows it, serialised again only when that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import common_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.engine.state import FLYING, STRUCTURE
from sim.maps import footprint_cells, placement_cells
from sim.maps.footprints import UNBUILDABLE_TYPES
from sim.server import crop

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.melee.sight import Sight
    from sim.server.match import Match
    from sim.server.seat import Seat

UNTIL_SEEN = UNBUILDABLE_TYPES | {149}  # no rocks: plates and watchtowers
MODS = ("Mods/Core.SC2Mod", "Mods/Liberty.SC2Mod", "Mods/Swarm.SC2Mod", "Mods/Void.SC2Mod")


class MapView:
    """What one player knows of the ground: rocks on slopes from the start, all else that stands there once seen."""

    def __init__(self, game: Game, viewer: int, sight: Sight) -> None:
        self.game, self.viewer, self.sight = game, viewer, sight
        self._resources = np.array(sorted(game.facts.minerals | game.facts.geysers))
        self._home = self._own_start()
        self._key: tuple[bytes, int] | None = None
        self._pathing = self._placement = b""
        self._message: tuple[tuple[bytes, int], bytes] | None = None

    def serialised(self, seat: Seat) -> bytes:
        """The whole serialised ResponseGameInfo for this seat."""
        key = self._refresh()
        if self._message is None or self._message[0] != key:
            self._message = key, self._build(seat).SerializeToString()
        return self._message[1]

    def grids(self) -> tuple[np.ndarray, np.ndarray]:
        """(walkable, buildable) as the player knows them now; uint8 [h, w]. Read only."""
        self._refresh()
        return self._walk, self._place

    def _own_start(self) -> tuple[float, float]:
        """The start location nearest to the player's first structure."""
        units = self.game.units[: int(self.game.world[0]["slots"])]
        own = units[(units["alive"] == 1) & (units["owner"] == self.viewer) & (units["flags"] & STRUCTURE != 0)]
        starts = self.game.terrain.starts
        if not len(own):
            return starts[0]
        x, y = float(own[0]["x"]), float(own[0]["y"])
        return min(starts, key=lambda start: (start[0] - x) ** 2 + (start[1] - y) ** 2)

    def _refresh(self) -> tuple[bytes, int]:
        """Redraws the grids if what blocks them changed; -> a key that names their present state."""
        visible = self.sight.visible_slots()
        units = self.game.units
        flags = units["flags"][visible]
        solid = visible[(flags & STRUCTURE != 0) & (flags & FLYING == 0)]
        copies = self.sight.snapshots()
        key = (solid.tobytes() + units["type"][solid].tobytes(), int(copies["tag"].sum()))
        if key != self._key:
            self._key = key
            self._draw(solid, copies)
        return key

    def _draw(self, solid: np.ndarray, copies: np.ndarray) -> None:
        units, terrain = self.game.units, self.game.terrain
        walk, place = terrain.walkable.copy(), terrain.buildable.copy()
        things = [(units[slot], True) for slot in solid]
        things += [(copy, bool(copy["seen"])) for copy in copies]
        for thing, seen in things:
            type_id, x, y = int(thing["type"]), float(thing["x"]), float(thing["y"])
            rock = int(thing["owner"]) == 0 and type_id not in self._resources
            if not seen and (not rock or type_id in UNTIL_SEEN):
                continue
            where = None if seen else terrain.showing
            if rock:
                _close(place, placement_cells(type_id, x, y), where)
            _close(walk, footprint_cells(type_id, x, y), where)
        self._walk, self._place = walk, place
        self._pathing, self._placement = (np.packbits(grid).tobytes() for grid in (walk, place))

    def _build(self, seat: Seat) -> sc.ResponseGameInfo:
        terrain = self.game.terrain
        info = sc.ResponseGameInfo(
            map_name=terrain.title, mod_names=MODS, local_map_path=seat.match.settings.map_path, options=seat.options
        )
        add_players(info, seat.match, seat.player)
        if seat.options.raw:
            self._add_ground(info, seat)
        return info

    def _add_ground(self, info: sc.ResponseGameInfo, seat: Seat) -> None:
        terrain, start = self.game.terrain, info.start_raw
        start.map_size.x, start.map_size.y = terrain.width, terrain.height
        for image, bits, data in (
            (start.pathing_grid, 1, self._pathing),
            (start.placement_grid, 1, self._placement),
            (start.terrain_height, 8, terrain.levels.tobytes()),
        ):
            image.bits_per_pixel, image.data = bits, data
            image.size.x, image.size.y = terrain.width, terrain.height
        x0, y0, x1, y1 = terrain.playable
        start.playable_area.p0.x, start.playable_area.p0.y = x0, y0
        start.playable_area.p1.x, start.playable_area.p1.y = x1, y1
        for x, y in terrain.starts:
            if (x, y) != self._home:
                start.start_locations.append(common_pb2.Point2D(x=x, y=y))
        if seat.offset != (0, 0):
            crop.game_info(seat, info)


def _close(grid: np.ndarray, cells: list[tuple[int, int]], where: np.ndarray | None) -> None:
    """Closes those of the cells that lie on the grid, and only `where` it says so (None: everywhere)."""
    height, width = grid.shape
    for x, y in cells:
        if 0 <= x < width and 0 <= y < height and (where is None or where[y, x]):
            grid[y, x] = 0


def add_players(info: sc.ResponseGameInfo, match: Match, viewer: int) -> None:
    """Adds the players as `viewer` may know them: the race in play of nobody but itself; observers (0) know all."""
    for number, player in enumerate(match.settings.players, 1):
        entry = info.player_info.add(
            player_id=number,
            type=sc.Computer if player.computer else sc.Participant,
            race_requested=match.requested[number] or common_pb2.Terran,
        )
        if viewer in (0, number):
            entry.race_actual = match.races[number]
        if player.computer:
            entry.difficulty = player.difficulty
            if player.build != sc.RandomBuild:  # twelve recorded games do not name it
                entry.ai_build = player.build
        elif match.names[number]:
            entry.player_name = match.names[number]
