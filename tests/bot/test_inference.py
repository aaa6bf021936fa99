"""The network in numpy is the one that training knows: the same logits and memories, and the same choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from bot.micro import choice, network
from bot.micro.inference import Network, Thought
from bot.micro.model import ILLEGAL, SURE
from tests.bot.tables import CONFIG, Tables, random_tables

AGENTS = 6


def pair(*, advised: bool, trust: float = 0.0) -> tuple[network.Actor, Network]:
    """A network with random weights, everywhere, and the same in numpy, which trusts the rules so much more."""
    torch.manual_seed(4)
    actor = network.Actor(replace(CONFIG, advised=advised))
    with torch.no_grad():
        for parameter in actor.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    arrays = {name: value.detach().numpy() for name, value in actor.state_dict().items()}
    return actor, Network(arrays, actor.config, trust)


def battle(seed: int) -> tuple[Tables, Tables]:
    """A battle in which all of ours live, as tensors and as arrays."""
    tables = random_tables(1, agents=AGENTS, foes=7, seed=seed)
    mine = torch.eye(AGENTS, AGENTS + 7, dtype=torch.bool)
    tables = tables._replace(alive=torch.ones(1, AGENTS, dtype=torch.bool), attends=tables.attends | mine)
    return tables, Tables(*(value.numpy() for value in tables))


def memory(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=(AGENTS, CONFIG.memory)).astype(np.float32) for _ in range(2))


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_logits_and_memories_are_those_of_the_trained_network(seed: int, advised: bool) -> None:
    actor, plain = pair(advised=advised)
    tensors, arrays = battle(seed)
    h, c = memory(seed)
    with torch.no_grad():
        out, after = actor(tensors, (torch.from_numpy(h)[None], torch.from_numpy(c)[None]))
    thought = plain.think(arrays, (h, c))
    for one, other in zip(thought.memory, after, strict=True):
        np.testing.assert_allclose(one, other[0], atol=1e-5)
    verbs = torch.from_numpy(thought.verbs)
    if advised:
        verbs = torch.cat((verbs[:, :-1].log_softmax(-1), verbs[:, -1:]), -1)
    legal = arrays.verbs[0]
    np.testing.assert_allclose(verbs[legal], out.verb[0][legal], atol=1e-4)
    assert (thought.verbs[~legal] == ILLEGAL).all()
    every = np.arange(AGENTS)
    for row in range(len(CONFIG.targeted)):
        points, allowed = plain._points(thought, every, row), arrays.targets[0, :, row]
        np.testing.assert_allclose(points[allowed], out.target[0, :, row].numpy()[allowed], atol=1e-4)


def test_trust_is_added_to_the_logit_of_following_alone() -> None:
    actor, trusting = pair(advised=True, trust=1.5)
    _, plain = pair(advised=True)
    actor.trust(1.5)  # as `train average --trust` does
    tensors, arrays = battle(1)
    h, c = memory(1)
    with torch.no_grad():
        out, _ = actor(tensors, (torch.from_numpy(h)[None], torch.from_numpy(c)[None]))
    more, less = (network.think(arrays, (h, c)).verbs for network in (trusting, plain))
    follows = arrays.verbs[0, :, -1]
    assert follows.any()
    np.testing.assert_allclose(more[follows, -1], less[follows, -1] + 1.5, atol=1e-5)
    np.testing.assert_allclose(more[follows, -1], out.verb[0, :, -1].numpy()[follows], atol=1e-4)
    np.testing.assert_array_equal(more[:, :-1], less[:, :-1])


def test_without_advice_it_does_the_likeliest() -> None:
    actor, plain = pair(advised=False)
    for seed in range(20):
        tensors, arrays = battle(seed)
        h, c = memory(seed)
        with torch.no_grad():
            out, _ = actor(tensors, (torch.from_numpy(h)[None], torch.from_numpy(c)[None]))
        verb, target = plain.choose(plain.think(arrays, (h, c)), arrays.targets[0], np.random.default_rng(0))
        wanted = choice.decide(out, torch.Generator())
        np.testing.assert_array_equal(verb, wanted[0][0])
        np.testing.assert_array_equal(target, wanted[1][0])


@pytest.mark.parametrize("follow", [SURE - 0.01, SURE + 0.01])
def test_the_advised_follow_where_they_are_sure_and_else_draw(follow: float) -> None:
    _, plain = pair(advised=True)
    many = 4000
    verbs = np.full((many, CONFIG.verbs), ILLEGAL, np.float32)
    verbs[:, 0], verbs[:, 2] = np.log(0.75) + 5.0, np.log(0.25) + 5.0  # only their difference counts
    verbs[:, -1] = np.log(follow / (1 - follow))
    rng = np.random.default_rng(1)
    near = rng.normal(size=(CONFIG.pair_width, many, 3)).astype(np.float32)
    core = rng.normal(size=(many, CONFIG.width)).astype(np.float32)
    thought = Thought(verbs, core, np.ones((3, CONFIG.key_width), np.float32), near, memory(0))
    legal = np.zeros((many, len(CONFIG.targeted), 3), bool)
    legal[:, :, :2] = True
    verb, target = plain.choose(thought, legal, np.random.default_rng(2))
    if follow > SURE:
        assert (verb == CONFIG.verbs - 1).all()
        assert (target == -1).all()
        return
    assert set(verb.tolist()) == {0, 2}
    assert abs((verb == 2).mean() - 0.25) < 0.02
    np.testing.assert_array_equal(target >= 0, verb == 2)
    aimed = np.flatnonzero(verb == 2)
    points = plain._points(thought, aimed, 0)[:, :2]
    chance = 1.0 / (1.0 + np.exp(points[:, 0] - points[:, 1]))  # of the second; the third is not legal
    assert set(target[aimed].tolist()) == {0, 1}
    assert abs((target[aimed] == 1).mean() - chance.mean()) < 0.04
    assert (plain.choose(thought, legal, np.random.default_rng(2))[1] == target).all()
