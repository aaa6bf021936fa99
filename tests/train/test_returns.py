"""Advantages by hand, losses by hand, value normalisation."""

from __future__ import annotations

import pytest
import torch

from train.ppo.critic import Critic, CriticConfig, ValueNorm, extremes
from train.ppo.losses import huber, policy_loss, value_loss
from train.ppo.returns import gae, values_after


def column(*values: float) -> torch.Tensor:
    return torch.tensor(values).reshape(-1, 1)


def test_gae_by_hand_with_an_end_in_the_middle() -> None:
    reward, value = column(1.0, 2.0, 3.0, 4.0), column(0.5, 1.0, 1.5, 2.0)[..., None]
    done = column(0, 1, 0, 0).bool()
    after = values_after(value, torch.tensor([[2.5]]), done, torch.zeros_like(done), bootstrap=True)
    assert after.flatten().tolist() == [1.0, 0.0, 2.0, 2.5]
    advantage, returns = gae(reward[..., None], value, after, done, gamma=0.5, lam=0.5)
    # deltas: 1 + .5 - .5 = 1; 2 + 0 - 1 = 1; 3 + 1 - 1.5 = 2.5; 4 + 1.25 - 2 = 3.25; each later one weighs a quarter
    expected = [1.0 + 0.25 * 1.0, 1.0, 2.5 + 0.25 * 3.25, 3.25]
    assert advantage.flatten().tolist() == pytest.approx(expected)
    assert returns.flatten().tolist() == pytest.approx([1.75, 2.0, 4.8125, 5.25])


def test_a_time_out_is_an_end_or_is_bootstrapped() -> None:
    reward, value = column(1.0, 1.0), column(3.0, 5.0)[..., None]
    timeout = column(1, 0).bool()
    none = torch.zeros_like(timeout)
    last = torch.tensor([[7.0]])
    assert values_after(value, last, none, timeout, bootstrap=False).flatten().tolist() == [0.0, 7.0]
    after = values_after(value, last, none, timeout, bootstrap=True)
    assert after.flatten().tolist() == [3.0, 7.0]
    advantage, _ = gae(reward[..., None], value, after, timeout, gamma=1.0, lam=1.0)
    assert advantage.flatten().tolist() == [1.0, 3.0]  # nothing of the next battle flows back


def test_agents_of_a_battle_share_its_reward_or_have_their_own() -> None:
    value, never = torch.zeros(2, 1, 3), torch.zeros(2, 1, dtype=torch.bool)
    advantage, _ = gae(torch.ones(2, 1, 1), value, value, never, gamma=0.5, lam=1.0)
    assert advantage[:, 0].tolist() == [[1.5] * 3, [1.0] * 3]
    own = torch.tensor([[[1.0, 0.0, 2.0]], [[1.0, 1.0, 0.0]]])
    advantage, _ = gae(own, value, value, never, gamma=0.5, lam=1.0)
    assert advantage[:, 0].tolist() == [[1.5, 0.5, 2.0], [1.0, 1.0, 0.0]]


def test_the_policy_loss_is_clipped_and_counts_the_active() -> None:
    logp = torch.tensor([0.5, 0.5, -0.5, 9.0], requires_grad=True)
    advantage = torch.tensor([1.0, -1.0, -1.0, 5.0])
    active = torch.tensor([True, True, True, False])
    found = policy_loss(logp, torch.ones(4), torch.zeros(4), advantage, active, clip=0.2)
    up, down = torch.tensor(0.5).exp().item(), torch.tensor(-0.5).exp().item()
    assert found.loss.item() == pytest.approx(-(1.2 - up - max(0.8, down)), abs=1e-6)
    assert found.entropy.item() == 3.0
    assert found.clipped.item() == 3.0
    found.loss.backward()
    assert logp.grad.tolist() == pytest.approx([0.0, up, 0.0, 0.0])


