"""Observations: what each kind of unit carries, and that the compiled bytes say what the records hold."""

from __future__ import annotations

import lzma
from math import pi

import numpy as np
import pytest
from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.engine import state
from sim.engine.state import INSIDE, tag_of
from sim.maps import arena, load, names
from sim.melee.game import Game
from sim.melee.records import Command, PlayerSetup
from sim.melee.sight import Sight
from sim.server.camera import first_view
from sim.server.observation import Observer
from sim.server.seat import Seat
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client, running_server

STIMMED = 27
NEUTRAL = {
    *("display_type", "alliance", "tag", "unit_type", "owner", "pos", "facing", "radius", "build_progress", "cloak"),
    *("is_on_screen", "is_blip", "is_powered"),
}
LIFE = {
    *(
        "is_selected",
        "health",
        "health_max",
        "shield",
        "shield_max",
        "energy",
        "energy_max",
        "is_flying",
        "is_burrowed",
    ),
    *("is_hallucination", "is_active", "armor_upgrade_level", "shield_upgrade_level"),
}
WORKER = (
    (NEUTRAL - {"is_powered"})
    | LIFE
    | {
        *("orders", "assigned_harvesters", "ideal_harvesters", "weapon_cooldown", "attack_upgrade_level"),
    }
)


@pytest.fixture
def melee() -> Game:
    """Terran (player 1) against Zerg on the first shipped map."""
    return Game(load(names()[0]), [PlayerSetup(TERRAN, start=0), PlayerSetup(ZERG, start=1)], seed=3)


class Eye:
    """Observations of one player without a server."""

    def __init__(self, game: Game, player: int = 1) -> None:
        self.sight = Sight(game, player)
        self.observer = Observer(game, player, self.sight)
        self.seat = Seat(server=None, player=player, viewer=player, camera=first_view(game, player))  # type: ignore[arg-type]
        self.seat.options.raw = self.seat.options.score = True

    def look(self, over: bool = False) -> sc.ResponseObservation:
        """The parsed observation of now."""
        self.sight.update(force=True)
        return sc.ResponseObservation.FromString(self.observer.build(self.seat, over))

    def units(self) -> dict[int, raw_pb2.Unit]:
        """Units by tag."""
        return {unit.tag: unit for unit in self.look().observation.raw_data.units}


def fields(unit: raw_pb2.Unit) -> set[str]:
    """Names of the fields that are set."""
    return {field.name for field, _ in unit.ListFields()}


def test_fields_by_kind_at_the_start(melee: Game) -> None:
    units = list(Eye(melee).units().values())
    snapshots = [u for u in units if u.display_type == raw_pb2.Snapshot]
    neutral = [u for u in units if u.display_type == raw_pb2.Visible and u.owner == 16]
    own = [u for u in units if u.owner == 1]
    assert len(own) == 13
    assert len(snapshots) > 50
    assert not [u for u in units if u.alliance == raw_pb2.Enemy]
    assert {u.cloak for u in own + neutral} == {raw_pb2.NotCloaked}
    assert {frozenset(fields(u)) for u in snapshots} == {frozenset(NEUTRAL)}
    assert {(u.cloak, u.is_on_screen, u.is_blip, u.is_powered) for u in snapshots} == {
        (raw_pb2.CloakedUnknown, False, False, False)
    }
    minerals = [u for u in neutral if u.mineral_contents]
    assert len(minerals) == 8
    assert all(fields(u) == NEUTRAL | LIFE | {"mineral_contents"} for u in minerals)
    scvs = [u for u in own if u.unit_type == melee.facts.ids["SCV"]]
    assert all(fields(u) == WORKER for u in scvs)
    hall = next(u for u in own if u.unit_type == melee.facts.ids["CommandCenter"])
    assert {"assigned_harvesters", "ideal_harvesters", "is_powered"} <= fields(hall)
    assert "weapon_cooldown" not in fields(hall)
    assert (hall.assigned_harvesters, hall.ideal_harvesters) == (12, 16)


