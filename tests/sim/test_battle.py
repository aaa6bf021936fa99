"""Many battles at once: each the same as alone, whatever the number of threads."""

from __future__ import annotations

import hashlib

import numpy as np

from sim.battle import NOBODY, UNDECIDED, Battles
from sim.engine import state
from sim.engine.vision import look
from sim.engine.world import World
from tests.sim.engine.worlds import arena, put

MARINES = 5


def template() -> World:
    """Five marines against five zerglings."""
    world = arena(32, 32, slots=2 * MARINES, walk=np.ones((32, 32), np.uint8))
    for k in range(MARINES):
        put(world, "Marine", 1, 10, 12 + k)
    for k in range(MARINES):
        put(world, "Zergling", 2, 22, 12 + k)
    world.visibility[:] = 0
    look(*world.arrays)
    return world


def attack_all(battles: Battles) -> None:
    """Everybody attacks across the field."""
    b, s = np.indices((battles.count, 2 * MARINES)).reshape(2, -1)
    x = np.where(battles.units["owner"][b, s] == 1, 28.0, 4.0)
    verbs = np.full(len(b), state.ATTACK_MOVE)
    battles.issue(b, s, verbs, np.full(len(b), -1), x, np.full(len(b), 14.0))


def digest(battles: Battles) -> list[str]:
    """One hash per battle."""
    return [
        hashlib.sha256(u.tobytes() + w.tobytes()).hexdigest()
        for u, w in zip(battles.units, battles.worlds, strict=True)
    ]


def play(count: int, threads: int, seed: int = 3) -> Battles:
    """Fight to the end."""
    battles = Battles(template(), count, seed=seed, threads=threads)
    for _ in range(60):
        attack_all(battles)
        battles.step(8)
    return battles


def test_threads_and_company_do_not_matter() -> None:
    alone, together = play(6, 1), play(6, 3)
    assert digest(alone) == digest(together)
    assert digest(play(2, 2)) == digest(alone)[:2]
    assert len(set(digest(alone))) == 6


def test_battles_end_with_a_winner() -> None:
    battles = play(8, 2)
    assert set(battles.winners().tolist()) <= {1, 2, NOBODY}
    fresh = Battles(template(), 2, seed=0)
    assert fresh.winners().tolist() == [UNDECIDED, UNDECIDED]
    fresh.units["alive"][0] = 0
    assert fresh.winners().tolist() == [NOBODY, UNDECIDED]


def test_reset_in_place_gives_the_same_battle_again() -> None:
    battles = play(4, 1)
    before = digest(battles)
    battles.reset(np.array([1, 3]), np.array([3 + 1, 99]))
    for _ in range(60):
        b = np.array([1, 3]).repeat(2 * MARINES)
        s = np.tile(np.arange(2 * MARINES), 2)
        x = np.where(battles.units["owner"][b, s] == 1, 28.0, 4.0)
        battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 14.0))
        battles.step(8)
    after = digest(battles)
    assert after[1] == before[1]
    assert after[3] != before[3]


def test_an_equal_order_is_not_begun_anew() -> None:
    battles = Battles(template(), 1, seed=1)
    attack_all(battles)
    battles.step(4)
    stages = battles.orders["stage"][0, :, 0].copy()
    attack_all(battles)
    assert (battles.orders["stage"][0, :, 0] == stages).all()
    assert stages.any()


def test_neither_side_has_an_advantage() -> None:
    """Twelve marines on each side, mirrored: over many battles the survivors balance."""
    world = arena(40, 40, slots=24)
    rng = np.random.default_rng(0)
    for owner, side, facing in ((1, -1, 0.0), (2, 1, np.pi)):
        rng = np.random.default_rng(0)
        for k in range(12):
            x, y = rng.uniform(-0.2, 0.2, 2)
            put(world, "Marine", owner, 20 + side * (7 + k // 6 + x), 17 + k % 6 + y, facing)
    world.visibility[:] = 0
    look(*world.arrays)
    battles = Battles(world, 96, seed=9, threads=2)
    b, s = np.indices((96, 24)).reshape(2, -1)
    x = np.where(battles.units["owner"][b, s] == 1, 34.0, 6.0)
    battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 20.0))
    battles.step(500)
    left = battles.units["alive"].astype(int)
    lead = left[:, :12].sum(axis=1) - left[:, 12:].sum(axis=1)
    assert abs(lead.mean()) < 4 * lead.std() / np.sqrt(96)
    assert (lead > 0).sum() > 20
    assert (lead < 0).sum() > 20
