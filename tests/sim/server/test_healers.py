"""Healers do not add up: one Medivac a wounded, one Shield Battery a unit, through the protocol."""

from __future__ import annotations

import pytest
from s2clientprotocol import debug_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server.client import COMPUTER, PARTICIPANT, PROTOSS, ZERG, Client
from tests.sim.server.test_actions import MOVE, SUCCESS, create, debug, units
from tests.sim.server.test_observed_orders import PATROL, again, make, side

HEAL, LIFE, ENERGY, SHIELDS = 386, 2, 1, 3
REPAIR, HOLD = 316, 18
ALREADY_TARGETED = 206
RATE = 9 / 16  # life a loop


def wound(client: Client, tag: int, kind: int, value: float) -> None:
    """Sets the unit's life, energy or shields."""
    debug(client, unit_value=debug_pb2.DebugSetUnitValue(unit_tag=tag, unit_value=kind, value=value))


@pytest.mark.parametrize("ordered", [False, True], ids=["by themselves", "by order"])
def test_two_medivacs_do_not_heal_the_same_one(game: Client, *, ordered: bool) -> None:
    marauder = make(game, "Marauder", 9 * side(game), 0)
    medivacs = [make(game, "Medivac", 9 * side(game), up) for up in (2, -2)]
    wound(game, marauder.tag, LIFE, 40)
    game.step(2)
    if ordered:
        for medivac in medivacs:
            assert game.command(HEAL, medivac.tag, target=marauder.tag) == SUCCESS
    game.step(8)
    before = again(game, marauder.tag).health
    game.step(40)
    assert again(game, marauder.tag).health - before == pytest.approx(40 * RATE, abs=1)


def test_a_patient_named_again_is_already_targeted(game: Client) -> None:
    patients = [make(game, "Marauder", 9 * side(game), up) for up in (0, 2)]
    medivac = make(game, "Medivac", 9 * side(game), 1)
    for patient in patients:
        wound(game, patient.tag, LIFE, 40)
    game.step(2)
    assert game.command(HEAL, medivac.tag, target=patients[0].tag) == SUCCESS
    game.step(8)
    before = again(game, patients[0].tag).health
    for _ in range(5):
        assert game.command(HEAL, medivac.tag, target=patients[0].tag) == ALREADY_TARGETED
        game.step(8)
        assert [order.target_unit_tag for order in again(game, medivac.tag).orders] == [patients[0].tag]
    assert again(game, patients[0].tag).health - before == pytest.approx(40 * RATE, abs=1), "it goes on"
    assert game.command(HEAL, medivac.tag, target=patients[1].tag) == SUCCESS
    game.step(2)
    assert game.command(HEAL, medivac.tag, target=patients[0].tag) == SUCCESS


def test_two_medivacs_look_after_two_wounded(game: Client) -> None:
    patients = [make(game, "Marauder", 9 * side(game), up) for up in (0, 2)]
    for up in (0, -1):
        make(game, "Medivac", 9 * side(game), up)
    for patient in patients:
        wound(game, patient.tag, LIFE, 40)
    game.step(12)
    before = [again(game, patient.tag).health for patient in patients]
    game.step(40)
    for patient, was in zip(patients, before, strict=True):
        assert again(game, patient.tag).health - was == pytest.approx(40 * RATE, abs=1)


def test_a_medivac_begins_to_heal_with_five_energy(game: Client) -> None:
    marauder, medivac = (make(game, name, 9 * side(game), 0) for name in ("Marauder", "Medivac"))
    wound(game, medivac.tag, ENERGY, 3)
    wound(game, marauder.tag, LIFE, 40)
    game.step(40)  # it has 4.4 then
    assert again(game, marauder.tag).health == 40
    game.step(30)
    assert again(game, marauder.tag).health > 41
    game.step(20)
    assert again(game, medivac.tag).energy < 4, "it goes on below that"


@pytest.fixture
def protoss(client: Client) -> Client:
    """A connection that plays Protoss on the empty map."""
    assert not client.create("Empty128", (PARTICIPANT,), (COMPUTER, ZERG, 1), random_seed=7).create_game.HasField(
        "error"
    )
    client.join(PROTOSS)
    return client


def test_two_batteries_do_not_restore_the_same_one_nor_a_pylon_by_themselves(protoss: Client) -> None:
    create(protoss, "Pylon", 1, 60, 60)
    for x, y in ((62, 62), (58, 62)):
        create(protoss, "ShieldBattery", 1, x, y)
    create(protoss, "Immortal", 1, 60, 64)
    protoss.step(4)
    (immortal,), (pylon,) = units(protoss, "Immortal"), units(protoss, "Pylon")
    for tag in (immortal.tag, pylon.tag):
        wound(protoss, tag, SHIELDS, 1)
    protoss.step(4)
    before = again(protoss, immortal.tag).shield
    protoss.step(16)
    assert again(protoss, immortal.tag).shield - before == pytest.approx(36, abs=5)
    assert again(protoss, pylon.tag).shield < 10


@pytest.mark.parametrize("first", [None, PATROL, HOLD])
def test_an_scv_that_repairs_by_itself_shows_that_and_what_it_leaves_for_it(game: Client, first: int | None) -> None:
    way = side(game)
    worker, patient = make(game, "SCV", 9 * way, 0), make(game, "Hellion", 10 * way if first == HOLD else 12 * way, 0)
    toggle = raw_pb2.ActionRaw(toggle_autocast={"ability_id": REPAIR, "unit_tags": [worker.tag]})
    game.ask(action=sc.RequestAction(actions=[sc.Action(action_raw=toggle)]))
    place = (worker.pos.x, worker.pos.y)
    there = (worker.pos.x + 12 * way, worker.pos.y)
    if first is not None:
        assert game.command(first, worker.tag, **({"at": there} if first == PATROL else {})) == SUCCESS
    wound(game, patient.tag, LIFE, 80)
    game.step(12)
    now = again(game, worker.tag)
    assert [order.ability_id for order in now.orders] == [REPAIR, first or MOVE]
    assert now.orders[0].target_unit_tag == patient.tag
    assert now.is_active
    assert game.observe().observation.player_common.idle_worker_count == 0
    if first is None:
        back = now.orders[1].target_world_space_pos
        assert (back.x, back.y) == pytest.approx(place, abs=0.01)
        while again(game, patient.tag).health < 90:
            game.step(1)
        game.step(2)
        assert [order.ability_id for order in again(game, worker.tag).orders] == [MOVE]
        game.step(40)
        assert not again(game, worker.tag).orders
