"""Battles shown turned by quarters and mirrored: the fight is the same, so every sample teaches eight.

Directions are named columns, so that nothing here knows where they stand: NAME_x, NAME_y (or dx, dy) are vectors,
open_0..7, advised_move_0..7 and the verbs MOVE_0..7 are the eight directions, east first, counter-clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

DIRECTIONS = 8
VIEWS = 8  # four quarters, each plain and mirrored


def vectors(names: Sequence[str]) -> list[tuple[int, int]]:
    """Column numbers (x, y) of the vectors among these names."""
    place = {name: column for column, name in enumerate(names)}
    others = {name: f"{name[:-1]}y" for name in names if name.endswith(("_x", "dx"))}
    return [(place[x], place[y]) for x, y in others.items() if y in place]


def first_of(names: Sequence[str], prefix: str) -> int:
    """The column of PREFIX_0, after which 1..7 follow; -1 where there are none."""
    names = list(names)
    if f"{prefix}_0" not in names:
        return -1
    first = names.index(f"{prefix}_0")
    if names[first : first + DIRECTIONS] != [f"{prefix}_{k}" for k in range(DIRECTIONS)]:
        raise ValueError(f"{prefix}_0..{DIRECTIONS - 1} must stand together")
    return first


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Where the directions stand in one environment's tables."""

    entity_vectors: tuple[tuple[int, int], ...]
    pair_vectors: tuple[tuple[int, int], ...]
    eights: tuple[int, ...]
    """First columns of the entities' features that are eight directions."""
    move: int

    @classmethod
    def of(cls, features: Sequence[str], pairs: Sequence[str], verbs: Sequence[str]) -> Symmetry:
        """From the names of the entities' features, the pairs' features and the verbs."""
        places = tuple(vectors(features)), tuple(vectors(pairs))
        eights = [first_of(features, prefix) for prefix in ("open", "advised_move")]
        return cls(*places, tuple(first for first in eights if first >= 0), first_of(verbs, "MOVE"))

    def turn(self, entities: Tensor, pairs: Tensor, verbs: Tensor, view: Tensor) -> None:
        """Show tables [B, ...] in the views i8 [B] (0..7), in place."""
        self.turn_entities(entities, view)
        _turn_vectors(pairs, self.pair_vectors, view)
        self.turn_verbs(verbs, view)

    def turn_verbs(self, values: Tensor, view: Tensor) -> None:
        """The same for what is said of each verb, [B, A, V], alone."""
        if self.move >= 0:
            _turn_eight(values, self.move, view)

    def turn_entities(self, entities: Tensor, view: Tensor) -> None:
        """The same for entities f4 [B, N, ...] alone, such as those of the critic's state; columns behind the features
        are left alone."""
        _turn_vectors(entities, self.entity_vectors, view)
        for first in self.eights:
            _turn_eight(entities, first, view)

    def shown(self, verb: Tensor, view: Tensor) -> Tensor:
        """Real verbs i8 [B, A] as they are called in the views."""
        return self._moved(verb, lambda k: direction(k, view[:, None]))

    def real(self, verb: Tensor, view: Tensor) -> Tensor:
        """Verbs i8 [B, A] chosen in the views as they are really."""
        return self._moved(verb, lambda k: source(k, view[:, None]))

    def _moved(self, verb: Tensor, change: object) -> Tensor:
        if self.move < 0:
            return verb
        k = verb - self.move
        moves = (k >= 0) & (k < DIRECTIONS)
        return torch.where(moves, change(k) + self.move, verb)


def _turn_vectors(table: Tensor, columns: Sequence[tuple[int, int]], view: Tensor) -> None:
    shape = (-1,) + (1,) * (table.dim() - 2)
    c, s, m = (part.view(shape) for part in parameters(view)[:3])
    for column_x, column_y in columns:
        x, y = table[..., column_x].clone(), table[..., column_y] * m
        table[..., column_x] = c * x - s * y
        table[..., column_y] = s * x + c * y


def _turn_eight(table: Tensor, first: int, view: Tensor) -> None:
    eight, order = table[..., first : first + DIRECTIONS], parameters(view)[3]
    table[..., first : first + DIRECTIONS] = eight.gather(-1, order[:, None, :].expand(eight.shape))


def direction(k: Tensor, view: Tensor) -> Tensor:
    """What the real direction k is called in a view: mirrored top to bottom first, then turned."""
    return (torch.where(view >= 4, -k, k) + 2 * view) % DIRECTIONS


def source(k: Tensor, view: Tensor) -> Tensor:
    """The real direction that is called k in a view."""
    turned = k - 2 * view
    return torch.where(view >= 4, -turned, turned) % DIRECTIONS


def parameters(view: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """(cosine, sine, mirror sign) f4 [B] and the real direction i8 [B, 8] shown at each place."""
    cos = torch.tensor([1.0, 0.0, -1.0, 0.0], device=view.device)[view % 4]
    sin = torch.tensor([0.0, 1.0, 0.0, -1.0], device=view.device)[view % 4]
    sign = torch.where(view >= 4, -1.0, 1.0)
    return cos, sin, sign, source(torch.arange(DIRECTIONS, device=view.device)[None], view[:, None])
