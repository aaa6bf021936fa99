"""A raid of everybody in a skirmish, for tests of what raids do in one step."""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.army.raids.raid import Moment, Phase, Raid
from bot.config import load
from bot.knowledge.model import Knowledge
from bot.strategy.plan import Plan, Stance
from tests.bot.own import START
from tests.bot.skirmish import Skirmish

ARMY = load("army")
CONFIG = ARMY["raids"]
PLAN = Plan(stance=Stance.DEFEND, rally=START, target=None)


def moment(knowledge: Knowledge, field: Any = None) -> Moment:
    rows = {} if field is None else {tag: row for row, tag in enumerate(field.own.tags)}
    return Moment(knowledge, PLAN, field, CONFIG, rows)


def raid_of(fight: Skirmish) -> tuple[Raid, Moment, np.ndarray]:
    """A raid of everybody, its moment and their rows."""
    field = fight.field()
    raid = Raid("infiltrate", set(field.own.tags), (50.0, 90.0), (50.0, 80.0), (50.0, 5.0), 0, Phase.STRIKE)
    return raid, moment(fight.knowledge(), field), np.arange(len(field.own))
