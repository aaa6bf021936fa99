"""From decisions (verb and target row) to commands and orders, and scripted orders as commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from sc2.ids.ability_id import AbilityId

from bot.micro import skills
from bot.micro.scene import NOBODY, Scene
from bot.micro.skills import AIMS, BY_ABILITY, SKILLS, STEPS, STRIDE
from bot.micro.task import Tasks
from bot.orders import Attack, Cast, Hold, Move, Order, Stop

BEHIND = 3.0  # a jump lands so far behind its target, seen from home
AHEAD = 7.0  # a zone without enemies lies so far ahead
AIM = np.array([AIMS.index(skill.aim) for skill in SKILLS] + [0], np.int8)
RANGE = skills.column("range", np.float32)
ABILITY = np.array([skill.ability.value for skill in SKILLS] + [0], np.int32)
INSTANT = skills.column("instant", bool)
PLAIN = {
    skills.STOP: AbilityId.HOLDPOSITION_HOLD,
    skills.ATTACK: AbilityId.ATTACK_ATTACK,
    skills.ADVANCE: AbilityId.ATTACK_ATTACK,
    skills.HOME: AbilityId.MOVE_MOVE,
} | {skills.MOVE + k: AbilityId.MOVE_MOVE for k in range(skills.DIRECTIONS)}
PLAIN_ABILITY = np.array([PLAIN[v].value if v in PLAIN else 0 for v in range(len(skills.VERBS))], np.int32)


class Commands(NamedTuple):
    """What m agents are told, arrays [m]; agents whose verb is NOTHING are not in it, one that follows the rules has as
    many rows as they give it orders."""

    battle: np.ndarray
    agent: np.ndarray
    verb: np.ndarray
    ability: np.ndarray
    """i4: exact ability ids."""
    target: np.ndarray
    """i8: rows of the target units, NOBODY where the command has a point or nothing."""
    x: np.ndarray
    """f4: the point, cells; 0 without one."""
    y: np.ndarray
    has_point: np.ndarray
    instant: np.ndarray
    """bool: leaves the unit's order alone."""


SILENCE = Commands(
    *(np.zeros(0, dtype) for dtype in ("i8", "i8", "i8", "i4", "i8", "f4", "f4", "?", "?")),
)
"""Nobody is told anything."""


def commands(scene: Scene, tasks: Tasks, verb: np.ndarray, target: np.ndarray) -> Commands:
    """The commands of legal decisions; verb i8 [B, A], target i8 [B, A] (entity row, -1 without). Whoever follows the
    rules has none here: see `advice.commands`."""
    battle, agent = np.nonzero((verb != skills.NOTHING) & (verb != skills.FOLLOW))
    if not agent.size:
        return SILENCE
    v, row = verb[battle, agent], target[battle, agent].astype(np.int64)
    skill = skills.book(scene.kinds)[scene.kind[battle, agent], v]
    plain = PLAIN_ABILITY[v]
    aim = np.where(plain > 0, -1, AIM[skill])
    at_unit = (v == skills.ATTACK) | (aim == AIMS.index("target"))
    own = np.stack((scene.x[battle, agent], scene.y[battle, agent]), axis=1)
    point = np.zeros_like(own)
    has = np.zeros(len(v), bool)

    def put(where: np.ndarray, places: Callable[[], np.ndarray]) -> None:
        if where.any():
            point[where] = places()[where]
            has[where] = True

    step = (v >= skills.MOVE) & (v < skills.MOVE + skills.DIRECTIONS)
    home, there = tasks.home[battle, agent], np.stack((scene.x[battle, row], scene.y[battle, row]), axis=1)
    put(step, lambda: own + STEPS[np.where(step, v - skills.MOVE, 0)] * np.float32(STRIDE))
    put(v == skills.ADVANCE, lambda: tasks.point[battle, agent])
    put((v == skills.HOME) | (aim == AIMS.index("home")), lambda: home)
    put(aim == AIMS.index("here"), lambda: own)
    put(aim == AIMS.index("point"), lambda: there)
    put(aim == AIMS.index("behind"), lambda: there + _unit(there - home) * np.float32(BEHIND))

    def ahead() -> np.ndarray:
        off = _nearest_ground(scene, battle, own, tasks.point[battle, agent]) - own
        apart = np.sqrt((off * off).sum(axis=1, keepdims=True))
        return own + _unit(off) * np.minimum(apart, RANGE[skill][:, None])

    put((aim == AIMS.index("zone")) | (aim == AIMS.index("ahead")), ahead)
    return Commands(
        battle=battle,
        agent=agent,
        verb=v,
        ability=np.where(plain > 0, plain, ABILITY[skill]),
        target=np.where(at_unit, row, NOBODY),
        x=point[:, 0],
        y=point[:, 1],
        has_point=has,
        instant=(plain == 0) & INSTANT[skill],
    )


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return vectors / np.maximum(length, np.float32(1e-3))


