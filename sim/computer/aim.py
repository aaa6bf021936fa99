"""Which enemies a row of `casts.toml` counts, and how a unit aims by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.catalog import ARMORED, BIOLOGICAL, MASSIVE
from sim.engine.state import BURROWED, FLYING, IMMOBILE, STRUCTURE, UNFINISHED
from sim.melee import verdicts
from sim.melee.records import Result, Target

if TYPE_CHECKING:
    from sim.computer.casting import Cast
    from sim.computer.computer import Computer
    from sim.computer.view import View

EGGS = 10  # target priority (catalog) of Larvae, eggs and cocoons, below that of structures: nobody casts at these
STEP_AWAY, STEP_TO = 8.0, 4.0  # cells of a blink from the attacker, and before the one who is attacked (AI scripts)
UNDER_FIRE = 45  # loops after a hit in which a friend counts as attacked: two seconds
MARKED = 48  # loops in which nobody else casts the same at the same enemy
CHARGED, ENERGETIC = 70, 100  # shields or energy worth an EMP, energy worth a Feedback (AI scripts)
FRAIL = 400  # life at most of what provides supply and is a target though it is not armed (AI scripts)
THROAT = 1.5  # cells from edge to edge at which an enemy with blades has a friend by the throat (AI scripts)
ANY = -1  # stands for all targets in `Computer.aimed`
WITHOUT_ENEMIES = ("home", "close", "friend")  # targets that need no enemy in reach


def counted(view: View, cast: Cast) -> np.ndarray:
    """The enemies that a row is about, no eggs; without `structures` only those that shoot among these."""
    enemies, units = view.enemies, view.units
    enemies = enemies[view.game.types[0]["target_priority"][units["type"][enemies]] > EGGS]
    kinds = units["type"][enemies]
    keep = (units["flags"][enemies] & STRUCTURE == 0) | view.sheet.threat[kinds] | cast.structures
    if cast.only:
        keep &= ONLY[cast.only](view, enemies)
    for buff in cast.spared:
        keep &= ~(units["buff"][enemies] == buff).any(axis=1)
    return enemies[keep]


def _has(attribute: int) -> Callable[[View, np.ndarray], np.ndarray]:
    """A filter for those with an attribute."""
    return lambda view, enemies: view.game.types[0]["attributes"][view.units["type"][enemies]] & attribute != 0


def flies(view: View, slots: np.ndarray) -> np.ndarray:
    """Who is in the air; bool [n]."""
    return view.units["flags"][slots] & FLYING != 0


def blades(view: View, slots: np.ndarray) -> np.ndarray:
    """Whose first weapon is one for close combat; bool [n]."""
    weapon = view.game.types[0]["weapons"][view.units["type"][slots], 0]
    return (view.game.facts.weapons["melee"][np.maximum(weapon, 0)] == 1) & (weapon >= 0)


def _ranged(view: View, enemies: np.ndarray) -> np.ndarray:
    armed = view.game.types[0]["weapons"][view.units["type"][enemies], 0] >= 0
    return armed & ~blades(view, enemies) & ~flies(view, enemies)


def _still(view: View, enemies: np.ndarray) -> np.ndarray:
    """What cannot move and shoots, or provides supply and is frail."""
    units, kinds = view.units, view.units["type"][enemies]
    built = units["flags"][enemies] & STRUCTURE != 0
    frail = (view.game.types[0]["food"][kinds] > 0) & (units["hp"][enemies] <= FRAIL) & built
    fixed = ~built & (units["flags"][enemies] & (IMMOBILE | BURROWED) != 0) & ~flies(view, enemies)
    return (view.sheet.threat[kinds] & (built | fixed)) | frail


def _siege(view: View, enemies: np.ndarray) -> np.ndarray:
    ids, kinds = view.game.facts.ids, view.units["type"][enemies]
    return _has(MASSIVE)(view, enemies) | np.isin(kinds, (ids["SiegeTank"], ids["SiegeTankSieged"]))


ONLY: dict[str, Callable[[View, np.ndarray], np.ndarray]] = {
    "ground": lambda view, enemies: ~flies(view, enemies),
    "air": flies,
    "biological": _has(BIOLOGICAL),
    "armored": _has(ARMORED),
    "ranged": _ranged,
    "melee": lambda view, enemies: blades(view, enemies) & ~flies(view, enemies),
    "still": _still,
    "siege": _siege,
    "charged": lambda view, slots: np.maximum(view.units["shield"][slots], view.units["energy"][slots]) >= CHARGED,
    "energetic": lambda view, slots: view.units["energy"][slots] >= ENERGETIC,
    "makers": lambda view, slots: (view.units["job_count"][slots] > 0) & (view.units["flags"][slots] & UNFINISHED == 0),
}


def gaps(view: View, slots: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Cells from edge to edge, float [slots, others]."""
    units, radius = view.units, view.game.types[0]["radius"]
    dx = units["x"][slots][:, None] - units["x"][others][None, :]
    dy = units["y"][slots][:, None] - units["y"][others][None, :]
    return np.hypot(dx, dy) - radius[units["type"][slots]][:, None] - radius[units["type"][others]][None, :]


