"""Psionic Storm, Feedback, and two templar that become an Archon.

Numbers: catalog 5.0.14. A storm looks seven times whom it holds and renews a buff that strikes at once and then every
9.1 loops: 80 damage in 64 loops for who stays, never less than 20; armour does not lessen it, and two storms on one
place do not add up. The merge takes 192 loops (all 74 of replays of 4.10.0 and 5.0.14).
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import add_buff
from sim.engine.state import HALLUCINATION, IMMOBILE, INVULNERABLE, STRUCTURE, UNFINISHED, WAIT
from sim.melee import construction, lifecycle, orders
from sim.melee.effects_terran import GroundEffect
from sim.melee.harm import author, hurt, same
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, Kind
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

STORM, FEEDBACK, MERGE, MERGE_WITH = 1036, 140, 1766, 1767
STORM_BUFF, STORM_EFFECT, STORM_RADIUS, STORM_DAMAGE = 28, 1, 1.5, 10.0
STORM_TURNS, STORM_GAP, STORM_LASTS, BURN_GAP = 7, 0.5712 * 16, 0.6665 * 16, 0.571 * 16  # times in loops
FEEDBACK_SHARE = 0.5
MERGE_LOOPS, MERGE_REACH = 192, 0.5


def storm(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Begins to strike at once."""
    until = game.loop + round((STORM_TURNS - 1) * STORM_GAP)
    owner = int(game.units[slot]["owner"])
    game.memory.effects.append(GroundEffect(STORM_EFFECT, owner, target.x, target.y, STORM_RADIUS, until))
    strike(game, author(game, slot), target.x, target.y, 0, game.loop)


def strike(game: Game, by: float, x: float, y: float, turn: float, begun: float) -> None:
    """The storm's buff for all units in it, own ones too, structures not; `turn` counts from the cast at `begun`."""
    if turn < STORM_TURNS - 1:  # before the burning: what is renewed in a loop is renewed before it strikes
        game.later(begun + round((turn + 1) * STORM_GAP) - game.loop, "storm", by, x, y, turn + 1, begun)
    units = game.units[: int(game.world[0]["slots"])]
    fit = (units["owner"] > 0) & (units["flags"] & (STRUCTURE | INVULNERABLE) == 0)
    for other in game.near(x, y, STORM_RADIUS + 2.0, fit):
        gap = math.hypot(float(units["x"][other]) - x, float(units["y"][other]) - y)
        if gap > STORM_RADIUS + float(game.type_of(other)["radius"]):
            continue
        fresh = STORM_BUFF not in units["buff"][other]
        add_buff(units[other], game.state.buffs, STORM_BUFF, STORM_LASTS)
        if fresh and not burning(game, other):
            burn(game, other, int(units["generation"][other]), by, 0, game.loop)


def burning(game: Game, slot: int) -> bool:
    """The unit's next blow is due already."""
    generation = int(game.units[slot]["generation"])
    return any(
        name == "storm burn" and numbers[:2] == (slot, generation) for _, _, name, numbers in game.memory.later_heap
    )


def burn(game: Game, slot: float, generation: float, by: float, turn: float, begun: float) -> None:
    """One blow, and the next if the buff is still there then: who left the storm takes one more."""
    if not same(game, slot, generation) or STORM_BUFF not in game.units[int(slot)]["buff"]:
        return
    wait = begun + round((turn + 1) * BURN_GAP) - game.loop
    game.later(wait, "storm burn", slot, generation, by, turn + 1, begun)
    hurt(game, int(slot), STORM_DAMAGE, by)


