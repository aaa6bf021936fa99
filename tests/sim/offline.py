"""Shows a map to an unmodified burnysc2 bot without a game, as the first messages of a server would."""

from __future__ import annotations

import numpy as np
from s2clientprotocol import sc2api_pb2 as sc
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.game_data import GameData
from sc2.game_info import GameInfo
from sc2.game_state import GameState

from sim import maps
from sim.maps import footprints

STRUCTURE = 8  # data_pb2.Attribute
NAMES = {18: "CommandCenter", 45: "SCV", 341: "MineralField", 483: "MineralField750", 342: "VespeneGeyser"}


def game_info(terrain: maps.Terrain, player: int = 0) -> sc.ResponseGameInfo:
    """game_info of loop 0 for one player of the map."""
    info = sc.ResponseGameInfo(map_name=terrain.title)
    walk, build = terrain.walkable.copy(), terrain.buildable.copy()
    for thing in terrain.neutrals:
        for x, y in maps.footprint_cells(thing.type_id, thing.x, thing.y):
            walk[y, x] = 0
            if thing.type_id in footprints.ROCK_TYPES:
                build[y, x] = 0
    raw = info.start_raw
    raw.map_size.x, raw.map_size.y = terrain.width, terrain.height
    for image, grid in ((raw.pathing_grid, np.packbits(walk)), (raw.placement_grid, np.packbits(build))):
        image.size.x, image.size.y, image.bits_per_pixel = terrain.width, terrain.height, 1
        image.data = grid.tobytes()
    image = raw.terrain_height
    image.size.x, image.size.y, image.bits_per_pixel = terrain.width, terrain.height, 8
    image.data = terrain.levels.tobytes()
    area = raw.playable_area
    area.p0.x, area.p0.y, area.p1.x, area.p1.y = terrain.playable
    for number, (x, y) in enumerate(terrain.starts):
        if number != player:
            raw.start_locations.add(x=x, y=y)
    for number in (1, 2):
        info.player_info.add(player_id=number, type=sc.Participant, race_requested=1, race_actual=1)
    return info


def observation(terrain: maps.Terrain, player: int = 0) -> sc.ResponseObservation:
    """The first observation: a town hall and everything neutral."""
    answer = sc.ResponseObservation()
    seen = answer.observation
    seen.player_common.player_id = player + 1
    raw = seen.raw_data
    hall = raw.units.add(unit_type=18, alliance=1, owner=player + 1, tag=1, display_type=1, build_progress=1)
    hall.pos.x, hall.pos.y = terrain.starts[player]
    for tag, thing in enumerate(terrain.neutrals, 2):
        unit = raw.units.add(unit_type=thing.type_id, alliance=3, owner=16, tag=tag, display_type=2)
        unit.pos.x, unit.pos.y = thing.x, thing.y
    for image, bits in ((raw.map_state.visibility, 8), (raw.map_state.creep, 1)):
        image.size.x, image.size.y, image.bits_per_pixel = terrain.width, terrain.height, bits
        image.data = bytes(terrain.width * terrain.height * bits // 8)
    return answer


def game_data(terrain: maps.Terrain) -> GameData:
    """Just enough data to name the units on the map."""
    data = sc.ResponseData()
    for type_id in sorted({*NAMES, *(thing.type_id for thing in terrain.neutrals)}):
        kind = data.units.add(unit_id=type_id, name=NAMES.get(type_id, f"Thing{type_id}"), available=True)
        kind.attributes.append(STRUCTURE)
    data.abilities.add(ability_id=1, link_name="none", available=True)
    return GameData(data)


def bot_on(terrain: maps.Terrain, player: int = 0) -> BotAI:
    """A bot that has seen the first observation of the map, with its ramps and expansions worked out."""
    bot, info = BotAI(), game_info(terrain, player)
    bot._initialize_variables()
    bot._prepare_start(None, player + 1, GameInfo(info), game_data(terrain), realtime=False, base_build=75689)
    bot.race = Race.Terran
    bot._prepare_step(GameState(observation(terrain, player)), sc.Response(game_info=info))
    bot._prepare_first_step()
    return bot