@pytest.mark.parametrize(
    ("name", "patch"),
    [("PylonAIE", "5.0.14"), ("PersephoneAIE", "5.0.14"), ("TorchesAIE", "5.0.14"), ("AcropolisLE", "4.10.0")],
)
def test_a_recorded_start_has_the_same_units_and_fields(shared, name: str, patch: str) -> None:
    """Golden: the real game's observation of loop 0 against ours, by display type, alliance, unit type and looks."""
    folder = shared / "recordings" / name
    real = sc.ResponseObservation.FromString(lzma.decompress((folder / "observation.bin.xz").read_bytes()))
    with running_server(recordings=folder.parent, patch=patch) as server:
        client = Client(server.port)
        client.create(f"{name}.SC2Map", (PARTICIPANT,), (COMPUTER, ZERG, 1), random_seed=1)
        client.join()
        ours = client.observe()
        client.close()

    def groups(observation: sc.ResponseObservation) -> dict[tuple, tuple[int, frozenset[str]]]:
        found: dict[tuple, tuple[int, frozenset[str]]] = {}
        for unit in observation.observation.raw_data.units:
            facing = round(unit.facing, 3) if unit.alliance == raw_pb2.Neutral else None
            key = (unit.display_type, unit.alliance, unit.unit_type, unit.radius, unit.health_max, facing)
            count, names = found.get(key, (0, frozenset()))
            found[key] = count + 1, names | fields(unit)
        return found

    assert groups(ours) == groups(real)
    assert ours.observation.score == real.observation.score
    assert ours.observation.raw_data.player.camera == real.observation.raw_data.player.camera
    for name in ("visibility", "creep"):
        image, golden = (getattr(o.observation.raw_data.map_state, name) for o in (ours, real))
        assert (image.bits_per_pixel, image.size, len(image.data)) == (
            golden.bits_per_pixel,
            golden.size,
            len(golden.data),
        )
    assert ours.observation.raw_data.map_state.creep == real.observation.raw_data.map_state.creep, "none of the enemy's"
    assert {f.name for f, _ in ours.observation.player_common.ListFields()} >= {
        f.name for f, _ in real.observation.player_common.ListFields()
    }


def test_sight_at_the_start_equals_the_recorded_one_cell_by_cell(shared) -> None:
    for folder in sorted((shared / "recordings").glob("*/observation.bin.xz")):
        real = sc.ResponseObservation.FromString(lzma.decompress(folder.read_bytes())).observation.raw_data
        terrain = load(folder.parent.name, shared / "recordings")
        hall = next(u for u in real.units if u.alliance == raw_pb2.Self and u.radius > 2)
        home = min(
            range(2), key=lambda k: abs(terrain.starts[k][0] - hall.pos.x) + abs(terrain.starts[k][1] - hall.pos.y)
        )
        game = Game(terrain, [PlayerSetup(TERRAN, start=home)], seed=1)
        golden = np.frombuffer(real.map_state.visibility.data, np.uint8).reshape(terrain.height, terrain.width)
        assert (game.visibility[1] == golden).all(), terrain.name


def reference(game: Game, slot: int) -> dict[str, object]:
    """What an own unit's entry must say, straight from the records."""
    unit, kind = game.units[slot], game.type_of(slot)
    flags = int(unit["flags"])
    return {
        "tag": tag_of(slot, unit["generation"]),
        "unit_type": int(unit["type"]),
        "owner": int(unit["owner"]),
        "health": float(unit["hp"]),
        "health_max": float(unit["hp_max"]),
        "energy": float(unit["energy"]),
        "energy_max": float(kind["energy_max"]),
        "radius": float(kind["api_radius"]),
        "is_flying": bool(flags & state.FLYING),
        "is_burrowed": bool(flags & state.BURROWED),
        "cargo_space_taken": int(unit["cargo"]),
        "orders": int(unit["order_count"]) + int(unit["job_count"]),
        "pos": (float(unit["x"]), float(unit["y"]), float(unit["z"])),
    }


