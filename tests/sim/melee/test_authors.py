"""What a unit has done goes on as its own after its death, when its slot is another unit's already."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sim.engine.state import HALLUCINATION
from sim.melee.game import Game
from sim.melee.lifecycle import REUSE_AFTER
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import at_rest, duel, full, lost

YAMATO, LOCK_ON, ABDUCT, WEAPON = 401, 2350, 2067, 23


@dataclass(frozen=True)
class Deed:
    """Who does what to whom; `out` is the delayed effect that shows that it is done, "" = a weapon's missile."""

    caster: str
    ability: int
    out: str
    victim: str = "Ultralisk"
    at_unit: bool = False
    far: float = 6.0
    loops: int = 60


DEEDS = [
    Deed("Reaper", 2588, "kd8", far=4.0),
    Deed("Ravager", 2338, "bile"),
    Deed("Ghost", 1622, "nuke", far=9.0),
    Deed("HighTemplar", 1036, "storm"),
    Deed("Infestor", 74, "fungus"),
    Deed("Battlecruiser", YAMATO, "yamato", at_unit=True, far=10.0),
    Deed("Cyclone", LOCK_ON, "lock_hit", at_unit=True, far=9.5),
    Deed("WidowMineBurrowed", 2099, "mine_hit", "Marauder", at_unit=True, far=4.0),
    Deed("Viper", 2542, "bomb", "Battlecruiser", at_unit=True),
    Deed("Marauder", WEAPON, "", at_unit=True, far=8.0),
    Deed("Thor", WEAPON, "", "Battlecruiser", at_unit=True, far=10.0),
    Deed("Mutalisk", WEAPON, "", at_unit=True, far=4.5),
]


def out(game: Game, deed: Deed) -> bool:
    """It is done, and has its effect yet to come."""
    if not deed.out:
        return bool(game.state.missiles["alive"].any())
    return any(name == deed.out for _, _, name, _ in game.memory.later_heap)


def play(deed: Deed, successor: str) -> tuple[Game, int, int]:
    """The caster dies once it is done, and player 2's successor (if any) takes its slot before the effect is there.
    -> game, victim, caster's slot."""
    game = duel()
    game.memory.taught.add(1)
    game.spawn(game.facts.ids["GhostAcademy"], 1, 20.5, 20.5, timer=1)
    victim = give(game, deed.victim, 40.5 + deed.far, 48.5, owner=2)
    at_rest(game, victim)
    caster = give(game, deed.caster, 40.5, 48.5)
    full(game, caster)
    game.step(8)
    place = float(game.units[victim]["x"]), float(game.units[victim]["y"])
    assert order(game, caster, deed.ability, victim if deed.at_unit else place) == 1
    until(game, lambda: out(game, deed), 400)
    game.kill(caster)
    game.state.missiles["speed"] /= 4  # slow enough that somebody else is there first
    game.step(REUSE_AFTER)
    assert out(game, deed)
    if successor:
        image = HALLUCINATION if successor == "Phoenix" else 0  # an image hurts nobody
        assert game.spawn(game.facts.ids[successor], 2, 80.5, 20.5, flags=image) == caster
    game.step(deed.loops)
    return game, victim, caster


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.out or deed.caster)
@pytest.mark.parametrize("successor", ["Marine", "Phoenix"])
def test_a_dead_casters_effect_is_its_players_whoever_has_its_slot(deed: Deed, successor: str) -> None:
    alone, before, _ = play(deed, "")
    assert lost(alone, before) > 0
    game, victim, caster = play(deed, successor)
    assert lost(game, victim) == lost(alone, before)
    assert (game.world[0]["dealt"] == alone.world[0]["dealt"]).all()
    assert game.world[0]["dealt"][1, 0] > 0
    assert (game.world[0]["dealt"][2] == 0).all()
    assert (game.units[victim]["hit_by"], game.units[victim]["last_attacker"]) == (1, -1)
    assert game.units[victim]["target"] != caster
    assert game.events(2).attacks


def test_who_dies_of_it_is_the_casters_kill() -> None:
    game = duel()
    ravager, marine = give(game, "Ravager", 40.5, 48.5, facing=0.0), give(game, "Marine", 46.5, 48.5, owner=2)
    at_rest(game, marine)
    order(game, ravager, 2338, (46.5, 48.5))
    until(game, lambda: game.memory.effects, 5)
    game.kill(ravager)
    game.step(REUSE_AFTER)
    assert give(game, "Marine", 80.5, 20.5, owner=2) == ravager
    game.step(50)
    assert not game.units[marine]["alive"]
    assert game.scores[1].killed_value["army"] == [50, 0]
    assert game.scores[2].friendly_fire["army"] == [0, 0]