def test_the_value_loss_takes_the_worse_of_clipped_and_plain() -> None:
    value, old, target = torch.tensor([2.0, 2.0]), torch.tensor([0.0, 0.0]), torch.tensor([2.0, 9.0])
    exists = torch.tensor([True, False])
    assert value_loss(value, old, target, exists, clip=0.5, delta=10.0).item() == pytest.approx(0.5 * 1.5**2)
    assert huber(torch.tensor([1.0, -20.0]), 10.0).tolist() == pytest.approx([0.5, 150.0])


def test_new_statistics_of_returns_leave_the_values_as_they_were() -> None:
    torch.manual_seed(0)
    critic, norm = Critic(CriticConfig(3, 2, width=8)), ValueNorm()
    norm.update(2.0, 5.0)
    entities, present, alive = torch.randn(6, 5, 3), torch.rand(6, 5) > 0.3, torch.rand(6, 2) > 0.3
    foes = extremes(torch.randn(6, 2, 5, 2), torch.rand(6, 2, 5) > 0.3)
    before = norm.back(critic(entities, present, alive, foes))
    norm.update(-40.0, 4000.0, critic)
    torch.testing.assert_close(norm.back(critic(entities, present, alive, foes)), before, atol=1e-4, rtol=1e-4)
    assert norm.to(norm.back(torch.tensor(3.0))).item() == pytest.approx(3.0, abs=1e-5)


def nobody_behind(there: torch.Tensor, rows: int) -> torch.Tensor:
    return torch.cat((there, torch.zeros(*there.shape[:-1], rows, dtype=torch.bool)), -1)


@pytest.mark.parametrize("local", [False, True])
def test_the_critic_knows_no_padding_and_no_order_but_each_agents_own_features(local: bool) -> None:
    torch.manual_seed(0)
    critic = Critic(CriticConfig(3, 2, width=16, local=local))
    entities, alive = torch.randn(4, 7, 3), torch.ones(4, 3, dtype=torch.bool)
    present = torch.rand(4, 3, 7) > 0.3 if local else torch.rand(4, 7) > 0.3
    pairs, looks = torch.randn(4, 3, 7, 2), torch.rand(4, 3, 7) > 0.3
    value = critic(entities, present, alive, extremes(pairs, looks))
    assert value.shape == (4, 3)
    assert (value[:, 0] != value[:, 1]).all()
    wide = torch.cat((entities, torch.full((4, 5, 3), 9.0)), 1)
    padded = nobody_behind(present, 5)
    more = extremes(torch.cat((pairs, torch.zeros(4, 3, 5, 2)), 2), nobody_behind(looks, 5))
    torch.testing.assert_close(critic(wide, padded, alive, more), value, atol=1e-5, rtol=1e-5)
    order = torch.tensor([0, 1, 2, 5, 6, 3, 4])
    turned = extremes(pairs[:, :, order], looks[..., order])
    torch.testing.assert_close(
        critic(entities[:, order], present[..., order], alive, turned), value, atol=1e-5, rtol=1e-5
    )


def test_the_critic_is_told_of_the_nearest_enemy_that_is_there() -> None:
    pairs = torch.tensor([[[0.0], [0.7], [0.0], [0.3], [-0.2]]])  # one agent, four enemies
    looks = torch.tensor([[True, True, False, True, False]])
    assert extremes(pairs[None], looks[None]).flatten().tolist() == pytest.approx([0.3, 0.7])
    assert extremes(pairs[None], torch.zeros_like(looks)[None]).flatten().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("local", [False, True])
def test_the_critic_looks_at_both_sides_and_at_nobody_who_is_not_there(local: bool) -> None:
    torch.manual_seed(0)
    critic = Critic(CriticConfig(3, 2, width=16, local=local))
    entities, alive = torch.randn(1, 6, 3, requires_grad=True), torch.tensor([[True, True, False]])
    present = torch.tensor([[True, True, False, True, True, False]])
    seen = present[:, None].expand(1, 3, 6) if local else present
    critic(entities, seen, alive, torch.zeros(1, 3, 4)).sum().backward()
    assert entities.grad.abs().sum(-1).gt(0).tolist() == present.tolist()
