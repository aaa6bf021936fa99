"""What buffs forbid who wears them: abilities, and the doors of transports. Which: the catalog's flags of the buffs.

DisableAbils (Interference Matrix, recalls, a salvage) leaves moving, attacking and stopping, or what the buff names
instead (AbilLinkEnableArray, AbilClassEnableArray): who is held by a stasis ward is told where to go once it is over.
Others switch off classes of abilities (AbilClassDisableArray) or single ones (AbilLinkDisableArray).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.bufftable import DROP_COMING, RECALLED, SALVAGED
from sim.engine.state import MORPHING
from sim.melee.records import Result
from sim.melee.registry import FORBID

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

FREE_KINDS = ("move", "attack", "stop", "hold", "patrol", "smart")  # what DisableAbils leaves: EnableMove, EnableAttack
CONTAMINATED, PARASITE, STASIS_TRAP = 36, 22, 129
WALKS = ("move", "patrol", "hold", "stop")  # CAbilMove, CAbilStop
LEAVES = {  # patch, buff: kinds that the buff leaves instead
    ("5.0.14", STASIS_TRAP): (*WALKS, "gather", "return"),
    ("4.10.0", STASIS_TRAP): WALKS,
}
MAKING = frozenset({"train", "research", "warp", "arm"})  # CAbilQueue, CAbilTrain, CAbilResearch, CAbilWarpTrain
CARRYING = frozenset({"load", "load_all", "unload", "unload_unit"})  # CAbilTransport
KINDS_OFF = {CONTAMINATED: MAKING, PARASITE: CARRYING, DROP_COMING: frozenset({"morph"})}
ABILITIES_OFF = {PARASITE: frozenset({1766, 1767})}  # ArchonWarp
# To an Overseer, a Planetary Fortress, an Orbital Command: only who carries nobody changes so (HasNoCargo), and takes
# nobody aboard meanwhile (DisableAbils of the change).
EMPTY = frozenset({1448, 1450, 1516})
SILENT = (RECALLED, SALVAGED)  # buffs of ours, which no table names, with DisableAbils


def silent(game: Game, buff: int) -> bool:
    """The buff has DisableAbils."""
    known = game.facts.buffs.get(buff)
    return buff in SILENT or (known is not None and known.no_abilities)


def forbid(game: Game, slot: int, ability: Ability) -> int:
    """Some buff of the unit forbids it the ability, or what it is changing into."""
    if ability.kind in CARRYING and changes_empty(game, slot):
        return Result.NOT_SUPPORTED
    ids = game.units[slot]["buff"]
    if not ids.any():
        return Result.SUCCESS
    for buff in map(int, ids[ids > 0]):
        off = ability.kind in KINDS_OFF.get(buff, ()) or ability.id in ABILITIES_OFF.get(buff, ())
        left = LEAVES.get((game.facts.patch, buff), FREE_KINDS)
        if off or (ability.kind not in left and silent(game, buff)):
            return Result.ERROR
    return Result.SUCCESS


def changes_empty(game: Game, slot: int) -> bool:
    """The carrier is changing into something that it has to be empty for."""
    unit = game.units[slot]
    return bool(int(unit["flags"]) & MORPHING and unit["order_count"] and int(game.orders[slot, 0]["ability"]) in EMPTY)


def shut(game: Game, slot: int) -> bool:
    """Nobody goes aboard the carrier or leaves it."""
    ids = game.units[slot]["buff"]
    return changes_empty(game, slot) or any(
        KINDS_OFF.get(buff, frozenset()) >= CARRYING or silent(game, buff) for buff in map(int, ids[ids > 0])
    )


FORBID.append(forbid)
