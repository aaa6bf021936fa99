"""Which living units are of a type or wear a buff: where rules that look every few loops begin.

Compiled, since nearly all of them find nobody and have to cost next to nothing then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.jit import rule
from sim.engine.state import MAX_BUFFS

if TYPE_CHECKING:
    from sim.melee.game import Game

ROOM = 64  # slots to begin with


def of_type(game: Game, name: str) -> list[int]:
    """Slots of the living units of the named type, lowest first."""
    return _found(game, find_type, game.facts.ids[name])


def with_buff(game: Game, buff: int) -> list[int]:
    """Slots of the living units that wear a buff, lowest first."""
    return _found(game, find_buff, buff)


def _found(game: Game, find: Callable[..., int], wanted: int) -> list[int]:
    slots, room = int(game.world["slots"][0]), np.zeros(ROOM, np.int64)
    while (count := find(game.units, slots, wanted, room)) > len(room):
        room = np.zeros(count, np.int64)
    return room[:count].tolist()


@rule
def find_type(units, slots, wanted, found):  # type: ignore[no-untyped-def]
    """Fills `found` with the slots of the living units of a type, as far as there is room; -> how many there are."""
    count = 0
    for slot in range(slots):
        if units[slot].alive and units[slot].type == wanted:
            if count < len(found):
                found[count] = slot
            count += 1
    return count


@rule
def find_buff(units, slots, wanted, found):  # type: ignore[no-untyped-def]
    """The same of those that wear a buff."""
    count = 0
    for slot in range(slots):
        if not units[slot].alive:
            continue
        worn = False
        for k in range(MAX_BUFFS):
            worn |= units[slot].buff[k] == wanted
        if worn:
            if count < len(found):
                found[count] = slot
            count += 1
    return count
