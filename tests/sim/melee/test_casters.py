"""Powers of Ghosts, Ravens and Battlecruisers: preparation, flight, price, interruption."""

import pytest

from sim.engine.state import CLOAKED, DISARMED, INVULNERABLE, POWERED
from sim.melee.records import Result
from sim.melee.sight import Sight
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, learn, name_of, order, terran, until

MUST_TARGET_BIOLOGICAL, CANT_TARGET_STRUCTURES = 121, 116  # ActionResult
EMP, SNIPE, CANCEL, HOLD_FIRE, WEAPONS_FREE, CLOAK = 1628, 2714, 3659, 36, 38, 382
YAMATO, JUMP, TURRET, MATRIX, SHREDDER = 401, 2358, 1764, 3747, 3753
ATTACK, MOVE, HOLD, STIM = 23, 16, 18, 380


def lost(game, slot):
    """Life that a unit lacks."""
    return float(game.units[slot]["hp_max"] - game.units[slot]["hp"])


def energetic(game, name, energy=200.0):
    """A unit with energy."""
    slot = give(game, name)
    game.units[slot]["energy"] = energy
    return slot


def permit(game, ability):
    """Player 1 has what the ability requires."""
    learn(game, *game.facts.requirements[game.facts.abilities[ability].requirement].upgrades)


# -- Ghosts -----------------------------------------------------------------------------------------------------------
def test_an_emp_flies_then_takes_shields_and_energy():
    game = terran()
    ghost, templar = energetic(game, "Ghost", 100), give(game, "HighTemplar", 56.5, 48.5, owner=2)
    assert order(game, ghost, EMP, (56.5, 48.5)) == Result.SUCCESS
    until(game, lambda: game.units[ghost]["energy"] < 30, 10)
    assert game.units[templar]["shield"] > 0
    flown = until(game, lambda: game.units[templar]["energy"] < 1, 10)
    assert 4 <= flown <= 5, "eight cells at thirty a normal second"
    assert game.units[templar]["shield"] == 0
    assert game.units[templar]["last_attacker"] == ghost
    assert game.world[0]["dealt"][1][1] == 40


def test_who_is_hit_by_an_emp_turns_on_the_ghost():
    """Who has no shields, too: the catalog's damage is none, but damage it is."""
    game = terran()
    ghost, marine = energetic(game, "Ghost", 100), give(game, "Marine", 58.0, 48.5, owner=2)
    assert order(game, ghost, HOLD_FIRE) == Result.SUCCESS
    game.step(4)
    assert game.units[marine]["target"] == -1
    order(game, ghost, EMP, (58.0, 48.5))
    until(game, lambda: game.units[marine]["target"] == ghost, 16)
    assert lost(game, marine) == 0


def test_an_emp_shows_who_is_cloaked():
    game = terran()
    spy = give(game, "Ghost", 54.5, 48.5, owner=2)
    game.units[spy]["energy"] = 200
    game.players[2]["upgrades"][:] = 1
    order(game, spy, CLOAK)
    order(game, spy, HOLD_FIRE)
    game.step(5)
    sight = Sight(game, 1)
    ghost = energetic(game, "Ghost")
    game.step(4)
    assert not sight.is_visible(spy)
    order(game, ghost, EMP, (54.5, 48.5))
    game.step(14)
    assert sight.is_visible(spy)
    game.step(170)
    assert game.units[spy]["energy"] < 200


def test_a_ghost_aims_at_the_living_only_and_pays_when_it_begins():
    game = terran()
    ghost, car = energetic(game, "Ghost", 100), give(game, "Hellion", 56.5, 44.5, owner=2)
    beast = give(game, "Ultralisk", 57.5, 50.5, owner=2)
    assert order(game, ghost, SNIPE, car) == MUST_TARGET_BIOLOGICAL
    game.kill(car)
    game.step(4)
    assert order(game, ghost, SNIPE, beast) == Result.SUCCESS
    until(game, lambda: game.units[ghost]["energy"] < 60, 12)
    assert order(game, ghost, MOVE, (40.0, 48.5)) == Result.SUCCESS
    assert until(game, lambda: lost(game, beast) >= 130, 60) == 32
    assert game.units[ghost]["energy"] < 60
    game.step(30)
    assert game.units[ghost]["x"] < 46, "the order given meanwhile waited"


