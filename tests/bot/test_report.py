"""What a game's report counts, and how it is written."""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from sc2.ids.unit_typeid import UnitTypeId

from bot.report import Tally, build_report, write_atomically, write_report
from bot.status import StatusLine, clock, most, table

PRICES = {
    UnitTypeId.MARINE: (50, 0),
    UnitTypeId.ROACH: (75, 25),
    UnitTypeId.SCV: (50, 0),
    UnitTypeId.BARRACKS: (150, 0),
}
SETUP = {"map": "Test", "opponent": "zerg:hard", "seed": 7}


def unit(tag: int, kind: UnitTypeId, progress: float = 1.0, health_max: float = 100.0) -> SimpleNamespace:
    return SimpleNamespace(tag=tag, type_id=kind, build_progress=progress, health_max=health_max)


class FakeGame:
    """One observation after another, as the tally reads them."""

    def __init__(self) -> None:
        self.game_data = SimpleNamespace(
            units={
                kind.value: SimpleNamespace(_proto=SimpleNamespace(mineral_cost=minerals, vespene_cost=gas))
                for kind, (minerals, gas) in PRICES.items()
            }
        )
        self.errors = Counter({"macro.workers": 2})
        self.plan = SimpleNamespace(reasons=("start",))
        self.minerals, self.vespene, self.supply_used, self.supply_cap = 50, 25, 12, 15
        self.show([], [])

    def show(self, own: list, enemy: list, dead: tuple[int, ...] = (), loop: int = 0) -> FakeGame:
        self.all_own_units, self.all_enemy_units, self.units = own, enemy, own
        self.state = SimpleNamespace(dead_units=set(dead), game_loop=loop)
        self.time = loop / 22.4
        return self


def test_counts_what_is_made_lost_and_killed() -> None:
    game, tally = FakeGame(), Tally()
    scv, marine, roach = unit(1, UnitTypeId.SCV), unit(2, UnitTypeId.MARINE), unit(9, UnitTypeId.ROACH)
    tally.see(game.show([scv], []))
    tally.see(game.show([scv, unit(3, UnitTypeId.BARRACKS, 0.5)], []))
    tally.see(game.show([scv, unit(3, UnitTypeId.BARRACKS)], []))
    tally.see(game.show([scv, unit(3, UnitTypeId.BARRACKS), marine], [roach]))
    assert tally.enemy_value() == 100
    tally.see(game.show([scv, unit(3, UnitTypeId.BARRACKS), marine], []))
    assert tally.enemy_value() == 100, "out of sight is not dead"
    tally.see(game.show([scv], [unit(10, UnitTypeId.BARRACKS)]))
    tally.see(game.show([scv], [unit(77, UnitTypeId.BARRACKS, health_max=0.0)]))
    assert tally.enemy_value() == 250, "a structure out of sight is shown as another unit"
    tally.see(game.show([scv], [], dead=(2, 9, 10, 555)))
    report = build_report(SETUP, game.show([], [], loop=2240), tally, "Victory", 3.2)
    assert report["units_built"] == {"BARRACKS": 1, "MARINE": 1}, "start units are not built, sites are not done"
    assert (report["units_lost"], report["enemy_killed"]) == (1, 2)
    assert report["enemy_killed_by_type"] == {"BARRACKS": 1, "ROACH": 1}
    assert tally.enemy_value() == 0
    assert (report["game_loops"], report["game_seconds"]) == (2240, 100.0)
    assert report["errors"] == ["macro.workers: 2 times"]


def test_each_reason_is_noted_when_it_appears() -> None:
    game, tally = FakeGame(), Tally()
    for loop, reasons in ((0, ("a",)), (224, ("a",)), (448, ("a", "b")), (672, ("b",)), (896, ("a", "b"))):
        game.plan = SimpleNamespace(reasons=reasons)
        tally.hear(game.show([], [], loop=loop))
    assert [(entry["seconds"], entry["reason"]) for entry in tally.decisions] == [(0, "a"), (20, "b"), (40, "a")]


def test_step_times_leave_out_the_warm_up() -> None:
    tally = Tally()
    for milliseconds in [500.0] * 10 + [1.0] * 99 + [30.0]:
        tally.time_step(milliseconds)
    steps = tally.steps()
    assert (steps["median"], steps["max"], steps["start_max"]) == (1.0, 30.0, 500.0)
    assert 1.0 <= steps["p99"] <= 30.0
    assert Tally().steps()["max"] == 0.0


def test_a_game_that_never_began_still_has_a_report(tmp_path: Path) -> None:
    report = build_report(SETUP, None, Tally(), "Error", 0.1)
    write_report(tmp_path / "deep" / "report.json", report)
    saved = json.loads((tmp_path / "deep" / "report.json").read_text(encoding="utf-8"))
    for key in ("result", "map", "opponent", "seed", "game_loops", "game_seconds", "wall_seconds", "step_ms"):
        assert key in saved
    assert {"median", "p99", "max"} <= set(saved["step_ms"])
    assert "Error" in table(saved)
    assert most({"SCV": 1, "MARINE": 3, "MARAUDER": 3}, 2) == [("MARAUDER", 3), ("MARINE", 3)]


def test_writing_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.json"
    write_atomically(target, "old")

    def fail(*_: object) -> None:
        raise OSError("disk")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk"):
        write_atomically(target, "new")
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_status_redraws_on_a_terminal_and_prints_lines_elsewhere() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    game, tally = FakeGame(), Tally()
    terminal, plain = Terminal(), io.StringIO()
    for stream in (terminal, plain):
        line = StatusLine(tally, stream)
        for second in range(150):
            line.update(game.show([unit(2, UnitTypeId.MARINE)], [], loop=int(second * 22.4)))
        line.clear()
    assert terminal.getvalue().startswith("\r00:00  supply 12/15  bank 50/25  army 50")
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K"), "the line must not stay in front of the table"
    assert [text[:5] for text in plain.getvalue().splitlines()] == ["00:00", "01:00", "02:00"]
    assert clock(3671) == "61:11"
