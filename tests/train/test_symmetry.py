"""Turned and mirrored views: vectors, directions and verbs turn together, and back."""

from __future__ import annotations

import math

import torch

from train.ppo.symmetry import VIEWS, Symmetry

FEATURES = ("hp", "facing_x", "facing_y", *(f"open_{k}" for k in range(8)))
PAIRS = ("dx", "dy", "max")
VERBS = ("NOTHING", *(f"MOVE_{k}" for k in range(8)), "HOME")
SYMMETRY = Symmetry.of(FEATURES, PAIRS, VERBS)


def shown_angle(vector: torch.Tensor) -> torch.Tensor:
    return (torch.atan2(vector[..., 1], vector[..., 0]) / (math.pi / 4)).round().long() % 8


def test_every_view_shows_the_same_fight() -> None:
    view = torch.arange(VIEWS)
    for k in range(8):
        angle = k * math.pi / 4
        entities = torch.zeros(VIEWS, 3, len(FEATURES))
        entities[..., 0] = 0.7
        entities[..., 1], entities[..., 2] = math.cos(angle), math.sin(angle)
        entities[..., 3 + k] = 1.0
        pairs = torch.zeros(VIEWS, 2, 3, 3)
        pairs[..., 0], pairs[..., 1], pairs[..., 2] = math.cos(angle), math.sin(angle), 5.0
        verbs = torch.zeros(VIEWS, 2, len(VERBS), dtype=torch.bool)
        verbs[..., 1 + k] = True
        SYMMETRY.turn(entities, pairs, verbs, view)
        faces = shown_angle(entities[..., 1:3])
        assert torch.equal(faces, entities[..., 3:].argmax(-1))
        assert torch.equal(faces[:, 0], shown_angle(pairs[:, 0, 0, :2]))
        assert torch.equal(faces[:, :2], verbs[..., 1:9].long().argmax(-1))
        assert (entities[..., 0] == 0.7).all()
        assert (pairs[..., 2] == 5.0).all()
        assert len(set(faces[:, 0].tolist())) == 4  # four quarters; a mirror image meets one of them or one between
        chosen = torch.full((VIEWS, 2), 1 + k)
        assert torch.equal(SYMMETRY.shown(chosen, view), faces[:, :2] + 1)
        assert torch.equal(SYMMETRY.real(SYMMETRY.shown(chosen, view), view), chosen)
        chance = torch.nn.functional.one_hot(chosen, len(VERBS)).float()
        SYMMETRY.turn_verbs(chance, view)
        assert torch.equal(chance.argmax(-1), SYMMETRY.shown(chosen, view))


def test_other_verbs_are_left_alone() -> None:
    view = torch.arange(VIEWS)
    for verb in (0, 9):
        chosen = torch.full((VIEWS, 1), verb)
        assert torch.equal(SYMMETRY.shown(chosen, view), chosen)
        assert torch.equal(SYMMETRY.real(chosen, view), chosen)


def test_all_eight_views_differ() -> None:
    pairs = torch.zeros(VIEWS, 1, 1, 3)
    pairs[..., 0], pairs[..., 1] = 1.0, 0.25
    entities, verbs = torch.zeros(VIEWS, 1, len(FEATURES)), torch.zeros(VIEWS, 1, len(VERBS), dtype=torch.bool)
    SYMMETRY.turn(entities, pairs, verbs, torch.arange(VIEWS))
    assert len({tuple(row) for row in pairs[:, 0, 0, :2].round(decimals=3).tolist()}) == 8