@pytest.mark.parametrize(("patch", "zergling", "templar"), [("5.0.14", 130, 170), ("4.10.0", 170, 170)])
def test_snipe_hurts_by_patch(patch, zergling, templar):
    game = terran(patch=patch)
    ghost = energetic(game, "Ghost")
    for name, expected in (("Ultralisk", zergling), ("Infestor", templar)):
        victim = give(game, name, 55.5, 48.5, owner=2)
        game.units[victim]["hp_max"] = game.units[victim]["hp"] = 900
        order(game, victim, HOLD)
        game.step(4)
        order(game, ghost, SNIPE, victim)
        order(game, ghost, HOLD_FIRE)
        until(game, lambda victim=victim: lost(game, victim) > 100, 60)
        assert lost(game, victim) == pytest.approx(expected, abs=12)
        game.kill(victim)


def test_damage_interrupts_a_snipe_and_gives_the_energy_back():
    game = terran()
    ghost, beast = energetic(game, "Ghost", 100), give(game, "Ultralisk", 57.5, 50.5, owner=2)
    game.step(4)
    order(game, ghost, SNIPE, beast)
    until(game, lambda: game.units[ghost]["energy"] < 60, 12)
    marine = give(game, "Marine", 50.5, 48.5, owner=2)
    until(game, lambda: lost(game, ghost) > 0, 20)
    game.kill(marine)
    game.step(2)
    assert game.units[ghost]["energy"] > 99
    assert not game.units[ghost]["order_count"]
    game.step(40)
    assert lost(game, beast) < 100


def test_a_snipe_can_be_cancelled():
    game = terran()
    ghost, beast = energetic(game, "Ghost", 100), give(game, "Ultralisk", 57.5, 50.5, owner=2)
    game.step(4)
    order(game, ghost, SNIPE, beast)
    until(game, lambda: game.units[ghost]["energy"] < 60, 12)
    assert order(game, ghost, CANCEL) == Result.SUCCESS
    game.step(2)
    assert game.units[ghost]["energy"] > 99
    assert not game.units[ghost]["order_count"]


@pytest.mark.parametrize(
    ("patch", "gap", "holds"), [("5.0.14", 13.5, True), ("5.0.14", 14.5, False), ("4.10.0", 20, True)]
)
def test_a_snipe_ends_when_its_victim_is_far_away(patch, gap, holds):
    game = terran(patch=patch)
    ghost, beast = energetic(game, "Ghost", 100), give(game, "Ultralisk", 57.5, 48.5, owner=2)
    give(game, "Medivac", 66.0, 52.0)
    game.units[beast]["flags"] |= DISARMED
    game.step(4)
    order(game, ghost, SNIPE, beast)
    until(game, lambda: game.units[ghost]["energy"] < 60, 12)
    radii = float(game.type_of(ghost)["radius"] + game.type_of(beast)["radius"])
    game.units[beast]["x"] = float(game.units[ghost]["x"]) + gap + radii
    game.step(2)
    assert bool(game.units[ghost]["order_count"]) is holds
    assert (game.units[ghost]["energy"] > 99) is not holds


def test_a_ghost_holds_its_fire_until_told():
    game = terran()
    ghost, target = give(game, "Ghost"), give(game, "Overlord", 52.5, 48.5, owner=2)
    assert {HOLD_FIRE, WEAPONS_FREE} & set(available_abilities(game, ghost)) == {HOLD_FIRE}
    assert order(game, ghost, HOLD_FIRE) == Result.SUCCESS
    game.step(60)
    assert lost(game, target) == 0
    assert 13 in game.units[ghost]["buff"]
    assert {HOLD_FIRE, WEAPONS_FREE} & set(available_abilities(game, ghost)) == {WEAPONS_FREE}
    assert order(game, ghost, HOLD_FIRE) == Result.TECH_REQUIREMENTS_NOT_MET
    order(game, ghost, ATTACK, target)
    until(game, lambda: lost(game, target) > 0, 30)
    game.units[target]["hp"] = 1
    until(game, lambda: not game.units[target]["alive"], 30)
    other = give(game, "Overlord", 52.5, 48.5, owner=2)
    game.step(40)
    assert lost(game, other) == 0
    assert order(game, ghost, WEAPONS_FREE) == Result.SUCCESS
    until(game, lambda: lost(game, other) > 0, 30)


