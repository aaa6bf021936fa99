"""Features, masks, commands and the way back: ranges, independence of order and number, legality, round trips."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.ids.upgrade_id import UpgradeId

from bot.micro import commands, masks, nearest, skills
from bot.micro.kinds import MOST, PHYSICAL
from bot.micro.policy import part
from bot.micro.scene import BUFFS, HASTE, Scene
from bot.micro.tables import ENTITY_FEATURES, PAIR_FEATURES, Tables, tables
from bot.micro.task import CLOAK, DROP, NO_TASK, NUKE, Mode, Task, Tasks, gather
from bot.orders import Attack, Cast, Hold, Move
from tests.bot.skirmish import FORWARD, Skirmish

EVERYONE = [
    *(U.MARINE, U.MARAUDER, U.REAPER, U.GHOST, U.HELLION, U.HELLIONTANK, U.WIDOWMINE, U.CYCLONE, U.SIEGETANK),
    *(U.SIEGETANKSIEGED, U.THOR, U.MEDIVAC, U.VIKINGFIGHTER, U.VIKINGASSAULT, U.LIBERATOR, U.LIBERATORAG, U.BANSHEE),
    *(U.RAVEN, U.BATTLECRUISER, U.SCV, U.WIDOWMINEBURROWED, U.THORAP),
]
ENEMIES = [U.ZERGLING, U.BANELING, U.ROACH, U.ULTRALISK, U.MUTALISK, U.BROODLORD, U.HATCHERY, U.INFESTOR, U.COLOSSUS]


def crowded() -> Skirmish:
    """Every Terran unit against a bit of everything, in all states of wear."""
    fight = Skirmish()
    fight.upgrades = frozenset({UpgradeId.STIMPACK, UpgradeId.BANSHEECLOAK, UpgradeId.INTERFERENCEMATRIX})
    rng = np.random.default_rng(1)
    for k, kind in enumerate(EVERYONE):
        x, y = rng.uniform(40, 60, 2)
        extra = {"cargo_space_max": 8, "cargo_space_taken": 4} if kind is U.MEDIVAC else {}
        tag = fight.own(kind, x, y, health=20, weapon_cooldown=float(k), facing=k / 4, energy=200, **extra)
        fight._units[-1]._proto.buff_ids.extend([27, 89][: k % 3])
        assert tag
    for k, kind in enumerate(ENEMIES):
        x, y = rng.uniform(45, 70, 2)
        fight.foe(kind, x, y, attack_upgrade_level=k % 4, cloak=1 if k == 3 else 3, shield=50.0, shield_max=100.0)
    return fight


def shown(fight: Skirmish, task: Task = FORWARD) -> tuple[Scene, Tasks, Tables]:
    scene = fight.scene()
    tags = scene.tag[0, : scene.agents].tolist()
    tasks = gather(tags, dict.fromkeys(tags, task))
    return scene, tasks, tables(scene, tasks)


def stack(scene: Scene, times: int) -> Scene:
    """The same battle several times."""
    values = {f.name: getattr(scene, f.name) for f in fields(scene)}
    return replace(
        scene, **{name: np.concatenate([v] * times) for name, v in values.items() if isinstance(v, np.ndarray)}
    )


def test_sizes_and_ranges() -> None:
    scene, _, out = shown(crowded())
    a, n = len(EVERYONE), len(EVERYONE) + len(ENEMIES)
    assert out.entities.shape == (1, n, len(ENTITY_FEATURES))
    assert out.pairs.shape == (1, a, n, len(PAIR_FEATURES))
    assert out.targets.shape == (1, a, len(skills.TARGETED), n)
    assert out.verbs.shape == (1, a, len(skills.VERBS))
    for table in (out.entities, out.pairs):
        assert table.dtype == np.float32
        assert np.isfinite(table).all()
        assert np.abs(table).max() <= MOST
        assert np.abs(table).max(axis=tuple(range(table.ndim - 1))).mean() > 0.3, "most features are used"
    assert len(set(ENTITY_FEATURES)) == len(ENTITY_FEATURES)
    assert not any(name.startswith("type") for name in ENTITY_FEATURES)
    assert scene.kinds.physical.shape[1] == len(PHYSICAL)


def test_features_keep_the_scale_that_weights_were_trained_on() -> None:
    """Numbers of a stimmed Marine that a Roach is near, by hand from the patch's own."""
    fight = Skirmish()
    fight.own(U.MARINE, 50, 50, health=30, weapon_cooldown=8.0, buff_ids=[27])
    fight.foe(U.ROACH, 54, 50)
    fight.foe(U.SIEGETANK, 50, 69.5)
    fight.foe(U.SIEGETANK, 50, 70.5)
    _, _, out = shown(fight)
    marine, _, tank, _ = (dict(zip(ENTITY_FEATURES, row, strict=True)) for row in out.entities[0].tolist())
    roach = dict(zip(PAIR_FEATURES, out.pairs[0, 0, 1].tolist(), strict=True))
    assert out.attends[0, 0].tolist() == [True, True, True, False], "it looks 20 cells far"
    kind = {"light": 1, "biological": 1, "armored": 0, "worker": 0, "armed": 1, "hits_air": 1, "splash": 0}
    kind |= {"speed": 3.15 / 22.4 / 0.3, "armor": 0, "value": (50 / 1000) ** 0.5, "supply": 1 / 8, "cargo_size": 1 / 8}
    kind |= {"range_ground": 5 / 15, "volley_air": 0.06**0.5, "period_ground": 0.8608 * 16 / 64, "sight": 9 / 15}
    state = {"own": 1, "foe": 0, "hp_share": 30 / 45, "hp": (30 / 500) ** 0.5, "energy": 0.5, "shield": 0, "ready": 0}
    state |= {"cooldown": 8 / 32, "radius": 0.375 / 2, "facing_x": 1, "facing_y": 0, "mode_fight": 1, "mode_hold": 0}
    mission = {"point_x": 0, "point_y": 1, "point_far": (40 / 60) ** 0.5, "home_y": -1, "home_far": (45 / 60) ** 0.5}
    state |= {f"buff_{index}": float(bit == HASTE) for index, bit in enumerate(BUFFS)}
    assert {name: marine[name] for name in kind | state | mission} == pytest.approx(kind | state | mission, abs=1e-4)
    theirs = {"armor": 1 / 5, "gas_share": 125 / 275, "supply": 3 / 8, "speed": 3.15 / 22.4 / 0.3, "mode_fight": 0}
    assert {name: tank[name] for name in theirs} == pytest.approx(theirs, abs=1e-4)
    place = {"dx": 4 / 15, "dy": 0, "apart": 4 / 15, "gap": 3.25 / 15, "same_side": 0, "itself": 0, "faces_me": -1}
    fire = {"in_range": 1, "in_its_range": 1, "to_my_range": -0.175, "to_its_range": -0.075, "hits_it": 1, "hits_me": 1}
    fire |= {"shots_to_kill": 5 / 145, "its_shots_to_kill": 16 / 30, "my_share": 5 / 145 * 1.5 * 1.4 / 0.8608}
    fire |= {"its_share": 16 / 30 * 1.4 / 2.0, "faster": 3.15 / 22.4 * 0.5 / 0.2}
    assert {name: roach[name] for name in place | fire} == pytest.approx(place | fire, abs=1e-4)


