"""What a lane keeps of its battles: their starts, memories, lessons."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bot.micro.skills import FOLLOW, VERBS
from tests.bot.tables import random_tables
from tests.bot.tables import said as chance_of
from tests.train.test_learner import PPO, learner_of
from tests.train.toy import Weakest
from train.ppo.lane import Lane
from train.ppo.lessons import Lesson, followed, heard
from train.views import Said


def test_starts_are_spread_over_the_first_decisions_and_remember_nothing() -> None:
    learner, environment = learner_of(), Weakest(8, length=100)
    lane = Lane(environment, learner, PPO, torch.device("cpu"))
    lane.begin(0, stagger=4)
    assert environment._age.tolist() == [3, 3, 2, 2, 1, 1, 0, 0]
    batch = lane.collect(torch.Generator().manual_seed(0))
    assert batch.fresh[0, :8].tolist() == [False] * 6 + [True] * 2
    assert not batch.fresh[1:].any()
    assert batch.h[:6, 0].any(-1).all()
    assert not batch.h[6:8].any()
    out = learner.actor.sequence(batch.tables, (batch.h, batch.c), batch.fresh)
    logp, _ = chance_of(out, batch.verb, batch.target)
    torch.testing.assert_close(logp[batch.active], batch.logp[batch.active], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("verb", "target", "taught"),
    [
        (2, 4, (2, 4)),
        (2, 6, (-1, -1)),  # nobody stands there
        (2, -1, (-1, -1)),  # an attack on nobody
        (1, 4, (1, -1)),  # what needs no target has none
        (-1, -1, (-1, -1)),
    ],
)
def test_a_lesson_is_what_is_legal_with_its_target(verb: int, target: int, taught: tuple[int, int]) -> None:
    learner, environment = learner_of(), Weakest(4)
    tables = type(environment.observe().tables)(*map(torch.as_tensor, environment.observe().tables))
    whole = torch.full((4, 3), verb), torch.full((4, 3), target)
    lesson = heard(Said(*(one.numpy() for one in whole)), tables, learner.actor.slot)
    assert lesson.verb[:, 0].tolist() == [taught[0]] * 4
    assert lesson.target[:, 0].tolist() == [taught[1]] * 4
    assert lesson.chance[:, 0].sum(-1).tolist() == [float(taught[0] >= 0)] * 4
    assert (lesson.verb[:, 2] == -1).all()  # this agent is not there


class Changing(Weakest):
    """Its teacher has nothing to do in some battles and nothing to say of others."""

    def teacher(self) -> Said:
        verb, target, _ = super().teacher()
        idle = (self._weak % 3)[:, None]
        return Said(np.where(idle == 1, 0, np.where(idle == 2, -1, verb)), np.where(idle > 0, -1, target))


def test_led_battles_are_played_as_the_teacher_says_where_it_says_something() -> None:
    learner = learner_of()
    lane = Lane(Changing(24), learner, PPO, torch.device("cpu"))
    lane.begin(0)
    batch = lane.collect(torch.Generator().manual_seed(0), teach=True, follow=1.0)
    assert batch.fresh[0, :24].all()
    taught = batch.teacher_verb >= 0
    assert set(batch.teacher_verb.unique().tolist()) == {-1, 0, 2}
    assert torch.equal(batch.verb[taught], batch.teacher_verb[taught])
    assert torch.equal(batch.target[taught], batch.teacher_target[taught])
    lane.begin(0)
    batch = lane.collect(torch.Generator().manual_seed(0), teach=True, follow=0.5)
    alike = (batch.verb == batch.teacher_verb) | (batch.teacher_verb < 0)
    led = alike.unflatten(1, (-1, 24)).all(-1).all(0).all(0)
    assert 0.2 < led.float().mean() < 0.8, "battles are led as a whole"


def test_a_share_of_the_lessons_says_follow_where_that_is_legal() -> None:
    count = 4000
    verbs = torch.ones(count, 2, len(VERBS), dtype=torch.bool)
    verbs[:, 1, FOLLOW] = False
    whole = torch.full((count, 2), 5), torch.full((count, 2), 3), torch.full((count, 2, len(VERBS)), 0.04)
    tables = random_tables(count)._replace(verbs=verbs)
    verb, target, chance = followed(Lesson(*whole), tables, 0.3, torch.Generator().manual_seed(0))
    drawn = verb == FOLLOW
    assert drawn[:, 0].float().mean() == pytest.approx(0.3, abs=0.03)
    assert not drawn[:, 1].any()
    assert (target[drawn] == -1).all()
    assert (chance[drawn] == torch.eye(len(VERBS))[FOLLOW]).all()
    for was, now in zip(whole, (verb, target, chance), strict=True):
        assert torch.equal(was[~drawn], now[~drawn])
