"""`python -m train average`: the mean of models, and what a user can do wrong."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import torch

from bot.micro import weights
from tests.train.test_fit import BASE, CPU, fit_of
from tests.train.toy import NAMES, make
from train import card
from train.cli import main
from train.fit import train


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("run") / "toy"
    assert train(fit_of(watch={"every": 2, "snapshots": True}), make, NAMES, folder, CPU) == 0
    return folder


def models(run: pathlib.Path) -> list[pathlib.Path]:
    return sorted(run.glob("model-*.npz"))


def test_a_run_keeps_the_model_of_each_evaluation(run: pathlib.Path) -> None:
    kept = [weights.load(path)[1]["about"]["steps"] for path in models(run)]
    assert kept == [128, 256, 384]
    assert models(run)[-1].read_bytes() == (run / "model.npz").read_bytes()


def test_the_weights_are_the_means_and_the_record_says_so(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "mean.npz"
    assert main(["average", *map(str, models(run)), "--out", str(out)]) == 0
    each = [weights.load(path)[0] for path in models(run)]
    found, header = weights.load(out)
    assert header["about"]["averaged"] == 3
    for name, value in found.items():
        np.testing.assert_allclose(value, np.mean([arrays[name] for arrays in each], axis=0), rtol=1e-5, atol=1e-7)
    assert "the mean of the weights of its last 3 evaluations" in card.card("x", header, 1, [], "")


@pytest.mark.parametrize("trust", ["nan", "inf", "much"])
def test_trust_is_a_number(trust: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["average", "models/micro.npz", "--trust", trust, "--out", str(tmp_path / "x.npz")])
    assert f"'{trust}'" in capsys.readouterr().err


def test_trust_moves_the_chance_to_follow_only(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    actor, before = weights.load_actor("models/micro.npz")
    out = tmp_path / "bold.npz"
    assert main(["average", "models/micro.npz", "--trust", "-1.5", "--out", str(out)]) == 0
    bold, after = weights.load_actor(out)
    for name, change in (("trust", -1.5), ("averaged", 0)):
        assert after["about"][name] == before["about"][name] + change, "what was done before is not forgotten"
    for name, value in actor.state_dict().items():
        moved = bold.state_dict()[name] - value
        if name == "verb.bias":
            assert moved[-1] == pytest.approx(-1.5)
            moved = moved[:-1]
        assert not torch.any(moved), name


def test_what_a_user_can_do_wrong_is_one_line(
    run: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wider = tmp_path / "wider"
    changed = fit_of(network=BASE["network"] | {"width": 24})
    assert train(changed, make, NAMES, wider, CPU) == 0
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no model")
    capsys.readouterr()
    one, out = str(run / "model.npz"), tmp_path / "out.npz"
    for arguments, told in (
        ([str(wider / "model.npz"), one], "holds another network"),
        ([str(broken), one], "broken.npz"),
        ([one, "--trust", "-1"], "not advised"),
    ):
        assert main(["average", *arguments, "--out", str(out)]) == 2
        said = capsys.readouterr().err
        assert told in said
        assert said.count("\n") == 1
        assert not out.exists()