def test_neither_order_nor_number_changes_a_bit() -> None:
    scene, tasks, out = shown(crowded())
    rng = np.random.default_rng(2)
    a, n = scene.agents, scene.tag.shape[1]
    agents = rng.permutation(a)[:9]
    rows = np.concatenate((agents, a + rng.permutation(n - a)[:5]))
    few = part(scene, rows, len(agents))
    less = tables(few, Tasks(*(array[:, agents] for array in tasks)))
    with_own = [name for name in ENTITY_FEATURES if not name.startswith("may_")]  # what is legal depends on the others
    keep = [ENTITY_FEATURES.index(name) for name in with_own]
    np.testing.assert_array_equal(less.entities[0][:, keep], out.entities[0, rows][:, keep])
    np.testing.assert_array_equal(less.pairs[0], out.pairs[0, agents][:, rows])
    np.testing.assert_array_equal(less.targets[0], out.targets[0, agents][:, :, rows])


def test_battles_do_not_see_each_other() -> None:
    scene, tasks, alone = shown(crowded())
    many = tables(stack(scene, 5), Tasks(*(np.concatenate([array] * 5) for array in tasks)))
    for one, five in zip(alone, many, strict=True):
        np.testing.assert_array_equal(np.concatenate([one] * 5), five)


def test_who_is_not_there_is_zero_and_may_nothing() -> None:
    scene, tasks, _ = shown(crowded())
    present = scene.present.copy()
    present[0, [2, scene.agents + 1]] = False
    out = tables(replace(scene, present=present), tasks)
    assert not out.entities[0, [2, scene.agents + 1]].any()
    assert not out.pairs[0, 2].any()
    assert not out.pairs[0, :, scene.agents + 1].any()
    assert not out.attends[0, 2].any()
    assert np.flatnonzero(out.verbs[0, 2]).tolist() == [skills.NOTHING]
    assert not out.targets[0, :, :, [2, scene.agents + 1]].any()
    assert out.attends[0, 0, 0]


