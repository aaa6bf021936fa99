"""From the agents' values to the team's: VDN adds them up, QMIX weighs them by the state (Rashid et al., 2018).

The weights of a mixer come from hypernetworks over the state, pooled to a fixed size, and over each agent's own
features, so that one mixer serves any number of agents.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from bot.micro.network import LAST_GAIN
from train.ppo.critic import pool


class Vdn(nn.Module):
    """The sum over living agents."""

    def forward(self, value: Tensor, entities: Tensor, present: Tensor, alive: Tensor) -> Tensor:
        """Agents' values f4 [..., A] -> the team's f4 [...]; the state is not looked at."""
        return (value * alive).sum(-1)


class Qmix(nn.Module):
    """A mixing network that never falls when an agent's value rises."""

    def __init__(self, features: int, width: int = 32, hidden: int = 32) -> None:
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.state = nn.Sequential(nn.Linear(4 * width + 2, width), nn.ReLU())
        self.agent_weight = nn.Linear(2 * width, hidden)
        self.agent_bias = nn.Linear(width, hidden)
        self.team_weight = nn.Linear(width, hidden)
        self.team_bias = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, math.sqrt(2.0))
                nn.init.zeros_(module.bias)
        for last in (self.agent_bias, self.team_bias[-1]):  # say 0 at first: what is wrong then is long believed
            nn.init.orthogonal_(last.weight, LAST_GAIN)

    def forward(self, value: Tensor, entities: Tensor, present: Tensor, alive: Tensor) -> Tensor:
        """Agents' values f4 [..., A], state entities f4 [..., N, F] of which bool [..., N] are there -> f4 [...]."""
        agents = alive.shape[-1]
        token = self.encode(entities)
        parts = [part for own in (True, False) for part in pool(token, present, own, agents, False)]
        state = self.state(torch.cat(parts, -1))
        each = torch.cat((token[..., :agents, :], state.unsqueeze(-2).expand(*alive.shape, -1)), -1)
        weight = self.agent_weight(each).abs() * alive[..., None]
        hidden = nn.functional.elu((weight * value[..., None]).sum(-2) + self.agent_bias(state))
        return (hidden * self.team_weight(state).abs()).sum(-1) + self.team_bias(state).squeeze(-1)


def mixer(name: str, features: int) -> nn.Module:
    """`vdn` or `qmix` for states of so many features."""
    return Vdn() if name == "vdn" else Qmix(features)
