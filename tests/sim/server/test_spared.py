"""Whom abilities spare beside their target filters: validators of the catalog, through the protocol."""

from __future__ import annotations

import pytest
from s2clientprotocol import debug_pb2, raw_pb2

from sim.facts import load as load_facts
from tests.sim.server.client import Client
from tests.sim.server.test_actions import SUCCESS, create, debug, units

FACTS = load_facts()
FEEDBACK, NEURAL, ABDUCT, CONSUME, GRAVITON, GRAVITON_CANCEL = 140, 249, 2067, 2073, 173, 174
RECALL, STIM, LIFT, LOAD_BUNKER, LOAD_MEDIVAC, SHIELDS = 3757, 380, 452, 407, 394, 730
CANT_TARGET, ERROR, NOT_ENOUGH_LIFE, NOT_ENOUGH_ROOM, OCCUPIED, TOO_FEW = 36, 3, 15, 67, 76, 198
HELD, LIFTED = 129, 5  # buffs of a stasis ward and a graviton beam
ENERGY, LIFE = 1, 2


@pytest.fixture
def field(empty: Client) -> Client:
    """The empty map in full light, all tech, and the other player's units at hand."""
    for cheat in (debug_pb2.tech_tree, debug_pb2.show_map, debug_pb2.control_enemy, debug_pb2.all_resources):
        debug(empty, game_state=cheat)
    return empty


def put(client: Client, name: str, x: float, y: float = 64, owner: int = 1, energy: float = 0) -> raw_pb2.Unit:
    """One more unit, with energy."""
    before = {unit.tag for unit in units(client, name, owner)}
    create(client, name, owner, x, y)
    client.step(4)
    made = next(unit for unit in units(client, name, owner) if unit.tag not in before)
    if energy:
        debug(client, unit_value={"unit_value": ENERGY, "value": energy, "unit_tag": made.tag})
        client.step(1)
    return made


def now(client: Client, tag: int) -> raw_pb2.Unit:
    """The unit as it is."""
    return next(unit for unit in client.observe().observation.raw_data.units if unit.tag == tag)


@pytest.mark.parametrize(
    ("caster", "ability", "victim"),
    [
        ("Viper", ABDUCT, "Ultralisk"),
        ("Infestor", NEURAL, "Ultralisk"),
        ("HighTemplar", FEEDBACK, "ShieldBattery"),
    ],
)
def test_who_is_spared_by_type(field: Client, caster: str, ability: int, victim: str) -> None:
    unit, target = put(field, caster, 56, energy=200), put(field, victim, 64, owner=2)
    assert field.command(ability, unit.tag, target=target.tag) == CANT_TARGET


def test_who_carries_somebody_is_not_taken_over(field: Client) -> None:
    infestor, medivac = put(field, "Infestor", 56, energy=200), put(field, "Medivac", 64, owner=2)
    marine = put(field, "Marine", 64, 65, owner=2)
    field.command(LOAD_MEDIVAC, medivac.tag, target=marine.tag)
    field.step(30)
    assert field.command(NEURAL, infestor.tag, target=medivac.tag) == CANT_TARGET


@pytest.mark.parametrize(
    ("name", "held"), [("Marine", True), ("Egg", False), ("BanelingCocoon", False), ("RavagerCocoon", False)]
)
def test_stasis_wards_spare_eggs_and_cocoons(field: Client, name: str, *, held: bool) -> None:
    put(field, "OracleStasisTrap", 64)
    other, waker = put(field, name, 66, owner=2), put(field, "Zealot", 63, owner=2)
    field.step(40)
    assert HELD in now(field, waker.tag).buff_ids
    assert (HELD in now(field, other.tag).buff_ids) is held


@pytest.mark.parametrize("name", ["Roach", "LurkerMP", "WidowMine"])
def test_a_graviton_beam_takes_the_buried_out_of_the_ground(field: Client, name: str) -> None:
    put(field, "Observer", 63)
    phoenix = put(field, "Phoenix", 61, energy=100)
    buried = put(field, f"{name}Burrowed", 64, owner=2)
    assert field.command(GRAVITON, phoenix.tag, target=buried.tag) == SUCCESS
    field.step(20)
    lifted = now(field, buried.tag)
    assert FACTS.names[lifted.unit_type] == name
    assert LIFTED in lifted.buff_ids
    assert not lifted.is_burrowed
    assert field.command(GRAVITON_CANCEL, phoenix.tag) == SUCCESS
    field.step(2)
    assert LIFTED not in now(field, buried.tag).buff_ids


def test_a_viper_drinks_no_more_than_it_can_hold(field: Client) -> None:
    viper, hall = put(field, "Viper", 58, energy=200), put(field, "Hatchery", 64.5, 64.5)
    assert field.command(CONSUME, viper.tag, target=hall.tag) == ERROR
    debug(field, unit_value={"unit_value": ENERGY, "value": 190, "unit_tag": viper.tag})
    field.step(1)
    assert field.command(CONSUME, viper.tag, target=hall.tag) == SUCCESS
    field.step(150)
    drained = now(field, hall.tag)
    assert 1500 - drained.health < 40
    assert not drained.buff_ids


def test_a_recall_wants_somebody_and_keeps_their_formation(field: Client) -> None:
    nexus = put(field, "Nexus", 40.5, 40.5, energy=200)
    left, right = put(field, "Phoenix", 78.5, 80), put(field, "Phoenix", 81.5, 80)
    assert field.command(RECALL, nexus.tag, at=(100, 80)) == TOO_FEW
    assert field.command(RECALL, nexus.tag, at=(80, 80)) == SUCCESS
    field.step(80)
    assert now(field, left.tag).pos.x == pytest.approx(39, abs=0.3)
    assert now(field, right.tag).pos.x == pytest.approx(42, abs=0.3)


def test_refusals_are_told_by_their_names(field: Client) -> None:
    marine, bunker = put(field, "Marine", 64), put(field, "Bunker", 50.5, 50.5)
    debug(field, unit_value={"unit_value": LIFE, "value": 9, "unit_tag": marine.tag})
    field.step(1)
    assert field.command(STIM, marine.tag) == NOT_ENOUGH_LIFE
    for _ in range(2):
        field.command(LOAD_BUNKER, bunker.tag, target=put(field, "Marauder", 53, 50).tag)
        field.step(40)
    assert field.command(LOAD_BUNKER, bunker.tag, target=marine.tag) == NOT_ENOUGH_ROOM
    barracks, lab = put(field, "Barracks", 80.5, 80.5), put(field, "BarracksTechLab", 83, 80)
    assert field.command(SHIELDS, lab.tag) == SUCCESS
    field.step(1)
    assert field.command(LIFT, barracks.tag) == OCCUPIED
