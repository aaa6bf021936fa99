"""Many battles at once: each the same as alone, fair to both sides, awake only where it must be."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from sim.battle import Battles, empty_game, open_map, quiet, ready
from sim.engine import state
from sim.facts import load
from sim.maps.terrain import arena
from sim.melee.registry import EVERY, ON_EVENT, ON_REMOVE
from tests.sim.fights import (
    NOBODY,
    UNDECIDED,
    Army,
    attack_all,
    digest,
    marines,
    play,
    rows,
    template,
    winners,
)


def test_threads_and_company_do_not_matter() -> None:
    alone, together = play(40, 1), play(40, 3)
    assert digest(alone) == digest(together)
    assert digest(play(2, 2)) == digest(alone)[:2]
    assert len(set(digest(alone))) == 40


def test_battles_end_with_a_winner() -> None:
    battles = play(8, 2)
    assert set(winners(battles).tolist()) <= {1, 2, NOBODY}
    fresh = Battles(marines(), 2, seed=0)
    assert winners(fresh).tolist() == [UNDECIDED, UNDECIDED]
    fresh.units["alive"][0] = 0
    assert winners(fresh).tolist() == [NOBODY, UNDECIDED]


@pytest.mark.parametrize("name", ["Marine", "Zergling", "Stalker", "Zealot"])
@pytest.mark.parametrize("first", [1, 2])
def test_armies_that_mirror_each_other_win_equally_often(name: str, first: int) -> None:
    """Ten of a kind a side, places and looks turned by half about the middle of the field: 240 battles come out even
    within what chance allows (3.5 deviations), whichever side has the lower slots."""
    game = empty_game(arena(48, 48))
    open_map(game)
    for owner in (first, 3 - first):
        sign = 1 if owner == 1 else -1
        for k in range(10):
            x, y = 24 - sign * (6 + 1.2 * (k // 5)), 24 - sign * 1.2 * (k % 5 - 2)
            facing = 0.0 if owner == 1 else np.pi
            game.spawn(game.facts.ids[name], owner, x, y, facing=facing, turret=facing)
    ready(game)
    battles = Battles(game, 240, seed=90)
    b, s = np.nonzero(battles.units["alive"])
    x = np.where(battles.units["owner"][b, s] == 1, 38.0, 10.0)
    battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 24.0))
    for _ in range(20):
        battles.step(80)
    won = [int((winners(battles) == owner).sum()) for owner in (1, 2)]
    assert sum(won) > 100
    assert abs(won[0] - won[1]) < 3.5 * np.sqrt(sum(won))


def test_an_equal_order_is_not_begun_anew() -> None:
    battles = Battles(marines(), 1, seed=1)
    attack_all(battles)
    battles.step(4)
    stages = battles.orders["stage"][0, :, 0].copy()
    attack_all(battles)
    assert (battles.orders["stage"][0, :, 0] == stages).all()
    assert stages.any()


def test_reset_in_place_gives_the_same_battle_again() -> None:
    battles = Battles([marines(), template(rows(["Marine"] * 3, 1, 12) + rows(["Roach"] * 2, 2, 24))], 4, seed=3)

    def fight() -> list[str]:
        for step in range(20):
            attack_all(battles)
            if step == 2:
                battles.cast(1, 0, 380)
            battles.step(8)
        return digest(battles)

    before = fight()
    battles.reset(np.arange(4), np.array([3, 4, 99, 6]), np.array([0, 0, 0, 1]))
    after = fight()
    assert after[:2] == before[:2]
    assert after[2] != before[2]
    assert (battles.units["type"][3, 3:5] == battles.facts.ids["Roach"]).all()


def test_templates_are_let_go() -> None:
    """A training run prepares hundreds, of megabytes each, and battles begin anew and wake the rules without them."""
    game = marines()
    template = weakref.ref(game)
    battles = Battles(game, 1, seed=1)
    del game
    gc.collect()
    assert template() is None
    battles.reset(np.array([0]), np.array([7]))
    assert battles.game(0).spawn(battles.facts.ids["Zergling"], 2, 20.0, 20.0) >= 0


def test_orders_that_a_type_does_not_have_wake_nobody() -> None:
    battles = Battles(template(rows(["PhotonCannon", "Pylon", "Bunker"], 2, 12) + rows(["Marine"], 1, 16)), 1, seed=1)
    zeros, slots = np.zeros(3, int), np.arange(3)
    for verb in (state.HOLD, state.MOVE):
        done = battles.issue(zeros, slots, np.full(3, verb), zeros - 1, np.full(3, 20.0), np.full(3, 20.0))
        assert not done.any()
        assert not battles._games
    attack = np.full(3, state.ATTACK)
    done = battles.issue(zeros, slots, attack, np.full(3, 3), np.zeros(3), np.zeros(3))
    assert done.tolist() == [True, False, False]  # the Bunker's attack would be its passengers'


def test_plain_fights_never_wake_the_rules() -> None:
    battles = Battles(marines(), 3, seed=1)
    for _ in range(30):
        attack_all(battles)
        battles.step(8)
    assert (winners(battles) != UNDECIDED).any()
    assert not battles._games
    assert battles.cast(0, int(np.flatnonzero(battles.units["alive"][0])[0]), 3674, x=20.0, y=20.0) == 1
    assert list(battles._games) == [0]


def test_every_rule_that_runs_by_itself_is_known() -> None:
    """A rule that sim/battle/quiet.py does not know makes every battle slow: say there for whom it matters."""
    assert {quiet.name_of(rule) for _, rule in EVERY} <= set(quiet.PERIODIC)
    assert {quiet.name_of(rule) for rule in ON_REMOVE} <= set(quiet.REMOVALS)
    assert {quiet.name_of(rule) for rule in ON_EVENT[state.HIT]} <= set(quiet.HITS)
    listed = [row if isinstance(row, tuple) else (row,) for row in quiet.PERIODIC.values()]
    names = {kind for row in listed for wanted in row for kind in wanted.types}
    names |= {kind for kinds in quiet.REMOVALS.values() for kind in kinds}
    assert names - {quiet.STRUCTURES} <= set(load("5.0.14").ids)


def test_slots_of_the_dead_are_used_again() -> None:
    """Many turrets of many ravens in few slots: nothing breaks when the slots run out."""
    game = template(rows(["Raven"] * 4, 1, 12) + rows(["Marine"] * 4, 2, 26))
    battles = Battles(game, 1, seed=1, reserve=3)
    battles.units["energy"][0, :4] = 200
    for step in range(60):
        for slot in range(4):
            if battles.units["alive"][0, slot]:
                battles.cast(0, slot, 1764, x=10.0 + 3 * slot, y=10.0 + 3 * (step % 7))
        battles.step(8)
    assert (battles.units["generation"][0, 8:] > 1).any()


def test_neither_side_has_an_advantage() -> None:
    """Twelve marines on each side, mirrored: over many battles the survivors balance."""
    army: Army = []
    for owner, side in ((1, -1), (2, 1)):
        rng = np.random.default_rng(0)
        for k in range(12):
            x, y = rng.uniform(-0.2, 0.2, 2)
            army.append(("Marine", owner, 20 + side * (7 + k // 6 + x), 17 + k % 6 + y))
    battles = Battles(template(army), 96, seed=9, threads=2)
    b, s = np.indices((96, 24)).reshape(2, -1)
    x = np.where(battles.units["owner"][b, s] == 1, 34.0, 6.0)
    battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 20.0))
    battles.step(500)
    left = battles.units["alive"].astype(int)
    lead = left[:, :12].sum(axis=1) - left[:, 12:24].sum(axis=1)
    assert abs(lead.mean()) < 4 * lead.std() / np.sqrt(96)
    assert (lead > 0).sum() > 20
    assert (lead < 0).sum() > 20
