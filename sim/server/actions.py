"""Actions of clients: from protocol messages to commands of the game and changes of the selection."""

from __future__ import annotations

from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.records import Command, Result
from sim.server import crop
from sim.server.orders import exact_ability, issue, raw_command
from sim.server.places import on_map
from sim.server.seat import Seat


def act(seat: Seat, action: sc.Action) -> int:
    """Carries one action out, or leaves it to the next step; -> ActionResult."""
    asked = crop.to_world(seat, action)
    run = sc.Action()
    run.CopyFrom(asked)
    result = int(_run(seat, run))
    if result == Result.SUCCESS and not seat.match.over:
        seat.match.record(seat.player, asked)
        if run.ByteSize() and not run.HasField("action_chat"):
            run.game_loop = seat.match.game.loop
            seat.actions.append(run)  # the next observation reports it, with the abilities as they are run
    return result


def _run(seat: Seat, action: sc.Action) -> int:
    """Does what the first part of the action says; general abilities in it become the exact ones."""
    if action.HasField("action_chat"):
        said = sc.ChatReceived(player_id=seat.player, message=action.action_chat.message)
        for listener in seat.match.all_seats:
            listener.chat.append(said)
        return Result.SUCCESS
    if action.HasField("action_raw") and action.action_raw.WhichOneof("action") is not None:
        return _raw(seat, action.action_raw)
    if action.HasField("action_ui"):
        from sim.server.ui import act_ui

        return act_ui(seat, action.action_ui)
    for part, option in (("action_feature_layer", "feature_layer"), ("action_render", "render")):
        if action.HasField(part):
            if not seat.options.HasField(option):
                return Result.NOT_SUPPORTED  # it has no screen
            from sim.server.spatial import act_spatial

            return act_spatial(seat, getattr(action, part), getattr(seat.options, option))
    return Result.SUCCESS  # an action without content does nothing


def _raw(seat: Seat, raw: raw_pb2.ActionRaw) -> int:
    """A raw order, camera move or autocast switch; an order of a client that asks for it selects its units."""
    game = seat.match.game
    if raw.HasField("camera_move"):
        seat.camera = on_map(game, raw.camera_move.center_world_space) or seat.camera
        return Result.SUCCESS
    if raw.HasField("toggle_autocast"):
        wanted = raw.toggle_autocast
        return issue(seat, Command(seat.player, wanted.ability_id, tuple(wanted.unit_tags), autocast=True))
    order, place = raw.unit_command, None
    if order.HasField("target_world_space_pos"):
        place = on_map(game, order.target_world_space_pos)
        if place is None:
            return Result.ERROR
    command = raw_command(seat, order, place)
    if command is None:
        return Result.NOT_SUPPORTED
    result = issue(seat, command)
    if result == Result.SUCCESS:
        order.ability_id = exact_ability(seat, command)
        if seat.options.raw_affects_selection:
            slots = [slot for tag in command.tags if (slot := game.slot(tag)) >= 0]
            seat.selection.choose(game, slots)
    return result
