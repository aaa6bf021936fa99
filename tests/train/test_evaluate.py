"""Evaluation: intervals by hand, the same fights for every policy, models and tables, wrong arguments."""

from __future__ import annotations

import json
import pathlib
from typing import NamedTuple

import numpy as np
import pytest
import torch

from bot.micro import skills, weights
from bot.micro.choice import decide
from bot.micro.model import ActorConfig
from bot.micro.network import Actor
from tests.train.toy import Weakest
from train import arena, card, evaluate, statistics
from train.battles import Environment
from train.cli import main
from train.measures import NAMES
from train.play import play
from train.ppo.batch import tensors
from train.value import values


def test_wilson_intervals_by_hand() -> None:
    assert statistics.wilson(0, 0) == (0.0, 1.0)
    low, high = statistics.wilson(10, 10)
    assert (round(low, 4), round(high, 4)) == (0.7225, 1.0)
    low, high = statistics.wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)


def test_paired_differences_cancel_what_fights_have_in_common() -> None:
    rng = np.random.default_rng(0)
    fights = rng.integers(0, 2, 400).astype(float)
    worse = fights.copy()
    worse[:40] = 0.0
    found = statistics.difference({"each_won": fights, "each_kept": fights}, {"each_won": worse, "each_kept": worse})
    middle, half = found["won"]
    assert middle == pytest.approx(fights[:40].sum() / 400)
    assert half < 0.03
    assert statistics.verdict(middle, half) == "better"
    assert statistics.verdict(-0.1, 0.2) == "even"


def test_a_summary_by_hand() -> None:
    rows = {name: np.zeros(4) for name in (*NAMES, "timeout")}
    rows |= {"won": np.array([1.0, 0.0, 1.0, 0.0]), "timeout": np.array([0.0, 1.0, 0.0, 0.0])}
    rows |= {"own_value": np.full(4, 200.0), "own_value_lost": np.array([0.0, 100.0, 50.0, 200.0])}
    rows |= {"enemy_value": np.full(4, 400.0), "enemy_value_killed": np.array([400.0, 0.0, 400.0, 200.0])}
    found = statistics.summary(rows | {"stims": np.arange(4.0)})
    assert (found["battles"], found["won"], found["timeout"], found["skills"]["stims"]) == (4, 0.5, 0.25, 1.5)
    assert found["each_won"] == [1, 0, 1, 0]
    assert found["each_kept"] == [1.0, 0.5, 0.75, 0.0]
    assert (found["kept"], found["killed"]) == (0.5625, 0.625)
    assert found["kept_half"] == pytest.approx(1.96 * np.std([1.0, 0.5, 0.75, 0.0], ddof=1) / 2, rel=1e-3)


def test_one_battle_decides_nothing() -> None:
    twice = statistics.difference({"each_won": [1, 1], "each_kept": [1, 1]}, {"each_won": [0, 0], "each_kept": [1, 1]})
    assert twice["won"] == pytest.approx((1.0, 0.6576), abs=1e-4)
    assert twice["kept"] == (0.0, 0.0), "the same battles"
    found = statistics.difference({"each_won": [1], "each_kept": [1.0]}, {"each_won": [0], "each_kept": [0.0]})
    assert statistics.verdict(*found["won"]) == "even"
    assert json.loads(json.dumps(found, allow_nan=False))["kept"] == [1.0, 1.0]


class Result(NamedTuple):
    reward: np.ndarray
    done: np.ndarray
    timeout: np.ndarray
    won: np.ndarray
    scenario: np.ndarray
    ended: np.ndarray
    final: np.ndarray


