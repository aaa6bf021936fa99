"""Commands of a seat on their way to the game, and the record of what was asked."""

from __future__ import annotations

from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.records import Command, Result
from sim.server.seat import Seat

GATHER, MOVE, SMART = 3666, 16, 1


def issue(seat: Seat, command: Command) -> int:
    """Judges a command; an accepted one is carried out by the next step. -> ActionResult."""
    if seat.match.over:
        return int(Result.SUCCESS)  # the client does not know yet that the game is over
    return int(seat.match.game.issue(command))


def tell_refusal(seat: Seat, tag: int, ability: int, result: int) -> None:
    """Adds the red line of text that the player is shown. No ability is below 0, though a request can say so."""
    seat.errors.append(sc.ActionError(unit_tag=tag, ability_id=max(ability, 0), result=result))


def exact_ability(seat: Seat, command: Command) -> int:
    """The exact ability that an accepted command's general one (Attack) stands for. A right-click stays one: pysc2
    reads replays of real players, and knows no return of a load that names a target, as right-clicks on halls do.
    """
    waiting = seat.match.game.pending[command.player]
    if command.ability == SMART or not waiting or waiting[-1].command is not command:
        return command.ability
    return int(waiting[-1].units[0][2])


def visible_target(seat: Seat, tag: int) -> tuple[int, float, float, bool] | None:
    """What an order at this tag means: (tag, x, y, at a point); None when the seat may not know that unit.

    A target in the fog is named by the tag of its copy: an order at it goes to the unit while it lives, else to the
    place where it was seen.
    """
    game = seat.match.game
    original = seat.sight.original(tag)
    if original is not None:
        slot, generation, x, y = original
        unit = game.units[slot]
        alive = unit["alive"] and unit["generation"] == generation
        return (game.tag(slot), x, y, False) if alive else (0, x, y, True)
    slot = game.slot(tag)
    if slot >= 0 and game.units[slot]["owner"] not in (0, seat.player) and not seat.sight.is_visible(slot):
        return None
    return tag, 0.0, 0.0, False


def raw_command(seat: Seat, wanted: raw_pb2.ActionRawUnitCommand, place: tuple[float, float] | None) -> Command | None:
    """The command a raw order means; `place` is its point on the map, if it has one. None: it names what is unseen."""
    ability, target, x, y, has_point = wanted.ability_id, 0, 0.0, 0.0, place is not None
    if place is not None:
        x, y = place
    if wanted.target_unit_tag:
        found = visible_target(seat, wanted.target_unit_tag)
        if found is None:
            return None
        target, copy_x, copy_y, at_point = found
        if at_point:
            x, y, has_point = copy_x, copy_y, True
            known = seat.match.game.facts.abilities.get(wanted.ability_id)
            if wanted.ability_id == GATHER or (known is not None and known.kind == "gather"):
                ability = MOVE  # its worker sets out for where the field was seen (the official client's tests)
        elif target != wanted.target_unit_tag:
            has_point = False
    return Command(
        player=seat.player,
        ability=ability,
        tags=tuple(sorted(wanted.unit_tags)),  # as in all 50,000 commands of several units in replays
        target_tag=target,
        x=x,
        y=y,
        has_point=has_point,
        queued=wanted.queue_command,
    )
