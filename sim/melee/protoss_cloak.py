"""Who is always cloaked (Dark Templar, Observer, stasis ward), and the Mothership's field over units and structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import MATRIX, add_buff, remove_buff
from sim.engine.state import CLOAKED, UNFINISHED
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.records import Race, Target
from sim.melee.registry import ON_FINISHED, ON_TYPE
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

CLOAK_FIELD = 4124
FIELD_BUFF, COVERED_BUFF, FIELD_LOOPS, FIELD_RADIUS = 294, 29, 448.0, 5.0
EVERY_LOOPS = 4
COVERED_LOOPS = {"5.0.14": 5.0, "4.10.0": 10.0}  # catalog: 2 and 8.7, looked at every 1 and 3.2
ALWAYS = ("DarkTemplar", "Observer", "ObserverSiegeMode", "OracleStasisTrap")
ALWAYS_ON = ("4.10.0",)  # patches in which a Mothership needs no order for her field


def hide(game: Game, slot: int, old: int = 0) -> None:
    """A complete unit of a type that is always cloaked."""
    unit = game.units[slot]
    if game.facts.names[int(unit["type"])] in ALWAYS and not int(unit["flags"]) & UNFINISHED:
        remove_buff(unit, game.state.buffs, COVERED_BUFF)  # its end would uncover the unit
        unit["flags"] |= CLOAKED


def field(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Own units round the Mothership are cloaked for a while; she is not."""
    add_buff(game.units[slot], game.state.buffs, FIELD_BUFF, FIELD_LOOPS)


def cover(game: Game) -> None:
    """Keeps units in a field cloaked, also what is not complete or cannot be hurt (catalog: the filters of its search),
    while its Mothership is not jammed (catalog: CloakField's validator). Those that always are need it not."""
    units = game.units[: int(game.world[0]["slots"])]
    fields = (units["alive"] == 1) & (units["flags"] & UNFINISHED == 0)
    fields &= (units["type"] == game.facts.ids["Mothership"]) & ~(units["buff"] == MATRIX).any(axis=1)
    if game.patch not in ALWAYS_ON:
        fields &= (units["buff"] == FIELD_BUFF).any(axis=1)
    if not fields.any():
        return
    spared = [game.facts.ids[name] for name in (*ALWAYS, "Mothership")]
    for slot in np.flatnonzero(fields):
        x, y, owner = float(units["x"][slot]), float(units["y"][slot]), int(units["owner"][slot])
        for other in within(game, x, y, FIELD_RADIUS, owner=owner, spared=0):
            if units["type"][other] not in spared or int(units["flags"][other]) & UNFINISHED:
                add_buff(units[other], game.state.buffs, COVERED_BUFF, COVERED_LOOPS[game.patch])


spell(CLOAK_FIELD, field)
ON_FINISHED.append(hide)
ON_TYPE.append(hide)
every(EVERY_LOOPS, cover, Race.PROTOSS)
