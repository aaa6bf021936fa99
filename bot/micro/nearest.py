"""From scripted orders back to decisions: the legal verb and target nearest to what each agent was told.

These are the lessons of imitation and the advice that an advised policy is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from sc2.ids.ability_id import AbilityId

from bot.micro import skills
from bot.micro.scene import NOBODY, Scene
from bot.micro.skills import BY_ABILITY, STEPS, STRIDE, VERB
from bot.micro.task import Tasks
from bot.orders import Attack, Cast, Hold, Move, Order, Stop

SAME_PLACE = 3.0  # cells: a move that ends so near home means home


def decisions(
    scene: Scene, tasks: Tasks, given: Sequence[Mapping[int, Sequence[Order]]], verbs: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(verb, target row) i8 [B, A]: the legal decisions nearest to the agents' scripted orders, NOTHING and NOBODY
    where none comes near; verb -1 for those without orders. `given` has the orders of each battle, by agent.

    `verbs` bool [B, A, V] and `targets` bool [B, A, T, N] are the masks. Of several orders the skill counts: what
    comes with it goes on by itself. A move becomes HOME where it ends near home, else the nearest free direction.
    """
    count, agents = verbs.shape[:2]
    verb, target = np.full(count * agents, -1, np.int64), np.full(count * agents, NOBODY, np.int64)
    shooters: list[int] = []  # as the movers: places in these
    shot: list[int] = []
    movers: list[int] = []
    points: list[tuple[float, float]] = []
    for b, orders_of in enumerate(given):
        tags = scene.tag[b].tolist()
        rows, first = dict(zip(tags, range(len(tags)), strict=True)), b * agents
        for agent, listed in orders_of.items():
            only = listed[0] if len(listed) == 1 else None  # what most have: an enemy to shoot at, or a way to go
            kind, aim = type(only), only and type(only.target)
            if kind is Attack and aim is int:
                shooters.append(first + agent)
                shot.append(rows.get(only.target, NOBODY))
            elif kind is Attack:
                verb[first + agent] = skills.ADVANCE if verbs[b, agent, skills.ADVANCE] else skills.NOTHING
            elif kind is Move and aim is tuple:
                movers.append(first + agent)
                points.append(only.target)
            else:
                decision = _verb_of(scene, tasks, (b, agent), listed, rows, verbs[b, agent], targets[b, agent])
                verb[first + agent], target[first + agent] = decision
    if shooters:
        row = np.array(shot, np.int64)
        legal = targets[:, :, skills.TARGET_ROW[skills.ATTACK]].reshape(-1, targets.shape[-1])[shooters, row]
        legal &= row != NOBODY
        verb[shooters] = np.where(legal, skills.ATTACK, skills.NOTHING)
        target[shooters] = np.where(legal, row, NOBODY)
    if movers:
        battle, agent = np.divmod(movers, agents)
        verb[movers] = _directions(scene, tasks, battle, agent, points, verbs[battle, agent])
    return verb.reshape(count, agents), target.reshape(count, agents)


def _verb_of(
    scene: Scene,
    tasks: Tasks,
    who: tuple[int, int],
    given: Sequence[Order],
    rows: Mapping[int, int],
    verbs: np.ndarray,
    targets: np.ndarray,
) -> tuple[int, int]:
    for order in given if len(given) < 2 else sorted(given, key=lambda one: not isinstance(one, Cast)):
        verb, row = _nearest_verb(scene, tasks, who, order, rows, verbs)
        if not verbs[verb]:
            continue
        masked = skills.TARGET_ROW[verb]
        if masked < 0:
            return verb, NOBODY
        if row != NOBODY and targets[masked, row]:
            return verb, row
    return skills.NOTHING, NOBODY


def _nearest_verb(
    scene: Scene, tasks: Tasks, who: tuple[int, int], order: Order, rows: Mapping[int, int], verbs: np.ndarray
) -> tuple[int, int]:
    b, agent = who
    if isinstance(order, Attack):
        unit = isinstance(order.target, int)
        return (skills.ATTACK, rows.get(order.target, NOBODY)) if unit else (skills.ADVANCE, NOBODY)
    if isinstance(order, Cast):
        skill = BY_ABILITY.get(order.cast)
        if skill is None:
            return skills.NOTHING, NOBODY
        verb = skill.verb
        if order.cast is AbilityId.EFFECT_TACTICALJUMP:
            near = _apart(order.target, tasks.home[b, agent]) <= SAME_PLACE
            verb = VERB["JUMP_HOME" if near else "JUMP_IN"]
        row = rows.get(order.target, NOBODY) if isinstance(order.target, int) else _row(scene, b, order.target)
        return verb, row
    if isinstance(order, Move) and isinstance(order.target, tuple):
        return int(_directions(scene, tasks, [b], [agent], [order.target], verbs[None])[0]), NOBODY
    return (skills.STOP if isinstance(order, Hold | Stop) else skills.NOTHING), NOBODY


def _directions(
    scene: Scene,
    tasks: Tasks,
    battles: Sequence[int],
    agents: Sequence[int],
    points: Sequence[tuple[float, float]],
    legal: np.ndarray,
) -> np.ndarray:
    """i8 [k]: HOME or the free MOVE nearest to each of these agents' way to its point, NOTHING where it is there or
    nothing is free. `legal` bool [k, V]: their verbs."""
    place = np.array(points, np.float32).reshape(-1, 2)
    homewards = place - tasks.home[battles, agents]
    off = place.copy()
    off[:, 0] -= scene.x[battles, agents]
    off[:, 1] -= scene.y[battles, agents]
    free = legal[:, skills.MOVE : skills.MOVE + skills.DIRECTIONS]
    along = np.where(free, off[:, :1] * STEPS[:, 0] + off[:, 1:] * STEPS[:, 1], -np.inf)
    moves = free.any(axis=1) & (np.hypot(off[:, 0], off[:, 1]) >= STRIDE / 4)
    result = np.where(moves, skills.MOVE + along.argmax(axis=1), skills.NOTHING)
    home = (np.hypot(homewards[:, 0], homewards[:, 1]) <= SAME_PLACE) & legal[:, skills.HOME]
    return np.where(home, skills.HOME, result)


def _row(scene: Scene, b: int, target: object) -> int:
    """The nearest enemy's row to a point, for skills that are thrown at one."""
    if not isinstance(target, tuple):
        return NOBODY
    a = scene.agents
    off = np.hypot(scene.x[b, a:] - target[0], scene.y[b, a:] - target[1])
    off = np.where(scene.present[b, a:], off, np.inf)
    return a + int(off.argmin()) if off.size and np.isfinite(off.min()) else NOBODY


def _apart(a: object, b: np.ndarray) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1])) if isinstance(a, tuple) else np.inf
