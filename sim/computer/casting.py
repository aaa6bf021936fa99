"""What units cast in a fight: one table (`casts.toml`), one way to aim for each kind of target."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.catalog import BIOLOGICAL
from sim.engine.state import FLYING, STRUCTURE
from sim.melee import tech, verdicts
from sim.melee.records import Result, Target

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

NOT_NEAR = 11.0  # cells within which none of the enemies that a row excludes may be
STEP_BACK = 6.0  # cells of a blink away from the enemy
UNDER_FIRE = 45  # loops after a hit in which a friend counts as attacked: two seconds
AT_A_TIME = 2  # casts of one row in one decision: nobody spends everything on the first enemy
EGGS = 10  # target priority (catalog) of Larvae, eggs and cocoons, below that of structures: nobody casts at these


@dataclass(frozen=True, slots=True)
class Cast:
    """One row of the table; distances in cells."""

    unit: str
    ability: int
    target: str
    reach: float
    energy: float
    radius: float = 0.0
    value: float = 0.0
    only: str = ""
    unless: str = ""
    chance: float = 1.0
    hp: float = 1.0
    far: bool = False
    structures: bool = False
    simple: bool = False


@cache
def casts() -> tuple[Cast, ...]:
    """The rows of `casts.toml`."""
    with (Path(__file__).parent / "casts.toml").open("rb") as file:
        return tuple(Cast(**row) for row in tomllib.load(file)["cast"])


def act(computer: Computer, view: View) -> None:
    """Every row of the table for the units that we have, against the enemies that we see."""
    units, ids = view.units, computer.game.facts.ids
    for cast in casts():
        if not view.ready[ids[cast.unit]] or not (computer.level.upgrades or cast.simple):
            continue
        mine = view.slots[view.mask(ids[cast.unit]) & view.finished]
        fit = (units["energy"][mine] >= cast.energy) & may(computer, mine, cast.ability, view.loop)
        mine, enemies = mine[fit], _counted(view, cast.only, cast.structures)
        if cast.hp < 1.0:
            mine = mine[_life(view, mine) <= cast.hp]
        if cast.chance < 1.0:
            mine = mine[computer.rng.random(len(mine)) < cast.chance]
        if cast.unless:
            mine = mine[_nearest(view, mine, _counted(view, cast.unless, False)) > NOT_NEAR]
        if cast.far:
            idle = mine[_nearest(view, mine, enemies) > cast.reach]
            if len(idle):
                computer.hands.order(cast.ability, idle)
        elif len(mine) and len(enemies):
            near = mine[_nearest(view, mine, enemies) < cast.reach]
            for slot in near[:AT_A_TIME]:
                AIM[cast.target](computer, view, cast, int(slot), enemies)


def may(computer: Computer, slots: np.ndarray, ability: int, loop: int) -> np.ndarray:
    """Who knows the ability and has it ready; bool [n]."""
    game = computer.game
    requirement, ready = game.facts.abilities[ability].requirement, game.memory.ready
    idle = [ready.get((int(slot), ability), 0) <= loop for slot in slots]
    known = [tech.met(game, computer.player, requirement, int(slot)) for slot in slots]
    return np.array(idle, bool) & np.array(known, bool)


def _life(view: View, slots: np.ndarray) -> np.ndarray:
    """Share of life and shields that is left; float [n]."""
    units = view.units
    whole = units["hp_max"][slots] + units["shield_max"][slots]
    return (units["hp"][slots] + units["shield"][slots]) / np.maximum(whole, 1)


def _counted(view: View, only: str, structures: bool) -> np.ndarray:
    """The enemies that a row is about, no eggs; without `structures` only those that shoot among these."""
    enemies, units = view.enemies, view.units
    enemies = enemies[view.game.types[0]["target_priority"][units["type"][enemies]] > EGGS]
    kinds = units["type"][enemies]
    flying = units["flags"][enemies] & FLYING != 0
    keep = (units["flags"][enemies] & STRUCTURE == 0) | view.sheet.threat[kinds] | structures
    if only == "ground":
        keep &= ~flying
    elif only == "air":
        keep &= flying
    elif only == "biological":
        keep &= view.game.types[0]["attributes"][kinds] & BIOLOGICAL != 0
    return enemies[keep]


def _nearest(view: View, slots: np.ndarray, enemies: np.ndarray) -> np.ndarray:
    """Distance of each unit to its nearest enemy."""
    if not len(enemies):
        return np.full(len(slots), np.inf)
    units = view.units
    dx = units["x"][slots][:, None] - units["x"][enemies][None, :]
    dy = units["y"][slots][:, None] - units["y"][enemies][None, :]
    return np.hypot(dx, dy).min(axis=1)


def _within(view: View, cast: Cast, slot: int, enemies: np.ndarray) -> np.ndarray:
    """The enemies in reach."""
    x, y = view.place(slot)
    return enemies[np.hypot(view.units["x"][enemies] - x, view.units["y"][enemies] - y) < cast.reach]


def _self(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> None:
    if verdicts.judge(computer.game, slot, cast.ability, Target()) == Result.SUCCESS:  # not over a cliff, say
        computer.hands.order(cast.ability, [slot])


def _enemy(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> None:
    close = _within(view, cast, slot, enemies)
    worth = view.sheet.value[view.units["type"][close]]
    if not len(close) or worth.max() < cast.value:
        return
    best = int(close[worth.argmax()])
    if computer.game.facts.abilities[cast.ability].target == "Point":
        computer.hands.at(cast.ability, [slot], *view.place(best))
    else:
        computer.hands.on(cast.ability, [slot], best)


def _crowd(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> None:
    close = _within(view, cast, slot, enemies)
    if len(close) < cast.value:
        return
    x, y = view.units["x"][close], view.units["y"][close]
    together = (np.hypot(x[:, None] - x[None, :], y[:, None] - y[None, :]) <= cast.radius).sum(axis=1)
    if together.max() >= cast.value:
        best = int(close[together.argmax()])
        computer.hands.at(cast.ability, [slot], *view.place(best))


def _hurt(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> None:
    close = _within(view, cast, slot, enemies)
    if not len(close):
        return
    x, y = view.place(slot)
    dx, dy = x - float(view.units["x"][close].mean()), y - float(view.units["y"][close].mean())
    length = max(float(np.hypot(dx, dy)), 1e-3)
    computer.hands.at(cast.ability, [slot], x + STEP_BACK * dx / length, y + STEP_BACK * dy / length)


def _friend(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> None:
    units, slots = view.units, view.slots
    x, y = view.place(slot)
    lacks = units["hp_max"][slots] - units["hp"][slots]
    fit = (lacks >= cast.value) & (view.loop - units["last_hit"][slots] <= UNDER_FIRE) & (slots != slot)
    near = slots[fit & (np.hypot(units["x"][slots] - x, units["y"][slots] - y) <= cast.radius)]
    most_first = np.argsort(units["hp"][near] - units["hp_max"][near], kind="stable")
    for patient in near[most_first].tolist():
        aim = Target(patient, *view.place(patient))
        if verdicts.judge(computer.game, slot, cast.ability, aim) == Result.SUCCESS:
            computer.hands.on(cast.ability, [slot], patient)
            return


AIM: dict[str, Callable[[Computer, View, Cast, int, np.ndarray], None]] = {
    "self": _self,
    "enemy": _enemy,
    "crowd": _crowd,
    "hurt": _hurt,
    "friend": _friend,
}
