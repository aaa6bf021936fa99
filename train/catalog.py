"""All scenarios by name: drills, arenas, random teams, random fights, and files of the user's own."""

from __future__ import annotations

from pathlib import Path

from train import scenario_file, scenario_games, scenario_random, scenario_smac
from train.errors import TrainError
from train.scenario import Scenario, near

DRILLS = Path(__file__).parent / "scenarios" / "drills"
FAMILIES = ("drill", "smac", "smacv2", "random", "game")


def drills() -> tuple[str, ...]:
    """Names of the drills, without level."""
    return tuple(sorted(path.stem for path in DRILLS.glob("*.toml")))


def names(family: str = "") -> tuple[str, ...]:
    """All names that `load` knows (drills at each level), of one family or of all."""
    by_family = {
        "drill": tuple(f"{name}@{level}" for name in drills() for level in scenario_file.LEVELS),
        "smac": tuple(n for n in scenario_smac.names() if not n.startswith("smacv2_")),
        "smacv2": tuple(n for n in scenario_smac.names() if n.startswith("smacv2_")),
        "random": scenario_random.names(),
        "game": scenario_games.names(),
    }
    chosen = FAMILIES if not family else (scenario_file.choice(family, FAMILIES, "family"),)
    return tuple(name for key in chosen for name in by_family[key])


def load(name: str | Path) -> Scenario:
    """A scenario by name or by the path of a TOML file; `@1` to `@3` behind it choose the level (default 2).

    Raises:
        TrainError: there is no such scenario, or its file is wrong.
    """
    text, level = _level(str(name))
    if text in drills():
        return scenario_file.read(DRILLS / f"{text}.toml", f"{text}@{level}", level, "drill")
    if text in scenario_games.names():
        return scenario_games.load(text)
    if text in scenario_random.names():
        return scenario_random.load(text)
    if text in scenario_smac.names() or text.startswith("smacv2_"):
        return scenario_smac.load(text)
    path = Path(text)
    if path.suffix == ".toml" or path.exists():
        return scenario_file.read(path, f"{path.stem}@{level}", level)
    hint = near(text, {known.partition("@")[0] for known in names()})
    raise TrainError(f"unknown scenario {text!r}{hint} (python -m train scenarios lists all, files end in .toml)")


def _level(text: str) -> tuple[str, int]:
    head, mark, tail = text.rpartition("@")
    if not mark or "/" in tail:  # a folder may be named so
        return text, 2
    if tail not in ("1", "2", "3"):
        raise TrainError(f"{text}: level {tail!r}; there are 1, 2 and 3")
    return head, int(tail)
