"""Specialists and the policy they teach: lessons, folders, the command from a config to what a student plays."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from bot.micro import skills, weights
from bot.micro.model import ActorConfig
from bot.micro.network import Actor
from train import arena, cli, fit, specialists
from train.battles import Environment
from train.errors import TrainError
from train.play import Always, Learned, play
from train.ppo import config
from train.ppo.run import Run
from train.teachers import Taught, load

CPU = torch.device("cpu")
HEADER = arena.NAMES.of_model()
SMALL = {"advised": True, "width": 16, "heads": 2, "memory": 8, "critic": 8}


def actor(advised: bool = True, verb: int | None = None) -> Actor:
    """A small policy; with `verb` one that prefers it to following."""
    torch.manual_seed(3)
    targeted = tuple(skills.VERB[name] for name in skills.TARGETED)
    sizes = len(HEADER["features"]), len(HEADER["pairs"]), len(HEADER["verbs"])
    made = Actor(ActorConfig(*sizes, targeted, width=16, heads=2, memory=8, advised=advised))
    if verb is not None:
        made.verb.bias.data[verb] = 50.0
        made.verb.bias.data[-1] = -50.0
    return made.eval()


def keep(path: pathlib.Path, made: Actor) -> None:
    weights.save_actor(path / "best.npz", made, HEADER, {})


def settings(**changes: Any) -> config.Fit:
    base: dict[str, Any] = {
        "name": "student",
        "steps": 64,
        "battles": {"scenarios": ["kite_zealots", "kite_zerglings"], "count": 4, "stagger": 0, "variants": 2},
        "network": SMALL,
        "ppo": {"rollout": 8, "chunk": 8, "epochs": 1, "minibatches": 1},
    }
    return config.from_dict(base | changes, "test")


def test_each_battle_is_taught_by_its_scenarios_model_and_others_by_following() -> None:
    scenarios = arena.scenarios(["kite_zealots", "kite_zerglings"], [2, 2])
    environment = Environment(scenarios, 6, seed=1, advised=True)
    taught = Taught(environment, np.arange(6) % 2, {1: actor(verb=skills.STOP)})
    for _ in range(5):
        tables = taught.observe().tables
        verb, target, chance = taught.teacher()
        there = tables.alive & tables.verbs[..., skills.FOLLOW]
        assert there.any()
        assert (verb[0::2][there[0::2]] == skills.FOLLOW).all()
        assert (verb[1::2][there[1::2]] == skills.STOP).all()
        assert (chance.argmax(-1)[tables.alive] == verb[tables.alive]).all()
        assert np.allclose(chance.sum(-1), tables.alive)
        assert (verb[~tables.alive] == -1).all()
        taught.step(verb, target)


def test_a_teacher_remembers_battle_by_battle() -> None:
    """Its lessons are what it would decide if it played every battle from the start, also in battles begun later."""
    scenarios = arena.scenarios(["kite_zealots"], [2])
    teacher = actor()
    for parameter in (teacher.verb.weight, teacher.query.weight, teacher.recall[0].weight):
        parameter.data.mul_(60.0)
    teacher.verb.bias.data[-1] = 0.0
    environment = Environment(scenarios, 3, seed=1, advised=True)
    taught, alone = Taught(environment, np.zeros(3, int), {0: teacher}), Learned(teacher)
    fresh = np.ones(3, bool)
    seen = set()
    for step in range(12):
        tables = taught.observe().tables
        verb, target, _ = taught.teacher()
        says, at = alone(tables, fresh)
        assert (verb[tables.alive] == says[tables.alive]).all()
        assert (target[tables.alive] == at[tables.alive]).all()
        seen |= set(says[tables.alive].tolist())
        found = taught.step(verb, target)
        fresh = found.done | found.timeout
        if step == 5:
            taught.begin(np.array([1]))
            fresh[1] = True
    assert len(seen) > 2


def test_a_restart_makes_the_teachers_draw_anew() -> None:
    """Else a run that is continued would hear other lessons than one without a break."""
    environment = Environment(arena.scenarios(["kite_zealots"], [2]), 3, seed=1, advised=True)
    teacher = actor()
    teacher.verb.bias.data[-1] = -50.0
    taught = Taught(environment, np.zeros(3, int), {0: teacher})
    lessons = []
    for _ in range(2):
        taught.restart(5)
        taught.observe()
        lessons.append(np.stack(taught.teacher()[:2]))
    assert len(set(lessons[0][0].ravel().tolist())) > 2, "it draws"
    assert (lessons[0] == lessons[1]).all()


def test_a_student_learns_what_its_specialist_does(tmp_path: pathlib.Path) -> None:
    keep(tmp_path / "specialists" / "kite_zerglings", actor(verb=skills.STOP))
    run = settings(
        steps=6144,
        battles={"scenarios": ["kite_zerglings@2"], "count": 32, "stagger": 0, "symmetry": False, "variants": 4},
        ppo={"rollout": 16, "chunk": 16, "epochs": 3, "minibatches": 4, "rate": 5e-3},
        imitate={"steps": 6144, "teachers": str(tmp_path / "specialists")},
        watch={"battles": 1},
    )
    assert fit.train(run, arena.make(run), arena.NAMES, tmp_path / "student", CPU) == 0
    student, _ = weights.load_actor(tmp_path / "student" / "model.npz", HEADER)
    ends = []
    for player in (Learned(student), Always(skills.STOP, advised=True)):
        environment = Environment(arena.scenarios(["kite_zerglings"], [2]), 4, seed=5, advised=True)
        ends.append(play(environment, player, 1).final)
    assert np.allclose(ends[0][:, :-1], ends[1][:, :-1])


def test_what_cannot_teach_is_said(tmp_path: pathlib.Path) -> None:
    with pytest.raises(TrainError, match=r"no SCENARIO/best\.npz there"):
        load(str(tmp_path), ["kite_zealots"], HEADER)
    keep(tmp_path / "kite_zealots", actor(advised=False))
    with pytest.raises(TrainError, match="must be advised"):
        load(str(tmp_path), ["kite_zealots@2"], HEADER)
    with pytest.raises(TrainError, match="teachers needs"):
        settings(network=SMALL | {"advised": False}, imitate={"teachers": "x"})
    with pytest.raises(TrainError, match="needs advised = true and a start"):
        settings(network=SMALL | {"trust": -1.0})


def test_trust_moves_the_choice_to_follow(tmp_path: pathlib.Path) -> None:
    keep(tmp_path, start := actor())
    run = settings(start=str(tmp_path / "best.npz"), network=SMALL | {"trust": -1.5})
    moved = Run(run, arena.make(run), arena.NAMES, CPU).learner.actor.verb.bias - start.verb.bias
    assert moved[-1].item() == pytest.approx(-1.5)
    assert not moved[:-1].any()


def test_a_soft_start_is_less_sure_of_every_verb(tmp_path: pathlib.Path) -> None:
    keep(tmp_path, start := actor())
    run = settings(start=str(tmp_path / "best.npz"), network=SMALL | {"soft": 0.25})
    softened = Run(run, arena.make(run), arena.NAMES, CPU).learner.actor
    assert torch.equal(softened.verb.weight, start.verb.weight * 0.25)
    assert torch.equal(softened.verb.bias, start.verb.bias * 0.25)
    assert torch.equal(softened.query.weight, start.query.weight)
    with pytest.raises(TrainError, match="needs a start"):
        settings(network=SMALL | {"soft": 0.25})


def test_the_command_trains_each_scenario_alone_and_goes_on_where_it_stopped(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture
) -> None:
    file, out = tmp_path / "all.toml", tmp_path / "runs"
    file.write_text(
        'name = "all"\nsteps = 64\n[battles]\nscenarios = ["kite_zealots", "3m"]\ncount = 4\n'
        "stagger = 0\nvariants = 2\n"
        "[network]\nadvised = true\nwidth = 16\nheads = 2\nmemory = 8\ncritic = 8\n"
        "[ppo]\nrollout = 16\nchunk = 16\nepochs = 1\nminibatches = 1\n[watch]\nevery = 1\nbattles = 2\n"
    )
    arguments = ["specialists", str(file), "--out", str(out), "--levels", "1", "2"]
    assert cli.main(arguments) == 0
    for name, scenarios in (("kite_zealots", ["kite_zealots@1", "kite_zealots@2"]), ("3m", ["3m"])):
        _, header = weights.load_actor(out / name / "model.npz", HEADER)
        assert header["about"]["steps"] == 64
        assert header["about"]["config"]["battles"]["scenarios"] == scenarios
    before = (out / "3m" / "model.npz").stat().st_mtime_ns
    assert cli.main(arguments) == 0
    assert (out / "3m" / "model.npz").stat().st_mtime_ns == before, "what is finished stays as it is"
    first = str(out / "3m" / "model.npz")
    assert cli.main(["fit", str(file), "--scenarios", "3m", "--start", first, "--out", str(out / "second")]) == 0
    assert weights.load_actor(out / "second" / "model.npz", HEADER)[1]["about"]["config"]["start"] == first
    assert cli.main([*arguments, "--scenarios", "nowhere"]) == 2
    assert "unknown scenario 'nowhere'" in capsys.readouterr().err
    file.write_text('start = "nowhere.npz"\n' + (whole := file.read_text()))
    assert cli.main(arguments) == 2
    assert "start = 'nowhere.npz': no such file" in capsys.readouterr().err
    file.write_text(whole)
    (out / "3m" / "checkpoint.npz").write_bytes(b"broken")
    assert cli.main([*arguments, "--scenarios", "3m"]) == 1
    assert "1 of 1 failed: 3m" in capsys.readouterr().out


def test_an_interrupt_begins_no_more_runs(
    interrupted: Callable[[ModuleType], Callable[[], None]], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.toml"
    file.write_text('name = "all"\nsteps = 64\n[battles]\nscenarios = ["kite_zealots", "3m", "8m"]\n')
    begun: list[str] = []
    work = interrupted(specialists)

    def train(path: str, name: str, scenarios: list[str], folder: pathlib.Path) -> str:
        begun.append(name)
        work()
        return ""

    monkeypatch.setattr(specialists, "train", train)
    assert cli.main(["specialists", str(file), "--out", str(tmp_path / "runs")]) == 130
    assert begun == ["kite_zealots"]


@pytest.mark.parametrize(("kept", "best"), [(False, 3), (True, 5)])
def test_the_best_is_kept_when_a_run_gets_worse_again(tmp_path: pathlib.Path, kept: bool, best: int) -> None:
    run = settings(watch={"every": 1, "battles": 2, "kept": kept}, steps=5 * 32)
    found = iter([(0.1, 0.9), (0.6, 0.2), (0.6, 0.3), (0.6, 0.1), (0.5, 1.0)])

    def evaluate(job: Run) -> dict[str, float]:
        return dict(zip(("won", "kept"), next(found), strict=True))

    assert fit.train(run, arena.make(run), arena.NAMES, tmp_path, CPU, evaluate=evaluate) == 0
    steps = {name: weights.load(tmp_path / f"{name}.npz")[1]["about"]["steps"] for name in ("best", "model")}
    assert steps == {"best": best * 32, "model": 5 * 32}


def test_a_run_that_won_enough_is_finished_and_stays_so(tmp_path: pathlib.Path) -> None:
    run = settings(watch={"every": 1, "battles": 2, "win": 0.5}, steps=10_000)
    assert fit.train(run, arena.make(run), arena.NAMES, tmp_path, CPU, evaluate=lambda job: {"won": 0.5}) == 0
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert fit.train(run, arena.make(run), arena.NAMES, tmp_path, CPU, resume=True, evaluate=None) == 0
    assert (tmp_path / "log.jsonl").read_text().splitlines() == lines
