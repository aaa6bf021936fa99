"""What all units' rules share in one step: computed once over arrays, then read unit by unit.

First the group decides (who shoots at whom, who may stim, where to step), then each unit's rule spends it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro import dodge, fire, heal, spells, split, steer, stim
from bot.micro.battlefield import Battlefield, Ground
from bot.micro.fire import NONE
from bot.micro.kinds import Kinds
from bot.micro.skills import TARGET_ROW
from bot.micro.task import MODES, NO_TASK, Mode, Point, Task, Tasks

RETREAT = MODES.index(Mode.RETREAT)


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
    places: list[list[float]]
    """[x, y] of the unit."""
    back: list[list[float]]
    """[x, y]: where a step back leads."""
    spread: list[list[float]]
    """[x, y]: where a step away from banelings leads."""
    spreads: list[bool]
    """Banelings threaten the unit."""
    escape: list[list[float]]
    """[x, y]: the way out of an effect that hurts."""
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
    armed: list[bool]
    """The unit has a weapon."""
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
    tasks: Tasks,
    verbs: np.ndarray,
    targets: np.ndarray,
    config: Mapping[str, Any],
    memory: Memory,
) -> Moment:
    """Everything the rules of this step share. Own units without a task take no part.

    `tasks` are the scene's, `verbs` bool [A, V] and `targets` bool [A, T, N] this battle's masks.
    """
    own, foe, kinds = battlefield.own, battlefield.foe, battlefield.kinds
    scene, b = battlefield.scene, battlefield.b
    kite = config["kite"]
    mode = tasks.mode[b].take(own.rows)
    active = mode != NO_TASK
    armed = kinds.armed[own.kind]
    led = bool((active & armed & ~own.flying & ~kinds.worker[own.kind]).any())
    raiding = active & ((tasks.allows[b].take(own.rows) != 0) | (not led))
    ready = own.cooldown <= scene.step / 2 + config["fire"]["late"]
    value = kinds.noted("worth", config["fire"], fire.worth)[foe.kind]
    present = foe_rows(battlefield, scene.aim[b].take(own.rows))
    target = fire.assign(battlefield, active, present, value, config["fire"])
    winding = fire.winding(battlefield, present, config["damage_point"])
    target = np.where(winding, present, target)
    ready |= winding
    near = (battlefield.foe_reach >= 0) & (battlefield.gap - battlefield.foe_reach <= kite["near"])
    about = near.any(axis=1)
    threat = (battlefield.foe_dps * near).sum(axis=1)
    outranged = kinds.range[own.kind][:, None] >= battlefield.foe_reach + kite["margin"]
    speed, foe_speed = battlefield.speed[:, None], kinds.speed[foe.kind]
    outrun = (near & outranged & (speed >= foe_speed * kite["speed_share"])).any(axis=1)
    outrun &= ~(near & ~outranged).any(axis=1)
    backs = outrun | (kinds.of_type(UnitTypeId.CYCLONE)[own.kind] & about)
    floors = kinds.noted("floors", config["retreat"]["hurt"], _floors)
    spread = split.away(battlefield, config["split"], kite["step"])
    escape = dodge.escapes(battlefield, config["dodge"])
    detected = _detected(battlefield)
    mine = verbs.take(own.rows, axis=0)
    return Moment(
        config=config,
        field=battlefield,
        tasks=tasks.of(b, own.rows),
        types=kinds.types_of(own.kind.tolist()),
        memory=memory,
        ready=ready.tolist(),
        target=target.tolist(),
        nearest=_nearest(battlefield, active & (mode != RETREAT), raiding, kite["chase"]).tolist(),
        led=led,
        dug_in=bool(kinds.of_type(UnitTypeId.SIEGETANKSIEGED)[own.kind].any()),
        threat=threat.tolist(),
        outrun=outrun.tolist(),
        caught=(near & (foe_speed > speed)).any(axis=1).tolist(),
        hurt=((threat > 0) & (own.hp < floors[own.kind] * own.hp_max)).tolist(),
        places=own.xy.tolist(),
        back=_back(battlefield, near, np.flatnonzero(backs), tasks.home[b], kite).tolist(),
        backs=backs.tolist(),
        spread=spread.tolist(),
        spreads=(~np.isnan(spread[:, 0])).tolist(),
        escape=escape.tolist(),
        escapes=(~np.isnan(escape[:, 0])).tolist(),
        stim=stim.choose(battlefield, active, target, config["stim"]).tolist(),
        patient=heal.assign(battlefield, active, config["medivac"]).tolist(),
        detected=detected.tolist(),
        armed=armed.tolist(),
        order=scene.order[b].take(own.rows).tolist(),
        spells=spells.assign(battlefield, mine, targets, detected, config["spells"]),
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


def _back(
    field: Battlefield, near: np.ndarray, rows: np.ndarray, homes: np.ndarray, kite: Mapping[str, float]
) -> np.ndarray:
    """Where a step back of these rows leads, [n, 2]; the others stay. Closer enemies push harder, and `homes` [A, 2]
    pull."""
    own = field.own
    result = own.xy.copy()
    if rows.size:
        points = own.xy[rows]
        weights = near[rows] / (field.gap[rows] + 0.5)
        home = steer.unit(homes[own.rows[rows]] - points) * kite["home"]
        wanted = steer.unit(steer.directions(points, field.foe.xy, weights) + home)
        result[rows] = steer.free_points(points, wanted, kite["step"], field.ground, own.flying[rows])
    return result


def _nearest(field: Battlefield, fighting: np.ndarray, raiding: np.ndarray, chase: float) -> np.ndarray:
    """int [n]: the nearest armed enemy within range and `chase` that the unit can hit, for those who fight, bool [n].

    Raiders, bool [n] (of special missions, or without an army on the ground) take workers and the like where nobody is
    armed.
    """
    best = np.full(len(field.own), NONE, np.int64)
    if not len(field.foe):
        return best
    kinds, foe = field.kinds, field.foe
    near = (field.reach >= 0) & (field.gap <= field.reach + chase) & fighting[:, None]
    prey = [near & (kinds.armed[foe.kind] & ~kinds.worker[foe.kind])]
    if raiding.any():
        prey.append(near & raiding[:, None] & ~kinds.structure[foe.kind])
    for allowed in prey:
        distance = np.where(allowed, field.gap, np.float32(np.inf))
        first = distance.argmin(axis=1)
        found = (best == NONE) & np.isfinite(distance[np.arange(len(first)), first])
        best = np.where(found, first, best)
    return best
