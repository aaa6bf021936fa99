"""Real games again: larvae stand in for each other."""

from __future__ import annotations

import pytest

from sim.facts import load as load_facts
from sim.maps import load, names
from sim.melee.game import Command
from sim.replays.binding import Binding
from sim.replays.casts import injected
from sim.replays.drive import new_game, play
from sim.replays.prompter import Known
from sim.replays.reader import NO_TARGET, RealCommand, RealEvent, RealGame
from tests.sim.replay_files import TRAIN_DRONE

LARVA, LATER, DRONE = 10, 13, 20  # keys: the first of three larvae, one born at loop 5, the first drone made
TRAIN_OVERLORD, INJECT = 1344, 251


@pytest.fixture
def zerg():
    """-> (terrain, a real game of two Zerg with these commands and births (key, type, creator) at these loops)."""
    terrain = load(names()[0])
    (x, y), (x2, y2) = ((int(a), int(b)) for a, b in terrain.starts[:2])

    def real(commands: list[tuple[int, int, tuple[int, ...]]], births: list[tuple[int, int, str, int]]) -> RealGame:
        events = [RealEvent(0, "B", n, "Hatchery", n, *at, -1) for n, at in ((1, (x, y)), (2, (x2, y2)))]
        events += [RealEvent(0, "B", LARVA + n, "Larva", 1, x - 1 + n, y - 3, 1) for n in range(3)]
        events.append(RealEvent(5, "B", LATER, "Larva", 1, x, y - 3, 1))
        events += [RealEvent(loop, "B", key, name, 1, x, y - 3, creator) for loop, key, name, creator in births]
        told = [
            RealCommand(loop, 1, ability, 0, NO_TARGET, 0.0, 0.0, False, units) for loop, ability, units in commands
        ]
        owners = {event.key: event.player for event in events}
        return RealGame("game", "set", terrain.name, "5.0.14", {1: "Zerg", 2: "Zerg"}, (1,), 700, 700, tuple(told),
                        owners, tuple(sorted(events)), {1: [], 2: []})  # fmt: skip

    return terrain, real


def test_another_larva_does_what_one_that_is_missing_was_told(zerg):
    """The real game had a fourth larva at loop 5, ours is to have none for a long time."""
    terrain, real = zerg
    game = real([(10, TRAIN_DRONE, (LATER,))], [(282, DRONE, "Drone", LATER)])
    trace = play(game, terrain, 300, Known(frozenset({0})), 0)
    assert trace.verdicts == [1]
    assert trace.happened["B", DRONE] == 282


def test_those_of_a_group_that_are_eggs_in_the_real_game_are_named_no_more(zerg):
    """The same group is told twice; ours cannot pay for the first command before the second."""
    terrain, real = zerg
    group = (LARVA, LARVA + 1)
    born = [(500, DRONE, "Overlord", LARVA), (500, DRONE + 1, "Drone", LARVA + 1)]
    game = real([(1, TRAIN_OVERLORD, group), (170, TRAIN_DRONE, group)], born)
    trace = play(game, terrain, 700, Known(frozenset({0, 1})), 400)
    assert trace.verdicts == [9, 9], "50 minerals at the start are too few"
    assert {("B", DRONE), ("B", DRONE + 1)} <= trace.happened.keys(), "each comes out of its own egg"
    assert not [extra for extra in trace.extra if extra[0] and extra[1] in ("Drone", "Overlord")]


def test_what_another_producer_made_is_the_counterpart_of_what_is_overdue(zerg):
    terrain, real = zerg
    born = real([], [(100, DRONE, "Drone", LATER), (290, DRONE + 1, "Drone", LARVA + 2)])
    game = new_game(born, terrain)
    binding = Binding(game, born, (1,))
    assert game.issue(Command(1, TRAIN_DRONE, (game.tag(binding.slot(LARVA)),))) == 1
    for _ in range(280):
        game.step()
        binding.update(frozenset())
    assert ("B", DRONE) in binding.happened
    assert ("B", DRONE + 1) not in binding.happened, "that one is not due yet"


@pytest.mark.parametrize(("hatches", "took"), [((744, 748, 752), {1}), ((744, 748), set()), ((739, 743, 747), {0})])
def test_an_inject_shows_in_three_larvae_that_come_out_together(hatches, took):
    """Of the orders to one town hall the latest that is early enough."""
    told = [RealCommand(loop, 1, INJECT, 0, 1, 5.0, 5.0, False, (30,)) for loop in (40, 100, 110)]
    born = [RealEvent(loop, "B", loop, "Larva", 1, 5, 5, 1) for loop in hatches]
    real = RealGame("game", "set", "", "5.0.14", {1: "Zerg", 2: "Zerg"}, (1,), 900, 900, tuple(told), {}, tuple(born),
                    {1: [], 2: []})  # fmt: skip
    assert set(injected(real, load_facts("5.0.14"))) == took
