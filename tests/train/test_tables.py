"""Training's tables come from compiled code; they must be the bot's, number for number."""

from __future__ import annotations

import numpy as np
import pytest

from bot.micro import tables as bots
from bot.micro.skills import TARGET_ROW
from train import catalog
from train.battles import Environment
from train.tables import tables


def legal(rng: np.random.Generator, seen: bots.Tables) -> tuple[np.ndarray, np.ndarray]:
    """Random legal decisions."""
    verb = (rng.random(seen.verbs.shape) * seen.verbs).argmax(-1)
    row = TARGET_ROW[verb]
    allowed = np.take_along_axis(seen.targets, np.maximum(row, 0)[..., None, None], 2)[:, :, 0]
    return verb, np.where(row >= 0, (rng.random(allowed.shape) * allowed).argmax(-1), -1)


@pytest.mark.parametrize("name", ["MMM2", "2c_vs_64zg", "ghost_infiltration", "widow_mines", "medivac_drop", "random"])
def test_same_as_the_bots(name: str) -> None:
    env = Environment([catalog.load(name)], 6, seed=3)
    rng = np.random.default_rng(1)
    for _ in range(30):
        for field in env.fields:
            scene = field.scene()
            tasks = field.tasks(scene)

            def advise(verbs: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
                some = np.arange(verbs.shape[0] * verbs.shape[1]).reshape(verbs.shape[:2]) % 9
                return some - 1, np.where(some == 3, some, -1)  # the numbers need not make sense here

            compiled, plain = (make(scene, tasks, advise) for make in (tables, bots.tables))
            for column in bots.Tables._fields:
                one, other = getattr(compiled, column), getattr(plain, column)
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other, err_msg=f"{name}: {column}")
        env.step(*legal(rng, env.observe().tables))
