"""MULEs among themselves and beside workers."""

from __future__ import annotations

import pytest

from sim.fidelity.workshop import order
from sim.maps import load, names
from sim.melee.game import Game, PlayerSetup
from sim.melee.harvest_places import WORK

CALL = 171


@pytest.fixture
def game() -> Game:
    """Two Orbital Commands at one mineral line, the workers of a new game at work."""
    game = Game(load(names()[0]), [PlayerSetup(1, start=0), PlayerSetup(2, start=1)], seed=1)
    (hall,) = game.owned(1, "CommandCenter")
    game.change_type(hall, game.facts.ids["OrbitalCommand"])
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    game.spawn(game.facts.ids["OrbitalCommand"], 1, 2 * x - fields_of(game)[0][0], 2 * y - fields_of(game)[0][1])
    return game


def fields_of(game: Game) -> list[tuple[float, float, int]]:
    """Place and slot of the mineral fields of the first Orbital Command, the nearest first."""
    hall = game.owned(1, "OrbitalCommand")[0]
    near = game.near(float(game.units[hall]["x"]), float(game.units[hall]["y"]), 9)
    fields = [slot for slot in near if int(game.units[slot]["type"]) in game.facts.minerals]
    return [(float(game.units[slot]["x"]), float(game.units[slot]["y"]), slot) for slot in fields]


def call(game: Game, field: int) -> None:
    """Each Orbital Command calls a MULE to the field."""
    for hall in game.owned(1, "OrbitalCommand"):
        game.units[hall]["energy"] = 50
        order(game, hall, CALL, target=field)


def test_two_mules_that_are_called_to_one_field_do_not_harvest_it_together(game):
    """Of 17 pairs of real games called within 130 loops the later one was not on its field's way in ten."""
    field = fields_of(game)[0][2]
    call(game, field)
    game.step(100)
    first, second = game.owned(1, "MULE")
    together = apart = 0
    for _ in range(600):
        game.step()
        at_work = [slot for slot in (first, second) if game.units[slot]["harvest_stage"] == WORK]
        aims = {int(game.units[slot]["harvest_target"]) for slot in at_work}
        together += len(at_work) == 2 and len(aims) == 1
        apart += len(at_work) == 2 and len(aims) == 2
    assert not together
    assert apart
    assert field in {int(game.units[slot]["harvest_target"]) for slot in (first, second)}


def test_a_mule_and_a_worker_harvest_a_field_at_the_same_time(game):
    field = fields_of(game)[0][2]
    call(game, field)
    both = 0
    for _ in range(300):
        game.step()
        at_work = [slot for slot in game.owned(1, "MULE", "SCV") if game.units[slot]["harvest_stage"] == WORK]
        here = [slot for slot in at_work if game.units[slot]["harvest_target"] == field]
        both += len({int(game.units[slot]["type"]) for slot in here}) == 2
    assert both > 50


def test_a_mule_waits_where_every_other_field_is_another_ones(game):
    """One that finds its only field busy waits for it, and harvests it next."""
    (_, _, field), *others = fields_of(game)
    for _, _, slot in others:
        game.remove(slot)
    call(game, field)
    game.step(100)
    pair = game.owned(1, "MULE")
    loads = dict.fromkeys(pair, 0)
    for _ in range(500):
        before = {slot: int(game.units[slot]["carry"]) for slot in pair}
        game.step()
        for slot in pair:
            loads[slot] += int(game.units[slot]["carry"]) > before[slot]
        assert sum(game.units[slot]["harvest_stage"] == WORK for slot in pair) < 2
    assert all(count >= 2 for count in loads.values())


def test_no_mule_stops_at_the_town_hall(game):
    """Their trips in real games are as long as walks and harvests (`python -m sim fidelity mules`)."""
    field = fields_of(game)[-1][2]
    call(game, field)
    game.step(100)
    mule = game.owned(1, "MULE")[0]
    stood = deliveries = 0
    for _ in range(600):
        carried, x, y = int(game.units[mule]["carry"]), float(game.units[mule]["x"]), float(game.units[mule]["y"])
        game.step()
        carries = int(game.units[mule]["carry"])
        near = min(abs(x - float(game.units[hall]["x"])) for hall in game.owned(1, "OrbitalCommand")) < 4
        stood += bool(carried and carries and near and (x, y) == (game.units[mule]["x"], game.units[mule]["y"]))
        deliveries += bool(carried and not carries)
    assert deliveries >= 3
    assert not stood
