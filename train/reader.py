"""Reads a `Scene` from the engine's records: many battles at once, no Python per unit.

It shows what the observation of one player shows (`sim/server/encode.py`) and nothing more, so that the policy sees in
training the very numbers that it will see through the client: the test of parity compares both bit by bit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sc2.ids.upgrade_id import UpgradeId

from bot.micro import kinds as kinds_module
from bot.micro.battlefield import BUFF_BIT, CLOAKED, NEEDS, NOBODY, Ground, Scene
from bot.micro.kinds import Kinds
from bot.micro.skills import COOLING, ORDER_CLASS, VERBS
from sim.engine import state
from sim.facts import Facts
from sim.server.data import response_data

GUARDING, ZONE = 734, 2558  # LiberatorAG and the order that made it
VISIBLE = 2  # of the visibility grids
DETECTED_CLOAK, UNCLOAKED, ALLIED_CLOAK = 2, 3, 4  # the protocol's CloakState
COLUMNS = ("api_radius", "energy_max", "attack_level", "armor_level", "shield_level", "detect", "cargo_space")
"""Columns of the type tables that observations show."""
TWO_PI = 2 * np.pi


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
        self._straight = bool((self.slots == np.arange(len(self.slots))).all())
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

    def note(self, b: int, agent: int, ability: int, loop: int) -> None:
        """An agent was told to use a skill (ability id): it will not be ready again before its cooldown is over."""
        for known, (cooldown, verbs) in COOLING.items():
            if known.value == ability:
                self.ready_at[b, agent, list(verbs)] = loop + cooldown

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
        count, a, viewer = len(units), self.agents, self.viewer
        all_units, units = units, units[:, : len(self.slots)] if self._straight else units[:, self.slots]
        flags, owner = units["flags"], units["owner"]
        here = (units["alive"] == 1) & (flags & state.INSIDE == 0)
        mine = np.arange(len(self.slots)) < a
        living = here & np.where(mine, owner == viewer, (owner != viewer) & (owner > 0))
        living[:, :a] &= units["generation"][:, :a] == self.generation
        secret = (flags & (state.CLOAKED | state.BURROWED) != 0) & (flags & state.DETECTED == 0)
        secret &= not everything
        height, width = visibility.shape[-2:]
        row = np.clip(units["y"].astype(np.int32), 0, height - 1)
        column = np.clip(units["x"].astype(np.int32), 0, width - 1)
        lit = visibility[np.arange(count)[:, None], viewer, row, column] == VISIBLE
        lit |= everything
        hidden = living & lit & secret & ~mine & (flags & state.BURROWED == 0)
        full = living & (mine | (lit & ~secret))
        numbers = self._of_types(types, table, units)
        kind = self.kinds.numbers(np.where(living, units["type"], 0), full & (flags & state.FLYING != 0))
        ignored = self.kinds.ignored[kind] & ~mine
        full, hidden = full & ~ignored, hidden & ~ignored
        present = full | hidden
        concealed = flags & (state.CLOAKED | state.BURROWED) != 0
        cloak = np.where(mine, ALLIED_CLOAK, np.where(hidden, CLOAKED, DETECTED_CLOAK))
        cloak = np.where(concealed, cloak, UNCLOAKED).astype(np.uint8) * present

        def shown(value: np.ndarray, where: np.ndarray = full) -> np.ndarray:
            return np.where(where, value, 0).astype(np.float32)

        armed = numbers["armed"]
        facing = units["facing"]
        turned = np.where(facing >= 0, facing, (facing.astype(np.float64) + TWO_PI).astype(np.float32))
        finished = flags & state.UNFINISHED == 0
        loops = units["cooldown"]
        cooldown = np.maximum(np.maximum(loops[..., 0], loops[..., 1]), np.maximum(loops[..., 2], loops[..., 3]))
        cooldown = np.maximum(cooldown, 0)
        left, total = units["build_left"], units["build_total"]
        done = (left / np.maximum(total, np.float32(1e-6))).astype(np.float64)
        progress = np.where((left > 0) & (total > 0), np.clip(1.0 - done, 0.0, 1.0), 1.0)
        order, order_row = self._orders(all_units, orders, full[:, :a])
        return Scene(
            kinds=self.kinds,
            agents=a,
            step=step,
            ground=self.ground,
            loop=np.asarray(loop, np.int64),
            tag=np.where(present, _tags(self.slots, units["generation"]), 0),
            kind=np.where(present, kind, 0).astype(np.int32),
            present=present,
            targetable=full,
            flying=full & (flags & state.FLYING != 0),
            burrowed=full & (flags & state.BURROWED != 0),
            cloak=cloak,
            buffs=_buffs(units["buff"]) * full,
            x=shown(units["x"], present),
            y=shown(units["y"], present),
            z=shown(units["z"], present),
            facing=shown(turned),
            radius=shown(numbers["api_radius"], present),
            hp=shown(units["hp"]),
            hp_max=shown(units["hp_max"]),
            shield=shown(units["shield"]),
            shield_max=shown(units["shield_max"]),
            energy=shown(units["energy"]),
            energy_max=shown(numbers["energy_max"]),
            attack_level=shown(numbers["attack_level"], full & armed),
            armor_level=shown(numbers["armor_level"]),
            shield_level=shown(numbers["shield_level"]),
            progress=shown(progress, present),
            detect=shown(numbers["detect"], full & finished),
            cooldown=shown(cooldown, full & mine & armed),
            cargo=shown(units["cargo"], full & mine),
            cargo_max=shown(numbers["cargo_space"], full & mine),
            order=order,
            order_row=order_row,
            aim=self._aims(all_units, units[:, :a], full[:, :a]),
            ready_at=self.ready_at,
            researched=self._researched(players, owned),
            effects=np.zeros((count, 0, 3), np.float32) if effects is None else effects,
        )

    def _of_types(self, types: np.ndarray, table: np.ndarray | None, units: np.ndarray) -> dict[str, np.ndarray]:
        """Numbers that belong to the type of each unit, its owner's upgrades included: [B, N] each."""
        owner, kind = units["owner"], units["type"]
        place = owner.astype(np.int64) * types.shape[-1] + kind
        if table is not None:
            place += table[:, None] * (types.shape[-1] * types.shape[-2])
        flat = types.reshape(-1)
        found = {name: flat[name][place] for name in COLUMNS}  # `take` would copy the whole column of all tables first
        return found | {"armed": flat["weapons"][:, 0][place] >= 0}

    def _orders(self, all_units: np.ndarray, orders: np.ndarray, alive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(class of the present order, row it aims at) of each agent."""
        own = slice(0, self.agents) if self._straight else self.slots[: self.agents]
        first = orders[:, own, 0]
        busy = alive & (all_units["order_count"][:, own] > 0)
        busy &= (first["ability"] != ZONE) | (all_units["type"][:, own] != GUARDING)  # its form, not an order
        order = np.where(busy, ORDER_CLASS[first["ability"]], 0).astype(np.uint8)
        return order, self._rows(np.where(busy, first["target"], -1), first["target_generation"], all_units, alive)

    def _aims(self, all_units: np.ndarray, own: np.ndarray, alive: np.ndarray) -> np.ndarray:
        target = np.where(alive, own["target"], -1)
        battle = np.arange(len(own))[:, None]
        there = all_units["alive"][battle, np.maximum(target, 0)] == 1
        return self._rows(np.where(there, target, -1), own["target_generation"], all_units, alive)

    def _rows(self, slots: np.ndarray, generation: np.ndarray, all_units: np.ndarray, alive: np.ndarray) -> np.ndarray:
        """i4 [B, A]: rows of the units in these slots, NOBODY for other generations and strangers."""
        battle = np.arange(len(slots))[:, None]
        known = (slots >= 0) & (slots < len(self._row) - 1)
        safe = np.where(known, slots, 0)
        same = all_units["generation"][battle, safe] == generation
        return np.where(known & same & alive, self._row[safe], NOBODY).astype(np.int32)

    def _researched(self, players: np.ndarray, owned: np.ndarray | None) -> np.ndarray:
        has = players["upgrades"][:, self.viewer][:, self._upgrades] > 0
        has &= self._upgrades > 0
        return has if owned is None else has | owned


def _buffs(held: np.ndarray) -> np.ndarray:
    """BUFF_BIT of all that units hold; held i2 [B, N, MAX_BUFFS]."""
    found = np.zeros(held.shape[:-1], BUFF_BIT.dtype)
    for k in range(held.shape[-1]):
        column = held[..., k]
        if column.any():
            found |= BUFF_BIT[np.maximum(column, 0)]
    return found


def _tags(slots: np.ndarray, generation: np.ndarray) -> np.ndarray:
    """i8: API tags, see `state.tag_of`."""
    return (slots << 18) + (generation.astype(np.int64) & 0x3FFFF) + (1 << 32)