def test_own_burrowed_units_count_as_cloaked_although_the_client_says_they_are_not() -> None:
    fight = Skirmish()
    for kind, burrowed in ((U.WIDOWMINE, False), (U.WIDOWMINEBURROWED, True)):
        fight.own(kind, 50, 50, cloak=3, is_burrowed=burrowed)
    fight.foe(U.ROACH, 52, 50, cloak=2, is_burrowed=True)
    scene, _, out = shown(fight)
    assert scene.cloak.tolist() == [[3, 4, 2]]
    assert out.entities[0, :, ENTITY_FEATURES.index("cloak_4")].tolist() == [0.0, 1.0, 0.0]


def test_own_secrets_of_enemies_are_not_shown() -> None:
    fight = Skirmish()
    fight.own(U.MARINE, 50, 50)
    fight.foe(U.MARINE, 52, 50, weapon_cooldown=11.0, cargo_space_max=8)
    scene, _, out = shown(fight)
    assert scene.cooldown.tolist() == [[0.0, 0.0]]
    own_only = [k for k, name in enumerate(ENTITY_FEATURES) if name.startswith(("order_", "mode_", "may_", "open_"))]
    assert not out.entities[0, 1, own_only].any()


def legal(fight: Skirmish, tag: int, task: Task = FORWARD) -> set[str]:
    scene, _, out = shown(fight, task)
    row = scene.tag[0].tolist().index(tag)
    return {skills.VERBS[v] for v in np.flatnonzero(out.verbs[0, row])}


def test_stim_needs_research_life_and_none_running() -> None:
    fight = Skirmish()
    fresh, weak = fight.own(U.MARINE, 50, 50), fight.own(U.MARINE, 51, 50, health=10)
    high = fight.own(U.MARINE, 52, 50, buff_ids=[27])
    assert "STIM" not in legal(fight, fresh)
    fight.upgrades = frozenset({UpgradeId.STIMPACK})
    assert "STIM" in legal(fight, fresh)
    assert "STIM" not in legal(fight, weak)
    assert "STIM" not in legal(fight, high)


