"""A run between two updates: who fights how many battles, and what is counted of them."""

from __future__ import annotations

import pytest

from tests.train.test_fit import BASE, CPU, fit_of
from tests.train.toy import NAMES, make
from train.ppo.run import Run


@pytest.mark.parametrize(("count", "share"), [(5, 0.0), (7, 0.0), (9, 0.5), (10, 0.25)])
def test_all_lanes_together_fight_as_many_battles_as_the_config_says(count: int, share: float) -> None:
    """Rounded one by one the halves of five battles were two each, and the fifth chunk was looked for in vain."""
    chunks = {"rollout": 8, "chunk": 8, "epochs": 1, "minibatches": count}
    battles = BASE["battles"] | {"count": count}
    run = Run(fit_of(battles=battles, ppo=chunks, self_play={"share": share}, imitate={}), make, NAMES, CPU)
    assert run.per_update == 8 * count
    assert run.advance()["steps_of_adam"] == count


@pytest.mark.parametrize(
    ("steps", "policy", "teacher", "follow"),
    [
        (0, 0.0, 1.0, 1.0),
        (25, 0.0, 1.0, 0.5),  # the learner's own battles take over by half of the lessons
        (75, 0.0, 1.0, 0.0),
        (100, 0.0, 0.0, 0.0),  # then the critic alone learns
        (150, 1.0, 0.5, 0.0),
        (350, 1.0, 0.25, 0.0),
        (600, 1.0, 0.0, 0.0),
    ],
)
def test_lessons_come_first_then_the_critics_share_then_both_learn(
    steps: int, policy: float, teacher: float, follow: float
) -> None:
    imitate = {"steps": 100, "after": 0.5, "fade": 400, "critic_only": 50}
    run = Run(fit_of(imitate=imitate), make, NAMES, CPU)
    run.steps = steps
    assert run.phase() == {"policy": policy, "teacher": teacher, "follow": follow}


def test_a_policy_is_sharpened_once_when_imitation_ends() -> None:
    run = Run(fit_of(imitate={"steps": 128, "temperature": 0.25}, self_play={}), make, NAMES, CPU)
    factors = []
    run.learner.actor.sharpen = factors.append  # what it does to the logits has a test of its own
    for _ in range(4):
        run.advance()
        factors.append(run.steps)
    assert factors == [64, 128, 0.25, 192, 256]


@pytest.mark.parametrize("local", [False, True])
def test_the_critic_is_as_wide_as_what_it_is_shown(local: bool) -> None:
    run = Run(fit_of(ppo=BASE["ppo"] | {"local": local}, imitate={}, self_play={}), make, NAMES, CPU)
    assert run.advance()["critic_gradient"] > 0
    assert run.learner.critic.config.features == len(NAMES.features) + (not local)
