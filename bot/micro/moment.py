"""What all units' rules share in one step: computed once over arrays, then read unit by unit.

First the group decides (who shoots at whom, who may stim, where to step), then each unit's rule spends it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro import dodge, fire, heal, spells, split, steer, stim
from bot.micro.battlefield import Battlefield, Ground
from bot.micro.fire import NONE
from bot.micro.kinds import Kinds
from bot.micro.masks import ALLIED_CLOAK
from bot.micro.skills import TARGET_ROW
from bot.micro.task import Mode, Point, Task


@dataclass(slots=True)
class Memory:
    """What rules remember of a unit between steps, by tag. Dead units are forgotten by `forget`."""

    contact: dict[int, int] = field(default_factory=dict)
    """Loop of the last step in which a sieged tank had a reason to stay sieged."""
    going_home: set[int] = field(default_factory=set)
    """Units on their way to be repaired, until they are."""
    landing: dict[int, Point] = field(default_factory=dict)
    """Where a transport sets down everybody, from the decision until it is empty."""

    def forget(self, alive: Container[int]) -> None:
        """Keeps only what belongs to these tags."""
        for of_units in (self.contact, self.landing):
            for tag in [tag for tag in of_units if tag not in alive]:
                del of_units[tag]
        self.going_home = {tag for tag in self.going_home if tag in alive}


@dataclass(frozen=True, slots=True)
class Moment:
    """One step's shared view, one entry per own unit of the battlefield.

    What rules read unit by unit are lists: reading one element of an array costs several times as much.
    """

    config: Mapping[str, Any]
    field: Battlefield
    tasks: list[Task | None]
    types: list[UnitTypeId]
    memory: Memory
    ready: list[bool]
    """The weapon can fire before the next step, or its shot has begun and a move would call it off."""
    target: list[int]
    """The enemy to shoot at, in range; NONE without one."""
    nearest: list[int]
    """The nearest enemy worth walking to that the unit can hit; NONE without one."""
    threat: list[float]
    """Damage a second that enemies deal to the unit where it stands, or are about to."""
    outrun: list[bool]
    """Stepping back from those who threaten it helps."""
    caught: list[bool]
    """Those who threaten it are faster than it is."""
    hurt: list[bool]
    """A unit worth saving, low on life and under fire."""
    back: np.ndarray
    """float [., 2]: where a step back leads."""
    spread: np.ndarray
    """float [., 2]: where a step away from banelings leads."""
    spreads: list[bool]
    """Banelings threaten the unit."""
    escape: np.ndarray
    """float [., 2]: the way out of an effect that hurts."""
    escapes: list[bool]
    """The unit stands in such an effect."""
    stim: list[bool]
    """The unit should use Stim now."""
    patient: list[int]
    """The own row a Medivac heals; NOBODY for others."""

    backs: list[bool]
    """`back` leads somewhere: somebody threatens the unit."""
    detected: list[bool]
    """An enemy detector covers the unit's place."""
    led: bool
    """Fighters on the ground are with us: who flies beside them follows, who has none goes by itself."""
    dug_in: bool
    """Sieged tanks stand on our side."""
    order: list[int]
    """IDLE, MOVING ... (battlefield.py): what the unit's present order is about."""
    spells: dict[int, tuple[int, int]]
    """(verb, enemy) for units that should use an aimed skill now."""
    verbs: np.ndarray
    """bool [n, V]: legal verbs, see `masks.legal`."""
    targets: np.ndarray
    """bool [A, T, N]: legal targets of the verbs that need one, by rows of the scene."""
    known: dict[Any, Any] = field(default_factory=dict)
    """What `once` has made."""

    def once(self, key: Any, make: Callable[[Moment, Any], Any]) -> Any:
        """What `make(self, key)` gives, made when a rule first asks for it: for all units at once."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = make(self, key)
        return found

    @property
    def loop(self) -> int:
        """The game loop."""
        return int(self.field.scene.loop[self.field.b])

    @property
    def ground(self) -> Ground:
        """The map."""
        return self.field.ground

    def tag(self, i: int) -> int:
        """Tag of an own row."""
        return self.field.own.tags[i]

    def may(self, i: int, verb: int) -> bool:
        """Whether a verb is legal for an own row."""
        return bool(self.verbs[i, verb])

    def victims(self, i: int, verb: int) -> np.ndarray:
        """bool [m]: enemies at which an own row may aim this verb."""
        return self.targets[self.field.own.rows[i], TARGET_ROW[verb]][self.field.foe.rows]

    def helped(self, i: int, verb: int) -> np.ndarray:
        """bool [n]: own units at which an own row may aim this verb."""
        return self.targets[self.field.own.rows[i], TARGET_ROW[verb]][self.field.own.rows]

    def foe_tag(self, j: int) -> int:
        """Tag of an enemy row."""
        return self.field.foe.tags[j]


def look(
    battlefield: Battlefield,
    of: Sequence[Task | None],
    verbs: np.ndarray,
    targets: np.ndarray,
    config: Mapping[str, Any],
    memory: Memory,
) -> Moment:
    """Everything the rules of this step share. `of` [n] holds the own units' tasks, who has none takes no part.

    `verbs` bool [A, V] and `targets` bool [A, T, N] are this battle's masks.
    """
    own, foe, kinds = battlefield.own, battlefield.foe, battlefield.kinds
    scene, b = battlefield.scene, battlefield.b
    kite = config["kite"]
    ready = own.cooldown <= scene.step / 2 + config["fire"]["late"]
    active = np.array([task is not None for task in of], bool)
    floors = kinds.noted("floors", config["retreat"]["hurt"], _floors)
    value = kinds.noted("worth", config["fire"], fire.worth)[foe.kind]
    present = foe_rows(battlefield, scene.aim[b, own.rows])
    target = fire.assign(battlefield, active, present, value, config["fire"])
    winding = fire.winding(battlefield, present, config["damage_point"])
    target = np.where(winding, present, target)
    ready |= winding
    hits_us = battlefield.foe_reach >= 0
    margin = battlefield.gap - battlefield.foe_reach
    near = hits_us & (margin <= kite["near"])
    shorter = kinds.range[own.kind][:, None] >= battlefield.foe_reach + kite["margin"]
    foe_speed = kinds.speed[foe.kind][None, :] if len(foe) else np.zeros((1, 0), np.float32)
    slow = battlefield.speed[:, None] >= foe_speed * kite["speed_share"]
    threat = (battlefield.foe_dps * near).sum(axis=1)
    home = _home(own.xy, of, kite["home"])
    walkable = battlefield.ground.walkable
    outrun = (near & shorter & slow).any(axis=1) & ~(near & ~shorter).any(axis=1)
    locking = kinds.of_type(UnitTypeId.CYCLONE)[own.kind] & near.any(axis=1)
    spread = split.away(battlefield, config["split"], walkable, kite["step"])
    escape = dodge.escapes(battlefield, config["dodge"])
    detected = _detected(battlefield)
    calm = ~(hits_us & (margin <= config["spells"]["margin"])).any(axis=1)
    calm |= (own.cloak == ALLIED_CLOAK) & ~detected
    led = bool((active & kinds.armed[own.kind] & ~own.flying & ~kinds.worker[own.kind]).any())
    mine = verbs[own.rows]
    return Moment(
        config=config,
        field=battlefield,
        tasks=list(of),
        types=[kinds.type_of(kind) for kind in own.kind.tolist()],
        memory=memory,
        ready=ready.tolist(),
        target=target.tolist(),
        nearest=_nearest(battlefield, of, kite["chase"], led).tolist(),
        led=led,
        dug_in=bool(kinds.of_type(UnitTypeId.SIEGETANKSIEGED)[own.kind].any()),
        threat=threat.tolist(),
        outrun=outrun.tolist(),
        caught=(near & (foe_speed > battlefield.speed[:, None])).any(axis=1).tolist(),
        hurt=((threat > 0) & (own.hp < floors[own.kind] * own.hp_max)).tolist(),
        back=_back(battlefield, near, np.flatnonzero(outrun | locking), home, kite["step"], walkable),
        backs=(outrun | locking).tolist(),
        spread=spread,
        spreads=(~np.isnan(spread[:, 0])).tolist(),
        escape=escape,
        escapes=(~np.isnan(escape[:, 0])).tolist(),
        stim=stim.choose(battlefield, active, target, config["stim"]).tolist(),
        patient=heal.assign(battlefield, active, config["medivac"]).tolist(),
        detected=detected.tolist(),
        order=scene.order[b, own.rows].tolist(),
        spells=spells.assign(battlefield, mine, targets, calm, config["spells"]),
        verbs=mine,
        targets=targets,
    )


def _floors(kinds: Kinds, shares: Mapping[str, float]) -> np.ndarray:
    """float [K]: the share of life below which a kind saves itself."""
    return np.array([shares.get(kinds.type_of(number).name, 0.0) for number in range(len(kinds.speed))], np.float32)


def _detected(field: Battlefield) -> np.ndarray:
    """bool [n]: whether an enemy detector covers each own unit's place."""
    own, eyes = field.own, np.flatnonzero(field.foe.detect > 0)
    if not eyes.size:
        return np.zeros(len(own), bool)
    apart = np.hypot(*(own.xy[:, None, :] - field.foe.xy[None, eyes, :]).transpose(2, 0, 1))
    return (apart <= field.foe.detect[eyes][None, :] + own.radius[:, None]).any(axis=1)


