"""Real games again: who built what, what turns later here, what an undriven player killed, and MULEs."""

from __future__ import annotations

import dataclasses
import math

from sim.engine.state import MOVE as MOVING
from sim.facts import load as load_facts
from sim.replays import drive
from sim.replays.binding import Binding
from sim.replays.builders import Builders
from sim.replays.drive import new_game, play
from sim.replays.effects import effects
from sim.replays.prompter import Known
from sim.replays.reader import NO_TARGET, RealCommand, RealEvent, read_games
from tests.sim.replay_files import BUILD_DEPOT, BUILD_REFINERY, DEPOT, HALL, MOVE, REFINERY, SCV, write

LOWER, RAISE, LIFT, LAND, CALL_MULE = 556, 558, 452, 554, 171
OTHER = SCV + 2  # a second worker of the start
MULE = 500 << 18


def the_game(folder, terrain, orders: list, events: list = ()):
    x, y = terrain.starts[0]
    write(folder, terrain, orders, events, [[OTHER, "SCV", 1, 0, int(x) - 3, int(y) + 3, 0]])
    (real,) = read_games(folder, {"abc12345"})
    return real


def depot_site(terrain) -> list[float]:
    (x, y), middle = terrain.starts[0], terrain.width / 2
    return [int(x) + (12.0 if x < middle else -12.0), int(y) + 0.0]


def test_of_two_who_were_sent_to_one_site_the_builder_is_who_was_left_alone(tmp_path, terrain):
    site, (x, y) = depot_site(terrain), terrain.starts[0]
    both = [[300, 1, BUILD_DEPOT, 0, site, [1]], [310, 1, BUILD_DEPOT, 0, site, [4]]]
    late = the_game(tmp_path, terrain, [*both, [420, 1, MOVE, 0, [x, y], [4]]])
    facts = load_facts("4.10.0")
    assert effects(late, facts).begun == {0: (400, DEPOT)}
    queued = the_game(tmp_path, terrain, [*both, [420, 1, MOVE, 1, [x, y], [4]], [430, 1, MOVE, 0, [x, y], [1]]])
    assert effects(queued, facts).begun == {1: (400, DEPOT)}, "it does after the work what it is told to do then"
    told = the_game(tmp_path, terrain, [*both, [420, 1, MOVE, 0, [x, y], [1, 4]]])
    assert effects(told, facts).begun == {1: (400, DEPOT)}, "nobody knows: the latest"


def test_of_the_places_that_a_bot_offers_the_one_where_the_structure_stands_was_taken(tmp_path, terrain):
    """Each with a tolerance the latest would be: of 186 structures of one bot 182 have another beside their own."""
    x, y = depot_site(terrain)
    offers = [[395, 1, BUILD_DEPOT, 0, [x + dx, y], [1]] for dx in (-1.0, 0.0, 1.0)]
    assert effects(the_game(tmp_path, terrain, offers), load_facts("4.10.0")).begun == {1: (400, DEPOT)}


def test_a_gas_structure_on_a_rich_geyser_is_what_was_ordered(tmp_path, terrain):
    """Trackers name it RefineryRich, the order just a Refinery."""
    x, y = depot_site(terrain)
    rich = [395, "I", REFINERY, "RefineryRich", 1, int(x), int(y)]
    orders = [[380, 1, BUILD_REFINERY, 0, [x + 0.5, y + 0.5], [1]]]
    assert effects(the_game(tmp_path, terrain, orders, [rich]), load_facts("4.10.0")).begun == {0: (395, REFINERY)}


def test_who_waits_for_its_place_takes_no_other_that_it_was_offered_after_it(tmp_path, terrain, monkeypatch):
    x, y = depot_site(terrain)
    real = the_game(tmp_path, terrain, [[395, 1, BUILD_DEPOT, 0, [x, y + dy], [1]] for dy in (0.0, 6.0)])
    known, games = effects(real, load_facts("4.10.0")), []

    def with_the_place_taken(*given):
        game = new_game(*given)
        game.spawn(game.facts.ids["Barracks"], 1, x + 0.5, y + 0.5)
        games.append(game)
        return game

    monkeypatch.setattr(drive, "new_game", with_the_place_taken)
    trace = play(real, terrain, 640, Known(known.commands, known.begun, known.done))
    assert trace.verdicts[0] != 1
    assert not games[-1].owned(1, "SupplyDepot")


def test_who_comes_first_to_a_site_here_is_the_counterpart_of_the_real_builder(tmp_path, terrain, monkeypatch):
    site, (x, y), games = depot_site(terrain), terrain.starts[0], []
    orders = [[300, 1, BUILD_DEPOT, 0, site, [4]], [390, 1, BUILD_DEPOT, 0, site, [1]], [470, 1, MOVE, 0, [x, y], [4]]]
    real = the_game(tmp_path, terrain, orders)
    known = effects(real, load_facts("4.10.0"))
    assert known.begun == {1: (400, DEPOT)}
    monkeypatch.setattr(drive, "new_game", lambda *given: games.append(new_game(*given)) or games[-1])
    trace = play(real, terrain, 472, Known(known.commands, known.begun, known.done))
    workers = games[-1].owned(1, "SCV")
    assert trace.happened["I", DEPOT] < 470
    assert MOVING in games[-1].orders["verb"][workers, 0], "the one at work would not have heard it"


