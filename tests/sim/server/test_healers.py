"""Healers do not add up: one Medivac a wounded, one Shield Battery a unit, through the protocol."""

from __future__ import annotations

import pytest
from s2clientprotocol import debug_pb2

from tests.sim.server.client import COMPUTER, PARTICIPANT, PROTOSS, ZERG, Client
from tests.sim.server.test_actions import SUCCESS, create, debug, units
from tests.sim.server.test_observed_orders import again, make, side

HEAL, LIFE, ENERGY, SHIELDS = 386, 2, 1, 3
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