def foe_rows(field: Battlefield, rows: np.ndarray) -> np.ndarray:
    """int [n]: places in `field.foe` of these rows of the scene, NONE for own units and for nobody."""
    place = np.full(field.scene.tag.shape[1] + 1, NONE, np.int64)
    place[field.foe.rows] = np.arange(len(field.foe))
    return place[rows]


def _home(points: np.ndarray, tasks: list[Task | None], weight: float) -> np.ndarray:
    """Weighted unit vectors [n, 2] towards each unit's home."""
    homes = np.array([task.home if task else (0.0, 0.0) for task in tasks], np.float32).reshape(-1, 2)
    return steer.unit(homes - points) * weight


def _back(
    field: Battlefield, near: np.ndarray, rows: np.ndarray, home: np.ndarray, step: float, walkable: np.ndarray
) -> np.ndarray:
    """Where a step back of these rows leads, [n, 2]; the others stay. Closer enemies push harder."""
    own = field.own
    result = own.xy.copy()
    if rows.size:
        weights = near[rows] / (field.gap[rows] + 0.5)
        wanted = steer.unit(steer.directions(own.xy[rows], field.foe.xy, weights) + home[rows])
        result[rows] = steer.free_points(own.xy[rows], wanted, step, walkable, own.flying[rows])
    return result


