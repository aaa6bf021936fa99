"""Shield Batteries: whom they restore, by themselves and by order."""

from __future__ import annotations

import pytest

from sim.engine.bufftable import add_buff
from sim.melee.records import Command, Race, Result
from tests.sim.melee.field import finished, give, order, until
from tests.sim.melee.powers_world import duel, full
from tests.sim.melee.protoss_world import protoss


def test_a_battery_whose_autocast_is_off_restores_whom_it_is_told_to() -> None:
    game = protoss()
    give(game, "Pylon", 40.0, 44.0)
    battery, zealot = give(game, "ShieldBattery", 40.0, 40.0), give(game, "Zealot", 43.0, 40.0)
    full(game, battery)
    game.step(2)
    assert game.issue(Command(1, 4113, (game.tag(battery),), autocast=True)) == 1
    game.step()
    game.units[zealot]["shield"], game.units[zealot]["last_hit"] = 0, game.loop
    game.step(8)
    assert game.units[zealot]["shield"] == 0
    assert order(game, battery, 1, zealot) == 1, "a right-click means that"
    game.step(8)
    assert game.units[zealot]["shield"] > 0


def test_a_battery_restores_shields() -> None:
    game = protoss()
    give(game, "Pylon", 48.0, 48.0)
    battery, stalker = give(game, "ShieldBattery", 46.0, 48.0), give(game, "Stalker", 44.0, 44.0)
    game.step(2)
    game.units[stalker]["shield"], game.units[stalker]["last_hit"] = 0, game.loop
    before = float(game.units[battery]["energy"])
    game.step(16)
    assert game.units[stalker]["shield"] == pytest.approx(36, abs=5)
    assert before - game.units[battery]["energy"] == pytest.approx(12, abs=2)


def test_a_battery_begins_with_whom_has_the_smallest_share_of_its_shields() -> None:
    game = protoss()
    give(game, "Pylon", 48.0, 48.0)
    battery = give(game, "ShieldBattery", 46.0, 48.0)
    near, far = give(game, "Zealot", 46.0, 50.0), give(game, "Archon", 46.0, 53.5)
    game.step(2)
    game.units[near]["shield"], game.units[far]["shield"] = 10, 60
    for slot in (near, far):
        game.units[slot]["last_hit"] = game.loop
    game.units[battery]["energy"] = 9
    game.step(4)
    assert game.units[battery]["target"] < 0, "ten energy to begin with"
    game.units[battery]["energy"] = 100
    game.step(8)
    assert game.units[far]["shield"] > 70
    assert game.units[near]["shield"] == 10


def test_interceptors_get_nothing_from_a_battery() -> None:
    game = protoss()
    give(game, "Pylon", 48.0, 48.0)
    battery, interceptor = give(game, "ShieldBattery", 46.0, 48.0), give(game, "Interceptor", 46.0, 50.0)
    full(game, battery)
    game.step(2)
    game.units[interceptor]["shield"], game.units[interceptor]["last_hit"] = 1, game.loop
    assert order(game, battery, 4113, interceptor) == Result.CANT_TARGET_THAT_UNIT
    game.step(8)
    assert game.units[interceptor]["shield"] == 1


def test_a_patient_out_of_reach_is_refused_and_one_that_goes_on_a_cell_is_kept() -> None:
    game = protoss()
    give(game, "Pylon", 40.0, 44.0)
    battery, near, far = (
        give(game, "ShieldBattery", 40.0, 40.0),
        give(game, "Immortal", 47.0, 40.0),
        give(game, "Stalker", 51.0, 40.0),
    )
    full(game, battery)
    for slot in (near, far):
        game.units[slot]["shield"], game.units[slot]["last_hit"] = 0, game.loop
    game.step(4)
    assert order(game, battery, 4113, far) == Result.TARGET_IS_OUT_OF_RANGE
    before = float(game.units[near]["shield"])
    game.units[near]["x"] = game.units[near]["goal_x"] = 48.6  # 6.85 from edge to edge
    game.step(4)
    assert game.units[near]["shield"] > before
    game.units[near]["x"] = game.units[near]["goal_x"] = 49.0
    game.step(2)
    before = float(game.units[near]["shield"])
    game.step(8)
    assert game.units[near]["shield"] == before


@pytest.mark.parametrize(("patch", "restored", "verdict"), [("5.0.14", False, 148), ("4.10.0", True, 1)])
def test_a_battery_restores_who_is_in_stasis_in_the_older_patch_only(patch: str, restored: bool, verdict: int) -> None:
    game = duel(patch, Race.PROTOSS)
    give(game, "Pylon", 40.0, 44.0)
    battery, zealot = give(game, "ShieldBattery", 40.0, 40.0), give(game, "Zealot", 43.0, 40.0)
    full(game, battery)
    game.units[zealot]["shield"] = 10
    add_buff(game.units[zealot], game.state.buffs, 129)
    game.step(8)
    assert bool(game.units[zealot]["shield"] > 20) is restored
    assert order(game, battery, 4113 if patch == "5.0.14" else 3765, zealot) == verdict


@pytest.mark.parametrize(
    ("patch", "away", "energy"),
    [("5.0.14", 13.0, 100), ("5.0.14", 15.0, 50), ("5.0.14", 0.0, 50), ("4.10.0", 13.0, 100), ("4.10.0", 0.0, 100)],
)
def test_a_new_battery_near_a_nexus_has_more_energy(patch: str, away: float, energy: float) -> None:
    """The notes of 5.0.14 and the catalogs before and after it: 50, with 50 more up to 12 cells off a Nexus."""
    game = duel(patch, Race.PROTOSS, Race.TERRAN)
    if away:
        give(game, "Nexus", 20.0, 50.5)  # its radius is 2
    give(game, "CyberneticsCore", 60.5, 70.5)
    give(game, "Pylon", 60.0, 66.0)
    probe, x = give(game, "Probe", 37.0, 55.0), 20.0 + (away or 40.0)
    give(game, "Pylon", x, 54.0)
    game.step(2)
    assert order(game, probe, 895, (x, 50.0)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "ShieldBattery")) > 0, 400)
    battery = game.owned(1, "ShieldBattery")[0]
    assert game.units[battery]["energy"] == 0, "not while it is warped in"
    until(game, lambda: finished(game, battery), 700)
    assert game.units[battery]["energy"] == pytest.approx(energy, abs=1)


@pytest.mark.parametrize(
    ("patch", "name", "restored"),
    [
        ("5.0.14", "PhotonCannon", True),
        ("4.10.0", "PhotonCannon", True),
        ("5.0.14", "DarkShrine", False),
        ("4.10.0", "DarkShrine", True),
    ],
)
def test_which_structures_a_battery_restores_by_itself(patch: str, name: str, restored: bool) -> None:
    game = duel(patch, Race.PROTOSS, Race.TERRAN)
    give(game, "Pylon", 36.0, 40.0)
    battery, structure, forge = (
        give(game, "ShieldBattery", 40, 40),
        give(game, name, 44, 44),
        give(game, "Forge", 40.5, 44.5),
    )
    full(game, battery)
    for slot in (structure, forge):
        game.units[slot]["shield"], game.units[slot]["last_hit"] = 20, game.loop
    game.step(40)
    assert (game.units[structure]["shield"] > 60) == restored
    assert game.units[forge]["shield"] < 60, "who cannot be told to attack gets nothing"
