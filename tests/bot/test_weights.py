"""Model files: what is written is read again, and nothing else is."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import torch

from bot.micro import weights
from bot.micro.network import Actor
from bot.micro.weights import WeightsError
from tests.bot.tables import CONFIG, random_tables

NAMES = {"verbs": ["NOTHING", "STOP"], "features": ["hp"]}


@pytest.fixture
def model(tmp_path: pathlib.Path) -> tuple[Actor, pathlib.Path]:
    torch.manual_seed(0)
    actor = Actor(CONFIG)
    path = tmp_path / "models" / "a.npz"
    weights.save_actor(path, actor, NAMES, {"steps": 12})
    return actor, path


def test_a_saved_and_loaded_network_decides_the_same(model: tuple[Actor, pathlib.Path]) -> None:
    actor, path = model
    loaded, header = weights.load_actor(path, NAMES)
    tables = random_tables(3)
    ours, theirs = actor(tables, actor.fresh(3, 4))[0], loaded(tables, loaded.fresh(3, 4))[0]
    assert torch.equal(ours.verb, theirs.verb)
    assert torch.equal(ours.target, theirs.target)
    assert header["about"] == {"steps": 12}
    assert [p.name for p in path.parent.iterdir()] == ["a.npz"]


def test_a_model_for_other_verbs_is_refused(model: tuple[Actor, pathlib.Path]) -> None:
    with pytest.raises(WeightsError, match=r"other verbs .row 1 is 'STOP', expected 'HALT'"):
        weights.load_actor(model[1], {"verbs": ["NOTHING", "HALT"]})


@pytest.mark.parametrize("keep", [0, 100, 5000, -20])
def test_a_truncated_file_is_refused(model: tuple[Actor, pathlib.Path], keep: int) -> None:
    path = model[1]
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(WeightsError, match=r"a\.npz: not a file of weights"):
        weights.load_actor(path)


def test_a_damaged_file_is_refused(model: tuple[Actor, pathlib.Path]) -> None:
    path = model[1]
    content = bytearray(path.read_bytes())
    content[3000:3100] = bytes(100)
    path.write_bytes(bytes(content))
    with pytest.raises(WeightsError):
        weights.load_actor(path)


def test_pickled_objects_are_never_read(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "b.npz"
    np.savez(path, header=np.array([{"format": 1}], dtype=object))
    with pytest.raises(WeightsError, match="not a file of weights"):
        weights.load(path)


def test_other_sizes_versions_and_bad_numbers_are_refused(model: tuple[Actor, pathlib.Path]) -> None:
    _, path = model
    arrays, header = weights.load(path)
    weights.save(path, arrays, header | {"format": 99})
    with pytest.raises(WeightsError, match="format 99"):
        weights.load(path)
    weights.save(path, arrays, header | {"config": header["config"] | {"width": 32}})
    with pytest.raises(WeightsError, match="shape"):
        weights.load_actor(path)
    arrays["verb.bias"] = np.full_like(arrays["verb.bias"], np.nan)
    weights.save(path, arrays, header)
    with pytest.raises(WeightsError, match="not finite"):
        weights.load_actor(path)
    with pytest.raises(WeightsError, match="no such file"):
        weights.load(path.with_name("c.npz"))


def test_what_cannot_be_written_leaves_the_old_file(model: tuple[Actor, pathlib.Path]) -> None:
    _, path = model
    before = path.read_bytes()
    with pytest.raises(TypeError):
        weights.save(path, {}, {"x": object()})
    assert path.read_bytes() == before
