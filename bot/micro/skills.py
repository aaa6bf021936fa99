"""The action vocabulary: what units can be told, who has which skill, and the way to the client's orders and back.

A decision is a verb and, for the verbs of `TARGETED`, an entity row. Skills are rows of `config/skills.toml`; when they
are legal stands in `masks.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sc2.data import Attribute
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId

from bot.config import load
from bot.micro import scene, task
from bot.micro.scene import ATTACKING, CASTING, IDLE, MORPHING, MOVING, NEEDS, STANDING

if TYPE_CHECKING:
    from bot.micro.kinds import Kinds

DIRECTIONS = 8
VERBS: tuple[str, ...] = (
    "NOTHING",
    "STOP",
    "ATTACK",
    *(f"MOVE_{k}" for k in range(DIRECTIONS)),
    *("ADVANCE", "HOME"),
    *("STIM", "SIEGE", "UNSIEGE", "CLOAK", "UNCLOAK", "MEND", "SHOT", "BLAST", "NUKE"),
    *("JUMP_IN", "JUMP_HOME", "LOAD", "UNLOAD", "TURRET", "BOOST"),
    "FOLLOW",
)
"""The verbs in the order of the network's outputs; a model file stores this list and is refused when it differs."""
TARGETED: tuple[str, ...] = ("ATTACK", "MEND", "SHOT", "BLAST", "NUKE", "JUMP_IN", "LOAD")
"""Verbs that need an entity; the rows of target masks are in this order."""
VERB = {name: index for index, name in enumerate(VERBS)}
NOTHING, STOP, ATTACK, MOVE, ADVANCE, HOME, FOLLOW = (
    VERB[name] for name in ("NOTHING", "STOP", "ATTACK", "MOVE_0", "ADVANCE", "HOME", "FOLLOW")
)
"""FOLLOW does what the scripted twin advises, all its orders as they are; only a policy that is advised has it."""
TARGET_ROW = np.full(len(VERBS), -1, np.int8)
"""Row of each verb in the target masks, -1 for verbs without target."""
TARGET_ROW[[VERB[name] for name in TARGETED]] = np.arange(len(TARGETED))
STRIDE = 2.0
"""How far a MOVE verb aims (cells)."""
ANGLES = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
STEPS = np.stack((np.cos(ANGLES), np.sin(ANGLES)), axis=1).astype(np.float32)
"""f4 [8, 2]: the directions of MOVE_0..7, east first, counter-clockwise."""

AIMS = ("none", "target", "point", "zone", "behind", "home", "here", "ahead")
"""What a skill is aimed at: nothing, the target unit, its place, a place that follows from the situation."""


@dataclass(frozen=True, slots=True)
class Skill:
    """One row of skills.toml; see the comments there."""

    verb: int
    unit: UnitTypeId
    ability: AbilityId
    aim: str
    needs: int
    """Column of `NEEDS`, -1 without."""
    mission: int
    """Bit of `Task.allows`."""
    spare: int
    """Bit of `BUFFS`: targets that bear it already are left alone."""
    only: tuple[Attribute, ...]
    energy: float = 0.0
    cooldown: int = 0
    range: float = 0.0
    life: float = 0.0
    instant: bool = False
    ground: bool = False
    units_only: bool = False
    ground_only: bool = False
    drains: bool = False


def _skill(row: dict, unit: str) -> Skill:
    verb = VERB[row["verb"]]
    flags = ("instant", "ground", "units_only", "ground_only", "drains", "energy", "cooldown", "range", "life")
    return Skill(
        verb=verb,
        unit=UnitTypeId[unit],
        ability=AbilityId[row["ability"]],
        aim=row.get("aim", "target" if row["verb"] in TARGETED else "none"),
        needs=NEEDS.index(row["needs"]) if "needs" in row else -1,
        mission=getattr(task, row["mission"]) if "mission" in row else 0,
        spare=getattr(scene, row["spare"]) if "spare" in row else 0,
        only=tuple(Attribute[name.capitalize()] for name in row.get("only", ())),
        **{name: row[name] for name in flags if name in row},
    )


SKILLS: tuple[Skill, ...] = tuple(_skill(row, unit) for row in load("skills")["skill"] for unit in row["units"])
SKILL_VERBS: tuple[int, ...] = tuple(sorted({skill.verb for skill in SKILLS}))
BY_ABILITY = {skill.ability: skill for skill in reversed(SKILLS)}
COOLING: dict[AbilityId, tuple[int, tuple[int, ...]]] = {
    skill.ability: (skill.cooldown, tuple(other.verb for other in SKILLS if other.ability is skill.ability))
    for skill in SKILLS
    if skill.cooldown
}
"""Abilities with a cooldown: its loops, and the verbs it blocks."""


def column(name: str, dtype: type) -> np.ndarray:
    """One number of all skills, by the place in `SKILLS`; the last entry (for -1, no skill) is 0."""
    return np.array([getattr(skill, name) for skill in SKILLS] + [0], dtype)


def book(kinds: Kinds) -> np.ndarray:
    """i8 [K, V]: the skill (a place in `SKILLS`) by which a kind does a verb, -1 without one."""
    found = kinds.notes.get("skills")
    if found is None:
        found = np.full((len(kinds.speed), len(VERBS)), -1)
        types = [kinds.type_of(number) for number in range(len(kinds.speed))]
        for place, skill in enumerate(SKILLS):
            found[[kind is skill.unit for kind in types], skill.verb] = place
        kinds.notes["skills"] = found
    return found


def _order_classes() -> np.ndarray:
    """What an order of each ability id is about: u1 by id."""
    result = np.full(max(ability.value for ability in AbilityId) + 1000, CASTING, np.uint8)
    result[0] = IDLE
    modes = {VERB["SIEGE"], VERB["UNSIEGE"]}
    morphs = {skill.ability.value for skill in SKILLS if skill.verb in modes} | {2554, 2556}
    result[sorted(morphs)] = MORPHING
    words = {"MOVE": MOVING, "SCAN": MOVING, "PATROL": MOVING, "SMART": MOVING, "ATTACK": ATTACKING}
    words |= {"STOP": STANDING, "HOLDPOSITION": STANDING}
    for ability in AbilityId:  # some types have moves and attacks of their own
        if ability.name.partition("_")[0] in words:
            result[ability.value] = words[ability.name.partition("_")[0]]
    return result


ORDER_CLASS = _order_classes()
"""u1: `Scene.order` by ability id."""


class Casts:
    """When the skills with a cooldown may be used again, by tag: observations show no cooldown but the weapon's."""

    def __init__(self) -> None:
        self._ready: dict[int, dict[int, int]] = {}

    def note(self, tag: int, ability: AbilityId, loop: int) -> None:
        """The unit was told to use this ability."""
        cooling = COOLING.get(ability)
        if cooling:
            self._ready.setdefault(tag, {}).update(dict.fromkeys(cooling[1], loop + cooling[0]))

    def ready_at(self, tags: Sequence[int]) -> np.ndarray:
        """i4 [1, n, V]."""
        result = np.zeros((1, len(tags), len(VERBS)), np.int32)
        if self._ready:
            rows = dict(zip(tags, range(len(tags)), strict=True))
            for tag in self._ready.keys() & rows.keys():
                for verb, loop in self._ready[tag].items():
                    result[0, rows[tag], verb] = loop
        return result

    def forget(self, loop: int) -> None:
        """Keeps only what is still to come: also of passengers, whom no observation lists."""
        self._ready = {tag: ready for tag, ready in self._ready.items() if max(ready.values(), default=0) > loop}
