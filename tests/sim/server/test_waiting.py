"""Workers at gas structures that are not complete: what their owner is told of them, and who counts as idle."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import UNFINISHED
from sim.melee.game import Game
from sim.server.selection import idle_workers
from tests.sim.melee.field import give, order, terran
from tests.sim.server.test_observation import Eye

GATHER, MOVE, WAITING = 295, 16, 4132
OTHERS = 12  # workers at the start, who do nothing here


def at_refinery(patch: str) -> tuple[Game, int, int]:
    """An SCV that waits at a Refinery under construction. -> game, its slot, the Refinery's."""
    game = terran(patch=patch)
    refinery = give(game, "Refinery", 60.5, 80.5)
    game.units[refinery]["contents"] = 1000
    game.units[refinery]["flags"] |= UNFINISHED
    worker = give(game, "SCV", 60, 77)
    assert order(game, worker, GATHER, refinery) == 1
    game.step(30)
    return game, worker, refinery


@pytest.mark.parametrize(("patch", "ability", "idle"), [("5.0.14", WAITING, 0), ("4.10.0", GATHER, 1)])
def test_who_waits_has_an_order_of_its_own_or_counts_as_idle(patch: str, ability: int, idle: int) -> None:
    game, worker, refinery = at_refinery(patch)
    eye = Eye(game)
    assert [(o.ability_id, o.target_unit_tag) for o in eye.units()[game.tag(worker)].orders] == [
        (ability, game.tag(refinery))
    ]
    assert eye.look().observation.player_common.idle_worker_count == OTHERS + idle
    assert (worker in idle_workers(game, 1)) == idle
    before = game.scores[1].idle_workers
    game.step(16)
    assert game.scores[1].idle_workers - before == 16 * (OTHERS + idle)
    game.units[refinery]["flags"] &= ~np.uint32(UNFINISHED)
    game.step(3)
    assert eye.look().observation.player_common.idle_worker_count == OTHERS


@pytest.mark.parametrize(("patch", "away"), [("5.0.14", False), ("4.10.0", True)])
def test_what_is_queued_behind_waits_in_the_newer_patch(patch: str, away: bool) -> None:
    game, worker, _ = at_refinery(patch)
    assert order(game, worker, MOVE, (40.0, 60.0), queued=True) == 1
    game.step(60)
    assert (float(game.units[worker]["x"]) < 55) == away
