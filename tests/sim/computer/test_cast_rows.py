"""One row of `casts.toml` a case: at whom it is cast, and in whose presence it is not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sim.engine.bufftable import add_buff
from sim.engine.state import UNHARMED
from sim.melee.barred import CONTAMINATED
from sim.melee.game import Command
from sim.melee.records import Race, Result
from tests.sim.computer.test_casts import caster, know, ordered
from tests.sim.computer.test_computer import play

MELEE_WEAPONS, CONTAMINATE = 1186, 1825
Foe = tuple[str, float]  # type and cells from the caster


@dataclass(frozen=True)
class Case:
    """A caster and its ability, who is there when it is cast, and when it is not."""

    race: Race
    unit: str
    ability: int
    at: tuple[Foe, ...]
    spares: tuple[Foe, ...]
    upgrade: str = ""
    energy: float = 200.0  # the caster's
    foe_energy: float = 0.0
    spared_energy: float = 0.0
    hit: bool = False  # the caster, all the time
    loops: int = 90
    patch: str = "5.0.14"


CASES = {
    "Snipe at the living": Case(Race.TERRAN, "Ghost", 2714, (("Roach", 8),), (("Hellion", 8),)),
    "EMP at the charged": Case(
        Race.TERRAN,
        "Ghost",
        1628,
        (("HighTemplar", 8),) * 4,
        (("HighTemplar", 8),) * 4,
        foe_energy=80,
        spared_energy=60,
    ),
    "KD8 at walkers": Case(Race.TERRAN, "Reaper", 2588, (("Roach", 4),), (("Mutalisk", 4),)),
    # Just beyond its range: who is in range it takes by itself (of the newer patch farther ones, too).
    "Lock On in the air": Case(Race.TERRAN, "Cyclone", 2350, (("Mutalisk", 8.4),), (("Roach", 8.4),), patch="4.10.0"),
    "Lock On at the strong": Case(
        Race.TERRAN,
        "Cyclone",
        2350,
        (("Roach", 8.4),),
        (("Zergling", 8.4),),
        upgrade="CycloneLockOnDamageUpgrade",
        patch="4.10.0",
    ),
    "a defender's zone": Case(Race.TERRAN, "Liberator", 2558, (("Roach", 8),), (("Roach", 8), ("Mutalisk", 8))),
    "Feedback at full energy": Case(
        Race.PROTOSS, "HighTemplar", 140, (("Infestor", 8),), (("Infestor", 8),), foe_energy=110, spared_energy=90
    ),
    "a field before a blade": Case(Race.PROTOSS, "Sentry", 1526, (("Zergling", 0.8),), (("Roach", 0.8),), energy=74),
    "a field among shooters": Case(Race.PROTOSS, "Sentry", 1526, (("Marine", 5),) * 6, (("Marine", 5),) * 5),
    "a beam lifts the strong": Case(Race.PROTOSS, "Phoenix", 173, (("Roach", 4),), (("Zergling", 4),)),
    "a ray aligns at armour": Case(Race.PROTOSS, "VoidRay", 2393, (("Roach", 4),), (("Zergling", 4),)),
    "a nova at three": Case(Race.PROTOSS, "Disruptor", 2346, (("Roach", 8),) * 3, (("Roach", 8),) * 2),
    "Neural Parasite at the strong": Case(
        Race.ZERG, "Infestor", 249, (("Thor", 6),), (("Roach", 6),), upgrade="NeuralParasite"
    ),
    "Abduct at the massive, from afar": Case(Race.ZERG, "Viper", 2067, (("Thor", 9.5),), (("Thor", 6),)),
    "Parasitic Bomb at flyers": Case(Race.ZERG, "Viper", 2542, (("Mutalisk", 6),), (("Roach", 6),)),
    "Corrosive Bile at walkers": Case(Race.ZERG, "Ravager", 2338, (("Roach", 6),), (("Mutalisk", 6),)),
    "Caustic Spray at structures": Case(
        Race.ZERG, "Corruptor", 2324, (("SpineCrawler", 5),), (("SpineCrawler", 5), ("Mutalisk", 5))
    ),
    "Locusts at walkers": Case(Race.ZERG, "SwarmHostMP", 2704, (("Roach", 9),), (("Mutalisk", 9),)),
}


def casts(case: Case, foes: tuple[Foe, ...], energy: float) -> bool:
    """Whether the caster uses its ability with these enemies beside it."""
    game, computer, slot, x, y = caster(case.race, case.unit, energy=case.energy, patch=case.patch)
    if case.upgrade:
        know(game, computer, case.upgrade)
    for k, (name, away) in enumerate(foes):
        foe = game.spawn(game.facts.ids[name], 2, x + away + 0.7 * (k % 2), y + 0.7 * (k // 2))
        game.units["flags"][foe] |= UNHARMED
        game.units["energy"][foe] = energy
    found = []
    while not found and game.loop < case.loops:
        if case.hit:
            game.units["last_hit"][slot] = game.loop
        found = ordered(game, computer, game.loop + 1, case.ability)
    return bool(found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_who_is_cast_at_and_who_is_not(case):
    assert casts(case, case.at, case.foe_energy), "not cast"
    assert not casts(case, case.spares, case.spared_energy), "cast in vain"


@pytest.mark.parametrize(
    ("unit", "ability", "foe", "hit"), [("Medivac", 2116, "Hydralisk", True), ("Ghost", 2714, "Roach", False)]
)
def test_afterburners_are_for_who_is_under_fire_and_snipes_for_who_is_not(unit, ability, foe, hit):
    for fire in (False, True):
        case = Case(Race.TERRAN, unit, ability, (), (), hit=fire)
        assert casts(case, ((foe, 9.0),), 0.0) == (fire == hit)


@pytest.mark.parametrize(("at_work", "tainted"), [(True, False), (False, False), (True, True)])
def test_contaminate_is_for_structures_that_make_something(at_work, tainted):
    """And for none that is contaminated already."""
    game, computer, _, x, y = caster(Race.ZERG, "Overseer")
    chamber = game.spawn(game.facts.ids["EvolutionChamber"], 2, x + 6, y)
    game.units["flags"][chamber] |= UNHARMED
    game.players[2]["minerals"] = game.players[2]["gas"] = 1000
    if at_work:
        assert game.issue(Command(2, MELEE_WEAPONS, (game.tag(chamber),))) == Result.SUCCESS
    play(game, [], 4)
    if tainted:
        add_buff(game.units[chamber], game.state.buffs, CONTAMINATED, 400.0)
    assert bool(ordered(game, computer, 60, CONTAMINATE)) == (at_work and not tainted)
