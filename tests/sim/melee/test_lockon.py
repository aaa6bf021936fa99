"""Cyclones: Lock On."""

import pytest

from sim.engine.bufftable import MATRIX, add_buff
from sim.engine.state import CLOAKED, DISARMED, INSIDE
from sim.melee.barred import STASIS_TRAP
from sim.melee.casts import gap
from sim.melee.records import Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, learn, order, terran, until
from tests.sim.melee.powers_world import lost

LOCK_ON, CANCEL, GENERAL_CANCEL, MOVE, ATTACK, HOLD, MAG_FIELD, LOCKED = 2350, 2354, 3659, 16, 23, 18, 144, 116
LOCK_RANGE, LOAD = 123, 394


def quiet(game, x=48.5):
    """A Cyclone that locks on only when told."""
    cyclone = give(game, "Cyclone", x, 48.5)
    assert order(game, cyclone, LOCK_ON, autocast=True) == Result.SUCCESS
    game.step()
    return cyclone


def test_twenty_missiles_of_twenty_in_twenty_seconds():
    game = terran()
    cyclone, hall = quiet(game), give(game, "CommandCenter", 57.5, 48.5, owner=2)
    assert LOCK_ON in available_abilities(game, cyclone)
    assert CANCEL not in available_abilities(game, cyclone)
    assert order(game, cyclone, LOCK_ON, hall) == Result.SUCCESS
    until(game, lambda: LOCKED in game.units[hall]["buff"], 10)
    begun = game.loop
    assert CANCEL not in available_abilities(game, cyclone)  # the query does not know it (observed)
    assert LOCK_ON not in available_abilities(game, cyclone)
    order(game, cyclone, MOVE, (46.0, 48.5))
    for queued in (False, True):
        assert order(game, cyclone, LOCK_ON, hall, queued=queued) == Result.NOT_SUPPORTED, "observed"
    until(game, lambda: LOCKED not in game.units[hall]["buff"], 400)
    assert game.loop - begun == 320
    game.step(20)
    assert lost(game, hall) == pytest.approx(20 * 20), "whatever the armour, and no shot of its own weapon"
    assert order(game, cyclone, LOCK_ON, hall) == Result.COOLDOWN
    until(game, lambda: LOCK_ON in available_abilities(game, cyclone), 100)
    assert game.loop - begun == 320 + 96


def test_a_lock_queued_behind_another_does_not_replace_it():
    game = terran()
    cyclone = quiet(game)
    first, second = (give(game, "CommandCenter", 54.5, y, owner=2) for y in (45.5, 51.5))
    assert order(game, cyclone, LOCK_ON, first) == order(game, cyclone, LOCK_ON, second, queued=True) == Result.SUCCESS
    game.step(20)
    assert game.memory.locks[cyclone].target == first
    assert LOCKED not in game.units[second]["buff"]
    until(game, lambda: cyclone not in game.memory.locks, 400)
    assert LOCKED not in game.units[first]["buff"]


def test_the_lock_breaks_beyond_fifteen_cells_and_when_cancelled():
    game = terran()
    cyclone, ship = quiet(game), give(game, "Overlord", 55.0, 48.5, owner=2)
    order(game, cyclone, LOCK_ON, ship)
    until(game, lambda: cyclone in game.memory.locks, 10)
    game.units[ship]["x"] = 64.5
    game.step(2)
    assert cyclone in game.memory.locks
    game.units[ship]["x"] = 65.5
    game.step(2)
    assert cyclone not in game.memory.locks
    game.units[ship]["x"] = 52.0
    game.step(100)
    order(game, cyclone, LOCK_ON, ship)
    until(game, lambda: cyclone in game.memory.locks, 10)
    assert order(game, cyclone, GENERAL_CANCEL) == Result.SUCCESS
    game.step()
    assert cyclone not in game.memory.locks
    assert LOCKED not in game.units[ship]["buff"]


def test_a_cyclone_that_dies_with_a_lock_leaves_no_cooldown_to_the_next_unit_in_its_slot():
    game = terran()
    cyclone, hall = quiet(game), give(game, "CommandCenter", 57.5, 48.5, owner=2)
    order(game, cyclone, LOCK_ON, hall)
    until(game, lambda: cyclone in game.memory.locks, 10)
    game.kill(cyclone)
    assert not game.memory.ready
    assert LOCKED not in game.units[hall]["buff"]