def test_every_place_counts_its_first_battles_only() -> None:
    class Ending(Weakest):
        def step(self, verb: np.ndarray, target: np.ndarray) -> Result:
            number = np.arange(self.count)
            self.length = 100
            found = super().step(verb, target)
            self.clock = getattr(self, "clock", 0) + 1
            over = self.clock % (number + 2) == 0  # place b ends every b + 2 steps
            ended = np.flatnonzero(over)
            base = found._replace(done=over, timeout=np.zeros_like(over), won=over.astype(np.int8))
            return Result(*base, ended, np.stack((ended, np.full(len(ended), self.clock)), axis=1))

    ends = play(Ending(3), lambda tables, fresh: (np.zeros((3, 3), int), np.full((3, 3), -1)), 2)
    assert ends.final[:, 0].tolist() == [0, 0, 1, 1, 2, 2]
    assert ends.final[:, 1].tolist() == [2, 4, 3, 6, 4, 8]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    torch.manual_seed(0)
    names = arena.NAMES
    targeted = tuple(list(names.verbs).index(name) for name in names.targeted)
    actor = Actor(ActorConfig(len(names.features), len(names.pairs), len(names.verbs), targeted, width=16, heads=2))
    path = tmp_path_factory.mktemp("model") / "m.npz"
    weights.save_actor(path, actor, names.of_model(), {})
    return path


def test_policies_meet_the_same_fights_and_the_report_becomes_a_card(
    model: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--json", str(tmp_path / "e.json"), "--markdown", str(tmp_path / "e.md")]
    arguments = ["evaluate", "--policy", str(model), "random", "scripted", "attack", "--scenarios", "3m"]
    assert main([*arguments, "--episodes", "6", *files]) == 0
    said = capsys.readouterr().out
    assert (tmp_path / "e.md").read_text() in said
    report = json.loads((tmp_path / "e.json").read_text())
    rows = {name: found[0] for name, found in report["results"].items()}
    assert all(row["battles"] == 6 for row in rows.values())
    assert rows["scripted"]["won"] > rows["random"]["won"]
    assert rows["scripted"]["kept"] > rows["random"]["kept"]
    assert "| mean |" not in said
    both = {"random": [rows["random"] | {"won": 1.0}, rows["random"] | {"won": 0.5}]}
    assert "| mean | 75.0 |" in statistics.markdown(report | {"results": both})
    again = ["evaluate", "--policy", "attack", "--scenarios", "3m", "--episodes", "6"]
    assert main([*again, "--json", str(tmp_path / "again.json")]) == 0
    assert json.loads((tmp_path / "again.json").read_text())["results"]["attack"][0] == rows["attack"]

    ship = ["card", str(model), "--name", "marines", "--folder", str(tmp_path / "models")]
    assert main([*ship, "--evaluation", str(tmp_path / "e.json")]) == 0
    text = (tmp_path / "models" / "marines.md").read_text()
    assert "python -m train evaluate --policy" in text
    assert "| 3m |" in text
    assert weights.load_actor(tmp_path / "models" / "marines.npz", arena.NAMES.of_model())


@pytest.mark.parametrize(
    ("steps", "asked", "said"),
    [
        (300, 300, "- all imitated the scripted twin"),
        (304, 300, "- all imitated the scripted twin"),
        (300, 400, "- all imitated the scripted twin"),
        (301, 400, "- the first 300 steps imitated the scripted"),
    ],
)
def test_the_card_says_how_long_the_policy_imitated(steps: int, asked: int, said: str) -> None:
    config = {
        "steps": asked,
        "battles": {"scenarios": ["3m"]},
        "imitate": {"steps": 300},
        "curriculum": {"top": 0},
        "ppo": {},
    }
    about = {"steps": steps, "update": 2, "seconds": 60.0, "processes": 1, "levels": {"3m": 2}, "history": []}
    header = {"config": {"width": 64, "heads": 4, "memory": 64}}
    header["about"] = about | {"config": config | {"seed": 1, "start": ""}}
    assert said in card.card("m", header, 1000, [], "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--policy", "clever", "--scenarios", "3m"], "neither a model file"),
        (["--policy", "none.npz", "--scenarios", "3m"], "no such file"),
        (["--policy", "random", "--scenarios", "33m"], "unknown scenario '33m'"),
        (["--policy", "random", "--scenarios", "3m", "--against", "me"], "--against me"),
        (["--policy", "random", "--scenarios", "3m", "--json", "/proc/none/report.json"], "/proc/none: "),
        (["--policy", "random", "--scenarios", "3m", "--markdown", "/"], "/: is a folder"),
    ],
)
def test_wrong_arguments_are_one_clear_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_enemies_that_wait_for_a_policy_get_one(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    fight = tmp_path / "fight.toml"
    fight.write_text(
        'ground = "field"\nbehaviour = "learned"\nlimit = 9\n[[own]]\nunit = "Marine"\nat = [16, 20]\n'
        '[[enemy]]\nunit = "Zergling"\nat = [19, 20]\n',
        encoding="utf-8",
    )
    config = tmp_path / "run.toml"
    config.write_text(f'name = "a"\nsteps = 9\n[battles]\nscenarios = ["{fight}"]\n', encoding="utf-8")
    for command in (
        ["evaluate", "--policy", "scripted", "--scenarios", str(fight), "--episodes", "1"],
        ["watch", str(fight), "--out", str(tmp_path / "page.html")],
        ["fit", str(config), "--out", str(tmp_path / "fit")],
        ["value", str(config), "--out", str(tmp_path / "value")],
    ):
        assert main(command) == 2, command
        assert 'behaviour = "learned" needs a policy' in capsys.readouterr().err
    played = ["evaluate", "--policy", "hold", "--scenarios", str(fight), "--episodes", "1", "--against", "hunt"]
    assert main(played) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "--policy", "random", "--scenarios", "3m", "--episodes", "0"],
        ["evaluate", "--policy", "random", "--scenarios", "3m", "--seed", "-1"],
        ["watch", "3m", "--seed", "-1"],
        ["fit", "train/configs/3m.toml", "--seed", "-1"],
        ["specialists", "train/configs/specialist.toml", "--jobs", "0"],
        ["value", "train/configs/qmix-3m.toml", "--steps", "-1"],
        ["scenarios", "3m", "--seed", "-1"],
        ["bench", "3m", "--runs", "0"],
        ["bench", "3m", "--seconds", "nan"],
    ],
)
def test_numbers_out_of_range_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert f"'{arguments[-1]}' is not a " in capsys.readouterr().err.splitlines()[-1]


