"""Real games again: tumors wait for creep, and for tumors that came late themselves."""

from __future__ import annotations

from sim.maps import load, names
from sim.melee.records import Result
from sim.melee.zerg_build import TOO_FAR_FROM_CREEP
from sim.replays import drive
from sim.replays.drive import Trace, new_game, play
from sim.replays.prompter import Known
from sim.replays.reader import NO_TARGET, RealCommand, RealEvent, RealGame

QUEEN, TUMOR, SECOND = 40, 41, 42  # keys
PLANT, SPREAD = 1694, 1733
STARTED, READY = 12, 575  # loops at which the real Queen planted, and its tumor spread


def play_with_creep(monkeypatch, come: int, beside: int) -> Trace:
    """A Queen plants, and her tumor spreads: creep comes to their sites in one loop, beside them in another."""
    terrain = load(names()[0])
    (x, y), other = ((int(a), int(b)) for a, b in terrain.starts[:2])
    side = 1 if x < terrain.width / 2 else -1
    site, further = (x + 16 * side + 0.5, y + 0.5), (x + 16 * side + 0.5, y + 4.5)
    games = []

    def with_queen(*arguments):
        games.append(new_game(*arguments))
        queen = games[-1].spawn(games[-1].facts.ids["Queen"], 1, site[0] - side, site[1])
        games[-1].units[queen]["energy"] = 60
        return games[-1]

    def grow(loop: int) -> None:
        column = int(site[0])
        if loop == beside:
            games[-1].creep[y : y + 6, column - 1 : column + 2 : 2] = 1
        if loop == come:
            games[-1].creep[y : y + 6, column] = 1

    monkeypatch.setattr(drive, "new_game", with_queen)
    events = [RealEvent(0, "B", n, "Hatchery", n, *at, -1) for n, at in ((1, (x, y)), (2, other))]
    events.append(RealEvent(0, "B", QUEEN, "Queen", 1, int(site[0] - side), int(site[1]), -1))
    events.append(RealEvent(STARTED, "I", TUMOR, "CreepTumorQueen", 1, int(site[0]), int(site[1]), QUEEN))
    events.append(RealEvent(READY, "I", SECOND, "CreepTumor", 1, int(further[0]), int(further[1]), TUMOR))
    told = (
        RealCommand(10, 1, PLANT, 0, NO_TARGET, *site, True, (QUEEN,)),
        RealCommand(READY, 1, SPREAD, 0, NO_TARGET, *further, True, (TUMOR,)),
    )
    owners = {event.key: event.player for event in events}
    real = RealGame("game", "set", terrain.name, "5.0.14", {1: "Zerg", 2: "Zerg"}, (1,), 900, 900, told, owners,
                    tuple(sorted(events)), {1: [], 2: []})  # fmt: skip
    known = Known(frozenset({0, 1}), {0: (STARTED, TUMOR), 1: (READY, SECOND)})
    return play(real, terrain, 900, known, 96, grow)


def test_a_site_without_creep_is_tried_for_longer_and_so_is_what_a_late_tumor_is_told(monkeypatch):
    """Which cells have creep first is chance: here it comes 160 loops late, more than what else waits."""
    trace = play_with_creep(monkeypatch, come=160, beside=160)
    assert trace.verdicts == [TOO_FAR_FROM_CREEP, Result.COOLDOWN]
    assert 150 <= trace.held[0] <= 160
    assert trace.happened["I", TUMOR] > STARTED + 96
    assert 96 < trace.held[1] < 96 + trace.happened["I", TUMOR] - STARTED
    assert ("I", SECOND) in trace.happened
    assert not trace.aside


def test_a_tumor_without_creep_goes_to_a_cell_beside_its_own(monkeypatch):
    trace = play_with_creep(monkeypatch, come=800, beside=160)
    assert 150 <= trace.held[0] <= 160
    assert trace.happened["I", TUMOR] < 200
    assert TUMOR in trace.aside
    assert ("I", SECOND) in trace.happened
