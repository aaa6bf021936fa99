"""Cheats, alerts, rally points and Protoss powers as they were observed of the real game, through the protocol."""

from __future__ import annotations

import itertools
import math

import pytest
from s2clientprotocol import debug_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.facts import load as load_facts
from tests.sim.server.client import Client
from tests.sim.server.test_actions import ATTACK_EXACT, MOVE, SUCCESS, TRAIN_SCV, create, debug, hall, units
from tests.sim.server.test_observed_orders import again, make, side

IDS = load_facts().ids
MERGE, MERGE_WITH, SHADE, SCAN, RALLY_WORKERS, ERROR, NO_MINERALS = 1766, 1767, 2544, 399, 203, 3, 9
SHADE_CANCEL, STIM = 2594, 380
UNIT_UNDER_ATTACK, MERGE_COMPLETE, BARRIER, GONE = 19, 8, 299, 1 << 32
SPINES = 12  # effect
ANTI_ARMOR, MARK, WEAKENED = 3753, 279, 298
WORM, UNSEEN = 1768, 45


def look_at(client: Client, x: float, y: float) -> None:
    """Moves the camera."""
    move = raw_pb2.ActionRawCameraMove(center_world_space={"x": x, "y": y})
    client.ask(action=sc.RequestAction(actions=[sc.Action(action_raw={"camera_move": move})]))


def test_free_takes_no_price_and_no_energy(game: Client) -> None:
    orbital = make(game, "OrbitalCommand", 12 * side(game), 0)
    before = game.observe().observation.player_common.minerals
    debug(game, game_state=debug_pb2.free)
    for _ in range(5):
        assert game.command(TRAIN_SCV, orbital.tag) == SUCCESS
    for k in range(3):  # 50 energy each, of 50
        assert game.command(SCAN, orbital.tag, at=(60 + k, 60)) == SUCCESS
        game.step(1)
    assert len(again(game, orbital.tag).orders) == 5
    assert again(game, orbital.tag).energy >= 50
    assert game.observe().observation.player_common.minerals >= before
    marine = make(game, "Marine", 16 * side(game), 0)
    debug(game, game_state=debug_pb2.tech_tree)
    game.step(2)
    assert game.command(STIM, marine.tag) == SUCCESS
    game.step(1)
    stimmed = again(game, marine.tag)
    assert (stimmed.health, list(stimmed.buff_ids)) == (stimmed.health_max, [27])
    debug(game, game_state=debug_pb2.free)
    assert game.command(TRAIN_SCV, hall(game).tag) == SUCCESS  # the last of the real money
    game.step(1)
    assert game.command(TRAIN_SCV, hall(game).tag) == NO_MINERALS


@pytest.mark.parametrize(("ability", "name", "count"), [(148, "Colossus", 1), (156, "Probe", 4)])
def test_images_take_no_supply_and_are_no_army(game: Client, ability: int, name: str, count: int) -> None:
    sentry = make(game, "Sentry", 9 * side(game), 0)
    debug(game, game_state=debug_pb2.free)
    before = game.observe().observation
    assert game.command(ability, sentry.tag) == SUCCESS
    game.step(2)
    images = [unit for unit in units(game, name) if unit.is_hallucination]
    assert len(images) == count
    after = game.observe().observation
    for field in ("food_used", "food_army", "food_workers", "army_count", "idle_worker_count"):
        assert getattr(after.player_common, field) == getattr(before.player_common, field), field
    for part in ("total_value_units", "used_minerals", "used_vespene", "total_used_minerals"):
        assert getattr(after.score.score_details, part) == getattr(before.score.score_details, part), part
    debug(game, kill_unit={"tag": [unit.tag for unit in images]})
    game.step(2)
    assert not units(game, name)
    assert game.observe().observation.score.score_details.lost_minerals.army == 0


def alerts_of_a_shot_unit(client: Client, *, watched: bool, name: str = "Marauder") -> list[int]:
    """A guard is shot at 20 cells from the town hall, in or out of the camera's sight."""
    guard = make(client, name, 20 * side(client), 0)
    if watched:
        look_at(client, guard.pos.x, guard.pos.y)
    create(client, "Marine", 2, guard.pos.x + 4, guard.pos.y)
    told: list[int] = []
    for _ in range(20):
        client.step(4)
        told += client.observe().observation.alerts
    return told


