"""The environment: results that depend on nothing but the seed, rewards and ends, mixed scenarios, the twin."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from bot.micro import skills
from train import catalog
from train.battles import Environment
from train.errors import TrainError
from train.measures import NAMES
from train.scenario_file import parse
from train.views import View

DUEL = {
    "ground": "field",
    "own": [{"unit": "Marine", "count": 4, "at": [16, 20]}],
    "enemy": [{"unit": "Zergling", "count": 3, "at": [26, 20]}],
    "races": ["Terran", "Zerg"],
    "upgrades": {"own": ["Stimpack"]},
    "limit": 60,
}


def duel(**changes: object) -> object:
    """A small fight, with some keys changed."""
    return parse({**DUEL, **changes}, "test", "duel")


def random_actions(view: View, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Legal decisions; one number a battle, so that a battle's do not depend on the others."""
    tables = view.tables
    verb = np.zeros(tables.alive.shape, np.int64)
    target = np.full(tables.alive.shape, -1, np.int64)
    for b, a in zip(*np.nonzero(tables.alive), strict=True):
        legal = np.flatnonzero(tables.verbs[b, a])
        verb[b, a] = legal[int(rng.integers(1 << 30)) % len(legal)]
        row = skills.TARGET_ROW[verb[b, a]]
        if row >= 0:
            target[b, a] = np.flatnonzero(tables.targets[b, a, row])[0]
    return verb, target


