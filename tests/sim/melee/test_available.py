"""What units are told that they may do (abilities query)."""

import pytest
from sc2.dicts.unit_abilities import UNIT_ABILITIES
from sc2.ids.unit_typeid import UnitTypeId

from sim.maps import arena
from sim.melee.game import Game
from sim.melee.records import PlayerSetup, Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, learn, name_of, order, terran, until

SMART, SCAN_MOVE, ATTACK = 1, 19, 23
WORKER = {1, 4, 16, 17, 18, 23, 26, 295, 316, 318, 319, 320, 322}


def test_worker_and_town_hall_at_the_start():
    game = terran(tech=False)
    for slot in game.owned(1, "SCV"):
        assert set(available_abilities(game, slot)) - {296} == WORKER
    assert available_abilities(game, game.owned(1, "CommandCenter")[0]) == [SMART, 203, 416, 417, 524]


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("Marine", {SMART, ATTACK}, {SCAN_MOVE}),
        ("Raven", {SMART, SCAN_MOVE}, {ATTACK}),
        ("Barracks", {SMART, 195, 452, 560}, {196}),
        ("SupplyDepot", {556}, {SMART}),
        ("Zealot", {SMART, ATTACK}, {199, 200}),
        ("Larva", {1342}, {SMART}),
        ("Medivac", {386, 394}, {395, 396, 398}),
        ("Bunker", {407}, {408, 409, 1682}),
        ("PlanetaryFortress", {SMART, ATTACK}, {412, 414}),
    ],
)
def test_the_command_card_of(name, has, lacks):
    game = terran()
    offered = set(available_abilities(game, give(game, name)))
    assert has <= offered
    assert not lacks & offered


def test_nothing_without_a_name_is_offered():
    game = terran()
    facts = game.facts
    for type_id in {type_id for ability in facts.abilities.values() for type_id in ability.casters}:
        slot = game.spawn(type_id, 1, 48.5, 60.5)
        if slot < 0:
            continue
        names = [(facts.abilities[a], facts.abilities[a].friendly_name) for a in available_abilities(game, slot)]
        assert not [a.id for a, name in names if a.name and name == f"{a.name}_{a.index}" and not a.shown]
        game.kill(slot)
        game.step()


def test_a_loaded_medivac_can_unload():
    game = terran()
    medivac, marine = give(game, "Medivac"), give(game, "Marine", 49.5, 48.5)
    assert order(game, medivac, 394, marine) == Result.SUCCESS
    for _ in range(60):
        game.step()
    assert 396 in available_abilities(game, medivac)


def test_a_worker_paints_and_is_idle_again():
    game = terran()
    scv = give(game, "SCV")
    assert order(game, scv, 26, (52.0, 48.5)) == Result.SUCCESS
    for _ in range(60):
        game.step()
    assert game.units[scv]["order_count"] == 0
    assert game.units[scv]["x"] > 48.6


STOP, MOVE, PATROL, HOLD, BURROW = 4, 16, 17, 18, 64
FORMS = [  # a form that stands, and whether it has a weapon
    ("OverseerSiegeMode", False),
    ("ObserverSiegeMode", False),
    ("WarpPrismPhasing", False),
    ("SwarmHostBurrowedMP", False),
    ("RoachBurrowed", False),  # without Tunneling Claws
    ("LurkerMPBurrowed", True),
    ("SiegeTankSieged", True),
]


@pytest.mark.parametrize(("name", "armed"), FORMS)
def test_a_form_that_stands_neither_walks_nor_is_offered_to(name, armed):
    """Each answers attack, move, patrol and hold position with an Error (observed); an armed one may attack."""
    game = terran()
    form, prey = give(game, name), give(game, "Marauder", 52.5, 48.5, owner=2)
    game.step()
    assert not {MOVE, PATROL, HOLD, SCAN_MOVE} & set(available_abilities(game, form))
    assert [order(game, form, ability, (50.0, 50.0)) for ability in (MOVE, PATROL)] == [Result.ERROR] * 2
    assert order(game, form, HOLD) == Result.ERROR
    assert order(game, form, ATTACK, prey) == (Result.SUCCESS if armed else Result.ERROR)


def test_a_widow_mine_is_offered_its_attack_while_it_is_loaded():
    game = terran()
    mine = give(game, "WidowMineBurrowed")
    game.step()
    assert 2099 in available_abilities(game, mine)
    give(game, "Marauder", 51.5, 48.5, owner=2)
    for _ in range(60):
        game.step()
    assert 2099 not in available_abilities(game, mine)
    assert 2099 in available_abilities(game, mine, ignore_resources=True)


