"""Actions of clients: from protocol messages to commands of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.records import Command, Result
from sim.server.places import on_map
from sim.server.seat import Seat

if TYPE_CHECKING:
    from sim.melee.game import Game


def act(seat: Seat, action: sc.Action) -> int:
    """Carries one action out, or leaves it to the next step; -> ActionResult."""
    match = seat.match
    if action.HasField("action_chat"):
        said = sc.ChatReceived(player_id=seat.player, message=action.action_chat.message)
        for listener in match.all_seats:
            listener.chat.append(said)
        return Result.SUCCESS
    raw = action.action_raw
    if raw.HasField("camera_move"):
        seat.camera = on_map(match.game, raw.camera_move.center_world_space) or seat.camera
        _echo(seat, raw)
        return Result.SUCCESS
    if raw.HasField("unit_command"):
        return _command(seat, raw.unit_command)
    if raw.HasField("toggle_autocast"):
        wanted = raw.toggle_autocast
        return _issue(seat, Command(seat.player, wanted.ability_id, tuple(wanted.unit_tags), autocast=True), raw)
    if action.ByteSize():
        return Result.NOT_SUPPORTED  # feature layer, render and ui actions need a screen
    return Result.SUCCESS  # an action without content does nothing


def _command(seat: Seat, wanted: raw_pb2.ActionRawUnitCommand) -> int:
    """One raw order. A target in the fog is named by the tag of its copy, not by the unit's own."""
    game = seat.match.game
    target, x, y = wanted.target_unit_tag, 0.0, 0.0
    has_point = wanted.HasField("target_world_space_pos")
    if has_point:
        place = on_map(game, wanted.target_world_space_pos)
        if place is None:
            return Result.ERROR
        x, y = place
    if target:
        original = seat.sight.original(target)
        if original is not None:
            slot, generation, x, y = original
            unit = game.units[slot]
            alive = unit["alive"] and unit["generation"] == generation
            target, has_point = (game.tag(slot), False) if alive else (0, True)
        else:
            slot = game.slot(target)
            if slot >= 0 and game.units[slot]["owner"] not in (0, seat.player) and not seat.sight.is_visible(slot):
                return Result.NOT_SUPPORTED
    command = Command(
        player=seat.player,
        ability=wanted.ability_id,
        tags=tuple(wanted.unit_tags),
        target_tag=target,
        x=x,
        y=y,
        has_point=has_point,
        queued=wanted.queue_command,
    )
    return _issue(seat, command, raw_pb2.ActionRaw(unit_command=wanted))


def _issue(seat: Seat, command: Command, raw: raw_pb2.ActionRaw) -> int:
    match = seat.match
    if match.over:
        return Result.SUCCESS  # the client does not know yet that the game is over
    result = int(match.game.issue(command))
    if result == Result.SUCCESS:
        match.commands.append((match.game.loop, command))
        _echo(seat, _as_run(match.game, command, raw))
    return result


def _as_run(game: Game, command: Command, raw: raw_pb2.ActionRaw) -> raw_pb2.ActionRaw:
    """The action with the exact ability that a general one (Attack, Smart) stands for."""
    waiting = game.pending[command.player]
    if not raw.HasField("unit_command") or not waiting or waiting[-1].command is not command:
        return raw
    run = raw_pb2.ActionRaw()
    run.CopyFrom(raw)
    run.unit_command.ability_id = waiting[-1].units[0][2]
    return run


def _echo(seat: Seat, raw: raw_pb2.ActionRaw) -> None:
    """The next observation reports the action."""
    seat.actions.append(sc.Action(action_raw=raw, game_loop=seat.match.game.loop))
