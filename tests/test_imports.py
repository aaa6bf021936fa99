"""The packages' import rules: the ladder's machine has only what the first row of the table allows."""

from __future__ import annotations

import ast
import os
import pathlib
import subprocess
import sys

import pytest

STDLIB = set(sys.stdlib_module_names)
ALLOWED = {
    "bot": STDLIB | {"bot", "sc2", "torch", "numpy", "scipy", "loguru", "aiohttp"},
    "sim": STDLIB
    | {"sim", "numpy", "scipy", "numba", "llvmlite", "websockets", "s2clientprotocol", "google", "loguru"},
}


def imported_packages(path: pathlib.Path) -> set[str]:
    """Top-level names of everything a source file imports, inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_package_imports_only_what_it_may(package: str, root: pathlib.Path) -> None:
    sources = sorted((root / package).rglob("*.py"))
    assert sources, f"no sources in {package}/"
    wrong = {str(p.relative_to(root)): extra for p in sources if (extra := imported_packages(p) - ALLOWED[package])}
    assert not wrong


def test_the_rule_sees_a_forbidden_import(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "module.py"
    source.write_text("def f():\n    import train.ppo\n    from sim.engine import step\n", encoding="utf-8")
    assert imported_packages(source) == {"train", "sim"}


def test_the_game_is_played_and_the_engine_runs_without_what_only_training_needs(root: pathlib.Path) -> None:
    """The packages of the extra `train` are refused in a process that loads all that `make play` loads."""
    extra = ("torch", "tensorboard", "tqdm", "pettingzoo")
    program = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {extra}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Refuse())
import run, bot.main, bot.local, sim.cli, tools.make_zip, tools.winrate
from bot.guard import Guard
from bot.micro.step import Micro
assert Micro(Guard(), "learned").policy is not None
import train.cli
sys.exit(train.cli.main(["evaluate", "--policy", "scripted", "--scenarios", "3m"]))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr == 'python -m train: torch is not installed; pip install -e ".[train]" installs it\n'


def test_programs_outside_of_the_checkout_find_the_packages(tmp_path: pathlib.Path) -> None:
    code = "from train.smac_api import StarCraft2Env; print(StarCraft2Env(map_name='3m').get_env_info()['n_agents'])"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "3\n", done.stderr
