"""Reads a `Scene` from the engine's records: many battles at once, no Python per unit.

It shows what the observation of one player shows (`sim/server/encode.py`) and nothing more, so that the policy sees in
training the very numbers that it will see through the client: the test of parity compares both bit by bit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sc2.ids.upgrade_id import UpgradeId

from bot.micro import kinds as kinds_module
from bot.micro.kinds import Kinds
from bot.micro.scene import BUFF_BIT, NEEDS, NOBODY, VALUES, Ground, Scene
from bot.micro.skills import COOLING, ORDER_CLASS, VERBS
from sim.facts import Facts
from sim.server.data import response_data
from train.reader_rules import Columns, intents, show, sort_out


def kinds_of(facts: Facts) -> Kinds:
    """The tables of a patch, from the message that a client would be sent at the start of a game."""
    return kinds_module.of_message(response_data(facts, facts.types, facts.weapons))


class Reader:
    """One side's eyes: own agents in the slots `own`, everybody else who may appear in the slots `others`.

    Arrays handed to `read` are those of `Battles` (or of one `Game` with a leading axis): units UNIT[B, slots], orders
    ORDER[B, slots, depth], players PLAYER[B, 3], visibility u1[B, 3, h, w], loop i4[B]; `types` is TYPE[3, types],
    shared by all battles, or TYPE[tables, 3, types] with `table` i4[B], each battle's own.
    """

    def __init__(
        self, kinds: Kinds, ground: Ground, own: Sequence[int], others: Sequence[int], viewer: int = 1
    ) -> None:
        self.kinds, self.ground, self.viewer = kinds, ground, viewer
        self.slots = np.array([*own, *others], np.int64)
        self.agents = len(own)
        self.ready_at = np.zeros((0, self.agents, len(VERBS)), np.int32)
        self.generation = np.zeros((0, self.agents), np.uint32)
        self._row = np.full(int(self.slots.max(initial=0)) + 2, NOBODY, np.int32)
        self._row[self.slots] = np.arange(len(self.slots))
        upgrades = [UpgradeId[name].value if name in UpgradeId.__members__ else 0 for name in NEEDS]
        self._upgrades = np.array(upgrades)

    def start(self, units: np.ndarray, battles: np.ndarray) -> None:
        """These battles begin anew: their agents are whoever is in the agents' slots now, and every skill is ready."""
        count = len(units)
        if len(self.ready_at) != count:
            self.ready_at = np.zeros((count, self.agents, len(VERBS)), np.int32)
            self.generation = np.zeros((count, self.agents), np.uint32)
        self.ready_at[battles] = 0
        self.generation[battles] = units["generation"][battles][:, self.slots[: self.agents]]

    def note(self, battles: np.ndarray, agents: np.ndarray, abilities: np.ndarray, loops: np.ndarray) -> None:
        """Agents were told to use skills (ability ids), all arrays [m]: they will not be ready again before their
        cooldowns are over."""
        for known, (cooldown, verbs) in COOLING.items():
            one = abilities == known.value
            if one.any():
                self.ready_at[battles[one, None], agents[one, None], list(verbs)] = loops[one, None] + cooldown

    def read(
        self,
        units: np.ndarray,
        orders: np.ndarray,
        players: np.ndarray,
        types: np.ndarray,
        visibility: np.ndarray,
        loop: np.ndarray,
        step: int,
        table: np.ndarray | None = None,
        owned: np.ndarray | None = None,
        effects: np.ndarray | None = None,
        everything: bool = False,
    ) -> Scene:
        """The scene as the viewer sees it now. `owned` bool [B, NEEDS] adds what is no upgrade (Armory, nuke);
        `effects` f4 [B, E, 3] what hurts on the ground; `everything`: nothing is hidden (for the critic)."""
        slots, a = self.slots, self.agents
        shape, own = (len(units), len(slots)), (len(units), a)
        standing, keys = np.empty(shape, np.uint8), np.empty(shape, np.int64)
        sort_out(units, slots, self.generation, self.viewer, visibility, everything, standing, keys)
        kind = self.kinds.of_keys(keys)
        tag, present = np.zeros(shape, np.int64), np.zeros(shape, bool)
        targetable, flying, burrowed = (np.zeros(shape, bool) for _ in range(3))
        cloak, buffs = np.zeros(shape, np.uint8), np.zeros(shape, BUFF_BIT.dtype)
        values = np.zeros((len(VALUES), *shape), np.float32)
        columns = Columns(kind, tag, present, targetable, flying, burrowed, cloak, buffs, values)
        if table is None:
            types, table = types[None], np.zeros(len(units), np.int32)
        show(units, slots, a, standing, self.kinds.ignored, types, table, BUFF_BIT, columns)
        order, order_row, aim = np.empty(own, np.uint8), np.empty(own, np.int32), np.empty(own, np.int32)
        intents(units, orders, slots, standing, self._row, NOBODY, ORDER_CLASS, order, order_row, aim)
        return Scene(
            kinds=self.kinds,
            agents=a,
            step=step,
            ground=self.ground,
            loop=np.asarray(loop, np.int64),
            tag=tag,
            kind=kind,
            present=present,
            targetable=targetable,
            flying=flying,
            burrowed=burrowed,
            cloak=cloak,
            buffs=buffs,
            order=order,
            order_row=order_row,
            aim=aim,
            ready_at=self.ready_at,
            researched=self._researched(players, owned),
            effects=np.zeros((len(units), 0, 3), np.float32) if effects is None else effects,
            **dict(zip(VALUES, values, strict=True)),
        )

    def _researched(self, players: np.ndarray, owned: np.ndarray | None) -> np.ndarray:
        has = players["upgrades"][:, self.viewer][:, self._upgrades] > 0
        has &= self._upgrades > 0
        return has if owned is None else has | owned
