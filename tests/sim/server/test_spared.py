"""Whom abilities spare beside their target filters: validators of the catalog, through the protocol."""

from __future__ import annotations

import pytest
from s2clientprotocol import debug_pb2, raw_pb2

from sim.facts import load as load_facts
from tests.sim.server.client import Client
from tests.sim.server.test_actions import SUCCESS, create, debug, units

FACTS = load_facts()
FEEDBACK, NEURAL, ABDUCT, CONSUME, GRAVITON, GRAVITON_CANCEL = 140, 249, 2067, 2073, 173, 174
CHRONO, MULE, SUPPLY_DROP, INJECT, TRANSFUSE, NOVA, JUMP = 3755, 171, 255, 251, 1664, 2346, 2358
FUNGUS, WARP, SHADE, STRIDE, MOVE, HOLD, ATTACK, PICK_UP = 74, 2244, 2544, 2700, 16, 18, 23, 911
RECALL, STIM, LIFT, LOAD_BUNKER, LOAD_MEDIVAC, SHIELDS = 3757, 380, 452, 407, 394, 730
CANT_TARGET, ERROR, NOT_ENOUGH_LIFE, NOT_ENOUGH_ROOM, OCCUPIED, TOO_FEW = 36, 3, 15, 67, 76, 198
BOMB = 2542
NO_PLACE, STRUCTURES_ONLY, HEAL_TARGET = 41, 115, 90
HELD, LIFTED, GROWN, WARPED = 129, 5, 17, 121  # buffs: stasis ward, graviton beam, fungus, time warp
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
        client.step(2)
    return made


def now(client: Client, tag: int) -> raw_pb2.Unit:
    """The unit as it is."""
    return next(unit for unit in client.observe().observation.raw_data.units if unit.tag == tag)


@pytest.mark.parametrize(
    ("caster", "ability", "victim", "verdict"),
    [
        ("Viper", ABDUCT, "Ultralisk", STRUCTURES_ONLY),
        ("Infestor", NEURAL, "Ultralisk", STRUCTURES_ONLY),
        ("HighTemplar", FEEDBACK, "ShieldBattery", CANT_TARGET),
    ],
)
def test_who_is_spared_by_type(field: Client, caster: str, ability: int, victim: str, verdict: int) -> None:
    unit, target = put(field, caster, 56, energy=200), put(field, victim, 64, owner=2)
    assert field.command(ability, unit.tag, target=target.tag) == verdict


def test_who_carries_somebody_is_not_taken_over(field: Client) -> None:
    infestor, medivac = put(field, "Infestor", 56, energy=200), put(field, "Medivac", 64, owner=2)
    marine = put(field, "Marine", 64, 65, owner=2)
    field.command(LOAD_MEDIVAC, medivac.tag, target=marine.tag)
    field.step(30)
    assert field.command(NEURAL, infestor.tag, target=medivac.tag) == OCCUPIED


@pytest.mark.parametrize(
    ("name", "held"), [("Marine", True), ("Egg", False), ("BanelingCocoon", False), ("RavagerCocoon", False)]
)
def test_stasis_wards_spare_eggs_and_cocoons(field: Client, name: str, *, held: bool) -> None:
    put(field, "OracleStasisTrap", 64)
    other, waker = put(field, name, 66, owner=2), put(field, "Zealot", 63, owner=2)
    field.step(40)
    assert HELD in now(field, waker.tag).buff_ids
    assert (HELD in now(field, other.tag).buff_ids) is held


def test_the_place_where_a_bombed_flyer_died_is_marked_while_the_bomb_lasts(field: Client) -> None:
    viper, host = put(field, "Viper", 56, energy=200), put(field, "Corruptor", 62, owner=2)
    witness = put(field, "Overlord", 63, owner=2)
    for stays in (witness, host):  # a Corruptor at liberty flies at the Viper and dies far from who watches
        assert field.command(HOLD, stays.tag) == SUCCESS
    assert field.command(BOMB, viper.tag, target=host.tag) == SUCCESS
    field.step(40)
    assert not units(field, "ParasiticBombDummy")
    debug(field, kill_unit={"tag": [host.tag]})
    field.step(8)
    (mark,) = units(field, "ParasiticBombDummy")
    before = now(field, witness.tag).health
    assert field.command(ATTACK, put(field, "Phoenix", 58, owner=2).tag, target=mark.tag) != SUCCESS
    field.step(40)
    assert now(field, witness.tag).health < before
    field.step(100)
    assert not units(field, "ParasiticBombDummy")


