"""ActionUI: panels, control groups and the buttons that select; ObservationUI: what the panels show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from s2clientprotocol import sc2api_pb2 as sc
from s2clientprotocol import ui_pb2

from sim.engine.bufftable import INTERNAL
from sim.engine.state import STRUCTURE
from sim.melee import transport
from sim.melee.records import Command, Result
from sim.melee.sight import progress_of
from sim.server import encode, selection
from sim.server.orders import issue
from sim.server.queries import offer

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.server.seat import Seat

LOOKS = ("type", "flags", "job_count", "order_count", "cargo", "addon", "energy")  # what decides on a unit's abilities
Group, Worker, Panel = ui_pb2.ActionControlGroup, ui_pb2.ActionSelectIdleWorker, ui_pb2.ActionMultiPanel


# -- actions ----------------------------------------------------------------------------------------------------------
def act_ui(seat: Seat, action: ui_pb2.ActionUI) -> int:
    """Carries one action out; -> ActionResult."""
    kind = action.WhichOneof("action")
    if kind is None:
        return Result.SUCCESS
    return HANDLERS[kind](seat, seat.match.game, getattr(action, kind))


def _control_group(seat: Seat, game: Game, wanted: ui_pb2.ActionControlGroup) -> int:
    index = wanted.control_group_index
    if index >= selection.GROUPS:
        return Result.ERROR
    if wanted.action == Group.Recall:
        seat.selection.recall(game, index)
    else:
        append = wanted.action in (Group.Append, Group.AppendAndSteal)
        steal = wanted.action in (Group.SetAndSteal, Group.AppendAndSteal)
        seat.selection.set_group(game, index, append, steal)
    return Result.SUCCESS


def _choose(seat: Seat, game: Game, slots: list[int], add: bool) -> int:
    """Selects what a button stands for; nothing there changes nothing."""
    if not slots:
        return Result.ERROR
    seat.selection.choose(game, slots, add)
    return Result.SUCCESS


def _army(seat: Seat, game: Game, wanted: ui_pb2.ActionSelectArmy) -> int:
    return _choose(seat, game, selection.army(game, seat.player), wanted.selection_add)


def _warp_gates(seat: Seat, game: Game, wanted: ui_pb2.ActionSelectWarpGates) -> int:
    return _choose(seat, game, selection.of_types(game, seat.player, "WarpGate"), wanted.selection_add)


def _larva(seat: Seat, game: Game, wanted: ui_pb2.ActionSelectLarva) -> int:
    return _choose(seat, game, selection.larva(game, seat.player, seat.selection.own(game)), False)


def _idle_worker(seat: Seat, game: Game, wanted: ui_pb2.ActionSelectIdleWorker) -> int:
    """One idle worker, the next after the one selected; or all of them."""
    idle = selection.idle_workers(game, seat.player)
    if wanted.type in (Worker.Set, Worker.Add):
        chosen = set(seat.selection.own(game))
        last = max((slot for slot in idle if slot in chosen), default=-1)
        idle = ([slot for slot in idle if slot > last] or idle)[:1]
    return _choose(seat, game, idle, wanted.type in (Worker.Add, Worker.AddAll))


def _multi_panel(seat: Seat, game: Game, wanted: ui_pb2.ActionMultiPanel) -> int:
    slots = seat.selection.slots(game)
    if not 0 <= wanted.unit_index < len(slots):
        return Result.ERROR
    hit = slots[wanted.unit_index]
    alike = [slot for slot in slots if game.units[slot]["type"] == game.units[hit]["type"]]
    if wanted.type in (Panel.DeselectUnit, Panel.DeselectAllOfType):
        seat.selection.drop(game, [hit] if wanted.type == Panel.DeselectUnit else alike)
    else:
        seat.selection.choose(game, [hit] if wanted.type == Panel.SingleSelect else alike)
    return Result.SUCCESS


def _entry(seat: Seat, game: Game, kind: str, index: int) -> int:
    """The ability of this kind of the one selected unit, on the index-th entry of its panel."""
    own = seat.selection.own(game)
    ids = game.abilities_of(int(game.units[own[0]]["type"])).get(kind, ()) if len(own) == 1 else ()
    if not ids or index < 0:
        return Result.ERROR
    return issue(seat, Command(seat.player, ids[0], (game.tag(own[0]),), x=float(index), has_point=True))


def _cargo_panel(seat: Seat, game: Game, wanted: ui_pb2.ActionCargoPanelUnload) -> int:
    return _entry(seat, game, "unload_unit", wanted.unit_index)


def _production_panel(seat: Seat, game: Game, wanted: ui_pb2.ActionProductionPanelRemoveFromQueue) -> int:
    return _entry(seat, game, "cancel_slot", wanted.unit_index)


def _autocast(seat: Seat, game: Game, wanted: ui_pb2.ActionToggleAutocast) -> int:
    tags = tuple(game.tag(slot) for slot in seat.selection.own(game))
    return issue(seat, Command(seat.player, wanted.ability_id, tags, autocast=True))


HANDLERS: dict[str, Callable[..., int]] = {
    "control_group": _control_group,
    "select_army": _army,
    "select_warp_gates": _warp_gates,
    "select_larva": _larva,
    "select_idle_worker": _idle_worker,
    "multi_panel": _multi_panel,
    "cargo_panel": _cargo_panel,
    "production_panel": _production_panel,
    "toggle_autocast": _autocast,
}


# -- observations -----------------------------------------------------------------------------------------------------
def add_ui(inner: sc.Observation, seat: Seat, game: Game) -> None:
    """Adds the control groups and the panel of the selection."""
    ui, chosen = inner.ui_data, seat.selection
    ui.SetInParent()
    for index in range(selection.GROUPS):
        group = chosen.group(game, index)
        if group:
            leader = int(game.units[group[0]]["type"])
            ui.groups.add(control_group_index=index, leader_unit_type=leader, count=len(group))
    slots = chosen.shown(game)
    if len(slots) > 1:
        _add_infos(ui.multi.units, game, slots, seat.player)
    elif slots:
        show_unit(ui, game, slots[0], seat.player)


def show_unit(ui: ui_pb2.ObservationUI, game: Game, slot: int, player: int) -> None:
    """The panel of a single unit: its cargo, else its queue, else itself."""
    unit, kind = game.units[slot], game.type_of(slot)
    alone = ui_pb2.MultiPanel()
    _add_infos(alone.units, game, [slot], player)
    own, shown = int(unit["owner"]) == player, alone.units[0]
    if own and unit["cargo"] > 0:
        ui.cargo.unit.CopyFrom(shown)
        _add_infos(ui.cargo.passengers, game, transport.passengers(game, slot), player)
        ui.cargo.slots_available = transport.room(game, slot)
    elif own and unit["job_count"] > 0:
        ui.production.unit.CopyFrom(shown)
        for k in range(int(unit["job_count"])):
            job = game.jobs[slot, k]
            progress = 1 - job["left"] / job["total"] if job["started"] and job["total"] > 0 else 0.0
            ui.production.production_queue.add(ability_id=int(job["ability"]), build_progress=progress)
            if not job["is_upgrade"]:
                ui.production.build_queue.add(
                    unit_type=int(job["product"]), player_relative=encode.SELF, build_progress=progress
                )
    else:
        ui.single.unit.CopyFrom(shown)
        ui.single.attack_upgrade_level = int(kind["attack_level"])
        ui.single.armor_upgrade_level = int(kind["armor_level"])
        ui.single.shield_upgrade_level = int(kind["shield_level"])
        ui.single.buffs.extend(buff for buff in unit["buff"].tolist() if 0 < buff < INTERNAL)


def _add_infos(entries: Any, game: Game, slots: list[int], player: int) -> None:
    """Adds units as panels show them to a list of UnitInfo."""
    units = game.units[slots]
    owner = units["owner"]
    relation = np.where(owner == player, encode.SELF, np.where(owner == 0, encode.NEUTRAL, encode.ENEMY))
    columns = {
        "unit_type": units["type"],
        "player_relative": relation,
        "health": units["hp"].astype(int),
        "max_health": units["hp_max"].astype(int),
        "shields": units["shield"].astype(int),
        "max_shields": units["shield_max"].astype(int),
        "energy": units["energy"].astype(int),
        "max_energy": game.types["energy_max"][owner, units["type"]].astype(int),
        "transport_slots_taken": np.where(owner == player, units["cargo"], 0),
        "build_progress": progress_of(units),
    }
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        entries.add(**dict(zip(columns, row, strict=True)))
    for k in np.flatnonzero((units["addon"] >= 0) & (units["flags"] & STRUCTURE != 0)).tolist():
        addon = game.units[int(units["addon"][k])]
        if addon["alive"]:
            entries[k].add_on.unit_type = int(addon["type"])
            entries[k].add_on.build_progress = float(progress_of(addon.reshape(1))[0])


def add_abilities(inner: sc.Observation, game: Game, own: list[int]) -> None:
    """What the selection could be told now and pay for, each ability once. Units in equal states are asked once."""
    from sim.melee.tech import available_abilities

    found: set[int] = set()
    states = np.stack([game.units[name][own].astype(np.int64) for name in LOOKS], axis=1)
    for k in np.unique(states, axis=0, return_index=True)[1].tolist():
        found.update(available_abilities(game, own[k]))
    for ability in sorted(found):
        offer(inner.abilities, game, ability)
