"""Unmodified pysc2 on a fake installation: its own tests that need the game, and its agents.

They run where IRONSIGHT_PYSC2 names a Python that has pysc2 (docs/server.md says which versions fit together).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

PYTHON = os.environ.get("IRONSIGHT_PYSC2", "")
TESTS = (
    "actions_test",
    "debug_test",
    "easy_scripted_test",
    "general_actions_test",
    "host_remote_agent_test",
    "multi_player_env_test",
    "multi_player_test",
    "obs_spec_test",
    "obs_test",
    "ping_test",
    "protocol_error_test",
    "random_agent_test",
    "render_test",
    "replay_obs_test",
    "step_mul_override_test",
)

pytestmark = pytest.mark.skipif(not PYTHON, reason="IRONSIGHT_PYSC2 names no Python with pysc2")


@pytest.fixture
def run_module(installation: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs a module of pysc2 with its Python; -> all it wrote. Fails if it fails."""

    def run(*arguments: str) -> str:
        hidden = {"PYTHONPATH", "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"}
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        environment |= {"SC2PATH": str(installation), "IRONSIGHT_LOG": str(tmp_path / "server.log")}
        command = [PYTHON, "-m", *arguments]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-6000:]}"
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize("name", TESTS)
def test_pysc2_s_own_tests_pass(run_module: Callable[..., str], name: str) -> None:
    assert "\nOK" in run_module(f"pysc2.tests.{name}")


def test_the_random_agent_plays_a_melee_map(run_module: Callable[..., str]) -> None:
    agent = "pysc2.agents.random_agent.RandomAgent"
    out = run_module("pysc2.bin.agent", "--map", "Simple64", "--agent", agent, "--norender", "--max_agent_steps", "100")
    assert "for 100 steps" in out