def test_a_stasis_ward_is_cloaked_until_it_bursts(field: Client) -> None:
    put(field, "Marine", 58)
    create(field, "OracleStasisTrap", 2, 64, 64)
    field.step(20)
    debug(field, game_state=debug_pb2.show_map)
    field.step(1)
    assert not units(field, "OracleStasisTrap", 2)
    detector = put(field, "Raven", 57)
    assert [ward.cloak for ward in units(field, "OracleStasisTrap", 2)] == [raw_pb2.CloakedDetected]
    debug(field, kill_unit={"tag": [detector.tag]})
    put(field, "Zealot", 62)
    field.step(6)
    assert [ward.cloak for ward in units(field, "OracleStasisTrap", 2)] == [raw_pb2.NotCloaked]


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
    field.step(2)
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
    field.step(2)
    assert field.command(STIM, marine.tag) == NOT_ENOUGH_LIFE
    for _ in range(3):  # six places: Neosteel Frame comes with the tech
        field.command(LOAD_BUNKER, bunker.tag, target=put(field, "Marauder", 53, 50).tag)
        field.step(40)
    assert field.command(LOAD_BUNKER, bunker.tag, target=marine.tag) == NOT_ENOUGH_ROOM
    barracks, lab = put(field, "Barracks", 80.5, 80.5), put(field, "BarracksTechLab", 83, 80)
    assert field.command(SHIELDS, lab.tag) == SUCCESS
    field.step(1)
    assert field.command(LIFT, barracks.tag) == OCCUPIED


def test_nothing_slows_an_ultralisk(field: Client) -> None:
    infestor, mother = put(field, "Infestor", 58, energy=200), put(field, "Mothership", 50, energy=200)
    ultralisk, marauder = put(field, "Ultralisk", 64, owner=2), put(field, "Marauder", 65, 65, owner=2)
    for unit in (ultralisk, marauder):
        field.command(HOLD, unit.tag)
    assert field.command(FUNGUS, infestor.tag, at=(64, 64)) == SUCCESS
    field.step(16)
    assert GROWN in now(field, ultralisk.tag).buff_ids
    before = [now(field, unit.tag).pos.y for unit in (ultralisk, marauder)]
    for unit in (ultralisk, marauder):
        field.command(MOVE, unit.tag, at=(unit.pos.x, 90))
    field.step(20)
    ran, crept = (now(field, unit.tag).pos.y - y for unit, y in zip((ultralisk, marauder), before, strict=True))
    assert ran > 3
    assert crept < 1
    field.command(HOLD, ultralisk.tag)
    here = now(field, ultralisk.tag).pos
    assert field.command(WARP, mother.tag, at=(here.x, here.y)) == SUCCESS
    field.step(40)
    assert WARPED not in now(field, ultralisk.tag).buff_ids


def test_who_is_abducted_comes_out_of_the_ground(field: Client) -> None:
    viper = put(field, "Viper", 57, energy=200)
    put(field, "Overseer", 62)
    buried = put(field, "RoachBurrowed", 64, owner=2)
    assert field.command(ABDUCT, viper.tag, target=buried.tag) == SUCCESS
    field.step(30)
    assert FACTS.names[now(field, buried.tag).unit_type] == "Roach"


def test_mines_spare_each_other_but_no_friends(field: Client) -> None:
    firing = put(field, "WidowMineBurrowed", 64)
    other, friend = put(field, "WidowMineBurrowed", 67.5, 64.5), put(field, "Marauder", 67.5, 63.5)
    field.command(HOLD, friend.tag)
    create(field, "Roach", 2, 68, 64)
    field.step(60)
    assert now(field, firing.tag).health == now(field, other.tag).health == 90
    assert now(field, friend.tag).health < 100


def test_a_shade_frees_its_adept_which_goes_on_with_its_orders(field: Client) -> None:
    adept, infestor = put(field, "Adept", 64), put(field, "Infestor", 58, owner=2, energy=200)
    field.command(HOLD, adept.tag)
    assert field.command(SHADE, adept.tag, at=(64, 70)) == SUCCESS
    field.step(120)
    (shade,) = units(field, "AdeptPhaseShift")
    field.command(FUNGUS, infestor.tag, at=(64, 64))
    field.command(MOVE, shade.tag, at=(64, 100))
    field.step(30)
    assert GROWN in now(field, adept.tag).buff_ids
    field.step(16)
    freed = now(field, adept.tag)
    assert GROWN not in freed.buff_ids
    assert freed.pos.y > 72
    assert [order.ability_id for order in freed.orders] == [MOVE]


def test_a_shade_dies_with_its_adept_aboard(field: Client) -> None:
    adept, prism = put(field, "Adept", 64), put(field, "WarpPrism", 65)
    assert field.command(SHADE, adept.tag, at=(64, 70)) == SUCCESS
    field.step(4)
    assert units(field, "AdeptPhaseShift")
    assert field.command(PICK_UP, prism.tag, target=adept.tag) == SUCCESS
    field.step(10)
    assert not units(field, "AdeptPhaseShift")