# -- Ravens -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("patch", "life"), [("5.0.14", 176), ("4.10.0", 224)])
def test_a_raven_drops_a_turret_that_ends(patch, life):
    game = terran(patch=patch)
    raven = energetic(game, "Raven", 60)
    assert order(game, raven, TURRET, (50.0, 50.0)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "AutoTurret")) == 1, 10)
    assert name_of(game, game.owned(1, "AutoTurret")[0]) == "AutoTurret"
    begun, prey = game.loop, give(game, "Overlord", 53.0, 50.0, owner=2)
    game.units[prey]["hp_max"] = game.units[prey]["hp"] = 4000
    until(game, lambda: lost(game, prey) > 0, 40)
    assert game.loop - begun >= 16, "it deploys first"
    life -= game.loop - begun
    assert until(game, lambda: not game.owned(1, "AutoTurret"), 300) in range(life, life + 6)


@pytest.mark.parametrize(("patch", "loops"), [("5.0.14", 240), ("4.10.0", 176)])
def test_a_matrix_silences_weapons_and_powers(patch, loops):
    game = terran(patch=patch)
    raven = energetic(game, "Raven")
    tank, marine = give(game, "SiegeTank", 55.5, 48.5, owner=2), give(game, "Marine", 56.5, 47.5, owner=2)
    if game.facts.abilities[MATRIX].requirement:
        permit(game, MATRIX)
    victim = give(game, "SCV", 57.5, 53.5)
    order(game, tank, HOLD)
    order(game, marine, MOVE, (70.0, 70.0))
    game.step(4)
    assert order(game, raven, MATRIX, marine) == Result.CANT_TARGET_THAT_UNIT
    assert order(game, raven, MATRIX, tank) == Result.SUCCESS
    until(game, lambda: game.units[raven]["energy"] < 160, 10)
    assert 8 <= until(game, lambda: 277 in game.units[tank]["buff"], 20) <= 16, "the missile flies"
    before = lost(game, victim)
    assert order(game, tank, 388) == Result.ERROR, "no siege mode"
    assert order(game, tank, MOVE, (56.0, 49.0)) == Result.SUCCESS
    assert until(game, lambda: 277 not in game.units[tank]["buff"], 300) in (loops - 1, loops)
    assert lost(game, victim) == before


@pytest.mark.parametrize(("patch", "once"), [("5.0.14", True), ("4.10.0", False)])
def test_nobody_is_jammed_twice(patch, once):
    """Newer patch: no second missile sets out while the first flies or holds."""
    game = terran(patch=patch)
    ravens, tank = (energetic(game, "Raven"), energetic(game, "Raven")), give(game, "SiegeTank", 55.5, 48.5, owner=2)
    if game.facts.abilities[MATRIX].requirement:
        permit(game, MATRIX)
    order(game, tank, HOLD)
    game.step(4)
    for raven in ravens:
        assert order(game, raven, MATRIX, tank) == Result.SUCCESS
    until(game, lambda: min(float(game.units[raven]["energy"]) for raven in ravens) < 160, 10)
    game.step(2)
    assert [bool(game.units[raven]["energy"] < 160) for raven in ravens].count(True) == (1 if once else 2)
    second = max(ravens, key=lambda raven: float(game.units[raven]["energy"]))
    game.units[second]["energy"] = 200
    assert order(game, second, MATRIX, tank) == (Result.ERROR if once else Result.SUCCESS)
    until(game, lambda: 277 in game.units[tank]["buff"], 20)
    assert order(game, second, MATRIX, tank) == (Result.CANT_TARGET_THAT_UNIT if once else Result.SUCCESS)


@pytest.mark.parametrize(("victim", "ability", "buff"), [("Medivac", 2116, 89), ("VoidRay", 2393, 122)])
def test_a_matrix_ends_boosts_and_alignments(victim, ability, buff):
    game = terran()
    raven, other = energetic(game, "Raven"), give(game, victim, 55.5, 48.5, owner=2)
    permit(game, MATRIX)
    order(game, other, HOLD)
    game.step(4)
    assert order(game, other, ability) == Result.SUCCESS
    game.step(1)
    assert buff in game.units[other]["buff"]
    assert order(game, raven, MATRIX, other) == Result.SUCCESS
    until(game, lambda: 277 in game.units[other]["buff"], 30)
    assert buff not in game.units[other]["buff"]


