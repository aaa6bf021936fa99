"""Advised policies in training: what their lessons say, turned views, and a run from the file to the model."""

from __future__ import annotations

import pathlib

import numpy as np
import torch

from bot.micro import skills, weights
from bot.micro.model import ActorConfig
from bot.micro.network import Actor
from bot.micro.tables import ENTITY_FEATURES
from tests.train.test_battles import duel
from train import arena, fit
from train.battles import Environment
from train.play import Always, Learned, play
from train.ppo import config
from train.ppo.config import Ppo
from train.ppo.critic import Critic, CriticConfig
from train.ppo.lane import Lane
from train.ppo.learner import Learner
from train.ppo.symmetry import Symmetry

CPU = torch.device("cpu")
NAMES = arena.NAMES
PPO = Ppo(rollout=16, chunk=8)


def learner() -> Learner:
    torch.manual_seed(0)
    targeted = tuple(skills.VERB[name] for name in skills.TARGETED)
    sizes = len(NAMES.features), len(NAMES.pairs), len(NAMES.verbs)
    actor = Actor(ActorConfig(*sizes, targeted, width=16, heads=2, memory=8, advised=True))
    return Learner(actor, Critic(CriticConfig(len(NAMES.features) + 1, len(NAMES.pairs), width=16)), PPO)


def lessons(follow: float) -> tuple[np.ndarray, np.ndarray]:
    """(lessons' verbs, what the tables show as advised) of living agents that could follow, in turned views."""
    symmetry = Symmetry.of(NAMES.features, NAMES.pairs, NAMES.verbs)
    lane = Lane(Environment([duel()], 32, seed=2, advised=True), learner(), PPO, CPU, symmetry, follow)
    lane.begin(1, stagger=8)
    batch = lane.collect(torch.Generator().manual_seed(1), teach=True, follow=0.5)
    tables = batch.tables
    could = tables.verbs[..., skills.FOLLOW] & (batch.teacher_verb >= 0)
    first = ENTITY_FEATURES.index("advised_nothing")
    shown = tables.entities[:, :, : could.shape[-1], first : first + skills.FOLLOW].argmax(-1)
    assert could.sum() > 500
    return batch.teacher_verb[could].numpy(), shown[could].numpy()


def test_the_critic_sees_the_state_in_the_view_of_the_policy() -> None:
    symmetry = Symmetry.of(NAMES.features, NAMES.pairs, NAMES.verbs)
    lane = Lane(Environment([duel()], 16, seed=2), learner(), PPO, CPU, symmetry)
    lane.begin(3)
    real, (tables, state) = lane.environment.observe(), lane._spare
    own = slice(tables.alive.shape[1])
    turned = (torch.from_numpy(real.tables.entities) != tables.entities).flatten(1).any(1)
    assert turned.equal(lane._view > 0)
    assert 8 < turned.sum() < 16
    torch.testing.assert_close(state.entities[:, own, :-1], tables.entities[:, own])
    torch.testing.assert_close(state.entities[..., -1], torch.from_numpy(real.state.entities[..., -1]))


def test_a_share_of_the_lessons_says_follow() -> None:
    verb, shown = lessons(follow=0.6)
    follows = verb == skills.FOLLOW
    assert abs(follows.mean() - 0.6) < 4 * np.sqrt(0.24 / len(verb))
    assert (verb[~follows] == shown[~follows]).all(), "the views turn the advised direction as they turn the verbs"
    assert np.isin(shown, range(skills.MOVE, skills.MOVE + skills.DIRECTIONS)).any()
    assert (lessons(follow=0.0)[0] != skills.FOLLOW).all()


def test_who_is_taught_to_follow_plays_as_the_twin(tmp_path: pathlib.Path) -> None:
    run = config.from_dict(
        {
            "name": "follower",
            "steps": 8192,
            "battles": {"scenarios": ["kite_zerglings"], "count": 32, "stagger": 0, "symmetry": False},
            "network": {"advised": True, "width": 16, "heads": 2, "memory": 8, "critic": 8},
            "ppo": {"rollout": 16, "chunk": 16, "epochs": 3, "minibatches": 4, "rate": 5e-3},
            "imitate": {"steps": 8192, "follow": 1.0},
            "watch": {"battles": 1},
        },
        "test",
    )
    assert fit.train(run, arena.make(run), NAMES, tmp_path, CPU, evaluate=None) == 0
    actor, _ = weights.load_actor(tmp_path / "model.npz", NAMES.of_model())
    assert actor.config.advised
    found = []
    for player in (Learned(actor), Always(skills.FOLLOW, advised=True)):
        environment = Environment(arena.scenarios(["kite_zerglings"], [2]), 8, seed=5, advised=player.advised)
        found.append(play(environment, player, 1).final)
    assert (found[0] == found[1]).all()
