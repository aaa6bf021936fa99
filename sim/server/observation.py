"""Observations: everything one seat is told of the game's state, as serialised bytes.

Units come from compiled code, copies and grids from caches; only the small parts go through protobuf objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.glimpses import glimpsed
from sim.melee.records import PlayerEvents
from sim.melee.sight import Sight
from sim.server import crop, encode, selection, wire
from sim.server.actions import settle
from sim.server.camera import HALF_SCREEN, first_view, half_screen, on_screen
from sim.server.effects import add_effects, seen_effects
from sim.server.ghosts import add_ghosts, placeholders, seen, towers
from sim.server.harvest import count_harvesters
from sim.server.kinds import kinds
from sim.server.paint import paint
from sim.server.power import add_power
from sim.server.score import fill_score, holdings
from sim.server.screen import View

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.server.seat import Seat

AS_VISIBLE = {"4.10.0": encode.OTHER}  # who kills out of the fog; a copy since 5.0.4 (observed)
NONE_SEEN = np.zeros(0, bool)


def hear(seat: Seat, game: Game) -> PlayerEvents:
    """What the seat is told since its last observation. What a player is told is said to everybody who looks through
    its eyes; who watches all players hears of the dead."""
    listeners = seat.match.all_seats if seat.match is not None else [seat]
    for player in (seat.viewer,) if seat.viewer else range(1, len(game.setups) + 1):
        news = game.events(player)
        for other in listeners:
            if other.viewer == player:
                other.told.add(news)
            elif not other.viewer:
                other.told.dead.extend(tag for tag in news.dead if tag not in other.told.dead)
    told, seat.told = seat.told, PlayerEvents()
    return told


class Observer:
    """Builds the observations of one seat; keeps what does not change from one to the next."""

    def __init__(self, game: Game, viewer: int, sight: Sight, fogged: Sight | None = None) -> None:
        """`sight` is what it shows; where that lifts the fog, `fogged` tells what the player sees without."""
        self.game, self.viewer, self.sight, self.fogged = game, viewer, sight, fogged
        self.side = viewer  # whose units are called own; `encode.NOBODY` for who watches all players
        self._kinds = kinds(game.patch)
        self._extras = np.zeros(len(game.units), encode.EXTRA)
        self._listed = np.zeros(2 * len(game.units), np.int64)  # slots; one may be listed as cloaked and as a killer
        self._room = np.zeros(1 << 16, np.uint8)
        number = np.zeros(1, np.float32)
        self._lens = (number, number.view(np.uint8))
        self._copies: tuple[np.ndarray, bytes] | None = None
        self._entries: dict[int, bytes] = {}  # by the copy's tag
        self._size = self._size_bytes()

    def warm_up(self) -> None:
        """Compiles what a first observation needs."""
        self._units(first_view(self.game, self.viewer), HALF_SCREEN, [], True)
        holdings(self.game, self.viewer)
        placeholders(self.game, self.viewer)
        towers(self.game, self.viewer)
        self.sight.update(force=True)
        paint(View(1, 1, 1.0, 0.0, 0.0), *np.zeros((3, 1)))

    def build(self, seat: Seat, over: bool) -> bytes:
        """A serialised ResponseObservation. What is said only once is taken off the seat and the game."""
        game, player = self.game, self.viewer
        told = hear(seat, game)
        if seat.match is not None:
            settle(seat)
        small = sc.ResponseObservation(actions=seat.actions, action_errors=seat.errors, chat=seat.chat)
        for once in (seat.actions, seat.errors, seat.chat):
            once.clear()
        inner, options = sc.Observation(game_loop=game.loop), seat.options
        for error in told.errors:
            small.action_errors.add(unit_tag=error.tag, ability_id=error.ability, result=error.result)
        inner.alerts.extend(told.alerts)
        inner.alerts.extend(alert for alert, x, y in told.attacks if not on_screen(seat, x, y))
        if not options.raw:
            for error in small.action_errors:
                error.ClearField("unit_tag")
        if over:
            for other in range(1, len(game.setups) + 1):
                small.player_result.add(player_id=other, result=game.result(other) or sc.Undecided)
        selected = seat.selection.slots(game)
        if self.side != encode.NOBODY:  # who watches all players is told of nobody's bank and score (observed)
            has = holdings(game, player)
            self._fill_common(inner.player_common, has, selected)
            if options.score:
                fill_score(inner.score, game, player, has)
        raw = wire.parts(5, self._raw(seat, selected, told)) if options.raw else []
        for action in small.actions:
            crop.shift(action, -seat.offset[0], -seat.offset[1])
        pictures = self._pictures(seat, inner)
        return b"".join((small.SerializeToString(), *wire.parts(3, [inner.SerializeToString(), *raw, *pictures])))

    def _raw(self, seat: Seat, selected: list[int], told: PlayerEvents) -> list[bytes]:
        """The parts of a serialised ObservationRaw; `selected` are slots."""
        game, player, raw = self.game, self.viewer, raw_pb2.ObservationRaw()
        if told.dead:
            raw.event.dead_units.extend(told.dead)
        raw.player.camera.x, raw.player.camera.y = seat.camera
        add_effects(raw, seen_effects(game, player, self.sight.reveal), self.side)
        if self.side != encode.NOBODY:  # nor of what else is a player's own
            raw.player.upgrade_ids.extend(np.flatnonzero(game.players[player]["upgrades"]).tolist())
            add_power(raw, game, player)
            posts = towers(game, player)
            add_ghosts(raw, game, player, seen(seat.options, game, player, self.sight, posts), posts)
        units = self._units(seat.camera, half_screen(seat), selected, seat.options.show_cloaked)
        found = [raw.SerializeToString(), self._snapshots(), units, *self._grids()]
        return [crop.observation(seat, b"".join(found))] if seat.offset != (0, 0) else found

    def _pictures(self, seat: Seat, inner: sc.Observation) -> list[bytes]:
        """Feature layers and rendered images for who asked for them; such clients are also shown the panels.

        What the selection can be told is said to all (a client without a screen selects by its raw orders).
        """
        out, options = [], seat.options
        screen_wanted = options.HasField("feature_layer") or options.HasField("render")
        if screen_wanted or seat.selection.chosen:
            from sim.server import ui

            shown = seat.selection.shown(self.game)
            ui.add_abilities(inner, self.game, seat.selection.own(self.game) if shown else [])
        if screen_wanted:
            from sim.server import layers, render, ui

            ui.add_ui(inner, seat, self.game)
            if options.HasField("feature_layer"):
                out.append(wire.field(6, layers.serialised(seat, self.sight, options.feature_layer)))
            if options.HasField("render"):
                out.append(wire.field(7, render.serialised(seat, self.sight, options.render)))
        return out

    # -- units -------------------------------------------------------------------------------------------------------
    def _units(
        self, camera: tuple[float, float], half: tuple[float, float], selected: list[int], show_cloaked: bool
    ) -> bytes:
        """Entries of all units in sight; `half` are half the width and height of what the camera shows, cells."""
        game, extras = self.game, self._extras
        slots = int(game.world[0]["slots"])
        in_sight = self.sight.in_sight()
        hidden = self.sight.hidden() if show_cloaked else NONE_SEEN
        own_eyes = self.fogged.in_sight() if self.fogged is not None else NONE_SEEN
        count = encode.list_units(
            game.units[:slots], self.side, in_sight, hidden, own_eyes, extras[:slots], self._listed
        )
        for slot in glimpsed(game, self.viewer):
            if not in_sight[slot]:
                extras[slot]["shown"] = AS_VISIBLE.get(game.patch, encode.GLIMPSED)
                self._listed[count] = slot
                count += 1
        extras["selected"][selected] = 1
        for player in range(1, len(game.setups) + 1) if self.side == encode.NOBODY else (self.viewer,):
            extras["miners"][:slots], extras["hall"][:slots] = 0, -1
            count_harvesters(game.units, game.orders, self._kinds, player, slots, extras)
        encode.mix(np.sort(self._listed[:count]), game.seed, game.loop, self._listed)
        listed, place = self._listed[:count], np.array((*camera, *half))
        tables = (game.units, game.orders, game.jobs, game.players, game.types, self._kinds, extras, self._lens)
        look = encode.Look(self.side, place, game.loop, slots, *tables)
        while True:
            size = encode.put_units(self._room, listed, look)
            if size >= 0:
                return self._room[:size].tobytes()
            self._room = np.zeros(2 * len(self._room), np.uint8)

    def _snapshots(self) -> bytes:
        """Copies of what left sight; serialised again only when their set changed."""
        copies = self.sight.snapshots()
        if self._copies is None or self._copies[0] is not copies:
            known = self._entries
            self._entries = {tag: known.get(tag) or self._snapshot(copy) for tag, copy in _by_tag(copies)}
            self._copies = copies, b"".join(self._entries.values())
        return self._copies[1]

    def _snapshot(self, copy: np.void) -> bytes:
        owner, facing = int(copy["owner"]), float(copy["facing"])
        unit = raw_pb2.Unit(
            display_type=raw_pb2.Snapshot,
            alliance=raw_pb2.Neutral if owner == 0 else raw_pb2.Enemy,
            tag=int(copy["tag"]),
            unit_type=int(copy["type"]),
            owner=owner or encode.MAP_OWNER,
            facing=facing if facing >= 0 else facing + 2 * np.pi,
            radius=float(self.game.types["api_radius"][owner, copy["type"]]),
            build_progress=float(copy["progress"]),
            cloak=raw_pb2.CloakedUnknown,
            is_on_screen=False,
            is_blip=False,
            is_powered=False,
        )
        unit.pos.x, unit.pos.y, unit.pos.z = float(copy["x"]), float(copy["y"]), float(copy["z"])
        return wire.field(2, unit.SerializeToString())

    # -- the rest ----------------------------------------------------------------------------------------------------
    def _fill_common(self, common: sc.PlayerCommon, has: np.void, selected: list[int]) -> None:
        player = self.game.players[self.viewer]
        common.player_id = self.viewer
        common.minerals = max(int(player["minerals"]), 0)
        common.vespene = max(int(player["gas"]), 0)
        common.food_cap = min(int(player["supply_cap"]), 200)
        common.food_used = int(player["supply_used"])
        common.food_workers = int(has["workers"])
        common.food_army = int(has["food_army"])
        common.idle_worker_count = int(has["idle_workers"])
        common.army_count = int(has["army"])
        common.warp_gate_count = int(has["warp_gates"])
        if larvae := selection.larva_count(self.game, self.viewer, selected):
            common.larva_count = larvae

    def _size_bytes(self) -> bytes:
        terrain = self.game.terrain
        return wire.field(2, wire.number(1, terrain.width) + wire.number(2, terrain.height))

    def _grids(self) -> list[bytes]:
        """The parts of MapState: visibility (8 bit) and creep (1 bit, most significant bit first)."""
        game = self.game
        seen = b"\x02" * game.creep.size if self.sight.reveal else game.visibility[self.viewer].tobytes()
        creep = np.packbits(self.sight.creep()).tobytes()
        return wire.parts(3, [*self._image(1, 8, seen), *self._image(2, 1, creep)])

    def _image(self, number: int, bits: int, cells: bytes) -> list[bytes]:
        """The parts of a field with an ImageData of the whole map."""
        return wire.parts(number, [wire.number(1, bits), self._size, *wire.parts(3, [cells])])


def _by_tag(copies: np.ndarray) -> zip[tuple[int, np.void]]:
    return zip(copies["tag"].tolist(), copies, strict=True)
