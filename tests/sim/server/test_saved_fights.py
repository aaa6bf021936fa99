"""The fights of a saved game, from its file to rows of a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server import screens
from tests.sim.server.client import Client
from tests.sim.server.screens import create, own
from tools import fights
from train import scenario_games


def test_the_fights_of_a_saved_game(client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = screens.start(client)
    hall = own(game, "CommandCenter")[0]
    game.step(10)
    create(game, "Marine", hall.pos.x + 8, hall.pos.y + 8, quantity=8)
    create(game, "Zergling", hall.pos.x + 18, hall.pos.y + 8, quantity=14, owner=2)
    game.step(40)
    saved, out = tmp_path / "one.SC2Replay", tmp_path / "fights.jsonl.gz"
    saved.write_bytes(game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data)
    assert fights.main([str(saved), "--out", str(out)]) == 0
    assert capsys.readouterr().out == "one: 1 fights\n"
    (row,) = scenario_games.read(out)
    assert (len(row["own"]), len(row["enemy"]), row["game"]) == (8, 14, "one")
    assert row["starts"][0] == [hall.pos.x, hall.pos.y]
    assert row["map"] == "Flat64"
