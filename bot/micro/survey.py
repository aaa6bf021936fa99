"""What the rules of a step share, decided for all battles at once: who shoots at whom, who steps back.

Arrays over [battles, agents]: one operation for many battles costs hardly more than for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro import fire, steer, stim
from bot.micro.battlefield import Battlefield, Relations
from bot.micro.fire import NONE
from bot.micro.kinds import Kinds
from bot.micro.side import haste
from bot.micro.spells import AIMED
from bot.micro.task import MODES, NO_TASK, Mode, Task, Tasks

RETREAT = MODES.index(Mode.RETREAT)


class Survey(NamedTuple):
    """See `Moment` for what the names mean. Lists are by battle, then by agent (rows of the scene); enemies are
    numbered as they stand in a battle's `Battlefield.foe`."""

    active: np.ndarray
    """bool [b, A]: has a task."""
    target: np.ndarray
    """i8 [b, A]."""
    near: np.ndarray
    """bool [b, A, M]: the enemy can hit the unit where it stands, or nearly."""
    tasks: list[list[Task | None]]
    kind: list[list[int]]
    armed: list[list[bool]]
    ready: list[list[bool]]
    nearest: list[list[int]]
    outrun: list[list[bool]]
    caught: list[list[bool]]
    low: list[list[bool]]
    """Low on life, for a unit that is worth saving."""
    places: list[list[list[float]]]
    back: list[list[list[float]]]
    backs: list[list[bool]]
    stim: list[list[bool]]
    order: list[list[int]]
    led: list[bool]
    dug_in: list[bool]
    pressed: list[bool]
    """Somebody is within an enemy's reach, or nearly."""
    exploders: list[bool]
    """Enemies that explode are there."""
    detectors: list[bool]
    """Enemies that detect are there."""
    medics: list[bool]
    """Medivacs of ours are there."""
    casters: list[bool]
    """Somebody may use an aimed skill."""


def survey(
    relations: Relations, fields: Sequence[Battlefield], tasks: Tasks, verbs: np.ndarray, config: Mapping[str, Any]
) -> Survey:
    """The survey of these battles; `fields` are theirs. `tasks` and `verbs` bool [B, A, V] are the scene's."""
    r, scene, kinds, kite = relations, relations.scene, relations.kinds, config["kite"]
    kind, foe_kind, here, there = r.own_kind, r.foe_kind, r.own(scene.present), r.foe(scene.present)
    mode = r.own(tasks.mode)
    active = here & (mode != NO_TASK)
    armed = kinds.armed[kind]
    led = (active & kinds.ground_fighter[kind]).any(axis=1)
    raiding = active & ((r.own(tasks.allows) != 0) | ~led[:, None])
    present = fire.present(r)
    winding = fire.winding(r, present, config["damage_point"])
    target = np.where(winding, present, fire.assign(r, active, present, config["fire"]))
    near = (r.foe_reach >= 0) & (r.gap - r.foe_reach <= kite["near"])
    outranged = kinds.range[kind][..., None] >= r.foe_reach + kite["margin"]
    speed, foe_speed = (kinds.speed[kind] * haste(r.stimmed))[..., None], kinds.speed[foe_kind][:, None]
    outrun = (near & outranged & (speed >= foe_speed * kite["speed_share"])).any(axis=-1)
    outrun &= ~(near & ~outranged).any(axis=-1)
    about = near.any(axis=-1)
    backs = outrun | (kinds.of_type(UnitTypeId.CYCLONE)[kind] & about)
    floors = kinds.noted("floors", config["retreat"]["hurt"], _floors)
    left, most = r.own_life
    places = np.empty((*kind.shape, 2), np.float32)
    places[..., 0], places[..., 1] = r.own(scene.x), r.own(scene.y)
    nearest = _nearest(r, active & (mode != RETREAT), raiding, kite["chase"])
    return Survey(
        active=active,
        target=r.among(target),
        near=near,
        tasks=Tasks(*(r.own(array) for array in tasks)).lists(),
        kind=kind.tolist(),
        armed=armed.tolist(),
        ready=(r.own(scene.cooldown) <= scene.step / 2 + config["fire"]["late"]).tolist(),
        nearest=r.among(nearest).tolist(),
        outrun=outrun.tolist(),
        caught=(near & (foe_speed > speed)).any(axis=-1).tolist(),
        low=(left < floors[kind] * most).tolist(),
        places=places.tolist(),
        back=_back(fields, places, near, backs, r.own(tasks.home), kite).tolist(),
        backs=backs.tolist(),
        stim=stim.choose(fields, active, target, config["stim"]).tolist(),
        order=r.own(scene.order).tolist(),
        led=led.tolist(),
        dug_in=(here & kinds.of_type(UnitTypeId.SIEGETANKSIEGED)[kind]).any(axis=1).tolist(),
        pressed=about.any(axis=1).tolist(),
        exploders=(there & kinds.suicide[foe_kind]).any(axis=1).tolist(),
        detectors=(there & (r.foe(scene.detect) > 0)).any(axis=1).tolist(),
        medics=(here & kinds.of_type(UnitTypeId.MEDIVAC)[kind]).any(axis=1).tolist(),
        casters=r.own(verbs)[..., AIMED].any(axis=(1, 2)).tolist(),
    )


