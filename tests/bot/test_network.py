"""The policy network: who may influence whom, what is never chosen, whose memory is whose."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from bot.micro.choice import decide, sample
from bot.micro.model import SURE
from bot.micro.network import TRUST, Actor
from tests.bot.tables import CONFIG, pad, permute, random_tables, said


@pytest.fixture
def actor() -> Actor:
    torch.manual_seed(1)
    actor = Actor(CONFIG)
    with torch.no_grad():  # the heads start near zero; a trained network is more telling
        for parameter in (actor.verb.weight, actor.query.weight):
            parameter.mul_(100.0)
    return actor


def memory_of(actor: Actor, *shape: int) -> tuple[Tensor, Tensor]:
    g = torch.Generator().manual_seed(5)
    size = (*shape, actor.config.memory)
    return torch.randn(*size, generator=g), torch.randn(*size, generator=g)


def test_rows_of_nobody_change_nothing(actor: Actor) -> None:
    tables = random_tables(6)
    h, c = memory_of(actor, 6, 4)
    out, after = actor(tables, (h, c))
    wide = pad(tables, agents=3, foes=4)
    more = torch.zeros(6, 3, actor.config.memory)
    padded, padded_after = actor(wide, (torch.cat((h, more), 1), torch.cat((c, more), 1)))
    rows = [*range(4), *range(7, 12)]
    torch.testing.assert_close(padded.verb[:, :4], out.verb, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(padded.target[:, :4][..., rows], out.target, atol=1e-5, rtol=1e-5)
    for one, other in zip(after, padded_after, strict=True):
        torch.testing.assert_close(other[:, :4], one, atol=1e-5, rtol=1e-5)
        assert not other[:, 4:].any()


def test_another_order_of_units_reorders_the_answer_and_the_memory(actor: Actor) -> None:
    tables = random_tables(6, agents=5, foes=4)
    memory = memory_of(actor, 6, 5)
    own, foes = torch.tensor([3, 0, 4, 1, 2]), torch.tensor([2, 3, 1, 0])
    out, after = actor(tables, memory)
    other, other_after = actor(permute(tables, own, foes), (memory[0][:, own], memory[1][:, own]))
    torch.testing.assert_close(other.verb, out.verb[:, own], atol=1e-5, rtol=1e-5)
    order = torch.cat((own, foes + 5))
    torch.testing.assert_close(other.target, out.target[:, own][..., order], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(other_after[0], after[0][:, own], atol=1e-5, rtol=1e-5)


def test_battles_do_not_influence_each_other(actor: Actor) -> None:
    tables, memory = random_tables(6), memory_of(actor, 6, 4)
    out, _ = actor(tables, memory)
    alone, _ = actor(type(tables)(*(value[2:3] for value in tables)), (memory[0][2:3], memory[1][2:3]))
    torch.testing.assert_close(alone.verb, out.verb[2:3], atol=1e-5, rtol=1e-5)


def test_a_dead_unit_changes_nothing_and_gets_no_gradient(actor: Actor) -> None:
    tables = random_tables(8, seed=3)
    dead = ~tables.present
    assert dead[:, :4].any()
    loud = tables._replace(
        entities=torch.where(dead[..., None], 7.0, tables.entities).requires_grad_(),
        pairs=torch.where(dead[:, None, :, None], 7.0, tables.pairs).requires_grad_(),
    )
    h, c = (value.requires_grad_() for value in memory_of(actor, 8, 4))
    quiet, _ = actor(tables, (h, c))
    out, after = actor(loud, (h, c))
    alive = tables.alive
    torch.testing.assert_close(out.verb[alive], quiet.verb[alive], atol=1e-5, rtol=1e-5)
    verb, target, logp = sample(out, torch.Generator().manual_seed(0))
    assert (verb[~alive] == 0).all()
    assert (target[~alive] == -1).all()
    assert not logp[~alive].any()
    (logp.sum() + after[0].sum()).backward()
    assert not loud.entities.grad[dead].any()
    assert loud.entities.grad[tables.present].any()
    assert not h.grad[~alive].any()
    assert not after[0][~alive].any()


def test_memory_follows_its_unit(actor: Actor) -> None:
    tables = random_tables(1, seed=4)
    tables = tables._replace(
        alive=torch.ones(1, 4, dtype=torch.bool), verbs=torch.ones_like(tables.verbs), present=torch.ones(1, 9) > 0
    )
    h, c = memory_of(actor, 1, 4)
    changed = h.clone()
    changed[0, 2] += 1.0
    out, _ = actor(tables, (h, c))
    other, _ = actor(tables, (changed, c))
    differs = (out.verb != other.verb).any(-1)[0]
    assert differs.tolist() == [False, False, True, False]


def test_what_is_illegal_is_never_sampled_and_has_no_probability(actor: Actor) -> None:
    tables = random_tables(64, seed=6)
    out, _ = actor(tables, actor.fresh(64, 4))
    assert not out.verb.softmax(-1)[~tables.verbs].any()
    g = torch.Generator().manual_seed(9)
    for _ in range(50):
        verb, target, logp = sample(out, g)
        assert tables.verbs.gather(-1, verb[..., None]).all()
        row = out.slot[verb]
        pointed = row >= 0
        assert torch.equal(target >= 0, pointed)
        legal = tables.targets.gather(-2, row.clamp(min=0)[..., None, None].expand(64, 4, 1, 9)).squeeze(-2)
        assert legal.gather(-1, target.clamp(min=0)[..., None]).squeeze(-1)[pointed].all()
        assert logp.isfinite().all()


def test_sampling_follows_the_probabilities(actor: Actor) -> None:
    tables = random_tables(1, seed=7)
    out, _ = actor(tables, actor.fresh(1, 4))
    tensors = {name: value for name, value in out._asdict().items() if isinstance(value, Tensor) and value.dim() > 1}
    many = out._replace(**{name: value.expand(4000, *value.shape[1:]) for name, value in tensors.items()})
    verb, _, _ = sample(many, torch.Generator().manual_seed(2))
    seen = torch.nn.functional.one_hot(verb, CONFIG.verbs).float().mean(0)
    torch.testing.assert_close(seen, out.verb.softmax(-1)[0], atol=0.04, rtol=0.0)


def test_evaluate_agrees_with_sample_and_play_takes_the_likeliest(actor: Actor) -> None:
    tables = random_tables(16, seed=8)
    out, _ = actor(tables, actor.fresh(16, 4))
    verb, target, logp = sample(out, torch.Generator().manual_seed(1))
    again, entropy = said(out, verb, target)
    torch.testing.assert_close(again, logp)
    assert (entropy >= -1e-6).all()
    assert entropy.isfinite().all()
    best, aim = decide(out, torch.Generator())
    assert torch.equal(best, out.verb.argmax(-1))
    row = out.slot[best]
    likeliest = out.target.gather(-2, row.clamp(min=0)[..., None, None].expand(16, 4, 1, 9)).squeeze(-2).argmax(-1)
    assert torch.equal(aim[row >= 0], likeliest[row >= 0])


def test_a_sequence_equals_its_steps_and_forgets_at_a_new_battle(actor: Actor) -> None:
    tables = random_tables(7, 3, seed=10)
    fresh = torch.zeros(7, 3, dtype=torch.bool)
    fresh[4, 1] = True
    start = memory_of(actor, 3, 4)
    whole = actor.sequence(tables, start, fresh)
    memory = start
    for step in range(7):
        memory = tuple(value * ~fresh[step][:, None, None] for value in memory)
        out, memory = actor(type(tables)(*(value[step] for value in tables)), memory)
        torch.testing.assert_close(whole.verb[step], out.verb, atol=1e-5, rtol=1e-5)


def test_attention_sums_to_one_over_what_may_be_seen(actor: Actor) -> None:
    tables = random_tables(5, seed=11)
    looks = actor.looks(tables)[tables.alive]
    torch.testing.assert_close(looks.sum(-1), torch.ones(looks.shape[:2]))
    assert not looks[~tables.attends[tables.alive][:, None].expand_as(looks)].any()


def test_the_size_of_the_shipped_shape_is_within_the_limit() -> None:
    actor = Actor(type(CONFIG)(features=64, pairs=16, verbs=32, targeted=(2, 14, 15, 16, 17, 18)))
    assert sum(parameter.numel() for parameter in actor.parameters()) <= 300_000


def test_an_advised_policy_follows_at_first_however_sure_it_is_of_the_rest() -> None:
    torch.manual_seed(1)
    actor = Actor(replace(CONFIG, advised=True))
    with torch.no_grad():
        actor.verb.weight[:-1].mul_(300.0)  # very sure, and of other things in other states
    tables = random_tables(40, seed=12)
    tables.verbs[..., -1] &= tables.alive
    out, _ = actor(tables, actor.fresh(40, 4))
    chance = out.verb.softmax(-1)
    others = tables.verbs[..., :-1].any(-1)
    may = tables.verbs[..., -1] & others
    assert may.sum() > 50
    torch.testing.assert_close(chance[may][:, -1], torch.full((int(may.sum()),), 1 / (1 + math.exp(-TRUST))))
    assert (chance[may][:, :-1].amax(-1) > 0.04).any(), "sure of what it would do otherwise"
    assert not chance[~tables.verbs & tables.verbs.any(-1, keepdim=True)].any()
    alone = tables.verbs[..., -1] & ~others
    assert (chance[alone][:, -1] == 1).all()
    verb, _ = decide(out, torch.Generator())
    assert (verb[may] == CONFIG.verbs - 1).all()


def test_who_is_not_sure_to_follow_draws_among_the_rest(actor: Actor) -> None:
    out, _ = actor(random_tables(3000, seed=12), actor.fresh(3000, 4))
    chance = torch.full(out.verb.shape, 1e-9)
    chance[..., 0], chance[..., 1] = 0.75, 0.25
    for follow, shares in ((SURE - 0.1, (0.75, 0.25, 0.0)), (SURE + 0.1, (0.0, 0.0, 1.0))):
        logits = torch.cat((chance[..., :-1] * (1 - follow), torch.full_like(chance[..., :1], follow)), -1).log()
        told = out._replace(verb=logits, advised=True)
        verb, target = decide(told, torch.Generator().manual_seed(1))
        for which, share in zip((0, 1, CONFIG.verbs - 1), shares, strict=True):
            assert abs((verb == which).float().mean().item() - share) < 0.02
        assert ((target >= 0) == (out.slot[verb] >= 0)).all()
        assert torch.equal(decide(told, torch.Generator().manual_seed(1))[0], verb)
