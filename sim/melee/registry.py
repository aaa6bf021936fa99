"""Tables through which rule modules hook into the game.

A module of rules registers its handlers when it is imported; `sim/melee/rules.py` imports all of them in one place.
Nothing else knows which rules exist.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.melee.records import Result, Target

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

Cells = Set[tuple[int, int]]
Check = Callable[["Game", int, "Ability", Target], int]
Apply = Callable[["Game", int, "Ability", Target], None]
Fits = Callable[["Game", int, "Ability", Target], bool]
OnOrder = Callable[["Game", int], None]
OnDropped = Callable[["Game", int, Any], None]


def always(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A check that never refuses."""
    return Result.SUCCESS


def everyone_fits(game: Game, slot: int, ability: Ability, target: Target) -> bool:
    """The usual case: who may do it can."""
    return True


@dataclass(frozen=True, slots=True)
class Kind:
    """How abilities of one kind behave.

    check    the rules' verdict for one unit now (caster type, tech, energy and price have been judged already)
    apply    the unit accepts it: usually pays and pushes an ORDER or a JOB (`game.push_order`, `production.push_job`)
    reached  its APPROACH order came in range; `game.orders[slot, 0]` is that order. Ends with
             `game.finish_order(slot)` or by setting the order's `timer`
    timer    the order's timer ran out
    dropped  the order was replaced before it had acted (after the refund of its price)
    everyone all units of the command do it (but for morphs that the facts give to the best unit only); otherwise one
             of them does, and only it pays
    together so many units of the command must be able to do it, else it is refused
    turns    who does it turns to its target before it acts
    fits     the unit can really do it; a command to none that can is dropped, and is not reported (observed)
    """

    apply: Apply
    check: Check = always
    reached: OnOrder | None = None
    timer: OnOrder | None = None
    dropped: OnDropped | None = None
    everyone: bool = True
    together: int = 1
    turns: bool = False
    fits: Fits = everyone_fits


KINDS: dict[str, Kind] = {}  # by Ability.kind
FORBID: list[Callable[[Game, int, Ability], int]] = []  # (game, slot, ability) -> ActionResult; first refusal counts
ABILITIES: dict[int, Kind] = {}  # by exact ability id; goes before KINDS
ON_EVENT: dict[int, list[Callable[[Game, Any], None]]] = {}  # by event kind; gets the EVENT record
EVERY: list[tuple[int, Callable[[Game], None]]] = []  # (period in loops, rule); runs when loop % period == 0
AFTER: dict[str, Callable[..., None]] = {}  # what game.later(loops, name, *numbers) calls
ON_SPAWN: list[Callable[[Game, int], None]] = []  # (game, slot), after the record is filled
ON_FINISHED: list[Callable[[Game, int], None]] = []  # a structure was completed, or a unit was born
ON_REMOVE: list[Callable[[Game, int], None]] = []  # (game, slot), before the slot is cleared (also on death)
ON_TYPE: list[Callable[[Game, int, int], None]] = []  # (game, slot, old type) after a unit changed its type
ON_LEAVE: list[Callable[[Game, int, int], None]] = []  # (game, slot, carrier) as a passenger comes out
ON_OWNER: list[Callable[[Game, int], None]] = []  # (game, slot) after a unit came to obey another player
TABLES: list[Callable[[Game], None]] = []  # changes the players' tables of types and weapons when a game is set up
START: dict[int, tuple[Callable[[Game, int], None], ...]] = {}
"""By race: extra start units of a player, before its workers (larvae) and after them (overlord), as real tags are."""
SITE: dict[int, Callable[[Game, int, int, float, float, Cells], int]] = {}
"""By product: extra placement rule (game, player, type, x, y, cells that do not count) -> ActionResult."""
UNIT_SITE: dict[str, Callable[[Game, int, int, float, float], int]] = {}  # by kind of ability: places of units (warp)
MADE: dict[
    int, Callable[[Game, int], None]
] = {}  # by product of a job that is no unit: (game, producer) when it is done
SMART: list[Callable[[Game, int, Target], int]] = []  # (game, slot, target) -> exact ability id or 0; first answer wins


def on_event(kind: int, handler: Callable[[Game, Any], None]) -> None:
    """Adds a handler of one kernel event."""
    ON_EVENT.setdefault(kind, []).append(handler)
