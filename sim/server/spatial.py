"""ActionSpatial: what a player does with the mouse on the screen and on the minimap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from s2clientprotocol import raw_pb2, spatial_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.engine.state import STRUCTURE
from sim.melee.records import Command, Result, Target
from sim.melee.verdicts import SMART_ID, candidates
from sim.server import screen
from sim.server.kinds import kinds
from sim.server.orders import exact_ability, issue, raw_command, tell_refusal
from sim.server.places import clamped
from sim.server.things import gather, under

if TYPE_CHECKING:
    from sim.server.screen import View
    from sim.server.seat import Seat

Click = spatial_pb2.ActionSpatialUnitSelectionPoint
CLICK_RADIUS = 0.5  # cells: smaller units are as easy to hit as one of this size


def act_spatial(seat: Seat, action: spatial_pb2.ActionSpatial, setup: sc.SpatialCameraSetup) -> int:
    """Carries one action out in the pictures of this setup; -> ActionResult. The action is left as it was run."""
    kind = action.WhichOneof("action")
    if kind is None:
        return Result.SUCCESS
    return HANDLERS[kind](seat, getattr(action, kind), setup)


def _camera_move(seat: Seat, wanted: spatial_pb2.ActionSpatialCameraMove, setup: sc.SpatialCameraSetup) -> int:
    place = _minimap_place(seat, setup, wanted.center_minimap)
    if place is None:
        return Result.ERROR
    seat.camera = place
    return Result.SUCCESS


def _minimap_place(seat: Seat, setup: sc.SpatialCameraSetup, pixel: Any) -> tuple[float, float] | None:
    terrain = seat.match.game.terrain
    view = screen.minimap_view(setup, terrain)
    if view is None or not view.inside(pixel.x, pixel.y):
        return None
    return clamped(seat.match.game, *view.place(pixel.x, pixel.y))


def _shown(seat: Seat) -> np.ndarray:
    """What can be clicked, small things a little larger than they are, units before the structures that they stand at:
    programs of real games select workers by their middle beside a Barracks, whose disc reaches over them."""
    game = seat.match.game
    things = gather(game, seat.player, seat.sight, [], seat.options.show_cloaked)
    things["radius"] = np.maximum(things["radius"], CLICK_RADIUS)
    rows = game.types[seat.player, things["unit_type"]]
    return things[np.argsort((rows["structure"] == 0) | (rows["flying"] != 0), kind="stable")]


def _select_point(seat: Seat, wanted: Click, setup: sc.SpatialCameraSetup) -> int:
    """A click on a unit; on empty ground it changes nothing."""
    game, at = seat.match.game, wanted.selection_screen_coord
    view = screen.screen_view(setup, seat.camera)
    if view is None or not view.inside(at.x, at.y):
        return Result.ERROR
    things = _shown(seat)
    things = things[~kinds(game.patch)["unselectable"][things["unit_type"]]]
    hit = under(view, things, at.x, at.y)
    slot = int(things["slot"][hit]) if hit >= 0 else -1
    if slot < 0:
        return Result.SUCCESS
    chosen = [slot]
    if wanted.type in (Click.AllType, Click.AddAllType):
        alike = things[(things["unit_type"] == things["unit_type"][hit]) & (things["slot"] >= 0)]
        alike = alike[(alike["player_id"] == things["player_id"][hit]) & _on_screen(view, alike)]
        chosen = sorted(alike["slot"].tolist())
    if wanted.type == Click.Toggle and slot in seat.selection.slots(game):
        seat.selection.drop(game, chosen)
    else:
        seat.selection.choose(game, chosen, add=wanted.type in (Click.Toggle, Click.AddAllType))
    return Result.SUCCESS


def _on_screen(view: View, things: np.ndarray) -> np.ndarray:
    right, bottom = view.left + view.width * view.pixel, view.top - view.height * view.pixel
    across = (things["x"] >= view.left) & (things["x"] < right)
    return across & (things["y"] > bottom) & (things["y"] <= view.top)


def _select_rect(seat: Seat, wanted: spatial_pb2.ActionSpatialUnitSelectionRect, setup: sc.SpatialCameraSetup) -> int:
    """Frames on the screen: own units they touch; structures only where there is nothing else. None: no change."""
    game = seat.match.game
    view = screen.screen_view(setup, seat.camera)
    if view is None or not wanted.selection_screen_coord:
        return Result.ERROR
    things = gather(game, seat.player, seat.sight, [], seat.options.show_cloaked)
    own = things[(things["player_relative"] == 1) & (things["slot"] >= 0)]
    touched = np.zeros(len(own), bool)
    for frame in wanted.selection_screen_coord:
        (left, right), (upper, lower) = sorted((frame.p0.x, frame.p1.x)), sorted((frame.p0.y, frame.p1.y))
        x0, x1 = view.left + left * view.pixel, view.left + (right + 1) * view.pixel
        y0, y1 = view.top - (lower + 1) * view.pixel, view.top - upper * view.pixel
        away_x = np.maximum(np.maximum(x0 - own["x"], own["x"] - x1), 0.0)
        away_y = np.maximum(np.maximum(y0 - own["y"], own["y"] - y1), 0.0)
        touched |= np.hypot(away_x, away_y) <= own["radius"]
    slots = own["slot"][touched]
    mobile = slots[game.units["flags"][slots] & STRUCTURE == 0]
    chosen = sorted((mobile if len(mobile) else slots).tolist())
    if chosen:
        seat.selection.choose(game, chosen, wanted.selection_add)
    return Result.SUCCESS


def _command(seat: Seat, wanted: spatial_pb2.ActionSpatialUnitCommand, setup: sc.SpatialCameraSetup) -> int:
    """An order to the selection. On the screen it goes to the unit under the pointer, or to the ground."""
    game = seat.match.game
    own = seat.selection.own(game)
    if not own:
        return Result.ERROR
    tags = tuple(game.tag(slot) for slot in own)
    place, aim = None, 0
    if wanted.HasField("target_minimap_coord"):
        place = _minimap_place(seat, setup, wanted.target_minimap_coord)
    elif wanted.HasField("target_screen_coord"):
        at = wanted.target_screen_coord
        view = screen.screen_view(setup, seat.camera)
        if view is not None and view.inside(at.x, at.y):
            place = clamped(game, *view.place(at.x, at.y))
            aim = _aim(seat, view, own, wanted.ability_id, at.x, at.y)
    if place is None and wanted.WhichOneof("target") is not None:
        return Result.ERROR
    x, y = place or (0.0, 0.0)
    queued = wanted.queue_command
    order = Command(seat.player, wanted.ability_id, tags, 0, x, y, place is not None, queued)
    result = int(Result.ERROR)
    if aim:
        asked = raw_pb2.ActionRawUnitCommand(
            ability_id=max(wanted.ability_id, 0), unit_tags=tags, target_unit_tag=aim, queue_command=queued
        )
        at_unit = raw_command(seat, asked, None)
        result = issue(seat, at_unit) if at_unit else result
        order = at_unit if at_unit and result == Result.SUCCESS else order
    if result != Result.SUCCESS:
        result = issue(seat, order)
    if result == Result.SUCCESS:
        wanted.ability_id = exact_ability(seat, order)
    else:
        tell_refusal(seat, tags[0], wanted.ability_id, result)
    return result


def _aim(seat: Seat, view: View, own: list[int], ability: int, column: int, row: int) -> int:
    """Tag of the unit under the pointer, or of the copy of what left sight, if the order may be meant for it, else 0.

    A right-click always may: on a site of his a worker goes on with it (the official client's tests). Through what
    cannot be aimed at (catalog: Untargetable) an order goes to what lies below.
    """
    game = seat.match.game
    things = _shown(seat)
    things = things[game.types[0]["untargetable"][things["unit_type"]] == 0]
    hit = under(view, things, column, row)
    if hit < 0:
        return 0
    slot = int(things["slot"][hit])
    tag = game.tag(slot) if slot >= 0 else int(things["copy"][hit])
    if ability == SMART_ID:
        return tag
    exact = {found for one in own for found in candidates(game, one, ability, Target())}
    return tag if any("Unit" in game.facts.abilities[found].target for found in exact) else 0


HANDLERS: dict[str, Callable[..., int]] = {
    "unit_command": _command,
    "camera_move": _camera_move,
    "unit_selection_point": _select_point,
    "unit_selection_rect": _select_rect,
}