def test_attacks_are_told_of_what_the_camera_does_not_show(game: Client) -> None:
    assert alerts_of_a_shot_unit(game, watched=False).count(UNIT_UNDER_ATTACK) == 1
    assert UNIT_UNDER_ATTACK not in alerts_of_a_shot_unit(game, watched=True)
    assert UNIT_UNDER_ATTACK not in alerts_of_a_shot_unit(game, watched=False, name="LocustMP")


def test_a_rally_point_on_a_field_that_is_gone_names_no_unit_and_one_on_a_unit_goes_with_it(game: Client) -> None:
    home, goal = hall(game), make(game, "Marine", 9 * side(game), 0)
    create(game, "MineralField", 1, home.pos.x + 17 * side(game), home.pos.y)
    seen = [unit for unit in game.observe().observation.raw_data.units if unit.unit_type == IDS["MineralField"]]
    field = min(seen, key=lambda unit: abs(unit.pos.x - home.pos.x - 17 * side(game)) + abs(unit.pos.y - home.pos.y))
    for place, left in ((field, [GONE]), (goal, [])):
        assert game.command(RALLY_WORKERS, home.tag, target=place.tag) == SUCCESS
        game.step(2)
        assert hall(game).rally_targets[0].tag == place.tag
        debug(game, kill_unit={"tag": [place.tag]})
        game.step(2)
        assert [point.tag for point in hall(game).rally_targets] == left


def test_four_rally_points_queue_and_the_first_shows(game: Client) -> None:
    home = hall(game)
    x, y = home.pos.x + 5 * side(game), home.pos.y
    goal = make(game, "Marine", 9 * side(game), 0)
    assert game.command(RALLY_WORKERS, home.tag, at=(x, y + 6)) == SUCCESS
    assert game.command(RALLY_WORKERS, home.tag, target=goal.tag, queued=True) == SUCCESS
    for up in (-6, -4, -2):
        assert game.command(RALLY_WORKERS, home.tag, at=(x, y + up), queued=True) == SUCCESS
    known = {unit.tag for unit in units(game, "SCV")}
    assert game.command(TRAIN_SCV, home.tag) == SUCCESS
    game.step(275)
    assert [(point.point.y, point.tag) for point in hall(game).rally_targets] == [(y + 6, 0)]
    born = next(unit for unit in units(game, "SCV") if unit.tag not in known)
    assert [order.target_world_space_pos.y or order.target_unit_tag for order in born.orders] == [
        y + 6,
        goal.tag,
        y - 6,
        y - 4,
    ]
    assert game.command(RALLY_WORKERS, home.tag, at=(x, y)) == SUCCESS
    game.step(2)
    assert len(hall(game).rally_targets) == 1


def test_one_templar_alone_does_not_merge(game: Client) -> None:
    one, two = make(game, "HighTemplar", 9 * side(game), 0), make(game, "HighTemplar", 9 * side(game), 4)
    assert game.command(MERGE, one.tag) == ERROR
    assert game.command(MERGE, one.tag, two.tag) == SUCCESS
    told: list[int] = []
    for _ in range(70):
        game.step(4)
        told += game.observe().observation.alerts
        if told:
            break
    assert told == [MERGE_COMPLETE]
    (archon,) = units(game, "Archon")
    assert archon.build_progress == 1


def test_templar_merge_with_one_of_them_only_when_both_are_told(game: Client) -> None:
    one, two = make(game, "HighTemplar", 9 * side(game), 0), make(game, "DarkTemplar", 9 * side(game), 4)
    assert game.command(MERGE_WITH, one.tag, target=two.tag) == SUCCESS
    game.step(60)
    assert not units(game, "Archon")
    assert [again(game, templar.tag).pos for templar in (one, two)] == [one.pos, two.pos]
    assert game.command(MERGE_WITH, one.tag, two.tag, target=two.tag) == SUCCESS
    game.step(60)
    assert len(units(game, "Archon")) == 1


