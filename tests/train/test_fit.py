"""Whole runs: seeds, resuming, stopping, several processes, and what a user can do wrong."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import numpy as np
import pytest
import torch
import torch.multiprocessing as mp

from bot.micro import weights
from tests.train.test_learner import PPO, chunks, learner_of, rollout
from tests.train.toy import NAMES, Weakest, make
from train.cli import main
from train.errors import TrainError
from train.fit import DIVERGED, train
from train.ppo import config, parallel
from train.ppo.learner import Learner
from train.ppo.run import Run

CPU = torch.device("cpu")
BASE: dict[str, Any] = {
    "name": "toy",
    "steps": 6 * 64,
    "battles": {"scenarios": ["weakest", "recall"], "lanes": 2, "count": 8, "symmetry": False, "stagger": 2},
    "network": {"width": 16, "heads": 2, "memory": 8, "critic": 16},
    "ppo": {"rollout": 8, "chunk": 4, "epochs": 2, "minibatches": 2, "anneal": True},
    "imitate": {"steps": 64, "after": 0.5, "fade": 128, "temperature": 0.5, "critic_only": 64},
    "curriculum": {"top": 3, "win": 0.01, "battles": 5},
    "self_play": {"share": 0.5, "every": 2},
    "watch": {"every": 2},
}


def fit_of(**changes: Any) -> config.Fit:
    return config.from_dict(BASE | changes, "test")


def arrays_of(folder: pathlib.Path) -> dict[str, np.ndarray]:
    return weights.load(folder / "checkpoint.npz")[0]


def test_a_resumed_run_equals_one_without_a_break(tmp_path: pathlib.Path) -> None:
    def interrupted(job: Run) -> dict[str, float]:
        if job.update == 4:
            raise KeyboardInterrupt
        return {}

    assert train(fit_of(), make, NAMES, tmp_path / "whole", CPU) == 0
    with pytest.raises(KeyboardInterrupt):
        train(fit_of(), make, NAMES, tmp_path / "parts", CPU, evaluate=interrupted)
    assert weights.load(tmp_path / "parts" / "checkpoint.npz")[1]["state"]["update"] == 2
    assert train(fit_of(), make, NAMES, tmp_path / "parts", CPU, resume=True) == 0
    whole, parts = arrays_of(tmp_path / "whole"), arrays_of(tmp_path / "parts")
    assert len(whole) > 40
    states = [weights.load(tmp_path / name / "checkpoint.npz")[1]["state"] for name in ("whole", "parts")]
    assert states[0]["levels"] == states[1]["levels"]
    assert states[0]["tally"] == states[1]["tally"]
    assert all(np.array_equal(whole[name], parts[name]) for name in whole)
    logs = [[json.loads(line) for line in (tmp_path / name / "log.jsonl").open()] for name in ("whole", "parts")]
    assert [row["steps"] for row in logs[0]] == [row["steps"] for row in logs[1]], "what was played twice is told once"
    assert logs[1][-1]["steps"] == 6 * 64
    assert any(path.name.startswith("events") for path in (tmp_path / "parts").iterdir())


def test_the_seed_decides(tmp_path: pathlib.Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(fit_of(seed=seed, steps=64), make, NAMES, tmp_path / name, CPU)
    a, b, c = (arrays_of(tmp_path / name) for name in "abc")
    assert all(np.array_equal(a[name], b[name]) for name in a)
    assert not np.array_equal(a["actor/verb.weight"], c["actor/verb.weight"])


def test_a_model_is_written_that_loads_and_can_be_started_from(tmp_path: pathlib.Path) -> None:
    train(fit_of(), make, NAMES, tmp_path / "a", CPU)
    path = tmp_path / "a" / "model.npz"
    actor, header = weights.load_actor(path, NAMES.of_model())
    assert header["about"]["steps"] == 6 * 64
    job = Run(fit_of(start=str(path)), make, NAMES, CPU)
    assert all(torch.equal(value, actor.state_dict()[name]) for name, value in job.learner.actor.state_dict().items())
    with pytest.raises(TrainError, match="another size"):
        Run(fit_of(start=str(path), network={"width": 32}), make, NAMES, CPU)


def test_a_run_starts_from_a_policy_only(tmp_path: pathlib.Path) -> None:
    actor = Run(fit_of(), make, NAMES, CPU).learner.actor
    path = tmp_path / "values.npz"
    weights.save_actor(path, actor, NAMES.of_model(), {"config": {"value": {}}, "steps": 1})
    with pytest.raises(TrainError, match="learned by VDN or QMIX"):
        Run(fit_of(start=str(path)), make, NAMES, CPU)


def test_a_start_is_measured_once_however_often_the_run_is_resumed(tmp_path: pathlib.Path) -> None:
    train(fit_of(steps=64), make, NAMES, tmp_path / "first", CPU)
    fit = fit_of(steps=64, start=str(tmp_path / "first" / "model.npz"))

    asked = []

    def evaluate(job: Run) -> dict[str, float]:
        asked.append(job.steps)
        if len(job.history):
            raise KeyboardInterrupt
        return {"won": 0.5}

    for resume in (False, True):
        with pytest.raises(KeyboardInterrupt):
            train(fit, make, NAMES, tmp_path / "run", CPU, resume=resume, evaluate=evaluate)
    assert asked == [0, 64, 64]
    rows = weights.load(tmp_path / "run" / "checkpoint.npz")[1]["state"]["history"]
    assert [row["steps"] for row in rows] == [0]


@pytest.mark.parametrize(("every", "between"), [(1, 2), (2, 2), (3, 4), (5, 6)])
def test_frozen_selves_are_so_many_updates_apart_as_checkpoints_allow(every: int, between: int) -> None:
    run = Run(fit_of(self_play={"share": 0.5, "every": every}, curriculum={}), make, NAMES, CPU)
    found = []
    for update in range(2, 13, 2):  # there is a checkpoint every two updates
        run.update = update
        run.restart()
        found.append(run.frozen_at)
    assert sorted(set(found) - {0}) == list(range(between, 13, between))


def test_a_level_rises_when_its_battles_are_won(tmp_path: pathlib.Path) -> None:
    made: list[tuple[tuple[str, ...], tuple[int, ...]]] = []

    def noted(scenarios: tuple[str, ...], levels: tuple[int, ...], count: int, seed: int, opponent: object) -> Weakest:
        made.append((scenarios, levels))
        return Won(count, seed) if "weakest" in scenarios else Weakest(count, seed)

    class Won(Weakest):
        def step(self, verb: np.ndarray, target: np.ndarray) -> Any:
            found = super().step(verb, target)
            return found._replace(won=np.abs(found.won))

    changes = {"battles": BASE["battles"] | {"level": 1}, "curriculum": {"top": 2, "battles": 10, "win": 0.9}}
    train(fit_of(**changes), noted, NAMES, tmp_path, CPU)
    assert weights.load(tmp_path / "checkpoint.npz")[1]["state"]["levels"] == {"weakest": 2, "recall": 1}
    assert (("weakest",), (2,)) in made
    assert (("recall",), (2,)) not in made


def test_the_best_is_of_the_highest_levels_and_enough_is_won_there(tmp_path: pathlib.Path) -> None:
    wins = iter((1.0, 0.25, 0.5, 0.25, 1.0))
    changes = {
        "steps": 6 * 64,
        "battles": BASE["battles"] | {"level": 1, "scenarios": ["weakest"], "lanes": 1},
        "imitate": {},
        "curriculum": {"top": 2, "battles": 1, "win": 0.0},  # rises after the first evaluation
        "watch": {"every": 1, "win": 1.0},
    }
    train(fit_of(**changes), make, NAMES, tmp_path, CPU, evaluate=lambda job: {"won": next(wins)})
    best, last = (weights.load(tmp_path / f"{name}.npz")[1]["about"] for name in ("best", "model"))
    assert [row["levels"] for row in last["history"]] == [1, 2, 2, 2, 2]
    assert best["steps"] == last["steps"] < fit_of(**changes).steps
    assert next(wins, None) is None


def test_battles_are_shared_out_and_a_name_given_twice_counts_twice() -> None:
    shares: dict[tuple[str, ...], int] = {}

    def noted(scenarios: tuple[str, ...], levels: tuple[int, ...], count: int, seed: int, opponent: object) -> Weakest:
        shares[scenarios] = count
        return make(scenarios, levels, count, seed)

    battles = {"scenarios": ["weakest", "recall", "recall"], "lanes": 2, "count": 12, "symmetry": False}
    run = Run(fit_of(battles=battles, self_play={}), noted, NAMES, CPU)
    assert shares == {("weakest", "recall"): 8, ("recall",): 4}
    assert run.per_update == 12 * run.fit.ppo.rollout


class Poisoned(Weakest):
    """After some decisions the reward is not a number."""

    def step(self, verb: np.ndarray, target: np.ndarray) -> Any:
        self.taken = getattr(self, "taken", 0) + 1
        found = super().step(verb, target)
        return found._replace(reward=np.full_like(found.reward, np.nan)) if self.taken > 30 else found


def test_numbers_that_are_none_stop_the_run_and_keep_the_last_good_checkpoint(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def poisoned(
        scenarios: tuple[str, ...], levels: tuple[int, ...], count: int, seed: int, opponent: object
    ) -> Weakest:
        return Poisoned(count, seed)

    plain = fit_of(curriculum={}, self_play={})
    assert train(plain, poisoned, NAMES, tmp_path, CPU) == DIVERGED
    _, header = weights.load(tmp_path / "checkpoint.npz")
    assert header["state"]["update"] == 2
    assert all(np.isfinite(array).all() for array in arrays_of(tmp_path).values())
    assert "last good one is" in capsys.readouterr().out


def test_a_folder_in_use_and_another_run_are_refused(tmp_path: pathlib.Path) -> None:
    train(fit_of(steps=64), make, NAMES, tmp_path, CPU)
    with pytest.raises(TrainError, match="--resume continues it"):
        train(fit_of(), make, NAMES, tmp_path, CPU)
    with pytest.raises(TrainError, match=r"seed = 1, the config says 2"):
        train(fit_of(seed=2), make, NAMES, tmp_path, CPU, resume=True)
    with pytest.raises(TrainError, match=r"this run has network = \{.*'critic': 16.*, the config says .*'critic': 8"):
        train(fit_of(network=BASE["network"] | {"critic": 8}), make, NAMES, tmp_path, CPU, resume=True)
    arrays, header = weights.load(tmp_path / "checkpoint.npz")
    del header["config"]["battles"]["variants"]  # as from a time before there was such a key
    weights.save(tmp_path / "checkpoint.npz", arrays, header)
    assert train(fit_of(steps=64), make, NAMES, tmp_path, CPU, resume=True) == 0
    with pytest.raises(TrainError, match="nothing to resume"):
        train(fit_of(), make, NAMES, tmp_path / "other", CPU, resume=True)
    (tmp_path / "checkpoint.npz").write_bytes(b"PK broken")
    with pytest.raises(TrainError, match="not a file of weights"):
        train(fit_of(), make, NAMES, tmp_path, CPU, resume=True)


def test_settings_may_change_on_the_way_and_are_told(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(fit_of(steps=128), make, NAMES, tmp_path, CPU)
    changed = fit_of(steps=256, ppo=BASE["ppo"] | {"clip": 0.1}, watch={"every": 1, "battles": 1})
    assert train(changed, make, NAMES, tmp_path, CPU, resume=True) == 0
    assert "from step 128 on: ppo.clip = 0.1 (was 0.2)" in capsys.readouterr().out
    header = weights.load_actor(tmp_path / "model.npz")[1]
    told = (("ppo.clip", 0.2, 0.1), ("steps", 128, 256), ("watch.every", 2, 1))
    assert header["about"]["changes"] == [{"steps": 128, "name": n, "was": was, "is": now} for n, was, now in told]
    after = fit_of(steps=64, start=str(tmp_path / "model.npz"))
    train(after, make, NAMES, tmp_path / "after", CPU)
    before = weights.load_actor(tmp_path / "after" / "model.npz")[1]["about"]["before"]
    assert [run["steps"] for run in before] == [header["about"]["steps"]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name = 'a'\nsteps = 5", "battles is missing"),
        ("name = 'a'\nsteps = 'x'\n[battles]\nscenarios = ['3m']", "steps = 'x' must be of type int"),
        (
            "name = 'a'\nsteps = 5\n[battles]\nscenarios = ['3m']\n[ppo]\ncilp = 0.1",
            "'cilp' is unknown; known",
        ),
        (
            "name = 'a'\nsteps = 5\n[battles]\nscenarios = ['3m']\n[ppo]\nclip = 7",
            "clip = 7.0 must be between",
        ),
        ("name = 'a'\nsteps = 5\n[battles]\nscenarios = '3m'", "must be a list of strings"),
        ("name = 'a'\nsteps = 5\n[battles]\nscenarios = ['3m']\n[ppo]\nchunk = 7", "not a multiple of chunk"),
        (
            "name = 'a'\nsteps = 5\n[battles]\nscenarios = ['3m']\n[imitate]\nfollow = 0.5",
            "needs [network] advised",
        ),
        ("name = 'a/b'\nsteps = 5\n[battles]\nscenarios = ['3m']", "must be letters"),
        ("name = ''\nsteps = 5\n[battles]\nscenarios = ['3m']", "must be letters"),
        ("name = 'a'\nsteps = 5\nseed = -1\n[battles]\nscenarios = ['3m']", "seed = -1 must be between"),
        ("name = 'a'\nsteps = 5\n[battles]\nscenarios = ['3m']\nlevel = 0", "level = 0 must be between 1 and 3"),
        ("name = ", "not TOML"),
    ],
)
def test_a_wrong_config_is_one_clear_line(
    tmp_path: pathlib.Path, text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["fit", str(path)]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
    assert main(["fit", str(tmp_path / "none.toml")]) == 2


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a card")
def test_a_card_that_is_not_there_is_said(
    tmp_path: pathlib.Path, root: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = root / "train" / "configs" / "3m.toml"
    assert main(["fit", str(path), "--out", str(tmp_path), "--device", "cuda"]) == 2
    assert capsys.readouterr().err == "python -m train fit: --device cuda: PyTorch finds no CUDA card here\n"


@pytest.mark.parametrize(
    ("asked", "cards", "processes", "rank", "got"),
    [
        ("auto", 0, 1, 0, "cpu"),
        ("auto", 1, 1, 0, "cuda:0"),
        ("cpu", 1, 1, 0, "cpu"),
        ("auto", 2, 2, 1, "cuda:1"),
        ("auto", 1, 16, 1, "cpu"),
        ("auto", 1, 16, 0, "cpu"),
        ("cuda", 1, 16, 0, "--device cuda: 16 processes, but 1 card(s) here; each needs its own"),
    ],
)
def test_each_process_has_a_card_of_its_own_or_none_has(
    monkeypatch: pytest.MonkeyPatch, asked: str, cards: int, processes: int, rank: int, got: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cards > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: cards)
    monkeypatch.setenv("LOCAL_WORLD_SIZE", str(processes))
    monkeypatch.setenv("LOCAL_RANK", str(rank))
    if got.startswith("--"):
        with pytest.raises(TrainError) as refused:
            parallel.device_of(asked)
        assert str(refused.value) == got
    else:
        assert str(parallel.device_of(asked)) == got


def test_a_run_cannot_be_put_into_a_file(
    tmp_path: pathlib.Path, root: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for command, name in (("fit", "3m"), ("value", "qmix-3m"), ("specialists", "3m")):
        path = root / "train" / "configs" / f"{name}.toml"
        assert main([command, str(path), "--out", str(tmp_path / "file")]) == 2
        assert capsys.readouterr().err == f"python -m train {command}: {tmp_path / 'file'}: File exists\n"


def test_the_shipped_configs_are_right(root: pathlib.Path) -> None:
    found = sorted((root / "train" / "configs").glob("*.toml"))
    configs = [path for path in found if "[value]" not in path.read_text()]  # those are of another learner
    assert configs
    for path in configs:
        assert config.load(path).name == path.stem


def half(rank: int, folder: str) -> None:
    """One of two processes that update with one half of a batch each."""
    torch.set_num_threads(1)
    os.environ.update(GLOO_SOCKET_IFNAME="lo")
    store = f"file://{folder}/store"
    torch.distributed.init_process_group("gloo", init_method=store, rank=rank, world_size=2)
    learner = learner_of()
    _, batch = rollout(learner)
    update(learner, chunks(batch, torch.arange(len(batch.h)).chunk(2)[rank]))
    torch.save([*learner.actor.state_dict().values(), *learner.critic.state_dict().values()], f"{folder}/{rank}.pt")
    assert (parallel.rank(), parallel.size()) == (rank, 2)
    job = Run(fit_of(self_play={}), make, NAMES, CPU)
    torch.save((job.advance()["battles"], job.tally), f"{folder}/tally-{rank}.pt")
    torch.distributed.destroy_process_group()


def update(learner: Learner, batch: object) -> None:
    learner.ppo = config.Ppo(rollout=8, chunk=4, epochs=3, minibatches=1, rate=PPO.rate)
    learner.update([batch], torch.Generator().manual_seed(0), teacher=0.0)


def test_two_processes_equal_one_with_the_doubled_batch(tmp_path: pathlib.Path) -> None:
    mp.spawn(half, (str(tmp_path),), nprocs=2)
    learner = learner_of()
    _, batch = rollout(learner)
    update(learner, batch)
    whole = [*learner.actor.state_dict().values(), *learner.critic.state_dict().values()]
    for rank in range(2):
        parts = torch.load(tmp_path / f"{rank}.pt")
        for one, other in zip(whole, parts, strict=True):
            torch.testing.assert_close(one, other, atol=2e-5, rtol=1e-4)
    (battles, tally), other = (torch.load(tmp_path / f"tally-{rank}.pt") for rank in range(2))
    assert other == (battles, tally), "the checkpoint is written by one process and read by all"
    assert sum(fought for fought, _ in tally.values()) == battles > 0
