"""One update: what it must not change, what it must, and what it must learn."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest
import torch

from bot.micro.choice import chances
from bot.micro.model import ActorConfig
from bot.micro.network import Actor
from tests.bot.tables import said
from tests.train.toy import FEATURES, PAIRS, TARGETED, VERBS, ToyView, Weakest
from train.ppo import blocks
from train.ppo.batch import Batch, tree
from train.ppo.config import Ppo
from train.ppo.critic import Critic, CriticConfig
from train.ppo.lane import Lane
from train.ppo.learner import DivergedError, Learner
from train.ppo.losses import policy_loss, value_loss
from train.ppo.packed import pack
from train.views import Said

PPO = Ppo(rollout=8, chunk=4, epochs=2, minibatches=2, gamma=0.5, rate=3e-3, critic_rate=3e-3, value_clip=100.0)
LONG = dataclasses.replace(PPO, chunk=8, epochs=4, minibatches=1, rate=3e-3)


def learner_of(ppo: Ppo = PPO, seed: int = 0) -> Learner:
    torch.manual_seed(seed)
    actor = Actor(ActorConfig(FEATURES, PAIRS, VERBS, TARGETED, width=32, heads=2, memory=16, key_width=16))
    critic = Critic(CriticConfig(FEATURES + (not ppo.local), PAIRS, width=32, local=ppo.local))  # the state tells time
    with torch.no_grad():  # the heads start near zero, which would hide differences
        actor.verb.weight.mul_(50.0)
        actor.query.weight.mul_(50.0)
    return Learner(actor, critic, ppo)


def rollout(
    learner: Learner, seed: int = 0, count: int = 16, *, kind: type[Weakest] = Weakest, **more: object
) -> tuple[Lane, Batch]:
    lane = Lane(kind(count, seed), learner, learner.ppo, torch.device("cpu"))
    lane.begin(seed)
    lane.collect(torch.Generator().manual_seed(seed + 100))
    return lane, lane.collect(torch.Generator().manual_seed(seed), **more)


def chunks(batch: Batch, rows: torch.Tensor) -> Batch:
    """The chunks of these rows."""
    parts = {name: value for name, value in batch._asdict().items() if name not in ("h", "c")}
    picked = {name: tree(lambda tensor: tensor.index_select(1, rows), value) for name, value in parts.items()}
    return Batch(**picked, h=batch.h.index_select(0, rows), c=batch.c.index_select(0, rows))


def test_ratio_is_one_before_the_first_step() -> None:
    learner = learner_of()
    _, batch = rollout(learner)
    assert batch.h.any(), "the memories at the chunks' starts are those of the rollout, not empty ones"
    assert batch.fresh.any()
    out = learner.actor.sequence(batch.tables, (batch.h, batch.c), batch.fresh)
    logp, _ = said(out, batch.verb, batch.target)
    assert batch.active.any()
    torch.testing.assert_close(logp[batch.active], batch.logp[batch.active], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("local", [False, True])
def test_one_update_changes_every_parameter(local: bool) -> None:
    learner = learner_of(dataclasses.replace(PPO, local=local))
    _, batch = rollout(learner)
    before = copy.deepcopy([*learner.actor.state_dict().items(), *learner.critic.state_dict().items()])
    logs = learner.update([batch], torch.Generator().manual_seed(0))
    after = [*learner.actor.state_dict().items(), *learner.critic.state_dict().items()]
    same = [name for (name, old), (_, new) in zip(before, after, strict=True) if torch.equal(old, new)]
    assert not same
    assert logs["actor_gradient"] > 0
    assert logs["critic_gradient"] > 0


def test_repeated_updates_lower_the_losses_on_a_fixed_batch() -> None:
    learner = learner_of()
    _, batch = rollout(learner)
    logs = [learner.update([batch], torch.Generator().manual_seed(step)) for step in range(12)]
    assert logs[-1]["policy_loss"] < logs[0]["policy_loss"] - 0.02
    assert logs[-1]["value_loss"] < 0.8 * logs[0]["value_loss"]


def test_dead_and_absent_agents_teach_the_policy_nothing() -> None:
    learner = learner_of()
    _, batch = rollout(learner)
    other = learner_of()
    idle = ~batch.active
    assert idle.any()
    loud = batch._replace(
        advantage=torch.where(idle, 1e6, batch.advantage),
        logp=torch.where(idle, -3.0, batch.logp),
        teacher_verb=torch.where(idle, 3, batch.teacher_verb),
    )
    for one, data in ((learner, batch), (other, loud)):
        one.norm.update(0.5, 1.0)
        one.update([data], torch.Generator().manual_seed(0), teacher=0.5)
    for old, new in zip(learner.actor.parameters(), other.actor.parameters(), strict=True):
        assert torch.equal(old, new)


def test_the_same_seed_gives_the_same_batch() -> None:
    batches = [rollout(learner_of())[1] for _ in range(2)]
    for one, other in zip(batches[0], batches[1], strict=True):
        leaves = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
        assert all(torch.equal(a, b) for a, b in leaves)
    assert not torch.equal(batches[0].verb, rollout(learner_of(), seed=1)[1].verb)


def test_a_batch_holds_what_happened_in_order() -> None:
    learner = learner_of()
    lane, batch = rollout(learner, count=5)
    results = lane.take_results()
    age = torch.zeros(5, dtype=torch.long)
    assert results["battles"] == results["won"] + results["lost"]
    assert results["timeout"] > 0
    for step in range(PPO.rollout):
        chunk, row = divmod(step, PPO.chunk)
        rows = slice(chunk * 5, chunk * 5 + 5)
        fresh = batch.fresh[row, rows]
        age = torch.where(fresh, 0, age + 1)
        assert (age < 4).all()
        assert (batch.exists[row, rows, :2]).all()
        assert not batch.exists[row, rows, 2].any()
    assert not batch.active[..., 2].any()


def test_a_number_that_is_none_stops_before_it_does_harm() -> None:
    learner = learner_of()
    _, batch = rollout(learner)
    batch.tables.entities[0, 0, 0, 0] = float("nan")
    with pytest.raises(DivergedError):
        learner.update([batch], torch.Generator().manual_seed(0))
    assert all(value.isfinite().all() for value in learner.actor.state_dict().values())
    assert all(value.isfinite().all() for value in learner.critic.state_dict().values())


def mean_reward(learner: Learner, env: Weakest, updates: int, **more: float) -> float:
    lane = Lane(env, learner, learner.ppo, torch.device("cpu"))
    lane.begin(0)
    for update in range(updates):
        generator = torch.Generator().manual_seed(update)
        batch = lane.collect(generator, teach=bool(more))
        learner.update([batch], generator, **more)
    lane.take_results()
    lane.collect(torch.Generator().manual_seed(updates))
    return lane.take_results()["reward"] / (lane.environment.count * learner.ppo.rollout)


def test_the_weakest_is_found() -> None:
    assert mean_reward(learner_of(), Weakest(32), 40) > 0.9


def test_what_was_shown_once_is_remembered() -> None:
    assert mean_reward(learner_of(LONG), Weakest(32, recall=True), 32) > 0.8


def test_imitation_reaches_the_teacher() -> None:
    assert mean_reward(learner_of(LONG), Weakest(16, recall=True), 25, policy=0.0, teacher=1.0) > 0.8


class Undecided(Weakest):
    """Its teacher waits, and would as well attack in one of four moments."""

    def teacher(self) -> Said:
        verb, target, _ = super().teacher()
        chance = np.broadcast_to(np.float32([0.0, 0.0, 0.25, 0.75]), (*verb.shape, VERBS)).copy()
        return Said(np.where(verb == 2, 3, verb), np.full_like(target, -1), chance)


def test_what_a_teacher_is_not_sure_of_is_learned_as_such() -> None:
    learner = learner_of(LONG)
    lane = Lane(Undecided(16), learner, learner.ppo, torch.device("cpu"))
    lane.begin(0)
    for update in range(25):
        generator = torch.Generator().manual_seed(update)
        batch = lane.collect(generator, teach=True)
        learner.update([batch], generator, policy=0.0, teacher=1.0)
    out = learner.actor.sequence(batch.tables, (batch.h, batch.c), batch.fresh)
    likely = out.verb.softmax(-1)[batch.active].mean(0)
    torch.testing.assert_close(likely, torch.tensor([0.0, 0.0, 0.25, 0.75]), atol=0.04, rtol=0.0)


class Anyone(Weakest):
    """Agents may aim at all that they see, themselves too, as those who heal do."""

    def observe(self) -> ToyView:
        view = super().observe()
        return view._replace(tables=view.tables._replace(targets=view.tables.attends[:, :, None, :].copy()))


@pytest.mark.parametrize("even", [False, True])
def test_blocks_without_empty_rows_give_the_gradients_of_the_padded_batch(even: bool) -> None:
    learner = learner_of()
    learner.even = even
    whole = [rollout(learner, seed, count, teach=True, kind=Anyone)[1] for seed, count in ((1, 16), (2, 7))]
    assert (whole[0].target == 0).any()
    order = torch.tensor([38, 3, 44, 0, 31, 32, 17, 40, 5])  # some chunks of both lanes, of which one has 32
    made = [
        chunks(batch, some) for batch, some in zip(whole, (order[order < 32], order[order >= 32] - 32), strict=True)
    ]
    part = blocks.minibatch(pack(whole, learner.actor.slot), order, False, 4)
    assert len(part.blocks) > 4
    sums = [*learner._act(part, 1.0, 0.01, 0.5), *learner._judge(part)]
    packed = [parameter.grad.clone() for parameter in learner.parameters()]
    for parameter in learner.parameters():
        parameter.grad = None
    loss, error = 0.0, 0.0
    for batch in made:
        out = learner.actor.sequence(batch.tables, (batch.h, batch.c), batch.fresh)
        logp, spread = said(out, batch.verb, batch.target)
        found = policy_loss(logp, spread, batch.logp, batch.advantage, batch.active, learner.ppo.clip)
        one, _ = said(out, batch.teacher_verb.clamp(min=0), batch.teacher_target)
        of, _ = chances(out.verb, batch.teacher_verb.clamp(min=0))
        says = (
            one
            - of
            - torch.nn.functional.kl_div(out.verb.log_softmax(-1), batch.teacher_chance, reduction="none").sum(-1)
        )
        known = (batch.teacher_verb >= 0) & batch.active
        share = 1 / batch.tables.alive.sum(-1, keepdim=True).clamp(min=1) if even else 1
        lesson = -(says * known * share).sum()
        loss = loss + found.loss - 0.01 * found.entropy + 0.5 * lesson
        values = learner.values(batch.tables, batch.state, batch.foes)
        error = error + value_loss(values, batch.value, batch.returns, batch.exists, 100.0, 10.0)
    (loss + error).backward()
    wanted = [parameter.grad for parameter in learner.parameters()]
    torch.testing.assert_close(packed, wanted, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(sums[8], error, atol=1e-4, rtol=1e-4)


def test_an_update_ends_when_the_policy_has_moved_far_enough() -> None:
    far, less, near = (dataclasses.replace(PPO, epochs=5, kl=kl) for kl in (10.0, 0.17, 1e-6))
    for ppo, steps in ((far, 10.0), (less, 4.0), (near, 2.0)):  # all epochs of two minibatches; two, one
        learner = learner_of(ppo)
        logs = learner.update([rollout(learner)[1]], torch.Generator().manual_seed(0))
        assert logs["steps_of_adam"] == steps
        assert logs["kl"] > 1e-6
    learner = learner_of(near)
    logs = learner.update([rollout(learner, teach=True)[1]], torch.Generator().manual_seed(0), policy=0.0, teacher=1.0)
    assert logs["steps_of_adam"] == 10.0  # imitation may move it


def test_rates_and_entropy_follow_the_progress_of_the_run() -> None:
    for anneal, rates in ((True, (3e-3, 1.65e-3, 3e-4)), (False, (3e-3, 3e-3, 3e-3))):
        learner = learner_of(dataclasses.replace(PPO, anneal=anneal, epochs=1))
        _, batch = rollout(learner)
        for progress, rate in zip((0.0, 0.5, 1.0), rates, strict=True):
            learner.update([batch], torch.Generator().manual_seed(0), progress=progress)
            for adam in (learner.actor_adam, learner.critic_adam):
                assert adam.param_groups[0]["lr"] == pytest.approx(rate)
    verbs = []
    for entropy, end, progress in ((0.5, 0.1, 0.5), (0.3, 0.3, 0.0), (0.5, 0.1, 0.0)):
        learner = learner_of(dataclasses.replace(PPO, entropy=entropy, entropy_end=end))
        learner.update([rollout(learner)[1]], torch.Generator().manual_seed(0), progress=progress)
        verbs.append(learner.actor.verb.weight)
    assert torch.allclose(verbs[0], verbs[1], atol=1e-6)
    assert not torch.allclose(verbs[0], verbs[2], atol=1e-6)


def test_a_sharpened_policy_has_its_logits_divided() -> None:
    learner = learner_of()
    _, batch = rollout(learner)
    actor, told = learner.actor, (batch.tables, (batch.h, batch.c), batch.fresh)
    before = actor.sequence(*told)
    actor.sharpen(0.5)
    after, tables = actor.sequence(*told), batch.tables
    torch.testing.assert_close(after.verb[tables.verbs], before.verb[tables.verbs] / 0.5)
    torch.testing.assert_close(after.target[tables.targets], before.target[tables.targets] / 0.5)


def test_a_sharpened_advised_policy_follows_as_often_as_before() -> None:
    torch.manual_seed(1)
    actor = Actor(ActorConfig(3, 2, 4, (1,), width=8, heads=2, memory=8, advised=True))
    torch.nn.init.normal_(actor.verb.weight)
    core, legal = torch.randn(5, 8), torch.ones(5, 4, dtype=torch.bool)
    before = actor.verbs(core, legal).log_softmax(-1)
    actor.sharpen(3.0)
    after = actor.verbs(core, legal).log_softmax(-1)
    torch.testing.assert_close(after[:, -1], before[:, -1])
    spread = [-(x[:, :-1].exp() * x[:, :-1]).sum(-1) for x in (before, after)]
    assert (spread[1] > spread[0]).all()
