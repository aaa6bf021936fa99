"""Where compiled code is kept, and what needs no compiler."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numba
import numpy as np
import pytest

from sim.engine import compile as kernel
from sim.engine import damage, jit, movement, state, step


def test_a_changed_callee_changes_the_folder_of_its_callers() -> None:
    files = jit.sources(pathlib.Path(step.__file__))
    assert {pathlib.Path(module.__file__) for module in (damage, movement, state)} <= files
    assert pathlib.Path(step.__file__) not in jit.sources(pathlib.Path(damage.__file__))
    folders = {jit.cache_folder(pathlib.Path(module.__file__)).name for module in (step, damage, movement)}
    assert len(folders) == 3


def test_the_cache_can_be_put_elsewhere_and_falls_back_where_nothing_can_be_written(tmp_path: pathlib.Path) -> None:
    def root(place: str) -> str:
        code = "from sim.engine import jit; print(jit.cache_root())"
        env = {**os.environ, "IRONSIGHT_CACHE": place}
        folder = pathlib.Path(jit.PACKAGE).parent
        return subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert root(str(tmp_path / "kernel")) == str(tmp_path / "kernel")
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert root(str(blocked / "kernel")) not in ("", str(blocked / "kernel"))


def test_old_code_is_deleted(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path)
    old, new = tmp_path / "step-0123", tmp_path / "step-4567"
    old.mkdir()
    new.mkdir()
    os.utime(old, (1e9, 1e9))
    jit.prune()
    assert new.is_dir()
    assert not old.exists()


def test_code_of_others_in_the_process_may_count_from_an_arrays_end() -> None:
    """Programs that import the engine as a library have compiled functions of their own."""

    @numba.njit
    def last(values: np.ndarray) -> float:
        back = -1 if len(values) else 0
        return values[back]

    assert last(np.arange(10.0)[5:]) == 9.0


def test_records_and_worlds_need_no_compiler() -> None:
    code = "import sys, sim.engine.state, sim.engine.world, sim.engine.bufftable; print('numba' in sys.modules)"
    folder = pathlib.Path(jit.PACKAGE).parent
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_warm_up_tells_how_far_it_is() -> None:
    told: list[tuple[str, float]] = []
    kernel.warm_up(lambda part, share: told.append((part, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert kernel.is_compiled()