def test_a_shade_leaves_its_adept_walking(game: Client) -> None:
    adept = make(game, "Adept", 9 * side(game), 0)
    goal = (adept.pos.x + 10 * side(game), adept.pos.y)
    assert game.command(MOVE, adept.tag, at=goal) == SUCCESS
    assert game.command(SHADE, adept.tag, at=(adept.pos.x, adept.pos.y + 10)) == SUCCESS
    game.step(20)
    assert [order.ability_id for order in again(game, adept.tag).orders] == [MOVE]
    assert abs(again(game, adept.tag).pos.x - adept.pos.x) > 1
    (shade,) = units(game, "AdeptPhaseShift")
    assert (shade.buff_duration_remain, shade.buff_duration_max) == (140, 160), "public bots decide by its timer"


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_shade_that_ends_is_told_dead(game: Client, *, cancelled: bool) -> None:
    """Public bots that keep a table of their units by tag would keep the shade for ever."""
    adept = make(game, "Adept", 9 * side(game), 0)
    assert game.command(SHADE, adept.tag, at=(adept.pos.x, adept.pos.y + 10)) == SUCCESS
    game.step(2)
    (shade,) = units(game, "AdeptPhaseShift")
    if cancelled:
        assert game.command(SHADE_CANCEL, shade.tag) == SUCCESS
    told: list[int] = []
    for _ in range(4 if cancelled else 170):
        game.step(1)
        told += game.observe().observation.raw_data.event.dead_units
    assert told == [shade.tag]
    assert not units(game, "AdeptPhaseShift")
    stands = again(game, adept.tag).pos
    assert (stands.y > adept.pos.y + 3) is not cancelled


def test_the_spines_of_one_lurker_are_one_effect_in_several_places(game: Client) -> None:
    lurkers = [make(game, "LurkerMPBurrowed", 9 * side(game), up) for up in (0, 4)]
    for lurker in lurkers:
        create(game, "Ultralisk", 2, lurker.pos.x + 6 * side(game), lurker.pos.y)
    lines: list[list[raw_pb2.Effect]] = []
    for _ in range(60):
        game.step(1)
        lines.append([e for e in game.observe().observation.raw_data.effects if e.effect_id == SPINES])
    assert max(map(len, lines)) == 2
    assert max(len(effect.pos) for effects in lines for effect in effects) > 1
    for effect in (effect for effects in lines for effect in effects):
        gaps = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in itertools.pairwise(effect.pos)]
        assert all(gap == pytest.approx(1, abs=0.01) for gap in gaps), "along its own lurker's line"


def test_shields_stay_full_under_the_barrier(game: Client) -> None:
    immortal = make(game, "Immortal", 20 * side(game), 0)
    create(game, "Marauder", 2, immortal.pos.x + 5, immortal.pos.y)
    game.step(4)
    (foe,) = units(game, "Marauder", 2)
    assert game.command(ATTACK_EXACT, immortal.tag, target=foe.tag) == SUCCESS
    for _ in range(60):
        game.step(1)
        if BARRIER in (seen := again(game, immortal.tag)).buff_ids:
            break
    assert BARRIER in seen.buff_ids
    assert seen.shield == seen.shield_max == 100
    game.step(20)
    assert again(game, immortal.tag).shield == 100


@pytest.mark.parametrize(
    ("before", "ability", "alert"),
    [
        ("Hatchery", 1216, sc.Alert.MorphComplete),
        ("Spire", 1220, sc.Alert.MorphComplete),
        ("Roach", 2330, sc.Alert.MorphComplete),
        ("CommandCenter", 1516, sc.Alert.UpgradeComplete),
        ("WarpGate", 1520, sc.Alert.TransformationComplete),
        ("Gateway", 1518, sc.Alert.TransformationComplete),
        ("Nexus", 110, sc.Alert.MothershipComplete),
        ("Hellion", 1998, None),
    ],
)
def test_alerts_of_morphs_and_motherships(game: Client, before: str, ability: int, alert: int | None) -> None:
    for cheat in (debug_pb2.tech_tree, debug_pb2.fast_build, debug_pb2.minerals, debug_pb2.gas):
        debug(game, game_state=cheat)
    make(game, "Pylon", 13 * side(game), 4)
    unit = make(game, before, 10.5 * side(game), 0)
    game.step(10)
    game.observe()
    assert game.command(ability, unit.tag) == SUCCESS
    told: list[int] = []
    for _ in range(18):
        game.step(8)
        told += game.observe().observation.alerts
    assert told == ([] if alert is None else [alert])


