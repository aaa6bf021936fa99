"""Where built-in opponents put structures as their bases fill up."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, sites, spend
from sim.computer.bases import Base
from sim.computer.view import View
from sim.melee.game import Game
from sim.melee.lifecycle import ground_height
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game

PYLONS = 9  # a base with two structures for each is full


def player(race: int) -> tuple[Game, Computer]:
    """A computer with its town hall and its workers."""
    game = new_game((race, Race.ZERG))
    computer = Computer(game, 1, race, 5, 5, seed=5)
    game.step()
    return game, computer


def seen(computer: Computer) -> View:
    """The game as the computer sees it now."""
    return View(computer.game, 1, computer.sight, computer.sheet)


def built(computer: Computer, name: str) -> tuple[float, float] | None:
    """A finished structure where the computer wants it, and its place."""
    recipe = computer.recipes[name]
    spot = sites.find(computer, seen(computer), recipe, None)
    if spot is None:
        return None
    computer.game.spawn(recipe.product, 1, *spot[:2])
    computer.game.step()
    return spot[:2]


def test_pylons_open_room_for_all_structures_of_a_base():
    """They went where there was room in power already and filled it: whole games without a Forge."""
    _, computer = player(Race.PROTOSS)
    for number in range(PYLONS):
        assert built(computer, "Pylon")
        assert [built(computer, "Gateway") is not None for _ in range(2)] == [True, True], number


def test_the_next_pylon_powers_other_ground():
    _, computer = player(Race.PROTOSS)
    pylons = [built(computer, "Pylon") for _ in range(4)]
    apart = [np.hypot(a[0] - b[0], a[1] - b[1]) for k, a in enumerate(pylons) for b in pylons[:k]]
    assert min(apart) > 4


@pytest.mark.parametrize(("race", "name"), [(Race.PROTOSS, "Pylon"), (Race.TERRAN, "Barracks")])
def test_structures_stand_farther_out_once_the_base_is_full(race, name):
    """Real pylons from the fifth on, and a third of the Starports, stand 13 to 17.7 from their town hall."""
    game, computer = player(race)
    x, y = computer.ground.home
    rows, columns = np.indices(game.place.shape)
    game.place[np.hypot(columns + 0.5 - x, rows + 0.5 - y) < 13] = 0
    for _ in range(4):
        at = built(computer, name)
        assert at is not None
        assert 13 <= np.hypot(at[0] - x, at[1] - y) < 18.5
        assert ground_height(game, *at) == pytest.approx(ground_height(game, x, y), abs=1), "not below the cliff"


def test_what_stands_farther_out_keeps_off_the_site_of_another_base():
    game, computer = player(Race.PROTOSS)
    x, y = computer.ground.home
    rows, columns = np.indices(game.place.shape)
    game.place[np.hypot(columns + 0.5 - x, rows + 0.5 - y) < 13] = 0
    pylon = computer.recipes["Pylon"]
    there = sites.find(computer, seen(computer), pylon, None)
    computer.ground.bases.append(Base(*there[:2], (), ()))
    for _ in range(6):
        at = built(computer, "Pylon")
        assert np.hypot(at[0] - there[0], at[1] - there[1]) > 4


def test_cannons_get_their_pylon_where_they_are_wanted():
    """It stood at the first town hall, and the new one had no cannon."""
    game, computer = player(Race.PROTOSS)
    base = computer.ground.bases[computer.ground.base_order[1]]
    game.spawn(game.facts.ids["Nexus"], 1, base.x, base.y)
    game.spawn(game.facts.ids["Forge"], 1, base.x, base.y + 20)
    game.players[1]["minerals"] = 400
    game.step()
    view = seen(computer)
    assert not spend.make(computer, view, spend.Purse(view), "PhotonCannon", near=(base.x, base.y))
    game.step()
    pylon = game.facts.ids["Pylon"]
    going = [game.orders[slot, 0] for slot in game.owned(1, "Probe") if game.orders[slot, 0]["product"] == pylon]
    assert len(going) == 1
    assert np.hypot(going[0]["x"] - base.x, going[0]["y"] - base.y) < 8


def test_the_room_for_an_add_on_stays_free_until_it_has_one():
    game, computer = player(Race.TERRAN)
    x, y = built(computer, "Barracks")
    depot = computer.recipes["SupplyDepot"].product
    places = np.array([x + 2.5, x + 5, x - 3, x + 2.5]), np.array([y - 0.5, y - 0.5, y, y + 3.5])
    assert sites._beside_hosts(computer, seen(computer), depot, *places).tolist() == [True, False, False, False]
    game.spawn(game.facts.ids["BarracksReactor"], 1, x + 2.5, y - 0.5)
    game.step(2)
    assert not sites._beside_hosts(computer, seen(computer), depot, *places).any()