def _nearest_ground(scene: Scene, battle: np.ndarray, own: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """f4 [m, 2]: where the nearest enemy on the ground is (within 2 x AHEAD), else AHEAD cells on the way `ahead`."""
    a = scene.agents
    foes = scene.present[:, a:] & ~scene.flying[:, a:]
    dx = scene.x[battle, a:] - own[:, :1]
    dy = scene.y[battle, a:] - own[:, 1:]
    apart = np.where(foes[battle], np.sqrt(dx * dx + dy * dy), np.inf)
    straight = own + _unit(ahead - own) * np.float32(AHEAD)
    if not apart.shape[1]:
        return straight
    best = apart.argmin(axis=1)
    near = apart[np.arange(len(best)), best] <= 2 * AHEAD
    there = np.stack((scene.x[battle, a + best], scene.y[battle, a + best]), axis=1)
    return np.where(near[:, None], there, straight)


def orders(scene: Scene, given: Commands) -> list[Order]:
    """The client's orders for the commands of a scene with one battle."""
    tags = scene.tag[0].tolist()
    result: list[Order] = []
    for _, agent, verb, ability, target, x, y, has_point, instant in zip(
        *(column.tolist() for column in given), strict=True
    ):
        tag, aim = tags[agent], tags[target] if target >= 0 else (x, y) if has_point else None
        if verb == skills.STOP:
            result.append(Hold(tag))
        elif verb in (skills.ATTACK, skills.ADVANCE):
            result.append(Attack(tag, aim))
        elif verb in PLAIN:
            result.append(Move(tag, aim))
        else:
            result.append(Cast(tag, aim, cast=AbilityId(ability), instant=instant))
    return result


def of_orders(scene: Scene, given: Mapping[int, Mapping[int, Sequence[Order]]]) -> Commands:
    """Commands of scripted orders (by battle, then by agent's row), each as it is: the way of the twin into
    `Battles`."""
    found: list[tuple[int, int, int, int, int, float, float, bool, bool]] = []
    for b, orders_of in given.items():
        rows = {tag: row for row, tag in enumerate(scene.tag[b].tolist())}
        for agent, listed in orders_of.items():
            for order in listed:
                ability = _ability(order)
                target = rows.get(order.target, NOBODY) if isinstance(order.target, int) else NOBODY
                if isinstance(order.target, int) and target == NOBODY:
                    continue
                has_point = isinstance(order.target, tuple)
                x, y = order.target if has_point else (0.0, 0.0)
                verb = _plain_verb(order) if not isinstance(order, Cast) else BY_ABILITY[order.cast].verb
                instant = isinstance(order, Cast) and order.instant
                found.append((b, agent, verb, ability, target, x, y, has_point, instant))
    if not found:
        return SILENCE
    columns = zip(zip(*found, strict=True), SILENCE, strict=True)
    return Commands(*(np.array(column, like.dtype) for column, like in columns))


def join(parts: Sequence[Commands]) -> Commands:
    """Several commands as one."""
    return Commands(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _ability(order: Order) -> int:
    if isinstance(order, Cast):
        return order.cast.value
    return PLAIN[_plain_verb(order)].value


def _plain_verb(order: Order) -> int:
    if isinstance(order, Attack):
        return skills.ATTACK if isinstance(order.target, int) else skills.ADVANCE
    return skills.STOP if isinstance(order, Hold | Stop) else skills.HOME