def test_what_a_structure_was_told_waits_until_it_is_complete_and_until_it_has_turned(tmp_path, terrain):
    site = depot_site(terrain)
    away = [terrain.starts[0][0], site[1] + 5.0]  # from there it comes late
    orders = [[300, 1, MOVE, 0, away, [1]], [395, 1, BUILD_DEPOT, 0, site, [1]]]
    orders += [[882, 1, LOWER, 0, None, [2]], [884, 1, RAISE, 0, None, [2]]]
    real = the_game(tmp_path, terrain, orders, [[882, "T", DEPOT, "SupplyDepotLowered"]])
    known = effects(real, load_facts("4.10.0"))
    trace = play(real, terrain, 1000, Known(frozenset({1}), known.begun, known.done))
    assert trace.happened["D", DEPOT] > 884
    assert trace.verdicts == [1, 1, 1, 1], "an unfinished depot refuses both"
    assert [name for _, name in trace.changed[DEPOT]] == ["SupplyDepotLowered", "SupplyDepot"]
    hasty = play(real, terrain, 1000, Known(frozenset({1}), known.begun, known.done), 0)
    assert [name for _, name in hasty.changed[DEPOT]] == ["SupplyDepotLowered"], "the start's delay, and no loop more"


def test_what_a_player_without_commands_killed_dies_here(tmp_path, terrain):
    def workers(killer: int | None) -> int:
        orders = [[100, 1, MOVE, 0, depot_site(terrain), [1]]]
        real = the_game(tmp_path, terrain, orders, [[200, "X", SCV, "", 0, 1, 1, [killer, None]]])
        return play(real, terrain, 320).samples[1][320].counts["SCV"]

    assert workers(2) == workers(None) - 1
    assert workers(1) == workers(None), "what the player himself did comes of his commands"


def test_who_lifted_off_or_landed_was_told_to(tmp_path, terrain):
    """So what is busy here for some loops longer is told to again."""
    real, host = the_game(tmp_path, terrain, []), 7
    told = [(500, LIFT, NO_TARGET, 0.0, False), (600, LAND, NO_TARGET, 40.5, True)]
    commands = tuple(RealCommand(loop, 1, ability, 0, aim, x, x, at, (host,)) for loop, ability, aim, x, at in told)
    events = [
        RealEvent(500, "T", host, "BarracksFlying", 1, 0, 0, -1),
        RealEvent(663, "T", host, "Barracks", 1, 0, 0, -1),
    ]
    known = effects(dataclasses.replace(real, commands=commands, events=tuple(events)), load_facts("4.10.0"))
    assert known.commands == {0, 1}


def test_mules_are_explained_by_their_call_and_born_with_it(tmp_path, terrain):
    call = RealCommand(500, 1, CALL_MULE, 0, NO_TARGET, 30.0, 30.0, True, (HALL,))
    real = the_game(tmp_path, terrain, [])
    born = RealEvent(500, "B", MULE, "MULE", 1, 30, 30, HALL)
    real = dataclasses.replace(real, commands=(call,), events=(*real.events[:20], born))
    known = effects(real, load_facts("4.10.0"))
    assert known.commands == {0}
    game = new_game(real, terrain)
    binding = Binding(game, real, (1,))
    for _ in range(100):
        game.step()
    game.spawn(game.facts.ids["MULE"], 1, 30.0, 30.0)
    binding.update(frozenset())
    assert binding.happened["B", MULE] == 100 - 64, "replays book it when it is called, not when it lands"


def at_loop_300(folder, terrain, orders: list) -> tuple:
    """-> game, binding, the commands' builders after loop 300 of workers that nobody told anything"""
    real = the_game(folder, terrain, orders)
    game = new_game(real, terrain)
    binding = Binding(game, real, real.sides)
    while game.loop < 300:
        game.step()
        binding.update(frozenset())
    return game, binding, real.commands, Builders(game, binding, frozenset({len(orders) - 1}))


def known_workers(game, binding) -> list[int]:
    return [slot for slot in game.owned(1, "SCV") if slot in binding.slots]


def test_of_plain_workers_without_a_load_the_nearest_builds(tmp_path, terrain):
    """As bots choose: 223 structures on Kairos Junction began 5.8 loops late on average while others built, too."""
    site, nearest = depot_site(terrain), set()
    for place in (site, [2 * terrain.starts[0][0] - site[0], site[1]]):
        game, binding, commands, builders = at_loop_300(tmp_path, terrain, [[300, 1, BUILD_DEPOT, 0, place, [1]]])
        units, before = game.units, set(known_workers(game, binding))
        while sum(units["carry"][s] > 0 for s in before) != 1:  # one has a load, others have not
            game.step()
            binding.update(frozenset())
        builders.choose(0, commands[0])
        now = known_workers(game, binding)
        away = {s: math.dist((units["x"][s], units["y"][s]), place) for s in now if not units["carry"][s]}
        assert binding.slot(SCV) == min(away, key=away.__getitem__)
        assert set(now) == before
        assert len({binding.slots[slot] for slot in now}) == len(now), "the two have changed places"
        nearest.add(binding.slot(SCV))
    assert len(nearest) == 2, "one for each side of the town hall"


def test_who_was_told_something_of_late_builds_itself_and_stands_in_for_nobody(tmp_path, terrain):
    site = depot_site(terrain)
    for told in ([1], [2, 3, 4]):
        orders = [[250, 1, MOVE, 1, site, told], [300, 1, BUILD_DEPOT, 0, site, [1]]]
        game, binding, commands, builders = at_loop_300(tmp_path, terrain, orders)
        own = binding.slot(SCV)
        others = [binding.slots[slot] for slot in known_workers(game, binding) if slot != own]
        builders.choose(0, commands[0]._replace(units=(SCV,) if told == [1] else tuple(others)))
        builders.choose(1, commands[1])
        assert binding.slot(SCV) == own
