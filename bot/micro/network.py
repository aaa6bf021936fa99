"""The policy network: what every own unit does next, from the tables of one moment and each unit's own memory.

Every entity is encoded once for the whole battle; each own unit attends over the entities it may look at, biased by
relative geometry; an LSTM state per unit remembers; one head chooses a verb, another points at its target. Shapes are
those of docs/micro.md: B battles, A own units (rows 0..A-1 of the entities), N entities, V verbs, T targeted verbs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from bot.micro.choice import Out
from bot.micro.model import FEW, ILLEGAL, ActorConfig

if TYPE_CHECKING:
    from bot.micro.tables import Tables

BLIND = 1e6  # taken from relations with what is not seen, before they are cut off at 0
LAST_GAIN = 0.01  # of the heads' weights: the first policy is near uniform
TRUST = 3.0  # logit of following the rules at first: in 95 of 100 decisions
Memory = tuple[Tensor, Tensor]


class Greatest(torch.autograd.Function):
    """The greatest f4 [..., P] of [..., N, P] along N. `amax` takes ten times as long for so few columns, which was a
    third of a decision."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        """By halves, which may overlap."""
        best = values
        while (count := best.shape[-2]) > 1:
            half = (count + 1) // 2
            best = torch.maximum(best[..., :half, :], best[..., count - half :, :])
        best = best.squeeze(-2)
        ctx.save_for_backward(values, best)
        return best

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        """To the greatest; where several are, to each."""
        values, best = ctx.saved_tensors
        return torch.where(values == best[..., None, :], grad[..., None, :], 0.0)


class Lstm(nn.Module):
    """An LSTM cell over any leading axes; a sequence costs one matrix product for all its inputs."""

    def __init__(self, inputs: int, size: int) -> None:
        super().__init__()
        self.inward = nn.Linear(inputs, 4 * size)
        self.back = nn.Linear(size, 4 * size, bias=False)
        for layer in (self.inward, self.back):
            for gate in layer.weight.data.split(size):
                nn.init.orthogonal_(gate)
        nn.init.zeros_(self.inward.bias)
        self.inward.bias.data[size : 2 * size] = 1.0  # gates are input, forget, output, cell: remember at first

    def step(self, gates: Tensor, memory: Memory) -> Memory:
        """One step from already multiplied inputs [..., 4 * size]."""
        h, c = memory
        gates = gates + self.back(h)
        size = h.shape[-1]
        i, f, o = gates[..., : 3 * size].sigmoid().split(size, -1)
        c = f * c + i * gates[..., 3 * size :].tanh()
        return o * c.tanh(), c


class Actor(nn.Module):
    """The policy. `forward` decides one moment, `sequence` many moments in a row with their memories."""

    def __init__(self, config: ActorConfig) -> None:
        super().__init__()
        self.config = config
        w, p = config.width, config.pair_width
        self.encode = nn.Sequential(
            nn.Linear(config.features, w), nn.ReLU(), nn.Linear(w, w), nn.LayerNorm(w), nn.ReLU()
        )
        self.question = nn.Linear(w, w)
        self.answer = nn.Linear(w, 2 * w)
        self.relate_geometry = nn.Linear(config.pairs, p)
        self.relate_entity = nn.Linear(w, p, bias=False)
        self.relate_own = nn.Linear(w, p, bias=False)
        self.bias = nn.Linear(p, config.heads)
        seen = 2 * w + config.heads * config.pairs + 2 * p + 1
        self.join = nn.Sequential(nn.Linear(seen, w), nn.LayerNorm(w), nn.ReLU())
        self.lstm = Lstm(w, config.memory)
        self.recall = nn.Sequential(nn.Linear(config.memory, w), nn.LayerNorm(w))  # a young memory is small: be heard
        self.verb = nn.Linear(w, config.verbs)
        self.query = nn.Linear(w, len(config.targeted) * (config.key_width + p))
        self.key = nn.Linear(w, config.key_width)
        for module in self.modules():
            if isinstance(module, nn.Linear) and module not in (self.lstm.inward, self.lstm.back):
                nn.init.orthogonal_(module.weight, math.sqrt(2.0))
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        nn.init.orthogonal_(self.verb.weight, LAST_GAIN)
        nn.init.orthogonal_(self.query.weight, LAST_GAIN)
        if config.advised:
            nn.init.zeros_(self.verb.weight[-1])
            nn.init.constant_(self.verb.bias[-1], TRUST)
        slot = torch.full((config.verbs,), -1, dtype=torch.long)
        slot[list(config.targeted)] = torch.arange(len(config.targeted))
        self.register_buffer("slot", slot, persistent=False)

    def fresh(self, *agents: int) -> Memory:
        """Empty memories for agents of this shape, for example `fresh(B, A)`."""
        zero = torch.zeros(*agents, self.config.memory, device=self.slot.device)
        return zero, zero.clone()

    def forward(self, tables: Tables, memory: Memory) -> tuple[Out, Memory]:
        """Decide one moment: tables of tensors [B, ...], memories (h, c) f4 [B, A, memory]."""
        seen, key, near = self.see(tables)
        alive = tables.alive[..., None]
        h, c = self.lstm.step(self.lstm.inward(seen), memory)
        memory = h * alive, c * alive
        return self.decide(seen, memory[0], key, near, tables), memory

    def sequence(self, tables: Tables, memory: Memory, fresh: Tensor) -> Out:
        """Decide L moments [L, B, ...] from the memories at their start; `fresh` bool [L, B]: a first moment."""
        seen, key, near = self.see(tables)
        h = self.remember(seen, memory, ~fresh[..., None], tables.alive)
        return self.decide(seen, h, key, near, tables)

    def remember(self, seen: Tensor, memory: Memory, keep: Tensor, alive: Tensor) -> Tensor:
        """Memories f4 [L, ..., memory] after each of L moments, in which agents saw [L, ..., w]; bool [L, ...]: `keep`
        what was before the moment, and `alive`."""
        hs = []
        h, c = memory
        keep, alive = keep.to(seen.dtype)[..., None], alive.to(seen.dtype)[..., None]
        for gates, kept, lives in zip(self.lstm.inward(seen).unbind(), keep.unbind(), alive.unbind(), strict=True):
            h, c = self.lstm.step(gates, (h * kept, c * kept))
            h, c = h * lives, c * lives
            hs.append(h)
        return torch.stack(hs)

    def sharpen(self, temperature: float) -> None:
        """Divide all logits by `temperature`, but for that of FOLLOW, which says how often to depart at all."""
        verbs = self.config.verbs - self.config.advised
        with torch.no_grad():
            for values in (self.verb.weight[:verbs], self.verb.bias[:verbs], self.query.weight, self.query.bias):
                values.div_(temperature)

    def trust(self, logits: float) -> None:
        """Add to the logit of FOLLOW, which an advised policy has: below 0 it departs on weaker grounds."""
        with torch.no_grad():
            self.verb.bias[-1] += logits

    def looks(self, tables: Tables) -> Tensor:
        """f4 [..., A, heads, N]: how much each agent attends to each entity; sums to 1 for living agents."""
        return self._attend(tables)[3]

    def see(self, tables: Tables) -> tuple[Tensor, Tensor, Tensor]:
        """What each agent makes of the moment [..., A, w]; the entities' keys [..., N, K]; relations [..., A, N, P]."""
        return self._attend(tables)[:3]

    def _attend(self, tables: Tables) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """As `see`, and the attention [..., A, heads, N]."""
        config = self.config
        agents = tables.alive.shape[-1]
        token = self.encode(tables.entities)
        own = token[..., :agents, :]
        attends = tables.attends
        blind = (attends.to(token.dtype) - 1) * BLIND
        near = self.near(tables.pairs, token, own, blind)
        question = self.question(own).unflatten(-1, (config.heads, -1)).transpose(-2, -3)
        key, value = self.answer(token).unflatten(-1, (2, config.heads, -1)).unbind(-3)
        score = question @ key.transpose(-2, -3).transpose(-1, -2) / math.sqrt(config.width // config.heads)
        score = score.transpose(-2, -3) + self.biases(near)
        weight = (score + blind[..., None, :]).softmax(-1)
        answer = weight.transpose(-2, -3) @ value.transpose(-2, -3)
        answer = answer.transpose(-2, -3).flatten(-2)
        where = (weight @ tables.pairs).flatten(-2)
        count = attends.sum(-1, keepdim=True).to(near.dtype)
        amount = torch.log1p(count) / math.log1p(FEW)
        crowd = near.sum(-2) * (amount / count.clamp(min=1.0))
        seen = self.join(torch.cat((own, answer, where, crowd, Greatest.apply(near), amount), -1))
        return seen * tables.alive[..., None], self.key(token), near, weight

    def near(self, pairs: Tensor, token: Tensor, own: Tensor, blind: Tensor) -> Tensor:
        """Relations f4 [..., A, N, P] of agents and entities, 0 with what is not seen. The largest tensor of all: it is
        made in place."""
        mine = nn.functional.linear(own, self.relate_own.weight, self.relate_geometry.bias)
        near = self.relate_entity(token)[..., None, :, :] + mine[..., None, :]
        near = near.add_(blind[..., None])
        near.flatten(0, -2).addmm_(pairs.flatten(0, -2), self.relate_geometry.weight.t())
        return near.relu_()

    def biases(self, near: Tensor) -> Tensor:
        """What each relation adds to each head's attention, f4 [..., A, heads, N]. Multiplied the other way round the
        few heads take four times as long."""
        flat = torch.addmm(self.bias.bias[:, None], self.bias.weight, near.flatten(0, -2).t())
        return flat.unflatten(1, near.shape[:-1]).movedim(0, -2)

    def decide(self, seen: Tensor, h: Tensor, key: Tensor, near: Tensor, tables: Tables) -> Out:
        """The decision from what `see` gave and the memories [..., A, memory] after this moment."""
        core = self.core(seen, h)
        query = self.query(core).unflatten(-1, (len(self.config.targeted), -1))
        return Out(self.verbs(core, tables.verbs), query, key, near, tables.targets, self.slot, self.config.advised)

    def core(self, seen: Tensor, h: Tensor) -> Tensor:
        """f4 [..., w]: what both heads start from, from what an agent sees and its memory [..., memory]."""
        return seen + self.recall(h)

    def verbs(self, core: Tensor, legal: Tensor) -> Tensor:
        """Logits f4 [..., V] of verbs; bool [..., V] are legal. Who is advised first decides on FOLLOW: the last
        verb stands against all others together, so its chance does not hang on how sure the others' logits are."""
        logits = self.verb(core).masked_fill(~legal, ILLEGAL)
        if not self.config.advised:
            return logits
        return torch.cat((logits[..., :-1].log_softmax(-1).clamp(min=ILLEGAL), logits[..., -1:]), -1)

    def query_of(self, core: Tensor, verb: Tensor) -> Tensor:
        """f4 [S, K + P]: what the chosen verbs i8 [S] look for, zeros where one needs no target."""
        count = len(self.config.targeted)
        weights, biases = (
            self.query.weight.unflatten(0, (count, -1)).unbind(),
            self.query.bias.unflatten(0, (count, -1)),
        )
        slot = self.slot[verb]
        rows = [(slot == row).nonzero().squeeze(1) for row in range(count)]
        found = [
            nn.functional.linear(core.index_select(0, mine), weight, bias)
            for mine, weight, bias in zip(rows, weights, biases.unbind(), strict=True)
        ]
        return core.new_zeros(len(core), biases.shape[1]).index_copy(0, torch.cat(rows), torch.cat(found))