def test_compiled_entries_equal_the_records(melee: Game) -> None:
    """Every own unit of an army in motion, with queues, cargo and large numbers."""
    ids = melee.facts.ids
    slots = [
        melee.spawn(ids[n], 1, 60 + k, 60) for k, n in enumerate(("Marine", "Medivac", "SiegeTank", "Battlecruiser"))
    ]
    slots += [melee.spawn(ids["Barracks"], 1, 40.5, 70.5)]
    for k in range(6):
        point = (70.0 + k, 65.0)
        command = Command(1, 16, (melee.tag(slots[0]),), x=point[0], y=point[1], has_point=True, queued=k > 0)
        assert melee.issue(command) == 1
    melee.step(2)
    melee.units[slots[1]]["generation"] = 200_000  # tags need five bytes and more
    eye = Eye(melee)
    for tag, unit in eye.units().items():
        if unit.owner != 1:
            continue
        expected = reference(melee, melee.slot(tag))
        found = {name: getattr(unit, name) for name in expected}
        found["orders"], found["pos"] = len(unit.orders), (unit.pos.x, unit.pos.y, unit.pos.z)
        assert found == expected
        assert 0 <= unit.facing < 2 * pi
    marine = eye.units()[melee.tag(slots[0])]
    assert [o.ability_id for o in marine.orders] == [16] * 6
    assert [o.target_world_space_pos.x for o in marine.orders] == [70 + k for k in range(6)]


def test_queues_show_progress_and_rally(melee: Game) -> None:
    hall = melee.owned(1, "CommandCenter")[0]
    tag = melee.tag(hall)
    melee.players[1]["minerals"] = 500
    for _ in range(2):
        assert melee.issue(Command(1, 524, (tag,))) == 1
    melee.step(137)
    unit = Eye(melee).units()[tag]
    assert [o.ability_id for o in unit.orders] == [524, 524]
    assert unit.orders[0].progress == pytest.approx(0.5, abs=0.02)
    assert not unit.orders[1].HasField("progress")
    assert unit.is_active


@pytest.mark.parametrize(("name", "form"), [("SiegeTankSieged", 388), ("LurkerMPBurrowed", 2108), ("Marine", None)])
def test_forms_show_what_made_them_before_their_orders(melee: Game, name: str, form: int | None) -> None:
    slot = melee.spawn(melee.facts.ids[name], 1, 60.0, 60.0)
    melee.step()
    orders = Eye(melee).units()[melee.tag(slot)].orders
    assert [(order.ability_id, order.HasField("target_unit_tag")) for order in orders] == (
        [(form, False)] if form else []
    )


def test_others_show_no_orders(melee: Game) -> None:
    enemy = melee.spawn(melee.facts.ids["Zergling"], 2, 32, 130)
    melee.step(8)
    scout = Eye(melee).units().get(melee.tag(enemy))
    assert scout is not None, "the enemy stands in the own main"
    assert (scout.alliance, scout.owner) == (raw_pb2.Enemy, 2)
    assert {"health", "armor_upgrade_level"} <= fields(scout)
    assert not {"orders", "weapon_cooldown", "assigned_harvesters", "engaged_target_tag"} & fields(scout)


def test_what_happened_is_said_once(melee: Game) -> None:
    eye = Eye(melee)
    worker = melee.owned(1, "SCV")[0]
    tag = melee.tag(worker)
    melee.kill(worker)
    melee.step(1)
    assert list(eye.look().observation.raw_data.event.dead_units) == [tag]
    assert not eye.look().observation.raw_data.event.dead_units
    assert tag not in eye.units()


def test_an_observation_may_need_more_room_than_the_last(melee: Game) -> None:
    eye = Eye(melee)
    before = eye.look()
    eye.observer._room = np.zeros(8, np.uint8)
    assert eye.look() == before