def test_missions_energy_and_cooldowns_decide() -> None:
    fight = Skirmish()
    fight.upgrades = frozenset({UpgradeId.BANSHEECLOAK, UpgradeId.BATTLECRUISERENABLESPECIALIZATIONS})
    banshee = fight.own(U.BANSHEE, 50, 50)
    tired = fight.own(U.BANSHEE, 50, 52, energy=24)
    ship = fight.own(U.BATTLECRUISER, 52, 50)
    fight.foe(U.ULTRALISK, 50, 58)
    infiltrate = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0), allows=CLOAK | NUKE)
    assert "CLOAK" not in legal(fight, banshee)
    assert "CLOAK" in legal(fight, banshee, infiltrate)
    assert "CLOAK" not in legal(fight, tired, infiltrate)
    assert {"SHOT", "JUMP_HOME"} <= legal(fight, ship)
    assert "JUMP_IN" not in legal(fight, ship)
    fight.casts.note(ship, A.EFFECT_TACTICALJUMP, fight.loop)
    assert "JUMP_HOME" not in legal(fight, ship)
    assert "SHOT" in legal(fight, ship), "the cannon has a cooldown of its own"
    fight.loop += 1600
    assert "JUMP_HOME" in legal(fight, ship)


def test_modes_ground_and_walls() -> None:
    fight = Skirmish()
    tank, sieged = fight.own(U.SIEGETANK, 50, 50), fight.own(U.SIEGETANKSIEGED, 55, 50)
    viking = fight.own(U.VIKINGFIGHTER, 50, 53)
    above_it = fight.own(U.VIKINGFIGHTER, 55.5, 50)
    assert "SIEGE" in legal(fight, tank)
    assert "SIEGE" in legal(fight, viking)
    assert "SIEGE" not in legal(fight, above_it), "a sieged tank is in the way"
    assert "UNSIEGE" not in legal(fight, tank)
    assert {"MOVE_0", "ADVANCE", "HOME", "SIEGE"}.isdisjoint(legal(fight, sieged))
    assert "UNSIEGE" in legal(fight, sieged)
    fight.walkable[:, 52:] = False
    fight.walkable[53, 50] = False
    assert "MOVE_0" not in legal(fight, tank)
    assert "MOVE_4" in legal(fight, tank)
    assert "MOVE_0" in legal(fight, viking)
    assert "SIEGE" not in legal(fight, viking), "it cannot land there"


def test_targets_are_what_a_skill_is_for() -> None:
    fight = Skirmish()
    fight.upgrades = frozenset({UpgradeId.INTERFERENCEMATRIX})
    ghost, raven = fight.own(U.GHOST, 50, 50), fight.own(U.RAVEN, 50, 48)
    medivac, scv = fight.own(U.MEDIVAC, 49, 50), fight.own(U.SCV, 48, 50)
    fight.own(U.MARINE, 50, 49, health=20)
    fight.own(U.SIEGETANK, 51, 49, health=20)
    roach, colossus = fight.foe(U.ROACH, 50, 55), fight.foe(U.COLOSSUS, 51, 55)
    hidden = fight.foe(U.DARKTEMPLAR, 52, 55, cloak=1)
    scene, _, out = shown(fight)
    tags = scene.tag[0].tolist()

    def aims(tag: int, verb: str) -> set[int]:
        found = out.targets[0, tags.index(tag), skills.TARGETED.index(verb)]
        return {tags[row] for row in np.flatnonzero(found)}

    assert aims(ghost, "SHOT") == {roach}
    assert aims(ghost, "BLAST") == {hidden}
    assert aims(raven, "SHOT") == {colossus}
    assert aims(medivac, "MEND") == {5}
    assert aims(scv, "MEND") == {6}
    assert aims(ghost, "ATTACK") == {roach, colossus}
    assert aims(raven, "ATTACK") == set()


def test_nobody_is_loaded_from_under_the_ground() -> None:
    """A mine on its way up has its standing type again and is still buried: the game refuses."""
    fight = Skirmish()
    medivac = fight.own(U.MEDIVAC, 50, 50, cargo_space_max=8)
    mine = fight.own(U.WIDOWMINE, 51, 50)
    fight.own(U.WIDOWMINE, 51, 51, cloak=3, is_burrowed=True)
    drop = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0), allows=DROP)
    scene, _, out = shown(fight, drop)
    row = out.targets[0, scene.tag[0].tolist().index(medivac), skills.TARGETED.index("LOAD")]
    assert scene.tag[0][row].tolist() == [mine]


