"""The network in the bot: what it may decide, its memories, and what happens without a usable one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from loguru import logger
from sc2.ids.unit_typeid import UnitTypeId as U

from bot.config import load
from bot.guard import Guard
from bot.micro import commands, network, skills, step, weights
from bot.micro.battlefield import battle
from bot.micro.model import ActorConfig
from bot.micro.policy import NAMES, Policy, contact
from bot.micro.tables import ENTITY_FEATURES, PAIR_FEATURES, tables
from bot.micro.task import Mode, Task, gather
from bot.micro.twin import Twin
from tests.bot.skirmish import Skirmish

FORWARD = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0))
HOME = Task(Mode.RETREAT, (50.0, 5.0), (50.0, 5.0), (50.0, 50.0))


def model(folder: Path, *, follows: bool = False, **names: list[str]) -> Path:
    """A small network of random weights; `follows`: one that is advised and always does as the rules say."""
    torch.manual_seed(3)
    targeted = tuple(skills.VERB[name] for name in skills.TARGETED)
    config = ActorConfig(
        len(ENTITY_FEATURES),
        len(PAIR_FEATURES),
        len(skills.VERBS),
        targeted,
        width=16,
        heads=2,
        memory=8,
        advised=follows,
    )
    actor = network.Actor(config)
    if follows:
        actor.verb.bias.data[skills.FOLLOW] = 100.0
    weights.save_actor(folder / "small.npz", actor, {**NAMES, **names}, {})
    return folder / "small.npz"


def skirmish() -> Skirmish:
    """Marines and a tank against roaches, one marine far away."""
    fight = Skirmish()
    for k in range(5):
        fight.own(U.MARINE, 50 + k, 50)
    fight.own(U.SIEGETANK, 50, 48)
    fight.own(U.MARINE, 10, 10)
    for k in range(6):
        fight.foe(U.ROACH, 50 + k, 56)
    return fight


def everyone(fight: Skirmish, task: Task = FORWARD) -> dict[int, Task]:
    return dict.fromkeys(fight.knowledge().own.by_tag, task)


def micro(path: Path, play: str = "learned") -> step.Micro:
    return step.Micro(Guard(), play, path)


@pytest.fixture
def said() -> list[str]:
    lines: list[str] = []
    handler = logger.add(lines.append, level="WARNING", format="{message}")
    yield lines
    logger.remove(handler)


def test_decisions_are_legal_and_only_for_those_in_contact(tmp_path: Path) -> None:
    fight = skirmish()
    scene = fight.scene()
    tasks = gather(scene.tag[0, : scene.agents].tolist(), everyone(fight))
    policy = Policy(model(tmp_path))
    decision = policy.decide(scene, tasks, Twin())
    assert decision.scene.tag[0, : decision.scene.agents].tolist() == [1, 2, 3, 4, 5, 6]
    shown = tables(decision.scene, decision.tasks)
    for a in range(decision.scene.agents):
        verb, target = decision.verb[0, a], decision.target[0, a]
        assert shown.verbs[0, a, verb]
        row = skills.TARGET_ROW[verb]
        assert shown.targets[0, a, row, target] if row >= 0 else target == -1
    assert commands.orders(decision.scene, commands.commands(*decision[:4])) is not None


def test_who_comes_up_behind_belongs_to_the_fight(tmp_path: Path) -> None:
    fight = skirmish()
    fight.own(U.MARAUDER, 50, 35)  # sees no enemy, is seen by the others
    fight.own(U.MARAUDER, 50, 20)
    scene = fight.scene()
    near, _ = contact(scene, gather(scene.tag[0, : scene.agents].tolist(), everyone(fight)))
    assert 7 not in near.tag[0], "far from everything"
    assert near.agents == 7
    assert (near.kinds.type_of(int(near.kind[0, 6])), near.y[0, 6]) == (U.MARAUDER, 35.0)


def test_small_groups_are_led_by_the_rules() -> None:
    fight = skirmish()
    scene = fight.scene()
    tasks = gather(scene.tag[0, : scene.agents].tolist(), everyone(fight))
    near, _ = contact(scene, tasks)
    worth = float(near.kinds.value[near.kind[0, : near.agents]].sum())
    assert contact(scene, tasks, least=worth) is not None
    assert contact(scene, tasks, least=worth + 1) is None


def test_fights_with_the_odds_on_our_side_are_led_by_the_rules() -> None:
    fight = skirmish()
    for x in range(3):
        fight.foe(U.HATCHERY, 60 + 5 * x, 60)  # nobody fights it
    scene = fight.scene()
    tasks = gather(scene.tag[0, : scene.agents].tolist(), everyone(fight))
    near, _ = contact(scene, tasks)
    force = near.kinds.force[near.kind[0]]
    share = float(force[: near.agents].sum() / force[near.agents :].sum())
    assert contact(scene, tasks, most=share + 0.01) is not None
    assert contact(scene, tasks, most=share - 0.01) is None


def test_who_follows_gives_the_orders_of_the_rules(tmp_path: Path) -> None:
    fight, given = skirmish(), {}
    for play in ("scripted", "learned"):
        player = micro(model(tmp_path, follows=True), play)
        field = battle(fight.scene())
        given[play] = {str(order) for order in player.act(field, everyone(fight)) if order.tag < 7}
        assert (player.policy is None) is (play == "scripted")
    assert given["scripted"] == given["learned"]
    assert len(given["learned"]) >= 6


def test_who_follows_is_led_by_the_rules_between_two_decisions(tmp_path: Path) -> None:
    fight, given = skirmish(), {}
    for play in ("scripted", "learned"):
        fight.loop = 0
        player = micro(model(tmp_path, follows=True), play)
        player.act(battle(fight.scene()), everyone(fight))
        fight.loop += 4
        given[play] = {str(order) for order in player.act(battle(fight.scene()), everyone(fight))}
        assert (player.policy is None) is (play == "scripted")
    assert given["scripted"] == given["learned"]
    assert len(given["learned"]) >= 6


def test_a_part_of_a_scene_is_the_scene(tmp_path: Path) -> None:
    fight = skirmish()
    scene = fight.scene()
    tasks = gather(scene.tag[0, : scene.agents].tolist(), everyone(fight))
    whole, near = tables(scene, tasks), tables(*contact(scene, tasks))
    rows = [0, 1, 2, 3, 4, 5, *range(7, 13)]
    np.testing.assert_array_equal(near.entities[0], whole.entities[0, rows])
    np.testing.assert_array_equal(near.pairs[0], whole.pairs[0, :6][:, rows])
    np.testing.assert_array_equal(near.targets[0], whole.targets[0, :6][:, :, rows])


def test_retreats_are_the_rules(tmp_path: Path) -> None:
    fight = skirmish()
    scene = fight.scene()
    tasks = gather(scene.tag[0, : scene.agents].tolist(), everyone(fight, HOME))
    assert Policy(model(tmp_path)).decide(scene, tasks, Twin()) is None


def test_memories_follow_tags_and_die_with_them(tmp_path: Path) -> None:
    policy = Policy(model(tmp_path))

    def decide(fight: Skirmish) -> dict[int, np.ndarray]:
        scene = fight.scene()
        policy.decide(scene, gather(scene.tag[0, : scene.agents].tolist(), everyone(fight)), Twin())
        memories = policy._memories
        return {tag: memories.state[:, memories._row[tag]].copy() for tag in range(1, 80) if tag in memories}

    fight = skirmish()
    first = decide(fight)
    assert set(first) == {1, 2, 3, 4, 5, 6}
    second = decide(fight)
    assert all((first[tag] != second[tag]).any() for tag in first), "a memory goes on"
    policy.forget({1, 2})
    again = decide(fight)
    np.testing.assert_array_equal(again[5], first[5])
    assert (again[1] != second[1]).any()
    fight.loop += 1000
    late = decide(fight)
    np.testing.assert_array_equal(late[1], first[1])


def test_more_units_than_rows_at_first(tmp_path: Path) -> None:
    fight = Skirmish()
    for k in range(70):
        fight.own(U.MARINE, 30 + k % 30, 50 + k // 30)
    for k in range(12):
        fight.foe(U.ULTRALISK, 34 + 2 * k, 53)
    policy, scene = Policy(model(tmp_path)), fight.scene()
    policy.decide(scene, gather(scene.tag[0, : scene.agents].tolist(), everyone(fight)), Twin())
    rows = [policy._memories._row[tag] for tag in range(1, 71)]
    assert len(set(rows)) == 70
    policy.forget({5})
    assert 5 in policy._memories
    assert 6 not in policy._memories


def test_the_network_plays_and_the_rules_take_the_others(tmp_path: Path, said: list[str]) -> None:
    fight = skirmish()
    learned = micro(model(tmp_path))
    first = learned.act(battle(fight.scene()), everyone(fight))
    assert 7 not in {order.tag for order in first}
    fight.loop += 4
    second = learned.act(battle(fight.scene()), everyone(fight))
    assert {order.tag for order in second} == {7}, (
        "who is far from everything marches by the rules, in the steps between"
    )
    assert learned.policy is not None
    assert said == []


@pytest.mark.parametrize("fault", ["missing", "damaged", "other verbs", "not finite", "slow", "breaks"])
def test_the_rules_play_on_and_say_why_once(tmp_path: Path, said: list[str], fault: str) -> None:
    path = model(tmp_path, **({"verbs": ["NOTHING", "DANCE"]} if fault == "other verbs" else {}))
    if fault == "missing":
        path = tmp_path / "nowhere.npz"
    elif fault == "damaged":
        path.write_bytes(path.read_bytes()[:900])
    fight = skirmish()
    learned = micro(path)
    if fault == "not finite":
        learned.policy.network._verb[1][:] = np.nan
    elif fault == "slow":
        ticks = iter(range(1000))
        learned.policy._clock = lambda: next(ticks)
    elif fault == "breaks":
        learned.policy.network._lstm = None
    for _ in range(22):
        fight.loop += 8
        orders = learned.act(battle(fight.scene()), everyone(fight))
    assert learned.policy is None
    assert len(learned._guard.errors) == (fault == "breaks"), "a fault is told in the report too"
    (line,) = [line for line in said if "micro.policy" not in line]
    assert "the scripted rules play" in line
    assert len(line.splitlines()) == 1
    fight.loop += 8
    fresh = skirmish()
    fresh.loop = fight.loop
    assert learned.act(battle(fresh.scene()), everyone(fresh)) == micro(path, "scripted").act(
        battle(fresh.scene()), everyone(fresh)
    )
    assert orders


def test_a_network_that_is_quick_enough_plays_on(tmp_path: Path) -> None:
    limit = load("micro")["policy"]["slow_ms"] / 1000
    learned, fight = micro(model(tmp_path)), skirmish()
    ticks = (0.9 * limit * tick for tick in range(1000))
    learned.policy._clock = lambda: next(ticks)
    for _ in range(2 * learned.policy._times.maxlen):
        fight.loop += 8
        learned.act(battle(fight.scene()), everyone(fight))
    assert learned.policy is not None


def test_the_bot_plays_its_model_without_torch() -> None:
    code = """
import json, sys
sys.modules["torch"] = None
import bot.main
from bot.guard import Guard
from bot.micro.step import Micro
print(json.dumps({"policy": Micro(Guard(), "learned").policy is not None}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == {"policy": True}