def nearest(view: View, slots: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distance (cells) of each unit to the nearest of others, inf without one; float [slots]."""
    units = view.units
    dx = units["x"][slots][:, None] - units["x"][others][None, :]
    dy = units["y"][slots][:, None] - units["y"][others][None, :]
    return np.hypot(dx, dy).min(axis=1, initial=np.inf)


def _away(view: View, slot: int, others: np.ndarray) -> np.ndarray:
    """Distances (cells) from a unit; float [n]."""
    x, y = view.place(slot)
    return np.hypot(view.units["x"][others] - x, view.units["y"][others] - y)


def _within(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> np.ndarray:
    """The enemies in reach at whom nobody else has just cast the same."""
    away, units = _away(view, slot, enemies), view.units
    whole = units["hp"][enemies] + units["shield"][enemies]
    fresh = [view.loop - computer.aimed.get((cast.ability, other), -MARKED) >= MARKED for other in enemies.tolist()]
    return enemies[(away < cast.reach) & (away >= cast.beyond) & (whole >= cast.least) & np.array(fresh, bool)]


def _at(computer: Computer, view: View, cast: Cast, slot: int, other: int) -> bool:
    """Casts at a unit, or at its place, if the rules allow it; -> whether they do."""
    at_point = computer.game.facts.abilities[cast.ability].target == "Point"
    aim = Target(ANY if at_point else other, *view.place(other), at_point)
    if verdicts.judge(computer.game, slot, cast.ability, aim) != Result.SUCCESS:
        return False
    if at_point:
        computer.hands.at(cast.ability, [slot], *view.place(other))
    else:
        computer.hands.on(cast.ability, [slot], other)
    computer.aimed[cast.ability, other] = view.loop
    return True


def on_self(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    """Whether a unit casts on itself: enough enemies are in reach, and the rules allow it (not over a cliff, say)."""
    if cast.engaged and view.units["target"][slot] not in enemies:
        return False
    enough = int((_away(view, slot, enemies) < cast.reach).sum()) >= cast.number
    return enough and verdicts.judge(computer.game, slot, cast.ability, Target()) == Result.SUCCESS


def _first(rank: Callable[[View, Cast, np.ndarray], np.ndarray]) -> Callable[..., bool]:
    """An aim at the first one in reach, by rank (least first), at whom the rules allow it."""

    def aimed(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
        close = _within(computer, view, cast, slot, enemies)
        close = close[view.sheet.value[view.units["type"][close]] >= cast.value]
        if len(close) < cast.number:
            return False
        order = np.argsort(rank(view, cast, close), kind="stable")
        return any(_at(computer, view, cast, slot, other) for other in close[order][:3].tolist())

    return aimed


def _whole(view: View, slots: np.ndarray) -> np.ndarray:
    return view.units["hp"][slots] + view.units["shield"][slots]


def _random(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    close = _within(computer, view, cast, slot, enemies)
    return any(_at(computer, view, cast, slot, other) for other in computer.rng.permutation(close)[:3].tolist())


def _crowd(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    """The best place: an enemy's, or, of what is thrown at a point, one half way between two of them."""
    close = _within(computer, view, cast, slot, enemies)
    if len(close) < cast.number:
        return False
    places = np.stack([view.units["x"][close], view.units["y"][close]], axis=1).astype(float)
    centres, at_point = places, computer.game.facts.abilities[cast.ability].target == "Point"
    if at_point and cast.number > 1:
        one, other = np.triu_indices(len(close), 1)
        pairs = np.hypot(*(places[one] - places[other]).T) <= 2 * cast.radius
        centres = np.concatenate([places, (places[one] + places[other])[pairs] / 2])
    together = np.hypot(*(centres[:, None] - places[None, :]).transpose(2, 0, 1)) <= cast.radius
    worth = np.minimum(_whole(view, close) / cast.each, 1.0) if cast.each else np.ones(len(close))
    score = np.where(together.sum(axis=1) >= cast.number, together @ worth, 0.0)
    best = int(score.argmax())
    if score[best] <= 0 or score[best] < cast.score:
        return False
    if not at_point:
        return _at(computer, view, cast, slot, int(close[best]))
    return _throw(computer, cast, slot, *centres[best].tolist())


def _throw(computer: Computer, cast: Cast, slot: int, x: float, y: float) -> bool:
    """Casts at a point, if the rules allow it; -> whether they do."""
    if verdicts.judge(computer.game, slot, cast.ability, Target(ANY, x, y, True)) != Result.SUCCESS:
        return False
    computer.hands.at(cast.ability, [slot], x, y)
    return True


def _step(computer: Computer, view: View, cast: Cast, slot: int, other: int, cells: float) -> bool:
    """Blinks to so many cells from where it stands, away from (below 0: towards) another."""
    x, y = view.place(slot)
    dx, dy = x - float(view.units["x"][other]), y - float(view.units["y"][other])
    length = max(float(np.hypot(dx, dy)), 1e-3)
    return _throw(computer, cast, slot, x + cells * dx / length, y + cells * dy / length)


def _from_attacker(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    other = int(view.units["last_attacker"][slot])
    near = other in enemies and _away(view, slot, np.array([other]))[0] < cast.reach
    return near and _step(computer, view, cast, slot, other, STEP_AWAY)


def _to_target(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    other = int(view.units["target"][slot])
    if other not in enemies:
        return False
    away, one = float(_away(view, slot, np.array([other]))[0]), np.array([slot])
    return gaps(view, one, np.array([other]))[0, 0] > cast.reach and _step(
        computer, view, cast, slot, other, STEP_TO - away
    )


def _home(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    x, y = computer.rally_point(view)
    far = np.hypot(view.units["x"][slot] - x, view.units["y"][slot] - y) >= cast.reach
    return bool(far) and _throw(computer, cast, slot, x, y)


def _between(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    """A field before an enemy who has a friend that shoots by the throat: half way to him, or a cell before him."""
    friends = view.slots[view.army & ~blades(view, view.slots) & ~flies(view, view.slots)]
    for other in _within(computer, view, cast, slot, enemies).tolist():
        away = _away(view, other, friends)
        edges = gaps(view, np.array([other]), friends)[0]
        if not len(edges) or edges.min() > THROAT:
            continue
        friend = int(friends[edges.argmin()])
        part = max(0.5, 1.0 - 1.0 / max(float(away[edges.argmin()]), 1e-3))
        (x, y), (fx, fy) = view.place(other), view.place(friend)
        goal = fx + part * (x - fx), fy + part * (y - fy)
        if _throw(computer, cast, slot, *goal):
            computer.aimed[cast.ability, other] = view.loop
            return True
    return False


def _friend(computer: Computer, view: View, cast: Cast, slot: int, enemies: np.ndarray) -> bool:
    units, slots = view.units, view.slots
    lacks = units["hp_max"][slots] - units["hp"][slots]
    fit = (lacks >= cast.value) & (view.loop - units["last_hit"][slots] <= UNDER_FIRE) & (slots != slot)
    near = slots[fit & (_away(view, slot, slots) <= cast.radius)]
    most_first = np.argsort(units["hp"][near] - units["hp_max"][near], kind="stable")
    return any(_at(computer, view, cast, slot, patient) for patient in near[most_first].tolist())


AIM: dict[str, Callable[[Computer, View, Cast, int, np.ndarray], bool]] = {
    "enemy": _first(lambda view, cast, slots: -view.sheet.value[view.units["type"][slots]]),
    "match": _first(lambda view, cast, slots: np.abs(_whole(view, slots) - cast.life)),
    "largest": _first(lambda view, cast, slots: -_whole(view, slots)),
    "random": _random,
    "crowd": _crowd,
    "away": _from_attacker,
    "close": _to_target,
    "home": _home,
    "between": _between,
    "friend": _friend,
}
