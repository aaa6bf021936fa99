"""What all units' rules share in one step: computed once over arrays, then read unit by unit.

First the group decides (who shoots at whom, who may stim, where to step), then each unit's rule spends it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bot.micro import dodge, heal, spells, split
from bot.micro.battlefield import Battlefield, Relations
from bot.micro.scene import Ground
from bot.micro.skills import TARGET_ROW
from bot.micro.survey import Survey, survey
from bot.micro.task import Point, Task, Tasks


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
    tags: list[int]
    foe_tags: list[int]
    """Of the enemies, as they are numbered here."""
    kinds: list[int]
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
    """IDLE, MOVING ... (scene.py): what the unit's present order is about."""
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

    def may(self, i: int, verb: int) -> bool:
        """Whether a verb is legal for an own row."""
        return bool(self.verbs[i, verb])

    def victims(self, i: int, verb: int) -> np.ndarray:
        """bool [m]: enemies at which an own row may aim this verb."""
        return self.targets[self.field.own.rows[i], TARGET_ROW[verb]][self.field.foe.rows]

    def helped(self, i: int, verb: int) -> np.ndarray:
        """bool [n]: own units at which an own row may aim this verb."""
        return self.targets[self.field.own.rows[i], TARGET_ROW[verb]][self.field.own.rows]


def look(
    relations: Relations,
    tasks: Tasks,
    verbs: np.ndarray,
    targets: np.ndarray,
    config: Mapping[str, Any],
    memories: Sequence[Memory],
) -> list[Moment]:
    """Everything the rules of this step share, of each of these battles. Own units without a task take no part.

    `tasks`, `verbs` bool [B, A, V] and `targets` bool [B, A, T, N] are the scene's, as are `memories`.
    """
    fields = [Battlefield(relations, place) for place in range(len(relations))]
    seen = survey(relations, fields, tasks, verbs, config)
    return [_moment(field, seen, verbs, targets, config, memories[field.b]) for field in fields]


def _moment(
    field: Battlefield,
    seen: Survey,
    verbs: np.ndarray,
    targets: np.ndarray,
    config: Mapping[str, Any],
    memory: Memory,
) -> Moment:
    """One battle's moment: what the survey says of it, and what few battles need."""
    k, b, own, scene = field.place, field.b, field.own, field.scene
    rows = own.rows.tolist()
    count, whole = len(rows), len(rows) == field.relations.agents

    def mine(by_battle: Sequence[list]) -> list:
        """What is known of each of our units that are there."""
        values = by_battle[k]
        return values if whole else [values[row] for row in rows]

    active, target, kinds = seen.active[k].take(own.rows), seen.target[k].take(own.rows), mine(seen.kind)
    may = verbs[b] if whole else verbs[b].take(own.rows, axis=0)
    threat = _threat(field, seen.near).tolist() if seen.pressed[k] else [0.0] * count
    spread = split.away(field, config["split"], config["kite"]["step"]) if seen.exploders[k] else None
    escape = dodge.escapes(field, config["dodge"]) if scene.effects.shape[1] else None
    detected = _detected(field) if seen.detectors[k] else np.zeros(count, bool)
    return Moment(
        config=config,
        field=field,
        tasks=mine(seen.tasks),
        tags=own.tags,
        foe_tags=field.foe.tags,
        kinds=kinds,
        memory=memory,
        ready=mine(seen.ready),
        target=target.tolist(),
        nearest=mine(seen.nearest),
        led=seen.led[k],
        dug_in=seen.dug_in[k],
        threat=threat,
        outrun=mine(seen.outrun),
        caught=mine(seen.caught),
        hurt=[low and danger > 0 for low, danger in zip(mine(seen.low), threat, strict=True)],
        places=mine(seen.places),
        back=mine(seen.back),
        backs=mine(seen.backs),
        spread=[] if spread is None else spread.tolist(),
        spreads=[False] * count if spread is None else (~np.isnan(spread[:, 0])).tolist(),
        escape=[] if escape is None else escape.tolist(),
        escapes=[False] * count if escape is None else (~np.isnan(escape[:, 0])).tolist(),
        stim=mine(seen.stim),
        patient=heal.assign(field, active, config["medivac"]).tolist() if seen.medics[k] else [heal.NOBODY] * count,
        detected=detected.tolist(),
        armed=mine(seen.armed),
        order=mine(seen.order),
        spells=spells.assign(field, may, targets[b], detected, config["spells"]) if seen.casters[k] else {},
        verbs=may,
        targets=targets[b],
    )


def _threat(field: Battlefield, near: np.ndarray) -> np.ndarray:
    """f4 [n]: damage a second of the enemies who are near, bool [b, A, M], to each own unit."""
    return np.where(field.part(near), field.foe_dps, np.float32(0.0)).sum(axis=1)


def _detected(field: Battlefield) -> np.ndarray:
    """bool [n]: whether an enemy detector covers each own unit's place."""
    own, eyes = field.own, np.flatnonzero(field.foe.detect > 0)
    apart = np.hypot(*(own.xy[:, None, :] - field.foe.xy[None, eyes, :]).transpose(2, 0, 1))
    return (apart <= field.foe.detect[eyes][None, :] + own.radius[:, None]).any(axis=1)
