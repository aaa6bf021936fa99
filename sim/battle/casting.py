"""Abilities that act at once on their own user (Stimpack, afterburners), for many units without waking their battles.

The verdict falls when the order is given, the effect comes with the next loop, after the same judgement: as with a
client's command. Whatever is not plain goes through `Battles.cast`, unit by unit. Cooldowns are kept here until their
battle wakes, and by its `Game` from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sim.battle.casts import Book, Uses, carry_out, judge
from sim.battle.giving import GIVEN, LONG_WAY
from sim.engine.state import PLAYERS
from sim.melee import tech
from sim.melee.effects_terran import SWIFT, swift_buffs
from sim.melee.game import Game

if TYPE_CHECKING:
    from sim.battle.battles import Battles

CAST = np.dtype(
    [
        ("ability", "i4"),
        ("type", "i2"),  # of those that have it
        ("buffs", "i2", (2,)),  # 0 = none
        ("life", "f4"),  # its price
        ("upgrade", "i4"),  # needed, 0 = none
        ("cooldown", "i4"),  # loops
    ],
    align=True,
)


def cast_table(game: Game) -> np.ndarray:
    """CAST[PLAYERS, n] of a game: a row for each ability and type that has it, as the upgrades of its start make it."""
    table = []
    for player in range(PLAYERS):
        rows = []
        for number in SWIFT:
            ability = tech.improved(game, player, number)
            needed = game.facts.requirements[ability.requirement].upgrades if ability.requirement else (0,)
            buffs = (*swift_buffs(game, player, number), 0)[:2]
            for caster in ability.casters:
                rows.append((number, caster, buffs, ability.hp_cost, *needed, round(ability.cooldown)))
        table.append(rows)
    return np.array(table, CAST)


class Casts:
    """The door for such orders of one `Battles`, and those that wait for the next loop."""

    def __init__(self, battles: Battles, games: Sequence[Game]) -> None:
        """`games`: the battles' templates."""
        self._battles = battles
        self._table = np.stack([cast_table(game) for game in games])
        self._ready = np.zeros((*battles.units.shape, self._table.shape[2]), np.int32)
        self._awake = np.zeros(battles.count, np.uint8)
        self._waiting: list[tuple[np.ndarray, ...]] = []

    def issue(self, battles: np.ndarray, slots: np.ndarray, abilities: np.ndarray) -> np.ndarray:
        """See `Battles.use`."""
        b = self._battles
        whole = Uses(*(np.ascontiguousarray(column, np.int64) for column in (battles, slots, abilities)))
        answers = np.zeros(len(whole.slots), np.uint8)
        judge(whole, answers, b.spoke, self._book(), b.worlds, b.units, b.players)
        possible = answers == GIVEN
        if possible.any():
            given = [column[possible] for column in whole]
            self._waiting.append((*given, b.units["generation"][given[0], given[1]]))
        for index in np.flatnonzero(answers == LONG_WAY).tolist():
            possible[index] = b.cast(*(int(column[index]) for column in whole)) == 1
        return possible

    def _book(self) -> Book:
        return Book(self._awake, self._battles.which, self._table, self._ready)

    def carry_out(self) -> None:
        """The effects of what waits."""
        b = self._battles
        for orders in self._waiting:
            carry_out(Uses(*orders[:3]), orders[3], self._book(), b.worlds, b.units, b.players, b.buffs)
            for battle in np.unique(orders[0][self._awake[orders[0]] == 1]).tolist():
                self._tell(battle, b.game(battle), orders[1][orders[0] == battle])
        self._waiting.clear()

    def wake(self, battle: int, game: Game) -> None:
        """A battle wakes: its `Game` keeps the cooldowns from now on."""
        self._awake[battle] = 1
        self._tell(battle, game, np.flatnonzero(self._battles.units["alive"][battle]))

    def _tell(self, battle: int, game: Game, slots: np.ndarray) -> None:
        """Copy the cooldowns of the units in these slots."""
        table = self._table[self._battles.which[battle]]
        for slot, row in np.argwhere(self._ready[battle, slots] > game.loop):
            unit = int(slots[slot])
            ability = int(table[game.units[unit]["owner"], row]["ability"])
            game.memory.ready[unit, ability] = int(self._ready[battle, unit, row])

    def forget(self, battles: np.ndarray) -> None:
        """These battles begin anew: nothing of theirs waits any more, all is ready."""
        self._ready[battles] = 0
        self._awake[battles] = 0
        for place, orders in enumerate(self._waiting):
            stays = ~np.isin(orders[0], battles)
            self._waiting[place] = tuple(column[stays] for column in orders)