def test_a_jammed_prism_has_no_power_and_no_jammed_immortal_a_barrier():
    game = terran()
    raven, prism = energetic(game, "Raven"), give(game, "WarpPrismPhasing", 55.5, 48.5, owner=2)
    cannon, immortal = give(game, "PhotonCannon", 57, 50, owner=2), give(game, "Immortal", 58.5, 46.5, owner=2)
    permit(game, MATRIX)
    order(game, immortal, HOLD)
    game.step(4)
    for target in (prism, immortal):
        assert int(game.units[cannon]["flags"]) & POWERED or target == immortal
        game.units[raven]["energy"] = 200
        assert order(game, raven, MATRIX, target) == Result.SUCCESS
        until(game, lambda target=target: 277 in game.units[target]["buff"], 40)
    game.step(2)
    assert not int(game.units[cannon]["flags"]) & POWERED
    give(game, "Marauder", 54.5, 44.5)
    until(game, lambda: game.units[immortal]["shield"] < 100, 60)
    assert 299 not in game.units[immortal]["buff"]
    until(game, lambda: 277 not in game.units[prism]["buff"], 300)
    game.step(3)
    assert int(game.units[cannon]["flags"]) & POWERED


def test_a_nova_goes_out_when_its_disruptor_is_jammed():
    game = terran()
    raven, disruptor = energetic(game, "Raven"), give(game, "Disruptor", 55.5, 48.5, owner=2)
    permit(game, MATRIX)
    game.step(4)
    assert order(game, raven, MATRIX, disruptor) == Result.SUCCESS
    assert order(game, disruptor, 2346, (60.0, 60.0)) == Result.SUCCESS
    game.step(3)
    assert game.owned(2, "DisruptorPhased")
    until(game, lambda: 277 in game.units[disruptor]["buff"], 30)
    game.step(3)
    assert not game.owned(2, "DisruptorPhased")


@pytest.mark.parametrize(("patch", "buff", "damage"), [("5.0.14", 298, 6 + 2 - 1), ("4.10.0", 280, 6 + 3 - 1)])
def test_a_shredder_takes_armour_off_units_round_its_target(patch, buff, damage):
    game = terran(patch=patch)
    raven = energetic(game, "Raven")
    target, friend = give(game, "Marauder", 56.5, 48.5, owner=2), give(game, "Marauder", 58.0, 48.5)
    depot = give(game, "SupplyDepot", 57, 51, owner=2)
    order(game, target, HOLD)
    game.step(4)
    assert order(game, raven, SHREDDER, depot) == CANT_TARGET_STRUCTURES
    assert order(game, raven, SHREDDER, target) == Result.SUCCESS
    until(game, lambda: game.units[raven]["energy"] < 160, 20)
    assert 16 <= until(game, lambda: buff in game.units[target]["buff"], 60) <= 36
    assert buff in game.units[friend]["buff"]
    assert buff not in game.units[depot]["buff"]
    game.kill(friend)
    before = lost(game, target)
    give(game, "Marine", 54.5, 48.5)
    until(game, lambda: lost(game, target) > before, 20)
    assert lost(game, target) - before == damage


# -- Battlecruisers ---------------------------------------------------------------------------------------------------
def test_a_yamato_shot_cannot_be_interrupted_and_flies():
    game = terran()
    cruiser, target = give(game, "Battlecruiser"), give(game, "SupplyDepot", 56, 48, owner=2)
    order(game, cruiser, HOLD)
    assert order(game, cruiser, YAMATO, target) == Result.TECH_REQUIREMENTS_NOT_MET
    permit(game, YAMATO)
    game.step(40)
    before = lost(game, target)
    assert order(game, cruiser, YAMATO, target) == Result.SUCCESS
    game.step(10)
    before = lost(game, target)
    assert order(game, cruiser, MOVE, (40.0, 48.5)) == Result.SUCCESS
    taken = until(game, lambda: lost(game, target) > before, 60)
    assert 38 + 4 <= taken <= 38 + 8
    assert lost(game, target) - before == 240, "its batteries are silent meanwhile"
    game.step(40)
    assert game.units[cruiser]["x"] < 48
    assert order(game, cruiser, YAMATO, target) == Result.COOLDOWN
    assert YAMATO not in available_abilities(game, cruiser)
    assert YAMATO in available_abilities(game, cruiser, ignore_resources=True)


def dies(game, target):
    """It is killed."""
    game.kill(target)


def hides(game, target):
    """It cloaks."""
    game.units[target]["flags"] |= CLOAKED


