"""From decisions (verb and target row) to commands and orders, and from orders back to the nearest decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from sc2.ids.ability_id import AbilityId

from bot.micro import skills
from bot.micro.scene import NOBODY, Scene
from bot.micro.skills import AIMS, BY_ABILITY, SKILLS, STEPS, STRIDE, VERB
from bot.micro.task import Tasks
from bot.orders import Attack, Cast, Hold, Move, Order, Stop

BEHIND = 3.0  # a jump lands so far behind its target, seen from home
AHEAD = 7.0  # a zone without enemies lies so far ahead
SAME_PLACE = 3.0  # a move that ends so near home means home
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
    for name, reach in (("zone", AHEAD), ("ahead", AHEAD)):
        where = aim == AIMS.index(name)
        if where.any():
            goal = _nearest_ground(scene, battle, agent, own, tasks.point[battle, agent], reach)
            off = goal - own
            apart = np.sqrt((off * off).sum(axis=1, keepdims=True))
            ahead = own + _unit(off) * np.minimum(apart, RANGE[skill][:, None])
            put(where, lambda ahead=ahead: ahead)
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


def _nearest_ground(
    scene: Scene, battle: np.ndarray, agent: np.ndarray, own: np.ndarray, ahead: np.ndarray, reach: float
) -> np.ndarray:
    """f4 [m, 2]: where the nearest enemy on the ground is (within 2 x `reach`), else `reach` cells ahead."""
    a = scene.agents
    foes = scene.present[:, a:] & ~scene.flying[:, a:]
    dx = scene.x[battle, a:] - own[:, :1]
    dy = scene.y[battle, a:] - own[:, 1:]
    apart = np.where(foes[battle], np.sqrt(dx * dx + dy * dy), np.inf)
    straight = own + _unit(ahead - own) * np.float32(reach)
    if not apart.shape[1]:
        return straight
    best = apart.argmin(axis=1)
    near = apart[np.arange(len(best)), best] <= 2 * reach
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


def verbs_of(
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
