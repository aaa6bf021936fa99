"""Which field a worker goes to that finds its own busy."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import RETURN
from sim.fidelity.workshop import order
from sim.maps import load, names
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.harvest_fields import RESERVED
from sim.melee.harvest_places import WAIT, WORK, in_touch

MOVE, SMART, STOP = 16, 1, 3665


@pytest.fixture
def game() -> Game:
    return Game(load(names()[0]), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1)


def until(game: Game, reached, limit: int) -> None:
    """Steps until the condition holds."""
    while not reached() and game.loop < limit:
        game.step()
    assert reached()


@pytest.fixture
def crew(game):
    """-> (fields round the town hall, workers); nobody has a field, and all stand where they began."""
    x, y = game.terrain.starts[0]
    fields = [s for s in game.near(x, y, 11) if int(game.units[s]["type"]) in game.facts.minerals]
    workers = game.owned(1, "SCV")
    for worker in workers:
        game.units[worker]["harvest_target"] = -1
        game.issue(Command(1, STOP, (game.tag(worker),)))
    return fields, workers


def send(game: Game, worker: int, field: int) -> None:
    """Sends a worker to mine; one that rests."""
    order(game, worker, game.abilities_of(game.facts.ids["SCV"])["gather"][0], target=field)


def put(game: Game, worker: int, field: int) -> None:
    """Puts a worker where it touches a field, on the side of its town hall, and sends it there."""
    units, (x, y) = game.units, game.terrain.starts[0]
    row = game.harvest_table[units[field]["type"]]
    for part in np.linspace(0, 1, 200):
        at = x + part * (units[field]["x"] - x), y + part * (units[field]["y"] - y)
        units[worker]["x"], units[worker]["y"] = at
        if in_touch(units[worker], units[field], row):
            break
    send(game, worker, field)


def comes_with(game: Game, worker: int, field: int, left: float) -> int:
    """Puts a worker beside a field whose miner has so many loops of its harvest left. -> where it mines in the end."""
    units, miner = game.units, int(game.units[field]["occupant"])
    until(game, lambda: 0 < units[miner]["harvest_timer"] <= left, game.loop + 60)
    put(game, worker, field)
    until(game, lambda: units[worker]["harvest_stage"] in (WAIT, WORK), game.loop + 90)
    return int(units[worker]["harvest_target"])


def all_leave(game: Game, workers: list[int], fields: list[int]) -> None:
    """Sends a worker to each field, until all are on their way home with a load."""
    for worker, field in zip(workers, fields, strict=True):
        put(game, worker, field)
    until(game, lambda: all(game.orders[w, 0]["verb"] == RETURN for w in workers), game.loop + 60)


def begin(game: Game, worker: int, field: int) -> None:
    """Puts a worker to work on a field."""
    put(game, worker, field)
    until(game, lambda: game.units[worker]["harvest_stage"] == WORK, game.loop + 3)


def test_at_a_busy_field_a_worker_goes_to_one_that_is_nobodys_however_soon_its_own_is_free(game, crew):
    """Of real ones, whom their bots set right, 35 of 58 left so with 6 to 22 loops to wait."""
    fields, workers = crew
    begin(game, workers[0], fields[0])
    assert comes_with(game, workers[1], fields[0], 8) != fields[0]


@pytest.mark.parametrize(("left", "leaves"), [(44, True), (30, True), (20, False), (6, False)])
def test_a_field_is_not_a_workers_before_it_comes(game, crew, left, leaves):
    """Three ladder bots send some workers far: others, whom they send back every four loops, leave for these fields
    until their workers come, or until 23 loops are left to wait."""
    fields, workers = crew
    miner, *others, guest = workers[: len(fields) + 1]
    x, y = game.terrain.starts[0]
    for worker, field in zip(others, fields[1:], strict=True):
        game.issue(Command(1, MOVE, (game.tag(worker),), 0, x, y - 4))
        game.issue(Command(1, MOVE, (game.tag(worker),), 0, x - 4, y - 4, True))
        game.issue(Command(1, SMART, (game.tag(worker),), game.tag(field), queued=True))
    begin(game, miner, fields[0])
    assert (comes_with(game, guest, fields[0], left) != fields[0]) is leaves


def test_where_each_field_is_some_workers_a_second_one_waits(game, crew):
    """Of bots that send two workers to each of four fields those of two waited so for 40 loops and more."""
    fields, workers = crew
    *others, miner, guest = workers[: len(fields) + 1]
    all_leave(game, others, fields[1:])
    begin(game, miner, fields[0])
    assert comes_with(game, guest, fields[0], 44) == fields[0]


@pytest.mark.parametrize(("left", "leaves"), [(44, True), (20, False)])
def test_a_third_one_leaves_before_more_than_half_a_harvest(game, crew, left, leaves):
    fields, workers = crew
    *others, miner, guest = workers[: len(fields) + 2]
    all_leave(game, others, fields)
    begin(game, miner, fields[0])
    assert (comes_with(game, guest, fields[0], left) != fields[0]) is leaves


def test_who_turns_to_a_field_has_it(game, crew):
    """Where two fields are nobody's two workers that find theirs busy go to one each."""
    fields, workers = crew
    *others, miner, guest, third = workers[: len(fields) + 1]
    all_leave(game, others, fields[2:])
    begin(game, miner, fields[2])
    put(game, guest, fields[2])
    put(game, third, fields[2])
    game.step(2)
    assert {int(game.units[w]["harvest_target"]) for w in (guest, third)} == set(fields[:2])


def test_a_field_stays_its_workers_for_a_while_after_that_went_elsewhere(game, crew):
    """Of builders and of who went on gas: 129 loops and less it was kept, 131 and more not."""
    fields, workers = crew
    for worker, field in zip(workers, fields, strict=False):
        send(game, worker, field)
    until(game, lambda: all(game.units[w]["harvest_stage"] == WORK for w in workers[:2]), 200)
    away, x, y = workers[1], *game.terrain.starts[0]
    game.issue(Command(1, MOVE, (game.tag(away),), 0, x, y - 4, True))
    left = game.loop
    early, late = workers[len(fields) :][:2]
    assert comes_with(game, early, fields[0], 6) == fields[0]
    game.issue(Command(1, STOP, (game.tag(early),)))
    until(game, lambda: game.loop > left + RESERVED, game.loop + 200)
    until(game, lambda: game.units[fields[0]]["occupant"] >= 0, game.loop + 120)
    assert comes_with(game, late, fields[0], 6) == fields[1]