@pytest.mark.parametrize("end", [dies, hides])
@pytest.mark.parametrize(("patch", "spent"), [("5.0.14", True), ("4.10.0", False)])
def test_a_yamato_shot_without_its_target(patch, spent, end):
    """The ship is free again; the shot is spent in the newer patch."""
    game = terran(patch=patch)
    cruiser, target = give(game, "Battlecruiser"), give(game, "Thor", 58, 48, owner=2)
    order(game, cruiser, HOLD)
    game.units[target]["flags"] |= DISARMED
    permit(game, YAMATO)
    game.step(40)
    assert order(game, cruiser, YAMATO, target) == Result.SUCCESS
    game.step(10)
    before = lost(game, target)
    end(game, target)
    until(game, lambda: not game.units[cruiser]["order_count"], 6)
    assert (game.memory.ready.get((cruiser, YAMATO), 0) > game.loop) is spent
    game.step(60)
    assert lost(game, target) - before < 240 or not game.units[target]["alive"]


@pytest.mark.parametrize(("patch", "charge"), [("5.0.14", 23), ("4.10.0", 0)])
def test_a_jump_in_its_stages(patch, charge):
    game = terran(patch=patch)
    cruiser = give(game, "Battlecruiser")
    order(game, cruiser, HOLD)
    game.step(4)
    begun = game.loop
    assert order(game, cruiser, JUMP, (80.0, 30.0)) == Result.SUCCESS
    game.step(2)
    assert bool(int(game.units[cruiser]["flags"]) & INVULNERABLE) is (charge == 0)
    until(game, lambda: int(game.units[cruiser]["flags"]) & INVULNERABLE, 40)
    assert charge <= game.loop - begun <= charge + 2
    until(game, lambda: game.units[cruiser]["x"] > 79, 20)
    assert charge + 10 <= game.loop - begun <= charge + 12
    assert order(game, cruiser, MOVE, (70.0, 30.0)) == Result.SUCCESS
    until(game, lambda: not int(game.units[cruiser]["flags"]) & INVULNERABLE, 120)
    assert charge + 96 <= game.loop - begun <= charge + 99
    assert abs(float(game.units[cruiser]["x"]) - 80.0) < 1.0
    game.step(40)
    assert game.units[cruiser]["x"] < 79
    assert order(game, cruiser, JUMP, (48.0, 48.0)) == Result.COOLDOWN
    assert game.memory.ready[cruiser, JUMP] - begun in (1600, 1601)


# -- what all share ---------------------------------------------------------------------------------------------------
def test_what_is_offered_by_energy_money_and_cooldown():
    game = terran()
    ghost = energetic(game, "Ghost", 60)
    assert {SNIPE, EMP} & set(available_abilities(game, ghost)) == {SNIPE}
    assert {SNIPE, EMP} <= set(available_abilities(game, ghost, ignore_resources=True))
    barracks = game.owned(1, "Barracks")[0]
    assert 560 in available_abilities(game, barracks)
    game.players[1]["minerals"] = 40
    assert 560 not in available_abilities(game, barracks)
    assert 560 in available_abilities(game, barracks, ignore_resources=True)


def test_no_two_abilities_of_one_unit_share_a_cooldown():
    """The engine keeps cooldowns by ability; this is why that is enough."""
    for patch in ("5.0.14", "4.10.0"):
        facts = terran(patch=patch).facts
        links = [
            (caster, ability.cooldown_link)
            for ability in facts.abilities.values()
            if ability.cooldown_link
            for caster in ability.casters
        ]
        assert len(links) == len(set(links))


def test_a_target_on_unseen_high_ground_is_refused_late():
    game = terran()
    ghost = energetic(game, "Ghost", 100)
    game.state.levels[:, 56:] += 24
    game.step(8)
    assert order(game, ghost, EMP, (60.0, 48.5)) == Result.SUCCESS
    game.step(30)
    assert game.units[ghost]["energy"] >= 100
    assert [error.result for error in game.events(1).errors] == [Result.MUST_TARGET_VISIBLE_LOCATION]


def test_a_cast_is_judged_again_when_its_caster_has_come():
    """A ship that is the caster's own by then is not fired at."""
    game = terran()
    permit(game, YAMATO)
    ship, target = give(game, "Battlecruiser", 30.5, 48.5), give(game, "Thor", 48.5, 48.5, owner=2)
    give(game, "Medivac", 44.5, 48.5)
    game.step(4)
    assert order(game, ship, YAMATO, target) == Result.SUCCESS
    game.step(2)
    game.units[target]["owner"] = 1
    until(game, lambda: not game.units[ship]["order_count"], 300)
    game.step(100)
    assert lost(game, target) == 0
    assert (ship, YAMATO) not in game.memory.ready
