"""Target filters of the catalog: what an ability's target must be and what it must not be, and what the client is told.

The protocol's ActionResult names one result for each of the catalog's filters, required or forbidden; which of several
is told is not known: ours is the first in the catalog's order, required ones before forbidden ones. Sight, detection
and what no longer lives are judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from sim.engine.catalog import BIOLOGICAL, HEROIC, MASSIVE, MECHANICAL
from sim.engine.state import BURROWED, FLYING, HALLUCINATION, INVULNERABLE, STRUCTURE, TALL, UNFINISHED
from sim.melee.barred import STASIS_TRAP
from sim.melee.harm import EGGS, FRENZIED
from sim.melee.records import Result

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

Test = Callable[[Any, Any, int], bool]  # (target, its TYPE row, player of the caster) -> the filter fits


def _flag(bits: int) -> Test:
    return lambda unit, row, player: bool(int(unit["flags"]) & bits)


def _attribute(bit: int) -> Test:
    return lambda unit, row, player: bool(int(row["attributes"]) & bit)


CANT_TARGET_CASTER = 100  # ActionResult: nobody requires `Self`
# filter -> its test; ActionResult where it is required and not met, and where it is forbidden and met
FILTERS: dict[str, tuple[Test, int, int]] = {
    "Player": (lambda unit, row, player: bool(unit["owner"] == player), 103, 104),
    "Neutral": (lambda unit, row, player: bool(unit["owner"] == 0), 107, 108),
    "Enemy": (lambda unit, row, player: unit["owner"] not in (0, player), 109, 110),
    "Air": (_flag(FLYING | TALL), 111, 112),
    "Ground": (lambda unit, row, player: not int(unit["flags"]) & FLYING, 113, 114),
    "Structure": (_flag(STRUCTURE), 115, 116),
    "Biological": (_attribute(BIOLOGICAL), 121, 122),
    "Heroic": (_attribute(HEROIC), 123, 124),
    "Mechanical": (_attribute(MECHANICAL), 127, 128),
    "Massive": (_attribute(MASSIVE), 131, 132),
    "CanHaveEnergy": (lambda unit, row, player: bool(row["energy_max"] > 0), 137, 138),
    "HasEnergy": (lambda unit, row, player: bool(unit["energy"] > 0), 33, 164),
    "Buried": (_flag(BURROWED), 143, 144),
    "Stasis": (lambda unit, row, player: STASIS_TRAP in unit["buff"], 147, 148),
    "UnderConstruction": (_flag(UNFINISHED), 149, 150),
    "Hallucination": (_flag(HALLUCINATION), 158, 159),
    "Invulnerable": (_flag(INVULNERABLE), 160, 161),
}


GRID = ("ShieldBattery", "Nexus", "OrbitalCommand", "OrbitalCommandFlying")  # structures with energy
# Validators of the catalog by type, which effects carry beside the filters: ability -> names of types it is not for,
# and what the client is told (ResultFailed).
SPARED: dict[int, dict[str, int]] = {
    140: dict.fromkeys(GRID, Result.CANT_TARGET_THAT_UNIT),  # Feedback: NotShieldBattery, NotNexus, ...
    249: dict.fromkeys(FRENZIED, Result.MUST_TARGET_STRUCTURES),  # Neural Parasite: NotFrenzied, and so it says
    2067: dict.fromkeys(FRENZIED, Result.MUST_TARGET_STRUCTURES) | dict.fromkeys(EGGS, Result.ERROR),  # Abduct
    2073: {"CreepTumorBurrowed": Result.ERROR},  # Consume: IsNotCreepTumorBurrowed
}
# Abilities that a ship is safe from as soon as it jumps (TargetNotTacticalJumping): Abduct, Interference Matrix.
JUMP, NOT_AT_JUMPS = 2358, (2067, 3747)


@cache
def parsed(text: str) -> tuple[tuple[Test, bool, int], ...]:
    """`required,...;forbidden,...` of the catalog -> (test, what it must say, ActionResult if it does not)."""
    required, _, forbidden = text.partition(";")
    known = [(FILTERS[name], True) for name in required.split(",") if name in FILTERS]
    known += [(FILTERS[name], False) for name in forbidden.split(",") if name in FILTERS]
    return tuple((test, wanted, must if wanted else cant) for (test, must, cant), wanted in known)


def refusal(game: Game, slot: int, ability: Ability, other: int) -> int:
    """What the filters of an ability say of a unit as its target. -> ActionResult."""
    if game.type_of(other)["untargetable"]:
        return Result.CANT_TARGET_THAT_UNIT
    spared = SPARED.get(ability.id, {}).get(game.facts.names[int(game.units[other]["type"])])
    if spared is not None:
        return spared
    if ability.id in NOT_AT_JUMPS and game.units[other]["order_count"] and game.orders[other, 0]["ability"] == JUMP:
        return Result.ERROR
    if not ability.target_filters:
        return Result.SUCCESS
    if other == slot and "Self" in ability.target_filters:
        return CANT_TARGET_CASTER
    unit, row, player = game.units[other], game.type_of(other), int(game.units[slot]["owner"])
    for test, wanted, result in parsed(ability.target_filters):
        if test(unit, row, player) != wanted:
            return result
    return Result.SUCCESS