def test_what_burns_down_is_the_kill_of_who_set_it_on_fire() -> None:
    """Whoever stands in the slot of the one that hit it last."""
    game = duel()
    depot, marine = give(game, "SupplyDepot", 45.0, 49.0, owner=2), give(game, "Marine", 42.5, 48.5)
    game.units[depot]["hp"] = 60
    order(game, marine, WEAPON, depot)
    until(game, lambda: game.units[depot]["hit_by"] == 1, 60)
    game.kill(marine)
    game.step(REUSE_AFTER)
    assert give(game, "Marine", 80.5, 20.5, owner=2) == marine
    until(game, lambda: not game.units[depot]["alive"], 1000)
    assert game.scores[1].killed_value["economy"] == [100, 0]


def test_a_mines_missile_goes_to_where_its_target_was() -> None:
    """The target dies in the flight, and somebody far away is born into its slot."""
    game = duel()
    mine = give(game, "WidowMineBurrowed", 40.5, 48.5)
    target, near = give(game, "Marauder", 44.5, 48.5, owner=2), give(game, "Ultralisk", 46.0, 48.5, owner=2)
    at_rest(game, target, near)
    game.step()
    order(game, mine, 2099, target)
    until(game, lambda: out(game, DEEDS[7]), 60)
    game.kill(target)
    game.step(REUSE_AFTER)
    assert out(game, DEEDS[7])
    stranger = give(game, "Marauder", 80.5, 20.5, owner=2)
    assert stranger == target
    game.step(30)
    assert lost(game, stranger) == 0
    assert lost(game, near) == pytest.approx(40, abs=0.5)  # it regenerates


def test_a_tongue_whose_viper_is_gone_drags_to_where_it_spat() -> None:
    game = duel()
    viper, marine = give(game, "Viper", 40.5, 48.5, facing=0.0), give(game, "Marine", 48.5, 48.5, owner=2)
    full(game, viper)
    at_rest(game, marine)
    order(game, viper, ABDUCT, marine)
    until(game, lambda: any(name == "tongue" for _, _, name, _ in game.memory.later_heap), 5)
    game.kill(viper)
    game.step(REUSE_AFTER)
    assert give(game, "Marine", 80.5, 20.5, owner=2) == viper
    game.step(30)
    assert abs(float(game.units[marine]["x"]) - 40.5) < 1.5


@pytest.mark.parametrize("there", [True, False])
def test_who_was_hit_turns_on_who_did_it_and_on_nobody_else_in_its_slot(there: bool) -> None:
    game = duel()
    thor, marauder = give(game, "Thor", 40.5, 48.5), give(game, "Marauder", 50.1, 48.5, owner=2)
    at_rest(game, thor)
    for name, value in {"last_hit": game.loop, "last_attacker": thor, "hit_by": 1}.items():
        game.units[marauder][name] = value
    game.units[marauder]["attacker_generation"] = game.units[thor]["generation"] - (0 if there else 1)
    until(game, lambda: game.loop % 4 == 0, 5)
    game.units[marauder]["last_hit"] = game.loop
    game.step(4)
    assert game.units[marauder]["target"] == (thor if there else -1)


def test_a_worker_looks_for_a_field_where_its_own_was() -> None:
    """A field that is mined out is removed; who brings home the last of it finds the next one there, though a unit has
    been born into its slot."""
    game = duel()
    fields = [slot for slot in game.owned(0) if int(game.units[slot]["type"]) == 341]
    worker = give(game, "Drone", float(game.units[fields[0]]["x"]), 77.5)
    order(game, worker, 3666, fields[0])
    until(game, lambda: game.units[worker]["carry"] > 0, 300)
    assert game.units[worker]["harvest_target"] == fields[0]
    game.kill(fields[0])
    game.step(REUSE_AFTER)
    assert give(game, "Marine", 80.5, 20.5, owner=2) == fields[0]
    until(game, lambda: not game.units[worker]["carry"], 900)
    game.step()
    assert game.units[worker]["harvest_target"] == fields[1]