def test_autocast_locks_on_by_itself_and_leaves_structures_alone():
    game = terran()
    cyclone, depot = give(game, "Cyclone"), give(game, "SupplyDepot", 53, 48, owner=2)
    game.step(12)
    assert not game.memory.locks
    roach = give(game, "Roach", 48.5, 55.0, owner=2)
    until(game, lambda: cyclone in game.memory.locks, 12)
    assert game.memory.locks[cyclone].target == roach
    game.kill(roach)
    game.step(2)
    assert cyclone not in game.memory.locks
    assert game.units[depot]["alive"]


@pytest.mark.parametrize(
    ("patch", "apart", "drives"), [("5.0.14", 7.4, True), ("5.0.14", 7.6, False), ("4.10.0", 7.1, False)]
)
@pytest.mark.parametrize("more", [0.0, 3.0])
def test_an_idle_cyclone_drives_up_to_who_is_a_little_farther_off(patch, apart, drives, more):
    """Catalog: AutoCastRange; the upgrade of the range adds as much to it."""
    game = terran(patch=patch)
    if more:
        learn(game, LOCK_RANGE)
    give(game, "Raven", 54.5, 44.5)
    radii = sum(float(game.types[1, game.facts.ids[name]]["radius"]) for name in ("Cyclone", "Overlord"))
    cyclone = give(game, "Cyclone")
    give(game, "Overlord", 48.5 + radii + apart + more, 48.5, owner=2)
    game.step(24)
    assert (cyclone in game.memory.locks) is drives
    assert (float(game.units[cyclone]["x"]) > 48.6) is drives


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
@pytest.mark.parametrize(
    ("name", "buff", "takes"),
    [
        ("Overlord", 0, True),
        ("PhotonCannon", 0, True),
        ("ShieldBattery", 0, False),
        ("Interceptor", 0, False),
        ("Broodling", 0, False),
        ("ChangelingMarine", 0, False),
        ("Roach", 22, False),
        ("Roach", LOCKED, False),
    ],
)
def test_whom_autocast_takes(patch, name, buff, takes):
    """Not who was taken over, nor whom another Cyclone holds."""
    game = terran(patch=patch)
    cyclone, other = give(game, "Cyclone"), give(game, name, 53.0, 48.5, owner=2)
    game.units[other]["flags"] |= DISARMED
    if buff:
        add_buff(game.units[other], game.state.buffs, buff)
    game.step(12)
    assert (cyclone in game.memory.locks) is takes


@pytest.mark.parametrize(("patch", "first"), [("5.0.14", "Roach"), ("4.10.0", "Overlord")])
def test_the_newer_patchs_autocast_takes_first_who_can_hit_it(patch, first):
    game = terran(patch=patch)
    overlord, roach = give(game, "Overlord", 51.0, 48.5, owner=2), give(game, "Roach", 54.0, 48.5, owner=2)
    game.step(2)
    cyclone = give(game, "Cyclone")
    until(game, lambda: cyclone in game.memory.locks, 12)
    assert game.memory.locks[cyclone].target == (roach if first == "Roach" else overlord)


def test_on_the_attack_it_stands_while_it_holds_a_near_target():
    game = terran()
    cyclone, hall = quiet(game), give(game, "CommandCenter", 57.5, 48.5, owner=2)
    order(game, cyclone, ATTACK, (80.0, 40.5))
    game.step(2)
    order(game, cyclone, LOCK_ON, hall)
    order(game, cyclone, ATTACK, (80.0, 40.5), queued=True)
    until(game, lambda: cyclone in game.memory.locks, 20)
    game.step(3)
    place = float(game.units[cyclone]["x"])
    game.step(60)
    assert abs(float(game.units[cyclone]["x"]) - place) < 0.3
    order(game, cyclone, MOVE, (44.0, 48.5))
    game.step(20)
    assert float(game.units[cyclone]["x"]) < place - 1.5
    assert cyclone in game.memory.locks


