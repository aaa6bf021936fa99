"""Which other workers count: who is close by, waits at a field, has it marked, or is on the way to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sim.engine.state import GATHER, INSIDE, MOVE
from sim.maps import load, names
from sim.melee.game import Game, PlayerSetup
from sim.melee.harvest_fields import RESERVED, is_sought, markers, waiting
from sim.melee.harvest_places import CROWD, WAIT, WALK, in_crowd
from sim.melee.harvest_rules import is_first

Change = Callable[[Game, int, int], None]  # of the game, the other worker and a field that it has nothing to do with


def unit(**fields: Any) -> Change:
    """Other numbers in the other worker's record."""

    def change(game: Game, other: int, _: int) -> None:
        for name, value in fields.items():
            game.units[name][other] = value

    return change


def order(place: int = 0, **fields: Any) -> Change:
    """Other numbers in one of its orders."""

    def change(game: Game, other: int, _: int) -> None:
        for name, value in fields.items():
            game.orders[name][other, place] = value

    return change


def mule(game: Game, other: int, _: int) -> None:
    """It is of another sort."""
    game.units["type"][other] = game.facts.ids["MULE"]


def elsewhere(game: Game, other: int, field: int) -> None:
    """It is about another field."""
    game.units["harvest_target"][other] = game.units["marked"][other] = game.orders["target"][other, 0] = field


def led(game: Game, other: int, _: int) -> None:
    """It is led there by a move."""
    game.orders[other, 1] = game.orders[other, 0]
    game.orders["verb"][other, 0], game.orders["target"][other, 0] = MOVE, -1
    game.units["order_count"][other] = 2


def sent_on(game: Game, other: int, _: int) -> None:
    """It walks elsewhere when its harvest is over."""
    game.orders[other, 1]["verb"], game.orders[other, 1]["target"] = MOVE, -1
    game.units["order_count"][other] = 2


def led_no_more(game: Game, other: int, field: int) -> None:
    """It walks, and what lay behind that walk once is over."""
    led(game, other, field)
    game.units["order_count"][other] = 1


DEAD, IDLE, WALKS, AT_WORK = unit(alive=0), unit(order_count=0), order(verb=MOVE), unit(harvest_stage=WALK)
UNCOUNTED = {
    "close": (DEAD, unit(owner=2), IDLE, WALKS, unit(flags=INSIDE), unit(x=10.1 + CROWD), unit(type=48)),
    "waits": (DEAD, elsewhere, IDLE, WALKS, AT_WORK, mule),
    "was first": (DEAD, elsewhere, IDLE, WALKS, AT_WORK, mule, unit(harvest_timer=60)),
    "marked": (DEAD, elsewhere, mule, unit(marked_loop=-RESERVED)),
    "sought": (DEAD, elsewhere, IDLE, WALKS, mule, led_no_more),
}
COUNTED = {
    "close": (unit(), mule, elsewhere),
    "waits": (unit(),),
    "was first": (unit(),),
    "marked": (unit(), IDLE, WALKS),
    "sought": (unit(), led, sent_on, AT_WORK),
}


def cases(table: dict[str, tuple[Change, ...]], expected: bool) -> list[tuple[str, Change, bool]]:
    """(rule, change, whether the other one counts then) of a table."""
    return [(rule, change, expected) for rule, changes in table.items() for change in changes]


@pytest.mark.parametrize(("rule", "change", "counts"), cases(COUNTED, True) + cases(UNCOUNTED, False))
def test_who_counts(rule: str, change: Change, counts: bool) -> None:
    game = Game(load(names()[0]), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1)
    units, orders, table, world = game.units, game.orders, game.harvest_table, game.world[0]
    me, other, *rest = game.owned(1, "SCV")
    near = game.near(*game.terrain.starts[0], 11)
    field, another = [slot for slot in near if int(units["type"][slot]) in game.facts.minerals][:2]
    for slot in rest:
        game.remove(slot)
    for slot, since in ((me, 50.0), (other, 40.0)):
        units["x"][slot], units["y"][slot], units["harvest_timer"][slot] = 10.0, 10.0, since
        units["harvest_target"][slot] = units["marked"][slot] = field
        units["harvest_stage"][slot], units["order_count"][slot] = WAIT, 1
        orders["verb"][slot, 0], orders["target"][slot, 0] = GATHER, field
    change(game, other, another)
    found = {
        "close": in_crowd(world, units, orders, table, me),
        "waits": waiting(world, units, orders, table, field, me) == 1,
        "was first": not is_first(world, units, orders, table, me, field),
        "marked": markers(world, units, table, field, me) == 1,
        "sought": is_sought(world, units, orders, table, field, me),
    }
    assert found[rule] == counts
