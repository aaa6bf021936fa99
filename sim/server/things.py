"""What one player sees on the map as one table, and its picture: which thing covers which pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import INTERNAL
from sim.engine.state import BURROWED, CLOAKED, DETECTED, HALLUCINATION, INSIDE, UNFINISHED
from sim.melee.sight import progress_of
from sim.server import encode
from sim.server.ghosts import as_things
from sim.server.paint import paint

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.melee.sight import Sight
    from sim.server.screen import View

# One thing as feature layers show it. `slot` is -1 for copies of what left sight; their tag is in `copy`.
THING = np.dtype(
    [
        ("slot", "i4"),
        ("copy", "u8"),
        ("x", "f4"),
        ("y", "f4"),
        ("z", "f4"),
        ("radius", "f4"),
        ("unit_type", "i4"),
        ("player_id", "u1"),
        ("player_relative", "u1"),
        ("selected", "u1"),
        ("unit_hit_points", "i4"),
        ("unit_hit_points_ratio", "u1"),
        ("unit_energy", "i4"),
        ("unit_energy_ratio", "u1"),
        ("unit_shields", "i4"),
        ("unit_shields_ratio", "u1"),
        ("hallucinations", "u1"),
        ("cloaked", "u1"),
        ("buffs", "i4"),
        ("buff_duration", "u1"),
        ("active", "u1"),
        ("build_progress", "u1"),
        ("blip", "u1"),
        ("placeholder", "u1"),
    ]
)
VITALS = (("unit_hit_points", "hp"), ("unit_shields", "shield"), ("unit_energy", "energy"))


def gather(
    game: Game, viewer: int, sight: Sight, selected: list[int], cloaked: bool = True, ghosts: np.ndarray | None = None
) -> np.ndarray:
    """All that the player sees, the lowest first, so that what flies is drawn over what walks; THING [n].

    `selected` are slots; `cloaked` tells whether undetected cloaked units are shown as shimmers, `ghosts`
    are placeholders and blips to show as well (`ghosts.py`).
    """
    visible, hidden = sight.visible_slots(), sight.hidden_slots()
    visible = visible[game.units["flags"][visible] & INSIDE == 0]
    if not cloaked:
        hidden = hidden[:0]
    slots = np.concatenate([visible, hidden])
    copies = sight.snapshots()
    more = 0 if ghosts is None else len(ghosts)
    things = np.zeros(len(slots) + len(copies) + more, THING)
    here, gone = things[: len(slots)], things[len(slots) : len(slots) + len(copies)]
    if ghosts is not None and more:
        as_things(things[-more:], game, viewer, ghosts)
    _places(here, game, viewer, game.units, slots)
    _places(gone, game, viewer, copies, np.arange(len(copies)))
    here["slot"], gone["slot"] = slots, -1
    gone["copy"] = copies["tag"]
    here["cloaked"] = game.units["flags"][slots] & (CLOAKED | BURROWED) != 0
    _states(here[: len(visible)], game, viewer, visible)
    chosen = np.zeros(len(game.units), bool)
    chosen[selected] = True
    here["selected"] = chosen[slots]
    return things[np.argsort(things["z"], kind="stable")]


def _places(out: np.ndarray, game: Game, viewer: int, table: np.ndarray, rows: np.ndarray) -> None:
    """What everybody knows of things in sight or remembered (rows of a table): what each is, where, and whose."""
    owner, kind = table["owner"][rows], table["type"][rows]
    for name in ("x", "y", "z"):
        out[name] = table[name][rows]
    out["unit_type"] = kind
    out["radius"] = game.types["api_radius"][owner, kind]
    out["player_id"] = np.where(owner == 0, encode.MAP_OWNER, owner)
    out["player_relative"] = np.where(owner == viewer, encode.SELF, np.where(owner == 0, encode.NEUTRAL, encode.ENEMY))


def _states(out: np.ndarray, game: Game, viewer: int, slots: np.ndarray) -> None:
    """Life, buffs and work of units in sight."""
    units, jobs = game.units, game.jobs
    owner, flags, busy = units["owner"][slots], units["flags"][slots], units["job_count"][slots] > 0
    most = {"hp": units["hp_max"][slots], "shield": units["shield_max"][slots]}
    most["energy"] = game.types["energy_max"][owner, units["type"][slots]]
    for plane, name in VITALS:
        have = units[name][slots]
        out[plane] = have.astype(np.int32)
        out[f"{plane}_ratio"] = _bytes(have, most[name])
    out["hallucinations"] = (flags & HALLUCINATION != 0) & ((owner == viewer) | (flags & DETECTED != 0))
    buffs = units["buff"][slots]
    told = (buffs > 0) & (buffs < INTERNAL)
    first, any_told = told.argmax(axis=1), told.any(axis=1)
    out["buffs"] = np.where(any_told, units["buff"][slots, first], 0)
    total = np.where(any_told, units["buff_total"][slots, first], 0)
    out["buff_duration"] = _bytes(units["buff_left"][slots, first], total)
    out["active"] = busy | (units["order_count"][slots] > 0)
    length = jobs["total"][slots, 0]
    out["build_progress"] = _bytes(length - jobs["left"][slots, 0], np.where(busy, length, 0))
    rising = np.flatnonzero(flags & UNFINISHED)
    out["build_progress"][rising] = (255 * progress_of(units[slots[rising]])).astype(np.uint8)


def _bytes(value: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Shares of what there could be, 0..255; 0 where there is nothing; uint8."""
    share = np.divide(value, most, out=np.zeros(len(value), np.float32), where=most > 0)
    return (255 * np.clip(share, 0.0, 1.0)).astype(np.uint8)


def under(view: View, things: np.ndarray, column: int, row: int) -> int:
    """Index of the thing that a click on this pixel hits, -1 = none."""
    top = paint(view, things["x"], things["y"], things["radius"]).top
    return int(top[row * view.width + column]) if view.inside(column, row) else -1