def _floors(kinds: Kinds, shares: Mapping[str, float]) -> np.ndarray:
    """float [K]: the share of life below which a kind saves itself."""
    return np.array([shares.get(kinds.type_of(number).name, 0.0) for number in range(len(kinds.speed))], np.float32)


def _back(
    fields: Sequence[Battlefield],
    places: np.ndarray,
    near: np.ndarray,
    backs: np.ndarray,
    homes: np.ndarray,
    kite: Mapping[str, float],
) -> np.ndarray:
    """Where a step back of those who step back leads, [b, A, 2]; the others stay. Closer enemies push harder, and
    `homes` [b, A, 2] pull."""
    battles, rows = np.nonzero(backs)
    if not rows.size:
        return places
    pushes = []
    for k in sorted(set(battles.tolist())):
        field, mine = fields[k], rows[battles == k]
        close, gap = near[k, mine], field.relations.gap[k, mine]
        if len(field.foe) < close.shape[1]:
            foes = field.foe.rows - field.scene.agents
            close, gap = close[:, foes], gap[:, foes]
        pushes.append(steer.directions(places[k, mine], field.foe.xy, close / (gap + 0.5)))
    points = places[battles, rows]
    wanted = steer.unit(np.concatenate(pushes) + steer.unit(homes[battles, rows] - points) * kite["home"])
    flying = fields[0].relations.own(fields[0].scene.flying)[battles, rows]
    back = places.copy()
    back[battles, rows] = steer.free_points(points, wanted, kite["step"], fields[0].ground, flying)
    return back


def _nearest(relations: Relations, fighting: np.ndarray, raiding: np.ndarray, chase: float) -> np.ndarray:
    """i8 [b, A]: the nearest armed enemy within range and `chase` that the unit can hit, for those who fight, bool
    [b, A].

    Raiders, bool [b, A] (of special missions, or without an army on the ground) take workers and the like where nobody
    is armed.
    """
    best = np.full(fighting.shape, NONE, np.int64)
    kinds, kind = relations.kinds, relations.foe_kind
    if not kind.shape[1]:
        return best
    near = (relations.reach >= 0) & (relations.gap <= relations.reach + chase) & fighting[..., None]
    prey = [near & kinds.fighter[kind][:, None]]
    if raiding.any():
        prey.append(near & raiding[..., None] & ~kinds.structure[kind][:, None])
    for allowed in prey:
        first = np.where(allowed, relations.gap, np.float32(np.inf)).argmin(axis=-1)
        found = (best == NONE) & allowed.any(axis=-1)
        best = np.where(found, first, best)
    return best