def attack(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Everybody advances."""
    verb = np.where(view.tables.verbs[..., skills.ADVANCE], skills.ADVANCE, skills.NOTHING)
    return verb, np.full_like(verb, -1)


def test_each_agent_is_paid_for_what_it_shoots_and_loses() -> None:
    far = [{"unit": "Marine", "count": 4, "at": [16, 20]}, {"unit": "Marine", "count": 1, "at": [3, 3]}]
    env = Environment([duel(own=far, reward={"win": 0, "damage": 1})], 3, seed=3, variants=1)
    near, apart, shared = np.zeros(3), np.zeros(3), 0.0
    for _ in range(25):
        env.observe()
        step = env.step()
        if step.done.any():
            break
        np.testing.assert_allclose(step.own.mean(axis=1), step.reward, atol=1e-5)
        near, apart = near + np.abs(step.own[:, :4]).sum(axis=1), apart + np.abs(step.own[:, 4])
        shared += float(np.abs(step.reward).sum())
    assert shared > 0
    assert (near > 0.1).all()
    assert (apart == 0).all()


def test_what_nobody_lives_to_be_paid_for_is_shared_by_all() -> None:
    """Banelings that burst among the last Zealots: nobody shot them, and nobody is left."""
    env = Environment([catalog.load("so_many_baneling")], 2, seed=3)
    paid_last = 0
    for _ in range(40):
        step = env.step(*attack(env.observe()))
        np.testing.assert_allclose(step.own.mean(axis=1), step.reward, atol=1e-4)
        paid_last += int((step.reward[(step.won < 0)] > 0).sum())
    assert paid_last > 0


def history(count: int, threads: int, names: tuple[str, ...] = ("duel",)) -> list[str]:
    """A hash of everything seen in each battle over some steps, all agents attacking."""
    scenarios = [duel() if name == "duel" else catalog.load(name) for name in names]
    env = Environment(scenarios, count, seed=7, threads=threads, variants=4)
    digests = [hashlib.sha256() for _ in range(count)]
    for _ in range(40):
        view = env.observe()
        step = env.step(*attack(view))
        for b, digest in enumerate(digests):
            digest.update(view.tables.entities[b].tobytes() + step.reward[b].tobytes() + step.won[b].tobytes())
    return [digest.hexdigest() for digest in digests]


def test_results_depend_neither_on_count_nor_on_threads() -> None:
    alone, together = history(3, 1), history(70, 2)
    assert together[:3] == alone
    assert len(set(together)) > 30


def test_a_battle_ends_with_a_result_and_starts_anew() -> None:
    env = Environment([duel()], 8, seed=3)
    ended, rewards, total = [], np.zeros(8), []
    for _ in range(60):
        step = env.step(*attack(env.observe()))
        rewards += step.reward
        for b in step.ended:
            assert step.done[b]
            total.append(rewards[b])
            rewards[b] = 0
        ended.append(step.final)
    final = np.concatenate(ended)
    assert len(final) >= 8
    won = final[:, NAMES.index("won")]
    assert won.mean() > 0.5  # four marines beat three zerglings
    killed = final[:, NAMES.index("enemy_value_killed")] / final[:, NAMES.index("enemy_value")]
    lost = final[:, NAMES.index("own_value_lost")] / final[:, NAMES.index("own_value")]
    assert np.allclose(total, killed - lost + won, atol=1e-4)


def test_a_battle_without_end_is_cut_off() -> None:
    env = Environment([duel(behaviour="none", limit=5, reward={"loss": 3, "time": 2})], 2, seed=3)
    steps = []
    for step in range(5):
        view = env.observe()
        np.testing.assert_allclose(view.state.entities[..., -1], 1 - step / 5, rtol=1e-6)  # the critic knows the time
        steps.append(env.step(np.zeros_like(view.tables.alive, np.int64), np.full(view.tables.alive.shape, -1)))
    assert not any(step.timeout.any() for step in steps[:-1])
    assert steps[-1].timeout.all()
    assert not steps[-1].done.any()
    np.testing.assert_allclose([step.reward for step in steps], -2 / 5, rtol=1e-6)
    survived = Environment([duel(behaviour="none", limit=2, win_by="survive", reward={"time": 2})], 2, seed=3)
    survived.observe()
    assert not survived.step().reward.any()
    last = survived.step()
    assert (last.won == 1).all()
    assert (last.reward == 1).all()


@pytest.mark.parametrize("aims", [False, True])
def test_enemies_who_aim_turn_to_whom_they_hurt_more(aims: bool) -> None:
    """Stalkers deal bonus damage to the Siege Tank behind the Marines."""
    own = [{"unit": "Marine", "count": 2, "at": [22, 20]}, {"unit": "SiegeTank", "count": 1, "at": [19, 20]}]
    enemy = [{"unit": "Stalker", "count": 3, "at": [27, 20]}]
    fight = duel(own=own, enemy=enemy, races=["Terran", "Protoss"], upgrades={}, passive=True, jitter=0, aims=aims)
    env = Environment([fight], 2, seed=3, variants=1)
    tank = env.fields[0].battles.facts.ids["SiegeTank"]
    lost = np.zeros(2)
    for _ in range(12):
        env.observe()
        env.step()
        units = env.fields[0].battles.units
        tanks = (units["type"] == tank) & (units["owner"] == 1)
        lost = np.maximum(lost, np.where(tanks, units["hp_max"] - units["hp"], 0).max(axis=1))
    assert ((lost > 0) == aims).all()


def test_mixed_scenarios_share_a_batch() -> None:
    names = ("3m", "2s3z", "smacv2_zerg_5v5", "random_small")
    env = Environment([catalog.load(name) for name in names], 12, seed=1, variants=3)
    rng = np.random.default_rng(0)
    for _ in range(12):
        view = env.observe()
        tables = view.tables
        assert tables.entities.shape[:2] == (12, env.entities)
        assert (tables.verbs.any(-1)).all()
        assert np.isfinite(tables.entities).all()
        assert not tables.present[~view.state.present].any()
        step = env.step(*random_actions(view, rng))
        assert np.isfinite(step.reward).all()
    assert set(step.scenario.tolist()) == {0, 1, 2, 3}


def test_fog_hides_from_the_policy_what_the_critic_sees() -> None:
    far = [{"unit": "Zergling", "count": 3, "at": [44, 20]}]
    env = Environment([duel(enemy=far, behaviour="none")], 1, seed=1)
    view = env.observe()
    assert view.tables.present.sum() == 4
    assert view.state.present.sum() == 7
    fogless = Environment([duel(enemy=far, behaviour="none", fog=False)], 1, seed=1)
    assert fogless.observe().tables.present.sum() == 7


def test_the_twin_plays_and_teaches() -> None:
    env = Environment([duel()], 4, seed=2)
    chosen = 0
    for _ in range(25):
        view = env.observe()
        verb, target, _ = env.teacher()
        alive = view.tables.alive
        assert (verb[~alive] == -1).all()
        chosen += int((verb > 0).sum())
        for b, a in zip(*np.nonzero(verb > 0), strict=True):
            assert view.tables.verbs[b, a, verb[b, a]]
        env.step(np.maximum(verb, 0), target)
    assert chosen > 20
    scripted = Environment([duel()], 4, seed=2, own="scripted", enemy="scripted")
    results = np.concatenate([scripted.step().final for _ in range(50)])
    assert len(results) > 3
    assert results[:, NAMES.index("won")].mean() > 0.5


def test_who_follows_the_advice_plays_as_the_twin() -> None:
    """FOLLOW is all that the rules order, not the decision that comes nearest: both sides, to the last hit point."""
    mixed = [{"unit": "Marine", "count": 4, "at": [16, 20]}, {"unit": "SiegeTank", "count": 1, "at": [13, 20]}]
    fight = duel(own=mixed, enemy=[{"unit": "Marine", "count": 5, "at": [30, 20]}], races=["Terran", "Terran"])
    advised = Environment([fight], 4, seed=2, advised=True, enemy="learned", enemy_advised=True)
    scripted = Environment([fight], 4, seed=2, own="scripted", enemy="scripted")
    for _ in range(40):
        view, (theirs, _) = advised.observe(), advised.observe_enemy()
        ours, foes = (np.where(t.verbs[..., skills.FOLLOW], skills.FOLLOW, 0) for t in (view.tables, theirs))
        one = advised.step(ours, np.full_like(ours, -1), (foes, np.full_like(foes, -1)))
        other = scripted.step()
        assert (one.reward == other.reward).all()
        assert (advised.fields[0].battles.units == scripted.fields[0].battles.units).all()


def test_advice_is_shown() -> None:
    from bot.micro.tables import ENTITY_FEATURES, PAIR_FEATURES

    env = Environment([duel()], 4, seed=2, advised=True)
    first, plain = ENTITY_FEATURES.index("advised_nothing"), Environment([duel()], 4, seed=2)
    seen = set()
    for _ in range(25):
        view = env.observe()
        verb, target, _ = env.teacher()
        told = view.tables.entities[:, : env.agents, first : first + skills.FOLLOW]
        assert (told.sum(-1) == (verb >= 0)).all()
        assert (told.argmax(-1)[verb >= 0] == verb[verb >= 0]).all()
        at = view.tables.pairs[..., PAIR_FEATURES.index("advised")]
        assert (at.sum(-1) == (target >= 0)).all()
        assert (at.argmax(-1)[target >= 0] == target[target >= 0]).all()
        seen |= set(verb[verb >= 0].tolist())
        assert view.tables.verbs[..., skills.FOLLOW][verb >= 0].any()
        env.step(np.maximum(verb, 0), target)
        unadvised = plain.observe().tables
        assert not unadvised.verbs[..., skills.FOLLOW].any()
        assert not unadvised.entities[..., first : first + skills.FOLLOW].any()
        plain.step(np.maximum(verb, 0), target)
    assert {skills.ATTACK, skills.VERB["STIM"]} <= seen


def test_departures_from_the_advice_are_booked() -> None:
    env = Environment([duel(limit=6)], 3, seed=2, advised=True)
    found = []
    for _ in range(12):
        view = env.observe()
        follow = np.where(view.tables.verbs[..., skills.FOLLOW], skills.FOLLOW, 0)
        follow[1, :2] = skills.NOTHING  # two of four do nothing, whatever the rules say
        follow[2] = np.maximum(env.teacher().verb[2], 0)  # what comes nearest to the advice is none
        target = np.where(np.arange(3)[:, None] == 2, env.teacher().target, -1)
        found += env.step(follow, target).final[:, NAMES.index("departures")].tolist()
    assert len(found) == 6
    assert found[0::3] == [0, 0]
    assert found[2::3] == [0, 0]
    assert 40 <= found[1] <= 50
    assert 40 <= found[4] <= 50


@pytest.mark.parametrize(("at", "wasted"), [([44, 20], 4), ([16, 32], 4), ([21, 24], 0)])
def test_stim_is_booked(at: list[int], wasted: int) -> None:
    far = [{"unit": "Zergling", "count": 3, "at": at}]
    env = Environment([duel(enemy=far, behaviour="none")], 1, seed=2)
    stim = skills.VERB["STIM"]
    view = env.observe()
    assert view.tables.verbs[0, :, stim].all()
    env.step(np.full((1, 4), stim), np.full((1, 4), -1))
    rows = env.fields[0].measures.rows[0]
    assert rows[NAMES.index("stims")] == 4
    assert rows[NAMES.index("stims_wasted")] == wasted  # where nobody is near
    assert not env.observe().tables.verbs[0, :, stim].any()


@pytest.mark.parametrize(
    ("unit", "foe", "verb", "yamato_value"),
    [("Reaper", "Zergling", "BLAST", 0), ("Battlecruiser", "Ultralisk", "SHOT", 475)],
)
def test_a_cast_is_booked_and_has_to_cool_down(unit: str, foe: str, verb: str, yamato_value: int) -> None:
    """One at a place, one at a target."""
    upgrades = {"own": ["BattlecruiserEnableSpecializations"]}
    own, enemy = ({"unit": name, "count": 1, "at": at} for name, at in ((unit, [16, 20]), (foe, [21, 20])))
    env = Environment([duel(own=[own], enemy=[enemy], upgrades=upgrades)], 1, seed=1, variants=1)
    number, row = skills.VERB[verb], skills.TARGET_ROW[skills.VERB[verb]]
    tables = env.observe().tables
    target = np.flatnonzero(tables.targets[0, 0, row])[:1]
    assert tables.verbs[0, 0, number]
    env.step(np.array([[number]]), target[None])
    assert not env.observe().tables.verbs[0, 0, number]
    booked = dict(zip(NAMES, env.fields[0].measures.rows[0], strict=True))
    assert (booked["casts"], booked["casts_refused"], booked["yamatos"]) == (1, 0, yamato_value > 0)
    assert booked["yamato_value"] == yamato_value


def test_mistakes_are_told() -> None:
    with pytest.raises(TrainError, match="at least one battle"):
        Environment([duel(), duel()], 1, seed=0)
    with pytest.raises(TrainError, match="learned or scripted"):
        Environment([duel()], 1, seed=0, own="nobody")


def test_restart_begins_as_a_new_environment_would() -> None:
    env = Environment([duel()], 3, seed=4)
    first = env.observe().tables.entities.copy()
    env.step(*attack(env.observe()))
    env.restart(5)
    env.restart(4)
    assert np.array_equal(env.observe().tables.entities, first)


def test_the_other_side_can_be_played_too() -> None:
    """Self-play: the enemies' policy sees its own units as agents, and its orders are carried out."""
    env = Environment([duel(fog=False)], 4, seed=2, enemy="learned")
    env.observe()
    tables, _ = env.observe_enemy()
    assert tables.alive.shape == (4, env.foes)
    assert tables.alive.sum() == 12
    assert tables.present.sum() == 4 * 7
    stay = np.zeros((4, env.agents), np.int64), np.full((4, env.agents), -1)
    before = env.fields[0].battles.units["x"][:, env.agents : env.agents + 3].copy()
    for _ in range(5):
        env.observe()
        tables, _ = env.observe_enemy()
        advance = np.where(tables.verbs[..., skills.ADVANCE], skills.ADVANCE, skills.NOTHING)
        env.step(*stay, enemy=(advance, np.full_like(advance, -1)))
    after = env.fields[0].battles.units["x"][:, env.agents : env.agents + 3]
    assert (after < before - 1).all()  # towards us


def test_a_scenario_may_ask_for_enemies_that_the_twin_plays() -> None:
    alone, twin = (Environment([duel(behaviour=name)], 1, seed=1).fields[0] for name in ("attack", "scripted"))
    assert len(alone.sides) == 1  # nobody needs the other side's eyes
    assert len(twin.sides) == 2
    before = twin.battles.units["x"][0, twin.agents].copy()
    for _ in range(6):
        twin.play_others()
        twin.advance()
    assert twin.battles.units["x"][0, twin.agents] < before - 1  # towards us


def test_both_sides_are_told_where_to_go_and_where_they_come_from() -> None:
    scenario = catalog.load("3m")
    env = Environment([scenario], 2, seed=1, enemy="learned")
    ours, theirs = env.observe().tasks, env.observe_enemy()[1]
    mission = scenario.mission
    assert np.allclose(ours.point[:, 0], mission.point)
    assert np.allclose(ours.home[:, 0], mission.home)
    assert np.allclose(theirs.point[:, 0], scenario.enemy_point)
    assert np.allclose(theirs.home[:, 0], scenario.enemy[0].at, atol=0.5)


@pytest.mark.parametrize(("caster", "ability", "radius"), [("Ravager", 2338, 0.5), ("Viper", 2063, -2.0)])
def test_what_hurts_is_seen_with_whom(caster: str, ability: int, radius: float) -> None:
    enemy = [{"unit": caster, "count": 1, "at": [24, 20]}]
    env = Environment([duel(enemy=enemy, behaviour="none", races=["Terran", "Zerg"])], 2, seed=2)
    env.observe()
    field = env.fields[0]
    assert field.scene().effects.shape == (2, 0, 3)
    slot = int(np.flatnonzero(field.battles.units["owner"][1] == 2)[0])
    field.battles.units["energy"][1, slot] = 200
    assert field.battles.cast(1, slot, ability, x=16.0, y=20.0) == 1  # Corrosive Bile, Blinding Cloud
    env.step(np.zeros((2, 4), np.int64), np.full((2, 4), -1))
    effects = field.scene().effects
    assert effects[0].sum() == 0
    assert np.allclose(effects[1, 0], (16, 20, radius)), "below 0: who flies is not hurt"
