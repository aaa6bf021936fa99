"""Files of real games that hold what we cannot play: a line for each, and the tables of all others."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from sim.facts import load as load_facts
from sim.maps import load, names
from sim.replays import command
from tests.sim.replay_files import HALL, commands, write

FILES = ("commands-dev.jsonl.gz", "tracker-dev.jsonl.gz")
SECOND = "def67890"


def texts(folder: Path) -> list[str]:
    return [gzip.decompress((folder / name).read_bytes()).decode() for name in FILES]


def store(folder: Path, *contents: str) -> None:
    for name, text in zip(FILES, contents, strict=True):
        (folder / name).write_bytes(gzip.compress(text.encode()))


@pytest.fixture
def folder(tmp_path) -> Path:
    """Holds one good game."""
    terrain = load(names()[0])
    (tmp_path / "replays").mkdir()
    orders = [*commands(terrain), ["leave", 600, 1, "left"]]
    write(tmp_path / "replays", terrain, orders, [[500, "B", HALL + 9, "Colonist", 1, 9, 9]])
    return tmp_path / "replays"


def play(folder: Path, capsys, *ids: str, flags: tuple[str, ...] = ()) -> tuple[int, str, list[str]]:
    """-> exit code, what was printed, lines of error."""
    asked = [part for name in ids for part in ("--game", name)]
    code = command.main(["--data", str(folder.parent), "--until", "320", *asked, *flags])
    out, err = capsys.readouterr()
    return code, out, err.splitlines()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"balance":"4.10.0"', '"balance":"4.7.1"', "unknown patch '4.7.1'"),
        ('"race":"Terran"', '"race":"Random"', "no known race"),
        ('"terrain":"', '"terrain":"No', "unknown map 'No"),
        ('"loops":900', '"loops":null', "damaged record"),
    ],
)
def test_a_game_that_cannot_be_played_is_one_line_and_the_others_are_played(folder, capsys, old, new, why):
    told, tracked = texts(folder)
    other = told.replace("abc12345", SECOND).replace(old, new)
    assert other.count(new)
    store(folder, other + told, tracked + tracked.replace("abc12345", SECOND))
    code, out, lines = play(folder, capsys, "abc12345", SECOND)
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(f"python -m sim resim: left out: {SECOND}: ")
    assert why in lines[0]
    assert "LE-ai 4.10.0, Terran" in out
    assert "binding %" in out


def test_a_file_that_breaks_off_loses_only_the_game_in_which_it_does(folder, capsys):
    told, tracked = texts(folder)
    store(folder, told + told.replace("abc12345", SECOND)[:-30], tracked + tracked.replace("abc12345", SECOND))
    code, out, lines = play(folder, capsys, "abc12345", SECOND)
    assert (code, len(lines)) == (2, 1)
    assert f"{SECOND} breaks off there" in lines[0]
    assert "binding %" in out


def test_games_without_tracker_events_are_named(folder, capsys):
    told, tracked = texts(folder)
    store(folder, told + told.replace("abc12345", SECOND), tracked)
    code, out, lines = play(folder, capsys, "abc12345", SECOND)
    assert (code, lines) == (2, [f"python -m sim resim: left out: {SECOND}: no tracker events"])
    assert "binding %" in out


def test_what_the_facts_do_not_know_is_named_and_played_without(folder, capsys):
    told, tracked = texts(folder)
    store(folder, told.replace("[500,1,524,", "[500,1,99999,"), tracked)
    for name in FILES:  # any file of the kind is read
        (folder / name).rename(folder / name.replace("dev", "held"))
    code, out, lines = play(folder, capsys, "abc12345")
    assert (code, lines) == (0, [])
    assert "abilities that 4.10.0 does not know: 99999 (1)" in out
    assert "types of units that 4.10.0 does not know: Colonist (1)" in out
    assert "binding %" in out


def test_a_game_on_a_map_that_nobody_recorded_is_played_on_flat_ground(folder, capsys):
    """With the fields of its own events; without any it cannot be."""
    told, tracked = texts(folder)
    told = told.replace('"terrain":"', '"terrain":"No')
    store(folder, told, tracked)
    code, out, lines = play(folder, capsys, "abc12345", flags=("--flat",))
    assert (code, len(lines)) == (2, 1)
    assert "no resources" in lines[0]
    terrain = load(names()[0])
    kinds = {"MineralField": (0, 0.5), "VespeneGeyser": (0.5, 0.5)}
    ids = load_facts("4.10.0").ids
    fields = [
        [0, "B", (1000 + n) << 18 | 1, kind, 0, int(neutral.x - right), int(neutral.y - up)]
        for kind, (right, up) in kinds.items()
        for n, neutral in enumerate(terrain.neutrals)
        if neutral.type_id == ids[kind]
    ]
    events = json.dumps(fields, separators=(",", ":"))[1:-1]
    store(folder, told, tracked.replace('"ev":[', f'"ev":[{events},'))
    code, out, lines = play(folder, capsys, "abc12345", flags=("--flat",))
    assert (code, lines) == (0, [])
    assert "LE-ai 4.10.0, Terran, flat ground" in out
    assert "minerals gathered" in out