def test_carried_minerals_show_as_a_buff(melee: Game) -> None:
    eye = Eye(melee)
    for _ in range(30):
        melee.step(8)
        loaded = melee.units["carry"][: int(melee.world[0]["slots"])] > 0
        if (loaded & (melee.units["owner"][: len(loaded)] == 1)).any():
            break
    units = eye.units()
    slots = np.flatnonzero(loaded & (melee.units["owner"][: len(loaded)] == 1))
    assert len(slots)
    assert all(list(units[melee.tag(int(slot))].buff_ids) == [271] for slot in slots if melee.tag(int(slot)) in units)


@pytest.mark.parametrize(("left", "told"), [(50.0, (50, 100)), (2e6, (0, 0))])
def test_buffs_say_how_long_they_last_if_they_end(melee: Game, left: float, told: tuple[int, int]) -> None:
    slot = melee.spawn(melee.facts.ids["Marine"], 1, 60.0, 60.0)
    melee.step()
    for name, value in (("buff", STIMMED), ("buff_left", left), ("buff_total", max(left, 100.0))):
        melee.units[name][slot, 0] = value
    marine = Eye(melee).units()[melee.tag(slot)]
    assert list(marine.buff_ids) == [STIMMED]
    assert (marine.buff_duration_remain, marine.buff_duration_max) == told


def test_results_of_a_finished_game(melee: Game) -> None:
    melee.surrender(2)
    found = Eye(melee).look(over=True)
    assert {r.player_id: r.result for r in found.player_result} == {1: sc.Victory, 2: sc.Defeat}


def test_passengers() -> None:
    game = Game(arena(48, 48), [PlayerSetup(TERRAN)], seed=1)
    ids = game.facts.ids
    medivac, marine = game.spawn(ids["Medivac"], 1, 24, 24), game.spawn(ids["Marine"], 1, 25, 24)
    game.units[marine]["inside"], game.units[medivac]["cargo"] = medivac, 1
    game.units[marine]["flags"] |= state.INSIDE
    units = Eye(game).units()
    assert game.tag(marine) not in units
    found = units[game.tag(medivac)]
    assert [(p.tag, p.unit_type, p.health) for p in found.passengers] == [(game.tag(marine), 48, 45.0)]
    assert (found.cargo_space_taken, found.cargo_space_max) == (1, 8)


def test_who_has_boarded_is_engaged_by_nobody(melee: Game) -> None:
    ids, (x, y) = melee.facts.ids, melee.terrain.starts[0]
    marine = melee.spawn(ids["Marine"], 1, x + 8, y)
    foe, ship = melee.spawn(ids["Zealot"], 2, x + 11, y), melee.spawn(ids["WarpPrism"], 2, x + 12, y)
    melee.step(4)
    eye = Eye(melee)
    assert eye.units()[melee.tag(marine)].engaged_target_tag == melee.tag(foe)
    melee.units[foe]["inside"] = ship
    melee.units[foe]["flags"] |= INSIDE
    assert melee.units[marine]["target"] == foe
    assert not eye.units()[melee.tag(marine)].HasField("engaged_target_tag")


def test_units_in_sight_are_listed_as_twelve_real_first_observations_have_them(melee):
    """After the copies, in the order of tags, slots rise to the highest and then fall; which are where changes from
    loop to loop (pysc2's users found that an index names another Marine in the next step)."""
    eye, orders = Eye(melee), []
    for _ in range(3):
        units = eye.look().observation.raw_data.units
        copies = [unit.tag for unit in units if unit.display_type == raw_pb2.Snapshot]
        slots = [unit.tag >> 18 for unit in units[len(copies) :]]
        top = slots.index(max(slots))
        assert copies
        assert copies == sorted(copies)
        assert all(unit.display_type == raw_pb2.Snapshot for unit in units[: len(copies)])
        assert slots[:top] == sorted(slots[:top])
        assert slots[top:] == sorted(slots[top:], reverse=True)
        orders.append(slots)
        melee.step()
    again = Eye(Game(melee.terrain, melee.setups, seed=melee.seed)).look().observation.raw_data.units
    assert [unit.tag >> 18 for unit in again][-len(orders[0]) :] == orders[0], "the same game says the same"
    assert len({tuple(slots) for slots in orders}) == 3