def test_a_value_network_plays_the_verb_and_target_of_highest_value(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch.manual_seed(0)
    names = arena.NAMES
    targeted = tuple(list(names.verbs).index(name) for name in names.targeted)
    actor = Actor(ActorConfig(len(names.features), len(names.pairs), len(names.verbs), targeted, width=16, heads=2))
    with torch.no_grad():
        actor.query.weight.mul_(-1e4)  # targets are worth far more than verbs
    path = tmp_path / "q.npz"
    weights.save_actor(path, actor, names.of_model(), {"config": {"value": {"mixer": "vdn"}}})
    battles = Environment(arena.scenarios(["3m"], [2]), 4, seed=1)
    for _ in range(4):  # until there are targets
        battles.step(np.full((4, 3), skills.ADVANCE), np.full((4, 3), -1))
    tables = battles.observe().tables
    verb, target = evaluate.player_of(str(path))(1)(tables, np.ones(4, bool))
    out, _ = actor(tensors(tables), actor.fresh(4, 3))
    best = values.of(out, torch.from_numpy(verb), torch.from_numpy(target))
    torch.testing.assert_close(best, values.best(out)[2])
    likeliest = values.of(out, *decide(out, torch.Generator()))
    assert (best >= likeliest).all()
    assert (best > likeliest).any(), "the likeliest verb is chosen before its target"
    assert main(["card", str(path), "--name", "q", "--folder", str(tmp_path)]) == 2
    assert "only policies can be played in a game" in capsys.readouterr().err
