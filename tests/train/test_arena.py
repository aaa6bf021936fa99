"""The learner on the real battles: it stores what it would decide, the twin teaches, selves fight each other."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import numpy as np
import pytest
import torch

from tests.bot.tables import said
from train import arena, catalog
from train.errors import TrainError
from train.ppo import config
from train.ppo.run import Run
from train.settings import Reward

CPU = torch.device("cpu")


def run_of(*scenarios: str, **changes: Any) -> Run:
    base: dict[str, Any] = {
        "name": "test",
        "steps": 1_000_000,
        "battles": {"scenarios": list(scenarios), "count": 6, "lanes": 2, "stagger": 3},
        "network": {"width": 16, "heads": 2, "memory": 16, "critic": 16},
        "ppo": {"rollout": 8, "chunk": 4, "epochs": 2, "minibatches": 1},
    }
    fit = arena.expanded(config.from_dict(base | changes, "test"))
    return Run(fit, arena.make(fit), arena.NAMES, CPU)


@pytest.fixture(scope="module")
def drills() -> Run:
    return run_of("kite_zealots", "stim_timing")


def test_lanes_are_sorted_by_size_and_keep_their_shapes(drills: Run) -> None:
    assert drills.groups == [("kite_zealots",), ("stim_timing",)]
    small, large = (lane.environment for lane in drills.lanes)
    assert small.agents < large.agents
    assert small.count == large.count == 3


def test_the_starts_of_the_battles_are_spread() -> None:
    run = run_of("3m")
    environment = run.lanes[0].environment
    assert sorted(environment.fields[0].age.tolist()) == [0, 0, 1, 1, 2, 2]


def test_as_many_minibatches_as_chunks_share_what_all_lanes_have() -> None:
    ppo = {"rollout": 8, "chunk": 8, "epochs": 1, "minibatches": 6}
    run = run_of("kite_zealots", "stim_timing", ppo=ppo)  # two lanes of three chunks each
    assert run.advance()["steps_of_adam"] == 6


def test_what_was_stored_is_what_would_be_decided_again(drills: Run) -> None:
    drills.learner.actor.verb.weight.data.mul_(50.0)
    for lane in drills.lanes:
        lane.collect(torch.Generator().manual_seed(0))
        batch = lane.collect(torch.Generator().manual_seed(1))
        out = drills.learner.actor.sequence(batch.tables, (batch.h, batch.c), batch.fresh)
        logp, _ = said(out, batch.verb, batch.target)
        torch.testing.assert_close(logp[batch.active], batch.logp[batch.active], atol=1e-4, rtol=1e-4)
        assert batch.tables.entities.isfinite().all()
        assert batch.state.entities.shape[-1] == len(arena.NAMES.features) + 1


def test_the_twins_choices_are_legal_in_every_view_and_can_be_learned(drills: Run) -> None:
    lane = drills.lanes[0]
    batch = lane.collect(torch.Generator().manual_seed(3), teach=True, follow=1.0)
    known = batch.teacher_verb >= 0
    assert known.sum() > 0.8 * batch.active.sum()
    legal = batch.tables.verbs.gather(-1, batch.teacher_verb.clamp(min=0)[..., None]).squeeze(-1)
    assert legal[known].all()
    assert torch.equal(batch.verb[known], batch.teacher_verb[known])
    drills.learner.ppo = dataclasses.replace(drills.fit.ppo, rate=5e-3)
    lessons = [
        drills.learner.update([batch], torch.Generator().manual_seed(0), policy=0.0, teacher=1.0)["teacher_loss"]
        for _ in range(15)
    ]
    assert lessons[-1] < 0.5 * lessons[0]


def test_selves_fight_each_other_and_models_can_be_opponents() -> None:
    run = run_of("3m", self_play={"share": 0.5, "every": 1})
    assert len(run.lanes) == 2
    played = run.lanes[1].environment
    assert played.environment.enemy == "learned"
    before = played.environment.fields[0].battles.units["x"].copy()
    run.advance()
    run.restart()
    run.advance()
    assert len(run.frozen) == 2
    opponent = played.player.actor.state_dict()
    assert any(all(torch.equal(opponent[name], one[name]) for name in one) for one in run.frozen)
    assert not np.array_equal(before, played.environment.fields[0].battles.units["x"])


def test_the_weights_of_the_reward_can_be_set() -> None:
    scenario = arena.scenarios(["3m"], [2])[0]
    assert arena.weighed(scenario, Reward()) is scenario
    given = Reward(lost=4.0, win=0.0)
    assert arena.weighed(scenario, given).reward == dataclasses.replace(scenario.reward, lost=4.0, win=0.0)
    with pytest.raises(TrainError, match=r"\[reward\] damage = 2.0 must be between -1 and 1"):
        run_of("3m", reward={"damage": 2})


def test_held_back_fights_are_not_trained_on_unasked() -> None:
    assert arena.listed(["random", "random_small"]) == ["random", "random_small"]


def test_families_are_written_out_and_need_room() -> None:
    names = arena.listed(["drills@1", "3m"])
    assert len(names) > 20
    assert names[-1] == "3m"
    assert all(name.endswith("@1") for name in names[:-1])
    with pytest.raises(TrainError, match="fewer than"):
        run_of("drills")


def test_random_fights_may_change_their_sizes_at_a_restart() -> None:
    run = run_of("random_small", battles={"scenarios": ["random_small"], "count": 2, "stagger": 0, "variants": 1})
    sizes = set()
    for _ in range(4):
        run.advance()
        run.restart()
        sizes.add(run.lanes[0].environment.observe().tables.pairs.shape)
    assert len(sizes) > 1


def test_drills_and_files_have_levels_unless_their_name_says_one(root: pathlib.Path) -> None:
    path = str(root / "train" / "scenarios" / "drills" / "kite_zealots.toml")
    names = ["kite_zealots", "kite_zealots", "kite_zealots@3", "3m", path]
    found = arena.scenarios(names, [1, 3, 1, 3, 3])
    hard, easy = catalog.load("kite_zealots@3"), catalog.load("kite_zealots@1")
    assert hard.enemy != easy.enemy
    assert [one.enemy for one in found] == [easy.enemy, hard.enemy, hard.enemy, catalog.load("3m").enemy, hard.enemy]
