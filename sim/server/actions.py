"""Actions of clients: from protocol messages to commands of the game and changes of the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.records import Command, Result
from sim.server import crop
from sim.server.echo import SCREENS, echo
from sim.server.orders import exact_ability, issue, raw_command
from sim.server.places import on_map
from sim.server.seat import Seat

if TYPE_CHECKING:
    from sim.server.match import Match

CANCEL_SLOT = 3672  # the general id, and those of each sort of queue
SLOTS = (CANCEL_SLOT, 305, 307, 309, 313, 1039, 1041, 1832, 1834)
TRAVEL = 1  # loops that an action needs to the host of a game of several clients (pysc2's tests of the real game)


def send(seat: Seat, action: sc.Action) -> int:
    """Judges an action in a game of several clients, where it takes effect a loop later; -> ActionResult."""
    if action.HasField("action_chat"):
        return act(seat, action)
    asked, result = crop.to_world(seat, action), int(Result.SUCCESS)
    game = seat.match.game
    if asked.action_raw.HasField("unit_command") or asked.action_raw.HasField("toggle_autocast"):
        waiting = game.pending[seat.player]
        before = len(waiting)
        trial = raw_pb2.ActionRaw()
        trial.CopyFrom(asked.action_raw)
        result = int(_raw(seat, trial, select=False))
        del waiting[before:]
    if result == Result.SUCCESS and not seat.match.over:
        seat.match.delayed.append((game.loop + TRAVEL, seat, asked))
    return result


def arrive(match: Match) -> None:
    """Carries out the actions that have reached the host by now. What no longer fits is dropped without a word, as in
    a game of one client (observed)."""
    due = [(seat, action) for loop, seat, action in match.delayed if loop <= match.game.loop]
    match.delayed = [entry for entry in match.delayed if entry[0] > match.game.loop]
    for seat, action in due:
        if seat.match is match:
            do(seat, action)


def act(seat: Seat, action: sc.Action) -> int:
    """Carries one action out, or leaves it to the next step; -> ActionResult."""
    return do(seat, crop.to_world(seat, action))


def do(seat: Seat, asked: sc.Action) -> int:
    """The same for an action in coordinates of the whole map. What succeeds is recorded, and reported once done."""
    run = sc.Action()
    run.CopyFrom(asked)
    game = seat.match.game
    before = len(game.pending[seat.player])
    result = int(_run(seat, run))
    if result == Result.SUCCESS and not seat.match.over:
        seat.match.record(seat.player, asked)
        if run.ByteSize() and not run.HasField("action_chat"):
            run.game_loop = game.loop
            seat.under_way.append((echo(seat, run), game.pending[seat.player][before:]))
    return result


def settle(seat: Seat) -> None:
    """What was done since the last observation becomes its actions, in the words in which it was run.

    Orders come when they are carried out, with the units that took them; an order that nobody took (it no longer
    fitted, or the unit was at it already) is never reported (observed).
    """
    waiting, left = seat.match.game.pending[seat.player], []
    for action, orders in seat.under_way:
        if any(order is other for order in orders for other in waiting):
            left.append((action, orders))
            continue
        took = {tag for order in orders for tag in order.done}
        if took and action.action_raw.HasField("unit_command"):
            tags = action.action_raw.unit_command.unit_tags
            kept = [tag for tag in dict.fromkeys(tags) if tag in took]
            del tags[:]
            tags.extend(kept)
        if took or not orders:
            seat.actions.append(action)
    seat.under_way[:] = left


def _run(seat: Seat, action: sc.Action) -> int:
    """Does what the first part of the action says; general abilities in it become the exact ones."""
    if action.HasField("action_chat"):
        said = sc.ChatReceived(player_id=seat.player, message=action.action_chat.message)
        team = action.action_chat.channel == sc.ActionChat.Team  # every player is a team of its own
        for listener in seat.match.all_seats:
            if not team or listener.viewer in (0, seat.player):
                listener.chat.append(said)
        return Result.SUCCESS
    if action.HasField("action_raw") and action.action_raw.WhichOneof("action") is not None:
        return _raw(seat, action.action_raw)
    if action.HasField("action_ui"):
        from sim.server.ui import act_ui

        return act_ui(seat, action.action_ui)
    for option, part in SCREENS:
        if action.HasField(part):
            if not seat.options.HasField(option):
                return Result.NOT_SUPPORTED  # it has no screen
            from sim.server.spatial import act_spatial

            return act_spatial(seat, getattr(action, part), getattr(seat.options, option))
    return Result.SUCCESS  # an action without content does nothing


def _raw(seat: Seat, raw: raw_pb2.ActionRaw, select: bool = True) -> int:
    """A raw order, camera move or autocast switch; an order of a client that asks for it selects its units."""
    game = seat.match.game
    if raw.HasField("camera_move"):
        seat.camera = on_map(game, raw.camera_move.center_world_space) or seat.camera
        return Result.SUCCESS
    if raw.HasField("toggle_autocast"):
        wanted = raw.toggle_autocast
        return issue(seat, Command(seat.player, wanted.ability_id, tuple(wanted.unit_tags), autocast=True))
    order, place = raw.unit_command, None
    if order.ability_id in SLOTS:  # items in the middle of a queue are cancelled by its panel only (observed)
        return Result.ERROR if order.ability_id == CANCEL_SLOT else Result.NOT_SUPPORTED
    if order.HasField("target_world_space_pos"):
        place = on_map(game, order.target_world_space_pos)
        if place is None:
            return Result.ERROR
    command = raw_command(seat, order, place)
    if command is None:
        return Result.NOT_SUPPORTED
    result = issue(seat, command)
    if result == Result.SUCCESS or not order.ability_id:  # programs select units by an order without an ability
        order.ability_id = exact_ability(seat, command)
        if select and seat.options.raw_affects_selection:
            slots = [slot for tag in command.tags if (slot := game.slot(tag)) >= 0]
            seat.selection.choose(game, slots)
    return result
