"""Real Protoss games: boosted producers, warp-ins, queues that are paid before they run."""

from __future__ import annotations

from sim.facts import load as load_facts
from sim.replays.boosts import boosts, start_of
from sim.replays.effects import FOR_EVER, effects
from sim.replays.metrics import gathered
from sim.replays.reader import NO_TARGET, RealCommand, RealEvent, RealGame

NEXUS, GATE, ASSIMILATOR, PROBE, CORE = 10, 20, 30, 40, 60
TRAIN_PROBE, WARP_ZEALOT, TRAIN_ZEALOT, CHRONO, SMART, WARP_GATES = 1006, 1413, 916, 3755, 1, 1568


def order(loop: int, ability: int, unit: int, target: int = NO_TARGET, at: tuple[float, float] | None = None):
    x, y = at or (0.0, 0.0)
    return RealCommand(loop, 1, ability, 0, target, x, y, at is not None, (unit,))


def born(loop: int, key: int, kind: str, creator: int) -> RealEvent:
    return RealEvent(loop, "B", key, kind, 1, 5, 5, creator)


def game(commands: list[RealCommand], events: list[RealEvent], loops: int = 3000) -> RealGame:
    return RealGame("game", "set", "", "5.0.14", {1: "Protoss", 2: "Terran"}, (1,), loops, loops, tuple(commands), {},
                    tuple(events), {1: [], 2: []})  # fmt: skip


def test_a_boosted_job_is_traced_back_to_its_order():
    assert start_of((), 272, 272) == (0, False)
    assert start_of((13,), 187, 272) == (2, True), "boosted from loop 13: seen in a real game, ordered at loop 1"
    assert start_of((100,), 900, 272) == (628, False), "the boost was over"
    assert start_of((400,), 600, 272) == (419, True)


def test_a_boost_that_is_given_again_while_it_lasts_counts_once():
    real = game([order(n, CHRONO, NEXUS, GATE) for n in (100, 102, 300, 600)], [])
    assert boosts(real) == {GATE: [100, 600]}


def test_births_of_a_boosted_nexus_keep_their_orders():
    commands = [order(1, TRAIN_PROBE, NEXUS), order(13, CHRONO, NEXUS, NEXUS), order(193, TRAIN_PROBE, NEXUS)]
    known = effects(
        game(commands, [born(187, 50, "Probe", NEXUS), born(375, 51, "Probe", NEXUS)]), load_facts("5.0.14")
    )
    assert known.commands == {0, 2}
    assert known.idle == {50, 51}
    assert known.casts == {1}, "its jobs took as long as boosted ones do"
    assert not known.waiting


def test_a_boost_shows_in_what_it_sped_up_only():
    commands = [order(1, TRAIN_PROBE, NEXUS), order(13, CHRONO, NEXUS, NEXUS)]
    assert not effects(game(commands, [born(273, 50, "Probe", NEXUS)]), load_facts("5.0.14")).casts


def test_a_queued_unit_is_paid_before_it_begins():
    commands = [order(1, TRAIN_PROBE, NEXUS), order(101, TRAIN_PROBE, NEXUS)]
    known = effects(
        game(commands, [born(273, 50, "Probe", NEXUS), born(545, 51, "Probe", NEXUS)]), load_facts("5.0.14")
    )
    assert known.idle == {50}
    assert known.waiting == ((1, 101, 273, 50, 0),)


def test_warp_ins_have_orders_of_their_own():
    commands = [order(100, TRAIN_ZEALOT, GATE), order(900, WARP_ZEALOT, GATE, at=(5.5, 5.5))]
    events = [born(100 + 608, 50, "Zealot", GATE), RealEvent(900, "I", 51, "Zealot", 1, 5, 5, -1)]
    known = effects(game(commands, events), load_facts("5.0.14"))
    assert known.commands == {0, 1}
    assert known.begun == {1: (900, 51)}
    assert not known.waiting, "nothing was paid before it began"


def test_events_after_the_last_known_command_explain_nothing():
    commands = [order(1, TRAIN_PROBE, NEXUS)]
    assert effects(game(commands, [born(2273, 50, "Probe", NEXUS)], loops=1000), load_facts("5.0.14")).commands == set()


def test_research_is_paid_for_ever():
    """It is in no book of a replay, neither while it is under way nor afterwards."""
    commands = [order(500, WARP_GATES, CORE)]
    done = RealEvent(500 + 2240, "U", -1, "WarpGateResearch", 1, 0, 0, -1)
    known = effects(game(commands, [done], loops=1000), load_facts("5.0.14"))
    assert known.waiting == ((1, 500, FOR_EVER, 50, 50),), "it ends after the last known command, but began before"
    assert effects(game(commands, [done._replace(loop=4000)], loops=1000), load_facts("5.0.14")).waiting == ()


def test_what_was_cancelled_counts_as_gathered():
    """A cannon for 150 gave 112 back; the replay books 150 as friendly fire and -113 as lost."""
    stats = {"MineralsCurrent": 288, "MineralsLostTechnology": -113, "MineralsFriendlyFireTechnology": 150}
    assert gathered(stats, "Minerals", 0) == 325
    killed = {"MineralsCurrent": 288, "MineralsLostArmy": 150, "MineralsFriendlyFireArmy": 100}
    assert gathered(killed, "Minerals", 0) == 538, "who fell to his own side is no loss (139 intervals of armies only)"