def test_an_orbital_command_is_told_of_in_the_loop_that_shows_it(game: Client) -> None:
    """A client library's test of the real game finds the alert in the observation with the new type."""
    for cheat in (debug_pb2.tech_tree, debug_pb2.fast_build, debug_pb2.minerals):
        debug(game, game_state=cheat)
    unit = make(game, "CommandCenter", 10.5 * side(game), 0)
    game.step(10)
    game.observe()
    assert game.command(1516, unit.tag) == SUCCESS
    for _ in range(60):
        game.step(1)
        seen = game.observe().observation
        changed = IDS["OrbitalCommand"] in {u.unit_type for u in seen.raw_data.units if u.tag == unit.tag}
        assert list(seen.alerts) == [sc.Alert.UpgradeComplete] * changed
        if changed:
            return
    raise AssertionError("it never changed")


def test_who_an_anti_armor_missile_flies_after_wears_its_mark(game: Client) -> None:
    raven = make(game, "Raven", 20 * side(game), 0)
    debug(game, unit_value={"unit_value": 1, "value": 200, "unit_tag": raven.tag})
    create(game, "Hellion", 2, raven.pos.x + 9 * side(game), raven.pos.y)
    game.step(4)
    (target,) = units(game, "Hellion", 2)
    assert game.command(ANTI_ARMOR, raven.tag, target=target.tag) == SUCCESS
    worn = []
    for _ in range(80):
        game.step(1)
        worn.append(tuple(units(game, "Hellion", 2)[0].buff_ids))
    flight = worn.count((MARK,))
    assert 58 < flight < 66
    assert list(dict.fromkeys(worn)) in ([(), (MARK,), (WEAKENED,)], [(MARK,), (WEAKENED,)])


def test_abilities_know_what_the_lifted_fog_shows(empty: Client) -> None:
    for cheat in (debug_pb2.tech_tree, debug_pb2.minerals, debug_pb2.gas):
        debug(empty, game_state=cheat)
    empty.step(4)
    create(empty, "NydusNetwork", 1, 40.5, 60.5)
    (network,) = units(empty, "NydusNetwork")
    assert empty.command(WORM, network.tag, at=(80.5, 60.5)) == UNSEEN
    debug(empty, game_state=debug_pb2.show_map)
    empty.step(2)
    assert empty.command(WORM, network.tag, at=(80.5, 60.5)) == SUCCESS


@pytest.mark.parametrize("claws", [False, True])
def test_a_mine_shows_its_owner_how_long_it_reloads(game: Client, *, claws: bool) -> None:
    """Three public bots keep a fired mine out of fights while `buff_duration_remain` is above 0; none names a buff."""
    if claws:
        debug(game, game_state=debug_pb2.upgrade)
    mine = make(game, "WidowMineBurrowed", 9 * side(game), 0)
    assert (mine.buff_duration_remain, mine.buff_duration_max) == (0, 0)
    create(game, "Ultralisk", 2, mine.pos.x + 3 * side(game), mine.pos.y)
    for _ in range(80):
        game.step(1)
        fired = again(game, mine.tag)
        if fired.buff_duration_remain:
            break
    assert (fired.buff_duration_remain, fired.buff_duration_max, list(fired.buff_ids)) == (640, 640, [])
    debug(game, kill_unit={"tag": [one.tag for one in units(game, "Ultralisk", 2)]})
    game.step(600)
    assert again(game, mine.tag).buff_duration_remain == 40
    game.step(40)
    assert (again(game, mine.tag).buff_duration_remain, again(game, mine.tag).buff_duration_max) == (0, 0)