def _nearest(field: Battlefield, tasks: list[Task | None], chase: float, led: bool) -> np.ndarray:
    """int [n]: the nearest armed enemy within range and `chase` that the unit can hit; far chases only in an attack.

    Raiders (of special missions, or without an army on the ground) take workers and the like where nobody is armed.
    """
    if not len(field.foe):
        return np.full(len(field.own), NONE, np.int64)
    kinds, foe = field.kinds, field.foe
    fighting = np.array([task is not None and task.mode is not Mode.RETREAT for task in tasks], bool)
    raiding = np.array([task is not None and (task.allows != 0 or not led) for task in tasks], bool)
    armed = kinds.armed[foe.kind] & ~kinds.worker[foe.kind]
    near = (field.reach >= 0) & fighting[:, None] & (field.gap <= field.reach + chase)
    best = np.full(len(field.own), NONE, np.int64)
    prey = [near & armed[None, :]]
    if raiding.any():
        prey.append(near & raiding[:, None] & ~kinds.structure[foe.kind][None, :])
    for allowed in prey:
        distance = np.where(allowed, field.gap, np.inf)
        first = distance.argmin(axis=1)
        found = (best == NONE) & np.isfinite(distance[np.arange(len(first)), first])
        best = np.where(found, first, best)
    return best