def test_a_dark_templar_strikes_a_while_after_its_stride(field: Client) -> None:
    templar, prey = put(field, "DarkTemplar", 58), put(field, "Ultralisk", 64.5, owner=2)
    field.command(HOLD, prey.tag)
    assert field.command(STRIDE, templar.tag, at=(63, 64)) == SUCCESS
    field.step(3)  # it turns first
    assert field.command(ATTACK, templar.tag, target=prey.tag) == SUCCESS
    field.step(15)
    assert now(field, prey.tag).health == 500
    field.step(10)
    assert now(field, prey.tag).health < 500


@pytest.mark.parametrize(
    ("name", "verdict"), [("Gateway", SUCCESS), ("DarkShrine", SUCCESS), ("Pylon", CANT_TARGET), ("PhotonCannon", 36)]
)
def test_chrono_boost_is_for_what_makes_or_researches(field: Client, name: str, verdict: int) -> None:
    nexus = put(field, "Nexus", 40.5, 40.5, energy=100)
    pylon = put(field, "Pylon", 50, 50)
    offset = FACTS.types[FACTS.ids[name]]["footprint"] % 2 / 2
    other = pylon if name == "Pylon" else put(field, name, 54 + offset, 50 + offset)
    assert field.command(CHRONO, nexus.tag, target=other.tag) == verdict


def test_mules_fall_on_fields_or_where_there_is_room_and_wait_there(field: Client) -> None:
    orbital, depot = put(field, "OrbitalCommand", 40.5, 40.5, energy=200), put(field, "SupplyDepot", 50, 50)
    create(field, "MineralField", 0, 48, 40.5)
    field.step(4)
    assert field.command(MULE, orbital.tag, target=depot.tag) == NO_PLACE
    assert field.command(MULE, orbital.tag, at=(46, 44)) == SUCCESS
    field.step(80)
    (waiting,) = units(field, "MULE")
    assert waiting.buff_duration_max == 1440, "as a real one of 4.10 says; it lives some loops longer"
    assert 1380 < waiting.buff_duration_remain <= 1440
    assert not waiting.orders
    (mineral,) = (u for u in field.observe().observation.raw_data.units if u.mineral_contents)
    assert field.command(MULE, orbital.tag, target=mineral.tag) == SUCCESS
    field.step(80)
    assert [bool(mule.orders) for mule in units(field, "MULE")].count(True) == 1


def test_more_refusals_are_told_by_the_names_of_their_validators(field: Client) -> None:
    orbital, depot = put(field, "OrbitalCommand", 40.5, 40.5, energy=200), put(field, "SupplyDepot", 50, 50)
    assert field.command(SUPPLY_DROP, orbital.tag, target=orbital.tag) == STRUCTURES_ONLY
    assert field.command(SUPPLY_DROP, orbital.tag, target=depot.tag) == SUCCESS
    field.step(120)
    assert field.command(SUPPLY_DROP, orbital.tag, target=depot.tag) == STRUCTURES_ONLY
    put(field, "Hatchery", 64.5, 64.5)
    field.step(1600)  # creep grows in an order drawn by lot; by now all of it is there
    queen, roach = put(field, "Queen", 64.5, 68.5, energy=200), put(field, "Roach", 66, 68.5)
    assert field.command(INJECT, queen.tag, target=roach.tag) == STRUCTURES_ONLY
    assert field.command(TRANSFUSE, queen.tag, target=roach.tag) == HEAL_TARGET
    debug(field, unit_value={"unit_value": LIFE, "value": 40, "unit_tag": roach.tag})
    field.step(2)
    assert field.command(TRANSFUSE, queen.tag, target=roach.tag) == SUCCESS


def test_novas_spare_own_disruptors(field: Client) -> None:
    one, two, friend = put(field, "Disruptor", 60), put(field, "Disruptor", 64), put(field, "Zealot", 64, 65)
    for unit in (one, two, friend):
        field.command(HOLD, unit.tag)
    assert field.command(NOVA, one.tag, at=(64, 64)) == SUCCESS
    field.step(60)
    assert now(field, two.tag).shield == 100
    assert not units(field, "Zealot"), "200 damage to its shields, 100 to its life"


def test_a_ship_that_jumps_is_not_abducted(field: Client) -> None:
    ship, viper = put(field, "Battlecruiser", 64, owner=2), put(field, "Viper", 57, energy=200)
    field.command(HOLD, ship.tag)
    assert field.command(JUMP, ship.tag, at=(100, 100)) == SUCCESS
    field.step(2)
    assert field.command(ABDUCT, viper.tag, target=ship.tag) == ERROR
