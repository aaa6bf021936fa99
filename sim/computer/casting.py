"""What units cast in a fight: one table (`casts.toml`), who of them may, and how often; `aim.py` knows at whom."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import aim
from sim.computer.force import RETREATING
from sim.melee import tech

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

NOT_NEAR = 11.0  # cells within which none of the enemies that a row excludes may be
DETECTED = 8.0  # cells from a detector within which nobody hides (the game's own AI scripts)
AT_A_TIME = 2  # aimed casts of one row in one decision: nobody spends everything on the first enemy


@dataclass(frozen=True, slots=True)
class Cast:
    """One row of the table; distances in cells, times in loops."""

    unit: str
    ability: int
    target: str
    reach: float
    level: int = 1
    energy: float = 0.0
    radius: float = 0.0
    number: int = 1
    each: float = 0.0
    score: float = 0.0
    life: float = 0.0
    least: float = 0.0
    value: float = 0.0
    beyond: float = 0.0
    only: str = ""
    unless: str = ""
    spared: tuple[int, ...] = ()
    without: int = 0
    hp: float = 1.0
    above: float = 0.0
    hit: int = 0
    unhit: int = 0
    hidden: bool = False
    engaged: bool = False
    retreats: bool = False
    needs: str = ""
    chance: float = 1.0
    gap: int = 0
    far: bool = False
    restored: float = 0.0
    structures: bool = False


@cache
def casts() -> tuple[Cast, ...]:
    """The rows of `casts.toml`."""
    with (Path(__file__).parent / "casts.toml").open("rb") as file:
        rows = tomllib.load(file)["cast"]
    return tuple(Cast(**row | {"spared": tuple(row.get("spared", ()))}) for row in rows)


@cache
def abilities() -> tuple[int, ...]:
    """Whoever is busy with one of these is not disturbed."""
    return tuple({cast.ability for cast in casts()})


def free(computer: Computer, view: View) -> bool:
    """Whether the side may cast again: those of the lower levels wait between any two casts."""
    return view.loop >= computer.next_cast


def done(computer: Computer, view: View) -> None:
    """A cast was ordered."""
    computer.next_cast = view.loop + computer.level.cast_gap


def act(computer: Computer, view: View) -> None:
    """Every row of the table for the units that we have, against the enemies that we see."""
    facts = computer.game.facts
    for cast in casts():
        if not free(computer, view):
            return
        known = cast.ability in facts.abilities and computer.level.id >= cast.level
        late = view.loop - computer.aimed.get((cast.ability, aim.ANY), -cast.gap) >= cast.gap
        if known and late and view.ready[facts.ids[cast.unit]] and researched(computer, cast.needs):
            _row(computer, view, cast)


def _row(computer: Computer, view: View, cast: Cast) -> None:
    """One row of the table."""
    mine = _able(computer, view, cast)
    if not len(mine):
        return
    enemies = aim.counted(view, cast)
    near = aim.nearest(view, mine, enemies) < cast.reach
    if cast.far:
        rises = ~near
        if cast.restored:
            rises |= life(view, mine) >= cast.restored
        if cast.hidden:
            rises |= _watched(view, mine)
        if rises.any():
            computer.hands.order(cast.ability, mine[rises])
            done(computer, view)
        return
    if cast.hidden:
        mine, near = mine[hidden := ~_watched(view, mine)], near[hidden]
    if cast.target == "self":
        ready = [slot for slot in mine[near].tolist() if aim.on_self(computer, view, cast, slot, enemies)]
        if ready:
            computer.hands.order(cast.ability, ready)
            done(computer, view)
        return
    casters = mine if cast.target in aim.WITHOUT_ENEMIES else mine[near]
    left = 1 if cast.gap or computer.level.cast_gap else AT_A_TIME
    for slot in casters.tolist():
        if aim.AIM[cast.target](computer, view, cast, slot, enemies):
            computer.aimed[cast.ability, aim.ANY] = view.loop
            done(computer, view)
            left -= 1
        if not left:
            return


def _able(computer: Computer, view: View, cast: Cast) -> np.ndarray:
    """Slots of the units that fulfil what the row asks of them, whoever the enemy is."""
    units, orders, army = view.units, computer.game.orders[:, 0], computer.army
    mine = view.slots[view.mask(computer.game.facts.ids[cast.unit]) & view.finished]
    busy = (units["order_count"][mine] > 0) & np.isin(orders["ability"][mine], abilities())
    mine = mine[(units["energy"][mine] >= cast.energy) & ~busy]
    if cast.hp < 1.0 or cast.above > 0.0:
        left = life(view, mine)
        mine = mine[(left <= cast.hp) & (left > cast.above)]
    if cast.hit:
        mine = mine[view.loop - units["last_hit"][mine] <= cast.hit]
    if cast.unhit:
        mine = mine[view.loop - units["last_hit"][mine] >= cast.unhit]
    if cast.retreats:
        mine = mine[np.isin(mine, list(army.wave))] if army.state == RETREATING else mine[:0]
    if cast.without:
        mine = mine[~(units["buff"][mine] == cast.without).any(axis=1)]
    if cast.chance < 1.0:
        mine = mine[computer.rng.random(len(mine)) < cast.chance]
    if cast.unless and len(mine):
        others = aim.counted(view, Cast(cast.unit, cast.ability, "self", NOT_NEAR, only=cast.unless))
        mine = mine[aim.nearest(view, mine, others) > NOT_NEAR]
    return mine[may(computer, mine, cast.ability, view.loop)]


def may(computer: Computer, slots: np.ndarray, ability: int, loop: int) -> np.ndarray:
    """Who knows the ability and has it ready; bool [n]."""
    game = computer.game
    requirement, ready = game.facts.abilities[ability].requirement, game.memory.ready
    idle = [ready.get((int(slot), ability), 0) <= loop for slot in slots]
    known = [tech.met(game, computer.player, requirement, int(slot)) for slot in slots]
    return np.array(idle, bool) & np.array(known, bool)


def researched(computer: Computer, upgrade: str) -> bool:
    """Whether the side has an upgrade, or the patch knows none of that name."""
    recipe = computer.recipes.get(upgrade)
    return recipe is None or bool(computer.game.players[computer.player]["upgrades"][recipe.product])


def life(view: View, slots: np.ndarray) -> np.ndarray:
    """Share of life and shields that is left; float [n]."""
    units = view.units
    whole = units["hp_max"][slots] + units["shield_max"][slots]
    return (units["hp"][slots] + units["shield"][slots]) / np.maximum(whole, 1)


def _watched(view: View, slots: np.ndarray) -> np.ndarray:
    """Whether a detector of the enemy is so near that it does not help to hide; bool [n]."""
    detect = view.game.types[0]["detect"][view.units["type"][view.enemies]]
    return aim.nearest(view, slots, view.enemies[detect > 0]) < DETECTED
