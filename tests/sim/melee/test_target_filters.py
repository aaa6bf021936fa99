"""Whom powers may name: what the catalog's filters and the powers' own rules refuse, and that nothing is paid then."""

import pytest

from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order
from tests.sim.melee.powers_world import at_rest, duel

BOTH = ("5.0.14", "4.10.0")
OWN, ENEMY, NOBODY = 1, 2, 0
NO_OWN, NO_NEUTRAL, NO_ENEMY, ONLY_AIR, ONLY_STRUCTURES, NO_STRUCTURES = 104, 108, 110, 111, 115, 116
ONLY_BIOLOGICAL, NO_HEROIC, ONLY_GROUND, ONLY_ENERGY = 121, 124, 113, 137
ANSWERS = [
    (BOTH, "Viper", 2067, "Hatchery", ENEMY, NO_STRUCTURES),  # Abduct
    (BOTH, "Viper", 2067, "Zergling", NOBODY, NO_NEUTRAL),
    (("5.0.14",), "Viper", 2067, "Mothership", ENEMY, NO_HEROIC),
    (("4.10.0",), "Viper", 2067, "Mothership", ENEMY, Result.SUCCESS),
    (BOTH, "Viper", 2542, "Medivac", OWN, NO_OWN),  # Parasitic Bomb
    (BOTH, "Viper", 2542, "Marine", ENEMY, ONLY_AIR),
    (BOTH, "Viper", 2542, "BarracksFlying", ENEMY, NO_STRUCTURES),
    (BOTH, "Viper", 2542, "Mothership", ENEMY, Result.SUCCESS),
    (BOTH, "Viper", 2073, "Hatchery", ENEMY, NO_ENEMY),  # Consume
    (BOTH, "Viper", 2073, "Hatchery", NOBODY, NO_NEUTRAL),
    (BOTH, "Viper", 2073, "Roach", OWN, ONLY_STRUCTURES),
    (BOTH, "HighTemplar", 140, "Medivac", NOBODY, NO_NEUTRAL),  # Feedback
    (BOTH, "Ghost", 2714, "Hellion", ENEMY, ONLY_BIOLOGICAL),  # Snipe
    (BOTH, "Ghost", 2714, "SpineCrawler", ENEMY, NO_STRUCTURES),
    (BOTH, "Ghost", 2714, "Marine", OWN, NO_OWN),
    (BOTH, "Raven", 3747, "SiegeTank", OWN, NO_OWN),  # Interference Matrix
    (BOTH, "Raven", 3747, "SiegeTank", NOBODY, NO_NEUTRAL),
    (BOTH, "Raven", 3747, "Bunker", ENEMY, NO_STRUCTURES),
    (BOTH, "Raven", 3747, "Marine", ENEMY, Result.ERROR),
    (BOTH, "Cyclone", 2350, "Marine", OWN, NO_OWN),  # Lock On
    (BOTH, "Battlecruiser", 401, "Marine", OWN, Result.CANT_TARGET_THAT_UNIT),  # Yamato Cannon
    (BOTH, "SCV", 316, "SiegeTank", NOBODY, Result.CANT_TARGET_THAT_UNIT),  # Repair
    (BOTH, "Medivac", 386, "Marine", NOBODY, Result.CANT_TARGET_THAT_UNIT),  # Heal
    (BOTH, "Medivac", 386, "Marine", ENEMY, NO_ENEMY),
    (BOTH, "Overseer", 1825, "Hatchery", OWN, NO_OWN),  # Contaminate
    (BOTH, "Overseer", 1825, "Marine", ENEMY, ONLY_STRUCTURES),
    (BOTH, "Queen", 251, "Hatchery", ENEMY, NO_ENEMY),  # Spawn Larva
    (BOTH, "Queen", 251, "SpawningPool", OWN, Result.MUST_TARGET_STRUCTURES),
    (BOTH, "Queen", 1664, "Zergling", ENEMY, NO_ENEMY),  # Transfusion
    (BOTH, "Queen", 1664, "Hellion", OWN, ONLY_BIOLOGICAL),
    (("5.0.14",), "Infestor", 249, "Mothership", ENEMY, NO_HEROIC),  # Neural Parasite
    (BOTH, "Infestor", 249, "Marine", OWN, NO_OWN),
    (BOTH, "Baneling", 245, "Marine", ENEMY, ONLY_STRUCTURES),  # to burst at a structure
    (BOTH, "Baneling", 245, "Hatchery", OWN, NO_OWN),
    (BOTH, "Baneling", 245, "BarracksFlying", ENEMY, ONLY_GROUND),
    (BOTH, "Nexus", 3755, "Pylon", OWN, Result.CANT_TARGET_THAT_UNIT),  # Chrono Boost
    (("5.0.14",), "Nexus", 4126, "Zealot", OWN, ONLY_ENERGY),  # Energy Recharge
    (("5.0.14",), "Nexus", 4126, "Nexus", OWN, Result.CANT_TARGET_THAT_UNIT),
    (("5.0.14",), "ShieldBattery", 4113, "Stalker", ENEMY, NO_ENEMY),
    (("5.0.14",), "ShieldBattery", 4113, "Marine", OWN, Result.CANT_TARGET_THAT_UNIT),
    (("5.0.14",), "ShieldBattery", 4113, "Stalker", OWN, Result.REQUIRES_HEAL_TARGET),
    (("4.10.0",), "ShieldBattery", 3765, "Stalker", OWN, Result.REQUIRES_HEAL_TARGET),
    (BOTH, "OrbitalCommand", 255, "Barracks", OWN, Result.MUST_TARGET_STRUCTURES),  # Supply Drop
    (BOTH, "OrbitalCommand", 255, "SupplyDepot", ENEMY, NO_ENEMY),
]
ROWS = [(patch, *row) for patches, *row in ANSWERS for patch in patches]


@pytest.mark.parametrize(("patch", "caster", "ability", "prey", "owner", "result"), ROWS)
def test_who_may_be_named(patch: str, caster: str, ability: int, prey: str, owner: int, result: int) -> None:
    game = duel(patch, Race.ZERG, Race.ZERG)
    game.memory.taught.add(1)
    game.creep[30:50, 30:50] = 1
    give(game, "Pylon", 40.0, 44.0)
    unit, other = give(game, caster, 40.5, 40.5), give(game, prey, 46.5, 40.5, owner)
    game.units["energy"][[unit, other]] = 190  # enough, and not all
    game.units["hp"][[unit, other]] -= 10  # patients
    at_rest(game, unit, other)
    game.step(2)
    assert order(game, unit, ability, other) == result
    game.step(40)
    assert (game.units[unit]["energy"] < 190) == (result == Result.SUCCESS), "who is refused pays nothing"
