"""Moments of a game as strategy knows them: our Marines, and enemies that were seen."""

from __future__ import annotations

from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.knowledge.facts import Facts
from bot.knowledge.model import Knowledge, Sighting
from tests.bot.own import ENEMY_START, START, make_knowledge, structure, unit
from tests.bot.skirmish import game_data

T = UnitTypeId
FACTS = Facts(game_data())


def loops(seconds: float) -> int:
    """Game loops of a time."""
    return int(seconds * 22.4)


def marines(count: int) -> list[Unit]:
    """So many Marines of ours at one place."""
    return [unit(T.MARINE, 40, 40, 100 + i) for i in range(count)]


def seen(kind: UnitTypeId, count: int, loop: int = 0, progress: float = 1.0, at: Point2 = ENEMY_START) -> dict:
    """Enemies that were seen at a loop, as memory keeps them: tag -> sighting."""
    built = kind in (T.SPAWNINGPOOL, T.HATCHERY)
    finished = loop + (1.0 - progress) * FACTS[kind].build_loops
    sightings = [Sighting(900 + i, kind, at, loop, 35, built, False, finished) for i in range(count)]
    return {sighting.tag: sighting for sighting in sightings}


def moment(count: int, enemies: dict | None = None, seconds: float = 400, **fields: object) -> Knowledge:
    """What we know with so many Marines and one town hall."""
    units = [structure(T.COMMANDCENTER, *START, 1), *marines(count)]
    return make_knowledge(units, memory=enemies, loop=loops(seconds), **fields)