def feed_back(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes all energy; half of it is damage."""
    energy = float(game.units[target.slot]["energy"])
    game.units[target.slot]["energy"] = 0
    hurt(game, target.slot, FEEDBACK_SHARE * energy, author(game, slot))


# -- archons -------------------------------------------------------------------------
def told(game: Game, player: int) -> list[int]:
    """The player's templar that were told to merge in this loop, or before and have no partner yet."""
    found = []
    for slot in game.owned(player, "HighTemplar", "DarkTemplar"):
        order, unit = game.orders[slot, 0], game.units[slot]
        alone = order["ability"] == MERGE and order["target"] < 0
        if unit["order_count"] and (alone or (order["ability"] == MERGE_WITH and order["y2"] == game.loop)):
            found.append(slot)
    return found


def merge(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The templar of one command walk together by twos, the two that are nearest to each other first (of three the
    nearest two became an Archon three times of three in a real game); one that is left over rests.

    So do those who are told to merge with one of them: a target that is not told itself stays (observed).
    """
    wait(game, slot, queued=target.queued)
    left, units = told(game, int(game.units[slot]["owner"])), game.units
    while len(left) > 1:
        one, other = min(combinations(left, 2), key=lambda two: apart(units[two[0]], units[two[1]]))
        left = [rest for rest in left if rest not in (one, other)]
        if not comes(game, one, other) or not comes(game, other, one):
            walk(game, one, other)
            walk(game, other, one)
    for rest in left:
        if not game.units[rest]["order_count"]:  # its partner of a moment ago has found a nearer one
            wait(game, rest)


def wait(game: Game, slot: int, *, queued: bool = False) -> None:
    """Until the others of its command have been told."""
    if game.push_order(slot, MERGE, Target(queued=queued), verb=WAIT, range=0.0):
        game.orders[slot, int(game.units[slot]["order_count"]) - 1]["timer"] = 1


def apart(one: Any, other: Any) -> float:
    """Cells between two units."""
    return math.hypot(float(one["x"]) - float(other["x"]), float(one["y"]) - float(other["y"]))


def walk(game: Game, slot: int, other: int) -> None:
    """Sends one templar to the other; the order keeps the loop in which it was given."""
    unit = game.units[other]
    to = Target(other, float(unit["x"]), float(unit["y"]))
    game.push_order(slot, MERGE_WITH, to, range=MERGE_REACH, y2=game.loop)


def can_merge(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """With an own templar that is no image (or whoever comes)."""
    if target.slot < 0:
        return Result.SUCCESS
    other = game.units[target.slot]
    fits = other["owner"] == game.units[slot]["owner"] and int(other["type"]) in ability.casters
    real = not int(other["flags"]) & (UNFINISHED | HALLUCINATION)
    return Result.SUCCESS if fits and real else Result.CANT_TARGET_THAT_UNIT


def comes(game: Game, slot: int, other: int) -> bool:
    """The templar is on its way to that other one."""
    order = game.orders[slot, 0]
    merging = game.units[slot]["order_count"] and order["ability"] == MERGE_WITH and order["target"] == other
    return bool(merging and order["target_generation"] == game.units[other]["generation"])


def lose_heart(game: Game, slot: int, order: Any) -> None:
    """A templar that is sent elsewhere calls its merge off for both: it takes two who want it."""
    other = int(order["target"])
    if other >= 0 and game.units[other]["alive"] and comes(game, other, slot):
        game.finish_order(other)


def met(game: Game, slot: int) -> None:
    """They are together: both vanish, an Archon grows in their middle."""
    other = int(game.orders[slot, 0]["target"])
    unit, partner = game.units[slot], game.units[other]
    if other < 0 or orders.target_gone(game, slot) or not comes(game, other, slot):
        game.finish_order(slot)
        return
    owner = int(unit["owner"])
    x, y = (float(unit["x"]) + float(partner["x"])) / 2, (float(unit["y"]) + float(partner["y"])) / 2
    game.remove(other)
    game.remove(slot)
    lifecycle.spawn(
        game,
        game.facts.ids["Archon"],
        owner,
        x,
        y,
        complete=False,
        flags=UNFINISHED | IMMOBILE,
        build_left=construction.left_at_start(game, MERGE_LOOPS),
        build_total=MERGE_LOOPS,
        build_rate=1,
    )


spell(STORM, storm, everyone=False)
spell(FEEDBACK, feed_back, everyone=False)
AFTER["storm"], AFTER["storm burn"] = strike, burn
ABILITIES[MERGE] = Kind(merge, can_merge, together=2)
ABILITIES[MERGE_WITH] = Kind(merge, can_merge, reached=met, dropped=lose_heart)
