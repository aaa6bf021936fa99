"""Our side for tests: real client units made from messages, on flat ground, without a game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from s2clientprotocol import raw_pb2
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.knowledge.facts import Facts
from bot.knowledge.model import Base, Enemy, Knowledge, Own
from bot.knowledge.paths import Paths, grid_graph
from bot.knowledge.terrain import Site, Terrain
from tests.bot.skirmish import game_data

START = Point2((30.5, 30.5))
ENEMY_START = Point2((97.5, 97.5))
SIZE = 128
CENTRE = UnitTypeId.COMMANDCENTER


def fake_bot(**fields: Any) -> SimpleNamespace:
    """What the stages read of burnysc2's BotAI."""
    defaults = {
        "game_data": game_data(),
        "all_units": [],
        "techlab_tags": set(),
        "reactor_tags": set(),
        "mineral_field": [],
        "state": SimpleNamespace(action_errors=[], game_loop=0),
        "race": SimpleNamespace(value=1),
    }
    return SimpleNamespace(**(defaults | fields))


def unit(kind: UnitTypeId, x: float, y: float, tag: int, bot: Any = None, **fields: Any) -> Unit:
    """One of our units. `orders` are (ability id, target) pairs; a target is a tag, a point or None."""
    orders = []
    for ability, target in fields.pop("orders", ()):
        order = raw_pb2.UnitOrder(ability_id=ability)
        if isinstance(target, int):
            order.target_unit_tag = target
        elif target is not None:
            order.target_world_space_pos.x, order.target_world_space_pos.y = target
        orders.append(order)
    values = {"health": 45.0, "health_max": 45.0, "build_progress": 1.0, "display_type": 1, "alliance": 1, "owner": 1}
    proto = raw_pb2.Unit(unit_type=kind.value, tag=tag, orders=orders, **(values | fields))
    proto.pos.x, proto.pos.y = x, y
    return Unit(proto, bot if bot is not None else fake_bot(), base_build=94137)


def ring(centre: Point2) -> tuple[tuple[Point2, ...], tuple[Point2, ...]]:
    """Eight mineral fields and two geysers to the left of and below a town hall, as real bases have them."""
    offsets = ((-6.5, 0), (-6.5, 2), (-7.5, 1), (-6.5, -2), (-5.5, -5), (-2.5, -6), (0.5, -6), (-0.5, -7))
    fields = tuple(Point2((centre.x + dx, centre.y + dy)) for dx, dy in offsets)
    geysers = (Point2((centre.x - 4, centre.y + 7)), Point2((centre.x + 7, centre.y - 3)))
    return fields, geysers


def flat_terrain(walkable: np.ndarray | None = None, buildable: np.ndarray | None = None) -> Terrain:
    """Flat open ground of 128x128 cells with our main, a natural and the enemy's start."""
    shape = (SIZE, SIZE)
    if walkable is None:
        walkable = np.zeros(shape, dtype=bool)
        walkable[4:-4, 4:-4] = True
    graph = grid_graph(walkable)
    own, enemy = Paths(graph, shape, START), Paths(graph, shape, ENEMY_START)
    sites = []
    for place in (START, Point2((62.5, 34.5)), ENEMY_START):
        minerals, geysers = ring(place)
        sites.append(Site(place, minerals, geysers, own.to(place), enemy.to(place)))
    return Terrain(
        shape=shape,
        playable=(4, 4, SIZE - 4, SIZE - 4),
        walkable=walkable,
        buildable=walkable if buildable is None else buildable,
        height=np.zeros(shape, dtype=np.float32),
        start=START,
        enemy_starts=(ENEMY_START,),
        sites=tuple(sites),
        from_start=own,
        from_enemy=enemy,
        from_natural=Paths(graph, shape, sites[1].position),
        ramp_top=None,
    )


def resources(site: Site, bot: Any) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """A site's fields and geysers as units; their tags follow from their place."""

    def make(kind: UnitTypeId, point: Point2, **contents: int) -> Unit:
        return unit(kind, point.x, point.y, int(point.x * 10_000 + point.y * 10), bot, alliance=3, owner=16, **contents)

    fields = tuple(make(UnitTypeId.MINERALFIELD, p, mineral_contents=1800) for p in site.minerals)
    geysers = tuple(make(UnitTypeId.VESPENEGEYSER, p, vespene_contents=2250) for p in site.geysers)
    return fields, geysers


def make_knowledge(
    units: list[Unit],
    *,
    enemies: list[Unit] | None = None,
    memory: dict | None = None,
    bot: Any = None,
    terrain: Terrain | None = None,
    **fields: Any,
) -> Knowledge:
    """Knowledge of a moment with these units of ours and visible enemies; more fields replace the defaults."""
    bot = bot if bot is not None else fake_bot()
    terrain = terrain if terrain is not None else flat_terrain()
    by_type: dict[UnitTypeId, list[Unit]] = {}
    for one in units:
        by_type.setdefault(one.type_id, []).append(one)
    structures = [one for one in units if one.is_structure]
    halls = [one for one in structures if one.type_id in (CENTRE, UnitTypeId.ORBITALCOMMAND)]
    own = Own(
        by_tag={one.tag: one for one in units},
        by_type=by_type,
        workers=by_type.get(UnitTypeId.SCV, []),
        army=[one for one in units if not one.is_structure and one.type_id is not UnitTypeId.SCV],
        structures=structures,
        townhalls=halls,
    )
    bases = []
    for hall in halls:
        site = terrain.site_at(hall.position)
        if site is not None:
            minerals, geysers = resources(site, bot)
            refineries = tuple(r for r in by_type.get(UnitTypeId.REFINERY, ()) if r.position in site.geysers)
            bases.append(Base(site, hall, minerals, geysers, refineries))
    facts = Facts(bot.game_data)
    memory = memory or {}
    counts: dict[UnitTypeId, int] = {}
    for sighting in memory.values():
        counts[sighting.type_id] = counts.get(sighting.type_id, 0) + 1
    value = sum(facts[t].cost.value * n for t, n in counts.items() if facts[t].is_fighter)
    enemy = Enemy(
        units=enemies or [],
        structures=[],
        memory=memory,
        army_value=float(value),
        counts=counts,
        has_air=False,
        has_cloak=False,
        start=ENEMY_START,
        bases=(),
    )
    values = {
        "bot": bot,
        "loop": 0,
        "step": 4,
        "minerals": 50,
        "gas": 0,
        "supply_used": 12,
        "supply_cap": 15,
        "own": own,
        "enemy": enemy,
        "threats": (),
        "bases": tuple(bases),
        "upgrades": frozenset(),
        "facts": facts,
        "terrain": terrain,
        "visibility": np.zeros(terrain.shape, dtype=np.uint8),
        "creep": np.zeros(terrain.shape, dtype=np.uint8),
    }
    return Knowledge(**(values | fields))


def structure(kind: UnitTypeId, x: float, y: float, tag: int, bot: Any = None, **fields: Any) -> Unit:
    """One of our structures, whole and finished unless told otherwise."""
    return unit(kind, x, y, tag, bot, **({"health": 1000.0, "health_max": 1000.0} | fields))
