"""What a moment is worth to each agent: the whole state pooled to a fixed size, joined with the agent's own features.

Used only in training. `local` is the critic of IPPO: it sees what its agent sees instead of the whole state.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bot.micro.kinds import MOST
from bot.micro.model import FEW


@dataclass(frozen=True, slots=True)
class CriticConfig:
    """Sizes of the critic; `features` of an entity of the state (or of the tables, where it is local), `pairs` of what
    stands between an agent and an entity."""

    features: int
    pairs: int
    width: int = 64
    local: bool = False


class Critic(nn.Module):
    """Values [..., A], normalised; a dead agent's own features are zeros, its value is that of its team's fight."""

    def __init__(self, config: CriticConfig) -> None:
        super().__init__()
        self.config = config
        w = config.width
        self.encode = nn.Sequential(
            nn.Linear(config.features, w), nn.ReLU(), nn.Linear(w, w), nn.LayerNorm(w), nn.ReLU()
        )
        self.whole = nn.Linear((2 if config.local else 4) * w + 2, w)
        self.own = nn.Linear(w, w, bias=False)
        self.foes = nn.Linear(2 * config.pairs, w, bias=False)
        self.join = nn.Sequential(nn.ReLU(), nn.Linear(w, w), nn.ReLU())
        self.value = nn.Linear(w, 1)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, math.sqrt(2.0))
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        nn.init.orthogonal_(self.value.weight, 0.1)

    def forward(self, entities: Tensor, present: Tensor, alive: Tensor, foes: Tensor) -> Tensor:
        """Entities f4 [..., N, F] (own rows first) of which bool [..., N] are there; agents' `alive` bool [..., A];
        their `extremes` f4 [..., A, 2 G]. A local critic takes bool [..., A, N] as `present`: what each agent sees."""
        agents = alive.shape[-1]
        token = self.encode(entities)
        pools = [pool(token, present, own, agents, self.config.local) for own in (True, False)]
        whole = self.whole(torch.cat([part for parts in pools for part in parts], -1))
        if not self.config.local:
            whole = whole.unsqueeze(-2)
        own = self.own(token[..., :agents, :] * alive[..., None])
        return self.value(self.join(whole + own + self.foes(foes))).squeeze(-1)


def extremes(pairs: Tensor, attends: Tensor) -> Tensor:
    """f4 [..., A, 2 G]: of the relations f4 [..., A, N, G] to the enemies that an agent looks at (bool [..., A, N]) the
    least and greatest, such as the nearest; zeros where it looks at none, as the dead do."""
    agents, most = pairs.shape[-3], pairs.new_tensor(MOST)
    least = greatest = pairs.new_full((*pairs.shape[:-2], pairs.shape[-1]), MOST)
    greatest = -greatest
    for foe, seen in zip(pairs[..., agents:, :].unbind(-2), attends[..., agents:].unbind(-1), strict=True):
        least = torch.minimum(least, torch.where(seen[..., None], foe, most))  # one by one: a quarter of amin and amax
        greatest = torch.maximum(greatest, torch.where(seen[..., None], foe, -most))
    return torch.cat((least, greatest), -1) * attends[..., agents:].any(-1, keepdim=True)


def pool(token: Tensor, present: Tensor, own: bool, agents: int, local: bool) -> list[Tensor]:
    """One side's mean scaled by its size, greatest values (whole state only) and size, each of a fixed width."""
    rows = slice(None, agents) if own else slice(agents, None)
    there, side = present[..., rows].to(token.dtype), token[..., rows, :]
    count = there.sum(-1, keepdim=True)
    amount = torch.log1p(count) / math.log1p(FEW)
    share = there * (amount / count.clamp(min=1.0))
    if local:
        return [share @ side, amount]
    greatest = (side * there[..., None]).amax(-2)
    return [(share.unsqueeze(-2) @ side).squeeze(-2), greatest, amount]


class ValueNorm:
    """Running mean and deviation of returns. The critic's last layer is rescaled with them: its values do not jump."""

    def __init__(self, keep: float = 0.99) -> None:
        self.keep = keep
        self.mean, self.square, self.weight = 0.0, 0.0, 0.0

    @property
    def center(self) -> float:
        """Mean of the returns, 0 before the first."""
        return self.mean / self.weight if self.weight else 0.0

    @property
    def scale(self) -> float:
        """Deviation of the returns, at least 0.1, 1 before the first."""
        if not self.weight:
            return 1.0
        return max(self.square / self.weight - self.center**2, 0.01) ** 0.5

    def update(self, mean: float, square: float, critic: Critic | None = None) -> None:
        """Take in the mean and mean square of a batch of returns; `critic` goes on saying the same values."""
        center, scale = self.center, self.scale
        self.mean = self.keep * self.mean + (1 - self.keep) * mean
        self.square = self.keep * self.square + (1 - self.keep) * square
        self.weight = self.keep * self.weight + (1 - self.keep)
        if critic is not None:
            with torch.no_grad():
                critic.value.weight.mul_(scale / self.scale)
                critic.value.bias.mul_(scale).add_(center - self.center).div_(self.scale)

    def to(self, value: Tensor) -> Tensor:
        """Returns -> normalised values."""
        return (value - self.center) / self.scale

    def back(self, value: Tensor) -> Tensor:
        """Normalised values -> returns."""
        return value * self.scale + self.center

    def state(self) -> dict[str, float]:
        """What `restore` takes."""
        return {"mean": self.mean, "square": self.square, "weight": self.weight}

    def restore(self, state: dict[str, float]) -> None:
        """Continue from `state()`."""
        self.mean, self.square, self.weight = state["mean"], state["square"], state["weight"]
