"""What one player sees on the map as one table, and its picture: which thing covers which pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import INTERNAL
from sim.engine.state import BURROWED, CLOAKED, DETECTED, HALLUCINATION, INSIDE, UNFINISHED
from sim.melee.sight import progress_of
from sim.server import encode
from sim.server.ghosts import as_things

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
    _places(here, game, viewer, game.units[slots])
    _places(gone, game, viewer, copies)
    here["slot"], gone["slot"] = slots, -1
    gone["copy"] = copies["tag"]
    here["cloaked"] = game.units["flags"][slots] & (CLOAKED | BURROWED) != 0
    _states(here[: len(visible)], game, viewer, game.units[visible], visible)
    here["selected"] = np.isin(slots, selected)
    return things[np.argsort(things["z"], kind="stable")]


def _places(out: np.ndarray, game: Game, viewer: int, rows: np.ndarray) -> None:
    """What everybody knows of a thing in sight or remembered: what it is, where, and whose."""
    owner = rows["owner"]
    for name in ("x", "y", "z"):
        out[name] = rows[name]
    out["unit_type"] = rows["type"]
    out["radius"] = game.types["api_radius"][owner, rows["type"]]
    out["player_id"] = np.where(owner == 0, encode.MAP_OWNER, owner)
    out["player_relative"] = np.where(owner == viewer, encode.SELF, np.where(owner == 0, encode.NEUTRAL, encode.ENEMY))


def _states(out: np.ndarray, game: Game, viewer: int, units: np.ndarray, slots: np.ndarray) -> None:
    """Life, buffs and work of units in sight."""
    most = {"hp": units["hp_max"], "shield": units["shield_max"]}
    most["energy"] = game.types["energy_max"][units["owner"], units["type"]]
    for plane, name in VITALS:
        out[plane] = units[name].astype(np.int32)
        out[f"{plane}_ratio"] = _bytes(units[name], most[name])
    known = (units["owner"] == viewer) | (units["flags"] & DETECTED != 0)
    out["hallucinations"] = (units["flags"] & HALLUCINATION != 0) & known
    told = (units["buff"] > 0) & (units["buff"] < INTERNAL)
    first, row = np.argmax(told, axis=1), np.arange(len(units))
    out["buffs"] = np.where(told[row, first], units["buff"][row, first], 0)
    total = np.where(told[row, first], units["buff_total"][row, first], 0)
    out["buff_duration"] = _bytes(units["buff_left"][row, first], total)
    out["active"] = (units["order_count"] > 0) | (units["job_count"] > 0)
    job = game.jobs[slots, 0]
    made = _bytes(job["total"] - job["left"], np.where(units["job_count"] > 0, job["total"], 0))
    rising = (255 * progress_of(units)).astype(np.uint8)
    out["build_progress"] = np.where(units["flags"] & UNFINISHED != 0, rising, made)


def _bytes(value: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Shares of what there could be, 0..255; 0 where there is nothing; uint8."""
    share = np.divide(value, most, out=np.zeros(len(value), np.float32), where=most > 0)
    return (255 * np.clip(share, 0.0, 1.0)).astype(np.uint8)


def cover(view: View, x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which pixels the discs cover: (pixel, disc, share), one entry for each pair, discs in their order.

    `pixel` is row * width + column, `share` the covered part of the pixel, 0..1 (anti-aliased). A disc counts as
    standing on the pixels whose middle it covers (share >= 0.5), at least on the pixel of its centre (share 1).
    """
    column, row = (x - view.left) / view.pixel, (view.top - y) / view.pixel
    size = np.maximum(radius / view.pixel, 0.0)
    near = (column > -size) & (column < view.width + size) & (row > -size) & (row < view.height + size)
    index = np.flatnonzero(near)
    reach = np.ceil(size[index]).astype(np.int64)
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for extent in np.unique(reach).tolist():
        discs = index[reach == extent]
        steps = np.arange(-extent, extent + 1)
        columns = np.floor(column[discs]).astype(np.int64)[:, None, None] + steps[None, None, :]
        rows = np.floor(row[discs]).astype(np.int64)[:, None, None] + steps[None, :, None]
        away = np.hypot(columns + 0.5 - column[discs, None, None], rows + 0.5 - row[discs, None, None])
        share = np.clip(size[discs, None, None] - away + 0.5, 0.0, 1.0)
        share[:, extent, extent] = 1.0
        in_view = (columns >= 0) & (columns < view.width) & (rows >= 0) & (rows < view.height)
        which, i, j = np.nonzero((share > 0) & in_view)
        found.append((rows[which, i, 0] * view.width + columns[which, 0, j], discs[which], share[which, i, j]))
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    pixel, disc, share = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(disc, kind="stable")
    return pixel[order], disc[order], share[order]


def topmost(view: View, pixel: np.ndarray, disc: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The last disc that stands on each pixel, -1 = none; int64 [height * width]."""
    top = np.full(view.width * view.height, -1, np.int64)
    stands = share >= 0.5
    np.maximum.at(top, pixel[stands], disc[stands])
    return top


def under(view: View, things: np.ndarray, column: int, row: int) -> int:
    """Index of the thing that a click on this pixel hits, -1 = none."""
    top = topmost(view, *cover(view, things["x"], things["y"], things["radius"]))
    return int(top[row * view.width + column]) if view.inside(column, row) else -1
