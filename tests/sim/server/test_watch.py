"""A saved game as a page: the units, shots and figures in it are those of the game."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from s2clientprotocol import debug_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.cli import main
from sim.watch.film import UNFINISHED
from tests.sim.server import screens
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, Client
from tests.sim.server.screens import create, own
from tests.sim.server.test_actions import debug

BUILD_DEPOT, NEURAL, MINE = 319, 249, 1
EVERY = 8
START = 50  # frames until there is money for a depot


def record(page: str) -> dict[str, Any]:
    """The data of a page."""
    return json.loads(gzip.decompress(base64.b64decode(page.split('unpack("')[1].split('"')[0])))


def units_at(film: dict[str, Any], frame: int) -> list[tuple[int, str, int, int, int, int]]:
    """(owner, type, x, y, life, bits) of all that a frame shows, by the page's own rule."""
    found = []
    for owner, kind, samples, end in film["units"]:
        rows = [samples[i : i + 5] for i in range(0, len(samples), 5)]
        past = [row for row in rows if row[0] <= frame]
        if past and (end < 0 or frame < end):
            found.append((owner, film["kinds"][kind]["name"], *past[-1][1:]))
    return sorted(found)


@pytest.fixture
def saved(client: Client, tmp_path: Path) -> tuple[Path, dict[int, list[Any]]]:
    """A game with a construction and a fight, and what its player saw of its own by frame."""
    game = screens.start(client)
    hall, scv = own(game, "CommandCenter")[0], own(game, "SCV")[0]
    game.step(START * EVERY - game.observe().observation.game_loop)
    assert game.command(BUILD_DEPOT, scv.tag, at=(hall.pos.x - 6.5, hall.pos.y + 0.5)) == 1
    create(game, "Marine", hall.pos.x + 8, hall.pos.y + 8, quantity=4)
    create(game, "Zergling", hall.pos.x + 13, hall.pos.y + 8, quantity=4, owner=2)
    seen = {}
    for _ in range(40):
        game.step(EVERY - game.observe().observation.game_loop % EVERY)
        found = game.observe().observation
        units = [unit for unit in found.raw_data.units if unit.alliance == MINE]
        rows = [(round(10 * unit.pos.x), round(10 * unit.pos.y), unit.build_progress < 1) for unit in units]
        seen[found.game_loop // EVERY] = sorted(rows)
    path = tmp_path / "one.SC2Replay"
    path.write_bytes(game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data)
    return path, seen


def test_the_page_shows_the_game(
    saved: tuple[Path, dict[int, list[Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, seen = saved
    assert main(["watch", str(path)]) == 0
    assert "open it in a browser" in capsys.readouterr().out
    film = record(path.with_suffix(".html").read_text(encoding="utf-8"))
    for frame, mine in seen.items():
        shown = [(x, y, bool(bits & UNFINISHED)) for owner, _, x, y, _, bits in units_at(film, frame) if owner == 1]
        assert sorted(shown) == mine, frame
    assert film["news"][0][1:] == [1, "SupplyDepot"]
    owner = [unit[0] for unit in film["units"]]
    pairs = {(owner[row[i]], owner[row[i + 1]]) for row in film["shots"] for i in range(0, len(row), 2)}
    assert {(1, 2), (2, 1)} <= pairs, "both sides shot"
    last = film["figures"][-1]
    assert last[0] == film["loops"] == max(seen) * EVERY
    assert last[1][4] == 12, "workers"
    assert any(end >= 0 for _, _, _, end in film["units"]), "somebody died"
    assert (film["players"][0]["race"], film["players"][1]["race"]) == ("Terran", "Zerg")


def test_who_is_taken_over_has_the_colour_of_its_master_whatever_the_players_are_called(
    client: Client, tmp_path: Path
) -> None:
    assert not client.create("Empty128", (PARTICIPANT,), (COMPUTER, TERRAN, 1)).create_game.HasField("error")
    client.join(player_name="TITLE DATA")
    debug(client, game_state=debug_pb2.tech_tree)
    create(client, "Infestor", 40, 40)
    create(client, "Thor", 46, 40, owner=2)
    infestor, thor = (next(u for u in client.observe().observation.raw_data.units if u.owner == n) for n in (1, 2))
    debug(client, unit_value={"unit_tag": infestor.tag, "unit_value": debug_pb2.DebugSetUnitValue.Energy, "value": 200})
    client.step(2)
    assert client.command(NEURAL, infestor.tag, target=thor.tag) == 1
    client.step(60)
    path = tmp_path / "stolen.SC2Replay"
    path.write_bytes(client.ask(save_replay=sc.RequestSaveReplay()).save_replay.data)
    assert main(["watch", str(path)]) == 0
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    assert page.count("TITLE DATA (Terran)") == 2
    film = record(page)
    thors = [(owner, end < 0) for owner, kind, _, end in film["units"] if film["kinds"][kind]["name"] == "Thor"]
    assert thors == [(2, False), (1, True)]


def test_what_cannot_be_watched_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.SC2Replay").write_bytes(b"MPQ\x1b of the real game")
    (tmp_path / "empty.SC2Replay").touch()
    for name, reason in (("other", "no replay of this engine"), ("none", "no such file"), ("empty", "is empty")):
        file = tmp_path / f"{name}.SC2Replay"
        assert main(["watch", str(file)]) == 2
        said = capsys.readouterr().err
        assert reason in said
        assert (said.count("\n"), said.count(str(file))) == (1, 1)
    assert main(["watch", str(tmp_path / "other.SC2Replay"), "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert "--out" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.SC2Replay", "other.SC2Replay"]
