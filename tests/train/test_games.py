"""Fights of whole games: found where armies meet, once each, and fought again as they stood."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sim.battle import empty_game
from sim.melee.game import Game
from tools import fights
from train import armies, catalog, scenario_games
from train.errors import TrainError


def meeting() -> Game:
    """Marines and a wounded Medivac at home, Zerglings just within MEET, a Drone and a Marine aside."""
    game = empty_game(scenario_games.ground("IronRidgeAIE"), (1, 2), upgrade_ids=((15,), ()))
    ids, (home, away) = game.facts.ids, game.terrain.starts
    game.spawn(ids["CommandCenter"], 1, *home)
    game.spawn(ids["Hatchery"], 2, *away)
    x, y = home[0] + 8.0, home[1] + 6.0
    for k in range(6):
        game.spawn(ids["Marine"], 1, x, y + k)
    medivac = game.spawn(ids["Medivac"], 1, x - 2.0, y)
    game.units[medivac]["hp"] = 75.0
    for k in range(10):
        game.spawn(ids["Zergling"], 2, x + 13.0, y + k / 2)
    game.spawn(ids["Drone"], 2, x + 13.0, y)
    game.spawn(ids["Marine"], 1, *away)
    return game


def test_a_fight_is_found_once_and_again_after_a_rest() -> None:
    game, watch = meeting(), fights.Watch()
    (row,) = watch.look(game)
    assert [unit[0] for unit in row["own"]] == ["Marine"] * 6 + ["Medivac"]
    assert row["own"][-1][3] == 0.5  # the share of its life
    assert [unit[0] for unit in row["enemy"]] == ["Zergling"] * 10
    assert row["upgrades"] == [[15], []]
    assert watch.look(game) == []  # it goes on
    zerglings = game.units["type"] == game.facts.ids["Zergling"]
    places = game.units["x"][zerglings].copy()
    game.units["x"][zerglings] += 30.0
    game.world[0]["loop"] += fights.REST
    assert watch.look(game) == []
    game.units["x"][zerglings] = places
    assert len(watch.look(game)) == 1


def test_scouts_are_no_fight() -> None:
    game = meeting()
    game.units["alive"][game.units["type"] == game.facts.ids["Marine"]] = 0
    assert fights.Watch().look(game) == []


def test_what_was_found_can_be_fought(tmp_path: Path) -> None:
    scenario_games.write(tmp_path / "f.jsonl.gz", [fights.Watch().look(meeting())[0] | {"game": "one"}])
    (row,) = scenario_games.read(tmp_path / "f.jsonl.gz")
    scenario = scenario_games.fight("games", row)
    family, fight = scenario.draw(np.random.default_rng(1))
    game = armies.template(family, fight, armies.agents_of(fight))
    units = game.units[: int(game.world[0]["slots"])]
    assert (units["owner"] == 1).sum() == 7
    assert (units["owner"] == 2).sum() == 10
    medivac = units[units["type"] == game.facts.ids["Medivac"]][0]
    assert medivac["hp"] == pytest.approx(75.0)
    assert np.abs(units["x"][:6] - (family.ground.starts[0][0] + 8)).max() < 3.0  # where they stood, but for the jitter
    assert game.players[1]["upgrades"][15]
    enemies = np.mean([at for _, at in fight.enemy], axis=0)
    assert np.hypot(*(np.array(fight.mission.point) - enemies)) < 6.0  # at home they go for whom they see


def test_held_back_fights_are_of_other_games() -> None:
    rows = scenario_games.read(scenario_games.FILE)
    held = {row["game"] for row in rows if scenario_games.is_held_out(row)}
    assert 0.05 < len(held) / len({row["game"] for row in rows}) < 0.4
    places = {k: {(x, y) for _, x, y, *_ in row["own"]} for k, row in enumerate(rows)}
    for name in scenario_games.names():
        scenario = catalog.load(name)
        for seed in range(20):
            drawn = {group.at for group in scenario.draw(np.random.default_rng(seed))[0].own}
            found = {rows[k]["game"] for k, known in places.items() if drawn <= known}
            assert found
            assert all((game in held) == (name == "games_held_out") for game in found)


def test_fights_on_maps_that_are_not_ours_are_refused_in_one_line() -> None:
    row = fights.Watch().look(meeting())[0] | {"map": "Elsewhere"}
    with pytest.raises(TrainError, match="'Elsewhere': the maps are IronRidgeAIE"):
        scenario_games.fight("games", row)


def test_no_saved_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.SC2Replay"
    bad.write_bytes(b"nothing")
    assert fights.main([str(bad), "--out", str(tmp_path / "f.jsonl.gz")]) == 2
    assert "bad.SC2Replay" in capsys.readouterr().err
    assert not (tmp_path / "f.jsonl.gz").exists()
