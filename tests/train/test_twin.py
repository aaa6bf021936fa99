"""The scripted twin in training: many battles are decided at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.micro import masks
from bot.micro.geometry import geometry
from bot.micro.twin import Twin
from bot.orders import Attack
from train import catalog
from train.battles import Environment


def test_the_twin_says_of_many_battles_what_it_says_of_each() -> None:
    environment = Environment([catalog.load("random")], 10, seed=4, own="scripted", variants=10)
    together, alone = [[Twin(field.count) for field in environment.fields] for _ in range(2)]
    told, fallen = 0, False
    for _ in range(25):
        for field, one, other in zip(environment.fields, together, alone, strict=True):
            scene = field.scene()
            tasks = field.tasks(scene)
            verbs, targets, _ = masks.legal(scene, tasks, geometry(scene))
            given = one.orders(scene, tasks, verbs, targets)
            each = [other.orders(scene, tasks, verbs, targets, [b])[0] for b in range(len(scene))]
            assert given == each
            told += sum(len(orders) for battle in given for orders in battle.values())
            fallen |= not scene.present[:, : scene.agents].all()
        for field, over in zip(environment.fields, _over(environment), strict=True):
            for twins in (together, alone):
                twins[environment.fields.index(field)].reset(over)
    assert told > 1000
    assert fallen, "some units are missing, so that rows of battles differ"


def test_the_twin_leads_who_sees_nobody() -> None:
    environment = Environment([catalog.load("3m")], 2, seed=4, own="scripted")
    (field,) = environment.fields
    scene = field.scene()
    present = scene.present & (np.arange(scene.present.shape[1]) < scene.agents)
    present[0, 0] = False
    scene = replace(scene, present=present)
    tasks = field.tasks(scene)
    verbs, targets, _ = masks.legal(scene, tasks, geometry(scene))
    given = Twin(field.count).orders(scene, tasks, verbs, targets)
    assert [sorted(orders) for orders in given] == [[1, 2], [0, 1, 2]]
    assert all(isinstance(order, Attack) for battle in given for orders in battle.values() for order in orders)
    nobody = replace(scene, present=np.zeros_like(present))
    assert Twin(field.count).orders(nobody, tasks, verbs, targets) == [{}, {}]


def test_who_still_aims_at_somebody_that_is_not_seen_any_more_is_told_something_else() -> None:
    environment = Environment([catalog.load("3m")], 1, seed=4, own="scripted")
    (field,) = environment.fields
    scene = field.scene()
    a = scene.agents
    seen, gone = a, np.flatnonzero(scene.present[0])[-1]
    assert gone > seen
    present = scene.present & (np.arange(scene.present.shape[1]) <= seen)  # room for more than the one who is seen
    x, y = scene.x.copy(), scene.y.copy()
    x[0, seen], y[0, seen] = x[0, 0] + 3.0, y[0, 0]
    scene = replace(scene, present=present, x=x, y=y, aim=np.full_like(scene.aim, gone))
    tasks = field.tasks(scene)
    verbs, targets, _ = masks.legal(scene, tasks, geometry(scene))
    (given,) = Twin(field.count).orders(scene, tasks, verbs, targets)
    assert any(isinstance(order, Attack) and order.target == scene.tag[0, seen] for order in given[0])


def _over(environment: Environment) -> list[list[int]]:
    """Play a step; by field, the battles that ended with it."""
    found = environment.step()
    ended = set(found.ended.tolist())
    return [[b for b, number in enumerate(field.number.tolist()) if number in ended] for field in environment.fields]