def test_no_task_no_verbs() -> None:
    fight = crowded()
    scene = fight.scene()
    tasks = gather(scene.tag[0, : scene.agents].tolist(), {})
    assert (tasks.mode == NO_TASK).all()
    out = tables(scene, tasks)
    assert (out.verbs.sum(axis=-1) == 1).all()


def every_decision(out: Tables) -> list[tuple[int, int, int]]:
    """(agent, verb, target row) of everything that is legal."""
    found = []
    for a, verb in zip(*np.nonzero(out.verbs[0]), strict=True):
        row = skills.TARGET_ROW[verb]
        targets = np.flatnonzero(out.targets[0, a, row]) if row >= 0 else [-1]
        found += [(int(a), int(verb), int(target)) for target in targets]
    return found


def test_every_decision_becomes_an_order_and_comes_back() -> None:
    everything = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0), allows=255)
    scene, tasks, out = shown(crowded(), everything)
    decisions = every_decision(out)
    assert {verb for _, verb, _ in decisions} >= {skills.VERB[name] for name in ("STIM", "SHOT", "MEND", "TURRET")}
    for a, verb, target in decisions:
        verbs = np.zeros((1, scene.agents), np.int64)
        rows = np.full((1, scene.agents), -1, np.int64)
        verbs[0, a], rows[0, a] = verb, target
        given = commands.commands(scene, tasks, verbs, rows)
        orders = commands.orders(scene, given)
        assert len(orders) == (verb != skills.NOTHING)
        back = [of_all[0, a] for of_all in nearest.decisions(scene, tasks, [{a: orders}], out.verbs, out.targets)]
        if skills.VERBS[verb] in ("JUMP_IN", "BLAST", "NUKE"):
            assert back[0] == verb, "a place says not for certain whom it was meant for"
        else:
            assert back == [verb, target], skills.VERBS[verb]
        again = commands.of_orders(scene, {0: {a: orders}})
        assert again.ability.tolist() == given.ability.tolist()
        assert again.target.tolist() == given.target.tolist()
        np.testing.assert_allclose(again.x, given.x)
        assert again.has_point.tolist() == given.has_point.tolist()


def test_orders_near_a_decision_are_read_as_it() -> None:
    fight = Skirmish()
    marine = fight.own(U.MARINE, 50, 50)
    zergling = fight.foe(U.ZERGLING, 50, 54)
    scene, tasks, out = shown(fight)

    def read(*orders: object) -> tuple[str, int]:
        verb, row = nearest.decisions(scene, tasks, [{0: orders}], out.verbs, out.targets)
        return skills.VERBS[verb[0, 0]], row[0, 0]

    assert read() == ("NOTHING", -1)
    assert read(Attack(marine, zergling)) == ("ATTACK", 1)
    assert read(Attack(marine, 999)) == ("NOTHING", -1)
    assert read(Attack(marine, (70.0, 70.0))) == ("ADVANCE", -1)
    assert read(Move(marine, (53.0, 53.1))) == ("MOVE_1", -1)
    assert read(Move(marine, (50.0, 5.5))) == ("HOME", -1)
    assert read(Hold(marine)) == ("STOP", -1)
    stim = Cast(marine, cast=A.EFFECT_STIM_MARINE, instant=True)
    assert read(stim, Attack(marine, zergling)) == ("ATTACK", 1), "not researched: the next best"


def test_every_skill_of_the_table_is_known_to_the_client() -> None:
    assert {skill.unit for skill in skills.SKILLS} <= set(EVERYONE) | {U.MULE}
    assert skills.VERBS[0] == "NOTHING"
    assert len(set(skills.VERBS)) == len(skills.VERBS)
    assert set(skills.TARGETED) < set(skills.VERBS)
    assert masks.RANGE[-1] == 0