SUPPORT = ("Armory", "FusionCore", "Lair", "Hive", "TwilightCouncil", "FleetBeacon", "GreaterSpire", "TemplarArchive")
SUPPORT += ("DarkShrine", "CyberneticsCore", "SpawningPool", "InfestationPit")
OF_NO_LADDER_GAME = {  # or, as the bare lab, not to be had without its host
    *("BYPASSARMORDRONE", "DEFILERMP", "INTERCEPTOR", "MOTHERSHIPCORE", "NYDUSCANALATTACKER", "NYDUSCANALCREEPER"),
    *("RAVENREPAIRDRONE", "TECHLAB", "VOIDMPIMMORTALREVIVECORPSE", "WARHOUND"),
}
KNOWN = {  # what differs, and why
    "CARRIER": {1038},  # theirs had begun an Interceptor
    "CREEPTUMORBURROWED": {3691},  # a general id: none is offered (observed)
    "QUEEN": {1664, 3691},  # the first off creep; the cheat had waived that there
    "ROACHBURROWED": {1, 16, 17, 18, 19},  # needs Tunneling Claws; see the next test
    "SWARMHOSTBURROWEDMP": {2016},  # theirs was offered no way up
}


DOWN = (1374, 1378, 1382, 1386, 1390, 1394, 1433, 1444, 1512, 2014, 2340, 2489)  # of Banelings, Drones and so on
BURROWS = {down + rise for down in DOWN for rise in (0, 2)}


def offers(tech: bool) -> dict[UnitTypeId, set[int]]:
    """What a fresh unit of each type is offered, as the bot that made burnysc2's table asked the real game."""
    game = Game(arena(200, 200), [PlayerSetup(Race.TERRAN, start=k) for k in range(2)], seed=1)
    for k, name in enumerate(SUPPORT):
        game.spawn(game.facts.ids[name], 1, 20.5 + 6 * k, 180.5)
    there, found = set(game.facts.ids.values()), {}
    for k, kind in enumerate(kind for kind in UNIT_ABILITIES if kind.value in there):
        x, y = 20.5 + 8 * (k % 20), 20.5 + 8 * (k // 20)
        made = [game.spawn(kind.value, 1, x, y), game.spawn(game.facts.ids["Pylon"], 1, x + 3.5, y + 3.5)]
        if kind.name in ("BARRACKSTECHLAB", "FACTORYTECHLAB", "STARPORTTECHLAB"):
            made.append(game.spawn(game.facts.ids[kind.name[:-7].capitalize()], 1, x - 2.5, y + 0.5))
        game.step(4)
        if tech:
            game.memory.taught.add(1)
        found[kind] = set(available_abilities(game, made[0], ignore_resources=True))
        for slot in made:
            game.kill(slot)
        game.step()
    return found


def test_what_the_real_game_offered_is_offered():
    """burnysc2 ships what the real game's abilities query answered for every type, with the technology cheat now on,
    now off: nothing of it is missing in both states, and nothing is offered that is not in it."""
    bare, full = offers(False), offers(True)
    assert len(bare) > 150
    for kind in bare:
        if kind.name not in OF_NO_LADDER_GAME:
            real, ours = {ability.value for ability in UNIT_ABILITIES[kind]}, bare[kind] | full[kind]
            known = KNOWN.get(kind.name, set())
            assert real - known <= ours, kind
            assert ours - real - known <= BURROWS, kind  # of others: the table was cleared of nearly all of them


def test_a_buried_roach_walks_with_tunneling_claws():
    game = terran()
    roach, claws = give(game, "RoachBurrowed"), 3
    assert not {SMART, MOVE, PATROL, HOLD, SCAN_MOVE} & set(available_abilities(game, roach))
    learn(game, claws)
    assert {SMART, MOVE, PATROL, HOLD, SCAN_MOVE} < set(available_abilities(game, roach))


def test_who_can_burrow_is_offered_the_burrows_of_all():
    """Once it is learned; by another's they burrow as themselves (observed of 5.0.15)."""
    game = terran()
    zergling, lurker, mine = (
        give(game, name, 48.5 + k) for k, name in enumerate(("Zergling", "LurkerMP", "WidowMine"))
    )
    assert not BURROWS & set(available_abilities(game, zergling))
    learn(game, BURROW)
    assert set(DOWN) == BURROWS & set(available_abilities(game, zergling))
    assert not BURROWS & {*available_abilities(game, lurker), *available_abilities(game, mine)}
    assert order(game, zergling, 1394) == Result.SUCCESS
    until(game, lambda: name_of(game, zergling) == "ZerglingBurrowed", 40)
    until(game, lambda: not game.units[zergling]["order_count"], 40)
    assert {down + 2 for down in DOWN} == BURROWS & set(available_abilities(game, zergling))


def test_stim_is_offered_to_who_survives_it():
    game = terran()
    learn(game, 15)
    marine = give(game, "Marine")
    for life, offered in ((11, True), (10, False)):
        game.units[marine]["hp"] = life
        assert (380 in available_abilities(game, marine)) is offered
        assert 380 in available_abilities(game, marine, ignore_resources=True)
