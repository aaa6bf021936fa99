"""Larvae: three at the start, one more when a town hall had fewer than three for 240 loops, three more by an inject.

All numbers are measured in replays: the clock of a town hall runs while it has fewer than three larvae and stands still
meanwhile (3,122 of 3,148 larvae that no inject made, to the loop); a new town hall has one larva at once (115 of 115);
injected larvae come 4 loops apart, the first 4 loops after the inject is over, and are nowhere for 25 loops (thrown
out, as we read it), though their number counts; larvae are born three cells below the middle of their town hall, beside
another larva that is in the way, whatever eggs lie there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import INSIDE, UNFINISHED
from sim.melee.active import every
from sim.melee.census import of_type
from sim.melee.harm import same
from sim.melee.records import Alert, Race
from sim.melee.registry import AFTER, ON_FINISHED, ON_REMOVE, ON_TYPE, START

if TYPE_CHECKING:
    from sim.melee.game import Game

HALLS = ("Hatchery", "Lair", "Hive")
LARVA_LOOPS = 240  # 15 n
FREE_LARVAE = 3  # above this a town hall makes none by itself
MOST_LARVAE = 19  # injects stop here
CONTAMINATED, WAIT = 36, 8  # a hall with this buff spawns nothing; it looks again after so many loops
INJECT_GAP = 4  # loops between two larvae of one inject
FLIGHT = 25  # loops before one of an inject is there: 504 of 505 that commands name are first named later, 44 in the
# next loop (73 of 1,120 others a loop after their birth); a client of 5.0.15 saw them 30 to 38 loops after the timer
WITHER_EVERY = 4  # loops between two looks for larvae without creep
START_PLACES = ((0.0, -3.0), (1.0, -3.0), (-1.0, -3.0))
PLACES = (*START_PLACES, (-2.0, -2.5), (2.0, -2.5))  # those of 6,320 larvae, in the order they are tried
IN_THE_WAY = 0.25  # cells between two larvae; fits the share of larvae that are not born at the first place


def is_hall(game: Game, slot: int) -> bool:
    """A finished Zerg town hall."""
    unit = game.units[slot]
    return game.facts.names[int(unit["type"])] in HALLS and not int(unit["flags"]) & UNFINISHED


def larvae_of(game: Game, hall: int) -> list[int]:
    """Slots of the larvae of one town hall (`builder` of a larva names its hall)."""
    units = game.units[: int(game.world[0]["slots"])]
    mask = (units["alive"] == 1) & (units["type"] == game.facts.ids["Larva"]) & (units["builder"] == hall)
    return [int(slot) for slot in np.flatnonzero(mask)]


def spawn_larva(game: Game, hall: int) -> int:
    """A larva is born at its town hall, at the first place without another larva. -> slot"""
    unit = game.units[hall]
    x, y = float(unit["x"]), float(unit["y"])
    others = game.units[larvae_of(game, hall)]
    places = [
        (x + dx, y + dy)
        for dx, dy in PLACES
        if (np.hypot(others["x"] - x - dx, others["y"] - y - dy) >= IN_THE_WAY).all()
    ]
    at_x, at_y = places[0] if places else (x + PLACES[0][0], y + PLACES[0][1])
    return game.spawn(game.facts.ids["Larva"], int(unit["owner"]), at_x, at_y, builder=hall)


def watch(game: Game, hall: int) -> None:
    """Lets the clock of the next larva run or stand still, after the number of larvae of the hall has changed.

    `timer` of a hall: the loop at which the clock rings; while it stands, the loops left as a negative number (0: all).
    """
    unit = game.units[hall]
    timer = float(unit["timer"])
    few = len(larvae_of(game, hall)) < FREE_LARVAE
    if few and timer <= 0:
        left = -timer or LARVA_LOOPS
        unit["timer"] = game.loop + left
        game.later(left, "larva", hall, int(unit["generation"]), game.loop + left)
    elif not few and timer > 0:
        unit["timer"] = game.loop - timer


def hasten(game: Game, slots: np.ndarray, times: int) -> None:
    """The next larva of these town halls comes so many times sooner (a cheat)."""
    for hall in map(int, slots[game.units["timer"][slots] > game.loop + LARVA_LOOPS // times]):
        if is_hall(game, hall):
            left = int(game.units[hall]["timer"]) - game.loop
            game.units[hall]["timer"] = -max(left // times, 1)
            watch(game, hall)


def clock(game: Game, hall: int, generation: int, ring: float) -> None:
    """The larva clock of a town hall ran out, unless it was stopped meanwhile."""
    hall = int(hall)
    if not same(game, hall, generation) or game.units[hall]["timer"] != ring:
        return
    if CONTAMINATED in game.units[hall]["buff"]:
        game.units[hall]["timer"] = ring + WAIT
        game.later(WAIT, "larva", hall, generation, ring + WAIT)
        return
    game.units[hall]["timer"] = 0
    spawn_larva(game, hall)
    watch(game, hall)


def fling(game: Game, larva: int) -> None:
    """The hall throws the larva out: its number counts from now on, but it is nowhere yet."""
    if larva >= 0:
        game.units[larva]["flags"] |= INSIDE
        game.later(FLIGHT, "larva lands", larva, int(game.units[larva]["generation"]))


def land(game: Game, larva: int, generation: int) -> None:
    """A larva of an inject has come down."""
    if same(game, larva, generation):
        game.units[int(larva)]["flags"] &= ~np.uint32(INSIDE)


def inject(game: Game, hall: int, generation: int, left: int) -> None:
    """One larva of an inject; the next follows."""
    hall = int(hall)
    if not same(game, hall, generation):
        return
    if CONTAMINATED in game.units[hall]["buff"]:
        game.later(WAIT, "inject larva", hall, generation, left)
        return
    if len(larvae_of(game, hall)) < MOST_LARVAE:
        fling(game, spawn_larva(game, hall))
        watch(game, hall)
        if int(left) == 1:
            game.alert(int(game.units[hall]["owner"]), Alert.LARVA_HATCHED)
    if int(left) > 1:
        game.later(INJECT_GAP, "inject larva", hall, generation, int(left) - 1)


def start_larvae(game: Game, player: int) -> None:
    """Three larvae at the town hall."""
    hall = game.owned(player, *HALLS)[0]
    for _ in START_PLACES[1:]:
        spawn_larva(game, hall)
    game.units[hall]["timer"] = 0  # its clock starts with the first larva that is used


def start_overlord(game: Game, player: int) -> None:
    """An overlord on the side away from the resources."""
    unit = game.units[game.owned(player, *HALLS)[0]]
    units = game.units[: int(game.world[0]["slots"])]
    fields = units[game.near(float(unit["x"]), float(unit["y"]), 12.0, (units["owner"] == 0) & (units["contents"] > 0))]
    away_x = unit["x"] - fields["x"].mean() if len(fields) else 1.0
    away_y = unit["y"] - fields["y"].mean() if len(fields) else 1.0
    x, y = float(unit["x"]) + 3.0 * float(np.sign(away_x)), float(unit["y"]) + 3.0 * float(np.sign(away_y))
    game.spawn(game.facts.ids["Overlord"], player, x, y)


def on_finished(game: Game, slot: int) -> None:
    """A new town hall has one larva at once, and its clock starts."""
    if is_hall(game, slot):
        spawn_larva(game, slot)
        watch(game, slot)


def on_remove(game: Game, slot: int) -> None:
    """A larva is gone: its hall may need another. A hall is gone: its larvae, and those in eggs, have none."""
    name = game.facts.names[int(game.units[slot]["type"])]
    if name in HALLS:
        for larva in larvae_of(game, slot):
            game.units[larva]["builder"] = -1
    elif name == "Larva":
        lost(game, slot)


def wither(game: Game) -> None:
    """Larvae of a hall that was destroyed die where its creep is gone (catalog: DeathOffCreep): till then they are used
    as before (all of 98 games with such a hall). A new hall's first larva is there before the creep, and lives."""
    units = game.units
    for slot in of_type(game, "Larva"):
        if units["builder"][slot] < 0 and not game.creep[int(units["y"][slot]), int(units["x"][slot])]:
            game.kill(slot)


def on_type(game: Game, slot: int, old: int) -> None:
    """A larva became an egg, or the other way round."""
    if game.facts.names[old] == "Larva":
        lost(game, slot)


def lost(game: Game, slot: int) -> None:
    """The hall of the larva in this slot has one fewer."""
    hall = int(game.units[slot]["builder"])
    game.units[slot]["builder"] = -1
    if hall >= 0 and game.units[hall]["alive"] and is_hall(game, hall):
        watch(game, hall)


every(WITHER_EVERY, wither, Race.ZERG)
AFTER["larva"] = clock
AFTER["inject larva"] = inject
AFTER["larva lands"] = land
ON_FINISHED.append(on_finished)
ON_REMOVE.append(on_remove)
ON_TYPE.append(on_type)
START[Race.ZERG] = start_larvae, start_overlord
