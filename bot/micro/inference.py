"""The network of `network.py` for one battle, in numpy: what the bot plays with.

Of one battle every operation is small, and a call of torch costs more than its work. Weights that read the same input
are joined when a model is loaded, and only who points at somebody is asked what it looks for. A test compares both.
Shapes are those of docs/micro.md without B; H heads, P numbers of a relation, K of a key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from bot.micro.model import FEW, ILLEGAL, SURE, ActorConfig
from bot.micro.tables import Tables

BLIND = np.float32(1e6)  # taken from the attention to what is not seen
ZERO, ENDLESS = np.float32(0.0), np.float32(np.inf)
EPSILON = np.float32(1e-5)  # of the norms
LEAST_CHANCE = np.float32(1e-20)
FOLLOWS = math.log(SURE / (1 - SURE))
"""The logit of FOLLOW against all other verbs together from which on it is done."""
Memory = tuple[np.ndarray, np.ndarray]


class Thought(NamedTuple):
    """What a network makes of a moment."""

    verbs: np.ndarray
    """f4 [A, V]: logits of verbs, ILLEGAL where they are not legal. Of an advised policy the last one, FOLLOW's, stands
    against all others together."""
    core: np.ndarray
    """f4 [A, w]: what the queries are made of."""
    key: np.ndarray
    """f4 [N, K]."""
    near: np.ndarray
    """f4 [P, A, N]: the relations of agents and entities."""
    memory: Memory
    """f4 [A, memory] each, after this moment."""


class Network:
    """A loaded model; nothing in it changes while it plays."""

    def __init__(self, arrays: Mapping[str, np.ndarray], config: ActorConfig, trust: float = 0.0) -> None:
        """Arrays as `model.load_model` gives them; `trust` is added to the logit of an advised policy's FOLLOW: above 0
        it departs from the rules on stronger grounds only."""
        self.config = config
        self._slot = np.full(config.verbs, -1)
        self._slot[list(config.targeted)] = np.arange(len(config.targeted))

        def linear(*names: str) -> tuple[np.ndarray, np.ndarray]:
            """Weights [inputs, outputs] and biases of layers with the same input, one after the other."""
            weights = [arrays[f"{name}.weight"] for name in names]
            biases = [arrays.get(f"{name}.bias", np.zeros(len(w))) for name, w in zip(names, weights, strict=True)]
            return np.ascontiguousarray(np.concatenate(weights).T, np.float32), np.concatenate(biases).astype("f4")

        def normed(name: str, norm: str) -> tuple[np.ndarray, ...]:
            """A layer whose outputs have mean 0, as the norm behind it wants them, and what that scales and adds."""
            centred = (values - values.mean(axis=-1, keepdims=True) for values in linear(name))
            return (*centred, arrays[f"{norm}.weight"], arrays[f"{norm}.bias"])

        self._encode = linear("encode.0"), normed("encode.2", "encode.3")
        self._of_token = linear("answer", "relate_entity", "key")
        self._of_own = linear("question", "relate_own")
        self._of_own[1][config.width :] += arrays["relate_geometry.bias"]
        for values in self._of_own:  # attention is scaled: here once and for all
            values[..., : config.width] /= math.sqrt(config.width // config.heads)
        self._relate, self._bias = arrays["relate_geometry.weight"], arrays["bias.weight"]
        self._join, self._recall = normed("join.0", "join.1"), normed("recall.0", "recall.1")
        self._lstm = np.concatenate((linear("lstm.inward")[0], linear("lstm.back")[0])), linear("lstm.inward")[1]
        for values in self._lstm:  # a logistic gate is half of 1 + tanh(x / 2)
            values[..., : 3 * config.memory] /= 2
        self._verb = linear("verb")
        if config.advised:
            self._verb[1][-1] += trust
        weights, biases = linear("query")
        count = len(config.targeted)
        self._query = weights.reshape(config.width, count, -1), biases.reshape(count, -1)

    def think(self, tables: Tables, memory: Memory) -> Thought:
        """One moment of a battle (B = 1) in which all our units are there, with their memories (h, c) [A, memory]."""
        seen, key, near = self._see(tables)
        size = self.config.memory
        h, c = memory
        gates = _linear(np.concatenate((seen, h), axis=1), self._lstm)
        np.tanh(gates, out=gates)
        logistic = gates[:, : 3 * size]
        logistic += np.float32(1.0)
        logistic *= np.float32(0.5)
        i, f, o, new = (gates[:, low : low + size] for low in range(0, 4 * size, size))
        c = f * c + i * new
        h = o * np.tanh(c)
        core = seen + _normed(h, self._recall)
        verbs = np.where(tables.verbs[0], _linear(core, self._verb), np.float32(ILLEGAL))
        return Thought(verbs, core, key, near, (h, c))

    def _see(self, tables: Tables) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What each agent makes of the moment [A, w], the entities' keys [N, K], the relations [P, A, N]."""
        config = self.config
        w, heads, p = config.width, config.heads, config.pair_width
        first, second = self._encode
        token = _relu(_normed(_relu(_linear(tables.entities[0], first)), second))
        own = token[: tables.alive.shape[1]]
        made, asked = _linear(token, self._of_token), _linear(own, self._of_own)
        n, attends = len(token), tables.attends[0].astype(np.float32)
        blind = not tables.attends.all()  # in one fight mostly everybody sees everybody
        planes = tables.pairs[0].transpose(2, 0, 1).reshape(config.pairs, -1)  # as they lie: one product for all
        near = (self._relate @ planes).reshape(p, len(own), n)
        near += np.ascontiguousarray(made[:, 2 * w : 2 * w + p].T)[:, None]
        near += asked[:, w:].T[..., None]
        near = _relu(near)
        if blind:
            near *= attends
        weight = (self._bias @ near.reshape(p, -1)).reshape(heads, len(own), n)  # its bias is the same for all entities
        weight += _heads(asked[:, :w], heads) @ _heads(made[:, :w], heads).swapaxes(1, 2)
        if blind:
            weight += (attends - np.float32(1.0)) * BLIND
        weight -= _greatest(weight)[..., None]
        np.exp(weight, out=weight)
        ones = np.ones(n, np.float32)  # a product with them is a sum, in a third of the time
        whole = weight @ ones
        answer = (weight @ _heads(made[:, w : 2 * w], heads) / whole[..., None]).swapaxes(0, 1).reshape(len(own), w)
        where = (weight.swapaxes(0, 1) @ tables.pairs[0] / whole.T[..., None]).reshape(len(own), -1)
        count = attends @ ones
        amount = np.log1p(count) * np.float32(1.0 / math.log1p(FEW))
        crowd = (near @ ones).T * (amount / np.maximum(count, np.float32(1.0)))[:, None]
        joined = np.concatenate((own, answer, where, crowd, _greatest(near).T, amount[:, None]), axis=1)
        return _relu(_normed(joined, self._join)), made[:, 2 * w + p :], near

    def choose(
        self, thought: Thought, legal: np.ndarray, generator: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """What is done: verb i8 [A] and target i8 [A], -1 without; `legal` bool [A, T, N]. See `choice.decide`."""
        advised, logits = self.config.advised, thought.verbs
        if advised:
            verb = np.full(len(logits), self.config.verbs - 1)
            departs = np.flatnonzero(logits[:, -1] <= FOLLOWS)
            if not departs.size:
                return verb, np.full(len(verb), -1)
            others = logits[departs, :-1]
            verb[departs] = (others + _noise(others.shape, generator)).argmax(axis=1)
        else:
            verb = logits.argmax(axis=1)
        target, slot = np.full(len(verb), -1), self._slot[verb]
        for row in sorted({row for row in slot.tolist() if row >= 0}):
            mine = np.flatnonzero(slot == row)
            points = np.where(legal[mine, row], self._points(thought, mine, row), np.float32(ILLEGAL))
            target[mine] = (points + _noise(points.shape, generator) if advised else points).argmax(axis=1)
        return verb, target

    def _points(self, thought: Thought, mine: np.ndarray, row: int) -> np.ndarray:
        """f4 [k, N]: logits of the targets of these agents' verb, that of this row on axis T."""
        weights, biases = self._query
        query, wide = thought.core[mine] @ weights[:, row] + biases[row], self.config.key_width
        by_key = query[:, :wide] @ thought.key.T
        by_relation = query[:, None, wide:] @ thought.near[:, mine].swapaxes(0, 1)
        return (by_key + by_relation[:, 0]) / np.float32(math.sqrt(query.shape[1]))


def _linear(values: np.ndarray, layer: tuple[np.ndarray, ...]) -> np.ndarray:
    out = values @ layer[0]
    out += layer[1]
    return out


def _relu(values: np.ndarray) -> np.ndarray:
    return values.clip(ZERO, ENDLESS, out=values)  # a third of `np.maximum` with a number


def _greatest(values: np.ndarray) -> np.ndarray:
    """The maxima along the last axis, in two thirds of the time that `max` takes."""
    flat = values.reshape(-1, values.shape[-1])
    return flat.ravel().take(flat.argmax(axis=1) + np.arange(len(flat)) * flat.shape[1]).reshape(values.shape[:-1])


def _normed(values: np.ndarray, layer: tuple[np.ndarray, ...]) -> np.ndarray:
    """A layer and its norm: each row with variance 1 (its mean is 0 already), scaled and shifted."""
    out = _linear(values, layer)
    spread = np.einsum("ij,ij->i", out, out) / np.float32(out.shape[1])
    out /= np.sqrt(spread + EPSILON)[:, None]
    out *= layer[2]
    out += layer[3]
    return out


def _heads(values: np.ndarray, heads: int) -> np.ndarray:
    """[k, w] as [H, k, w / H]."""
    return values.reshape(len(values), heads, -1).swapaxes(0, 1)


def _noise(shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    """What, added to logits, makes the greatest of them a draw by their chances."""
    chance = generator.random(shape, np.float32)
    np.maximum(chance, LEAST_CHANCE, out=chance)
    return -np.log(-np.log(chance))