@pytest.mark.parametrize(("patch", "roach", "marine"), [("5.0.14", 30, 30), ("4.10.0", 40, 20)])
def test_the_mag_field_accelerator(patch, roach, marine):
    game = terran(patch=patch)
    learn(game, MAG_FIELD)
    for name, expected in (("Roach", roach), ("Marine", marine)):
        cyclone, victim = quiet(game), give(game, name, 54.0, 48.5, owner=2)
        order(game, victim, HOLD)
        order(game, cyclone, LOCK_ON, victim)
        until(game, lambda victim=victim: lost(game, victim) > 0, 40)
        assert lost(game, victim) == expected
        game.kill(cyclone)
        game.kill(victim)
        game.step(20)


@pytest.mark.parametrize(
    ("how", "ends"), [("cloak", True), ("detected", False), ("stasis", True), ("jam", True), ("frozen", True)]
)
def test_a_lock_ends_with_the_next_missile_where_its_target_hides_or_its_cyclone_is_jammed(how, ends):
    """Catalog (LockOnPeriodicValidators: a Visible target); so Liquipedia: it breaks when that moves out of vision."""
    game = terran()
    cyclone, banshee = quiet(game), give(game, "Banshee", 54.5, 48.5, owner=2)
    if how == "detected":
        give(game, "Raven", 50.0, 46.0)
    game.units[banshee]["flags"] |= DISARMED
    assert order(game, cyclone, LOCK_ON, banshee) == Result.SUCCESS
    game.step(20)
    assert cyclone in game.memory.locks
    if how in ("cloak", "detected"):
        game.units[banshee]["flags"] |= CLOAKED
    else:
        struck = game.units[banshee if how == "stasis" else cyclone]
        add_buff(struck, game.state.buffs, MATRIX if how == "jam" else STASIS_TRAP, 100)
    game.step(18)
    assert (cyclone not in game.memory.locks) == ends


def test_on_the_attack_it_drives_up_to_who_is_far():
    game = terran()
    cyclone, hall = quiet(game), give(game, "CommandCenter", 57.5, 48.5, owner=2)
    order(game, cyclone, LOCK_ON, hall)
    until(game, lambda: cyclone in game.memory.locks, 20)
    order(game, cyclone, MOVE, (44.0, 48.5))
    game.step(40)
    order(game, cyclone, ATTACK, (80.0, 40.5))
    game.step(60)
    assert cyclone in game.memory.locks
    assert 6 < gap(game, cyclone, hall) <= 7


def test_its_targets_place_is_lit_while_it_is_held():
    game = terran()
    cyclone, roach = quiet(game), give(game, "Roach", 54.5, 48.5, owner=2)
    order(game, roach, HOLD)
    order(game, cyclone, LOCK_ON, roach)
    until(game, lambda: cyclone in game.memory.locks, 20)
    order(game, cyclone, MOVE, (42.0, 48.5))
    game.step(60)
    assert gap(game, cyclone, roach) > 11.1, "out of its sight"
    assert game.visibility[1, 48, 54] == 2
    order(game, cyclone, CANCEL)
    game.step(40)
    assert game.visibility[1, 48, 54] == 1


def test_aboard_it_locks_on_to_nobody():
    game = terran()
    cyclone, medivac = quiet(game), give(game, "Medivac", 50.5, 48.5)
    order(game, medivac, LOAD, cyclone)
    until(game, lambda: bool(game.units[cyclone]["flags"] & INSIDE), 40)
    order(game, cyclone, LOCK_ON, autocast=True)
    give(game, "Roach", 53.5, 48.5, owner=2)
    game.step(20)
    assert cyclone not in game.memory.locks
    assert (cyclone, LOCK_ON) not in game.memory.ready, "nor has it let go of anybody"


def test_a_missile_misses_who_has_gone_aboard():
    game = terran()
    cyclone, marine, medivac = quiet(game), give(game, "Marine", 55.5, 48.5, 2), give(game, "Medivac", 56.5, 48.5, 2)
    order(game, marine, HOLD)
    game.units[marine]["flags"] |= DISARMED
    order(game, cyclone, LOCK_ON, marine)
    until(game, lambda: any(name == "lock_hit" for _, _, name, _ in game.memory.later_heap), 60)
    assert order(game, medivac, LOAD, marine) == Result.SUCCESS
    game.step(30)
    assert game.units[marine]["flags"] & INSIDE
    assert lost(game, marine) == 0
