"""Whom the fighters of a built-in opponent turn to, by the preferences of the game's own AI scripts."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import ComputerError, Marksmen
from sim.engine.state import ATTACK, ATTACK_MOVE, INVULNERABLE, UNHARMED
from sim.maps import arena
from sim.melee.game import Game
from sim.melee.records import Command, PlayerSetup, Race

VERY_HARD, VERY_HARD_LOOKS = 7, 4  # API difficulty, loops between two looks
MOVE, ATTACK_ABILITY = 16, 23  # exact ability ids


def field(patch: str = "4.10.0") -> Game:
    """An empty field; player 1 is led by a computer."""
    return Game(
        arena(48, 48), [PlayerSetup(Race.PROTOSS), PlayerSetup(Race.PROTOSS)], seed=5, patch=patch, start_units=False
    )


def put(game: Game, owner: int, name: str, *places: tuple[float, float]) -> list[int]:
    """Units of a type; nobody kills those of player 1, and they do not shoot yet."""
    slots = [game.spawn(game.facts.ids[name], owner, x, y) for x, y in places]
    if owner == 1:
        game.units["flags"][slots] |= INVULNERABLE
        game.units["cooldown"][slots] = 90
    return slots


def advance(game: Game, slots: list[int], x: float, y: float) -> None:
    """They attack-move there."""
    tags = tuple(map(game.tag, slots))
    assert game.issue(Command(1, ATTACK_ABILITY, tags, x=x, y=y, has_point=True)) == 1


def look(game: Game, difficulty: int = VERY_HARD, loops: int = 48) -> Marksmen:
    """Plays so many loops, in which they look and turn."""
    marksmen = Marksmen(game, 1, difficulty)
    for _ in range(loops):
        marksmen.step()
        game.step()
    return marksmen


def prey(game: Game, slot: int) -> int:
    """Slot of whom it fights, -1 = nobody."""
    return int(game.units[slot]["target"])


def queue(game: Game, slot: int) -> list[int]:
    """Slots of the units that its orders name."""
    unit, orders = game.units[slot], game.orders[slot]
    return [int(order["target"]) for order in orders[: int(unit["order_count"])] if order["verb"] == ATTACK]


def hurt(game: Game, slot: int, life: float = 10.0) -> None:
    """It has lost life."""
    game.units["hp"][slot] -= life


@pytest.mark.parametrize(
    ("mine", "near", "far", "why"),
    [
        ("Stalker", "Zealot", "Stalker", "more damage to the armoured"),
        ("Stalker", "Stalker", "Colossus", "damage around its target"),
        ("Marine", "Zealot", "HighTemplar", "the catalog names it a target of high priority"),
        ("Marine", "Zealot", "Archon", ""),  # its damage goes round its target, but the catalog does not say so
        ("Marine", "Marauder", "Medivac", "it heals"),
        ("Marine", "SCV", "Marine", "an idle worker hits nobody"),
        ("Marine", "Pylon", "Marine", "a Pylon hits nobody"),
        ("Marine", "Zealot", "Zealot", ""),
        ("Zergling", "Zergling", "Baneling", ""),
    ],
)
def test_the_better_target_comes_before_the_nearer_one(mine, near, far, why):
    game = field()
    (slot,) = put(game, 1, mine, (20, 24))
    first, second = put(game, 2, near, (22.3, 24))[0], put(game, 2, far, (20, 28))[0]
    advance(game, [slot], 20, 24.5)
    look(game, loops=10)
    assert prey(game, slot) == (second if why else first)


def test_who_is_hurt_comes_before_who_is_nearer():
    game = field()
    (slot,) = put(game, 1, "Marine", (20, 24))
    near, far = put(game, 2, "Marauder", (22.5, 24))[0], put(game, 2, "Marauder", (20, 28))[0]
    hurt(game, far)
    advance(game, [slot], 20, 24.5)
    look(game, loops=10)
    assert prey(game, slot) == far
    hurt(game, near)
    look(game, loops=10)
    assert prey(game, slot) == near, "both are hurt"


def test_whose_time_runs_out_comes_last():
    game = field()
    (slot,) = put(game, 1, "Marine", (20, 24))
    timed, other = put(game, 2, "Zergling", (22.5, 24))[0], put(game, 2, "Zergling", (20, 28))[0]
    game.units["life_left"][timed] = 500
    advance(game, [slot], 20, 24.5)
    look(game, loops=10)
    assert prey(game, slot) == other


@pytest.mark.parametrize(("name", "notices"), [("Zealot", 5.0), ("Stalker", 6.5)])
def test_nobody_turns_to_what_he_would_not_notice_by_himself(name, notices):
    for beyond, turns in ((-0.1, True), (0.1, False)):
        game = field()
        (slot,) = put(game, 1, name, (20, 24))
        put(game, 2, "Zealot", (20, 26))
        (far,) = put(game, 2, "Stalker", (5, 5))
        game.step(2 * VERY_HARD_LOOKS)
        radii = sum(float(game.type_of(one)["radius"]) for one in (slot, far))
        game.units["x"][far], game.units["y"][far] = game.units["x"][slot] + notices + radii + beyond, 24
        hurt(game, far)
        Marksmen(game, 1, VERY_HARD).step()
        assert game.loop % VERY_HARD_LOOKS == 0
        game.step()
        assert game.units[slot]["order_count"] == turns, (name, beyond)


def test_they_go_on_where_they_were_sent_afterwards():
    game = field()
    stalkers = put(game, 1, "Stalker", (20, 24), (20, 26))
    zealot, other = put(game, 2, "Zealot", (23, 24))[0], put(game, 2, "Stalker", (23, 28))[0]
    advance(game, stalkers, 40, 25)
    game.step()
    before = game.orders[stalkers, 0][["verb", "x", "y"]]
    look(game, loops=10)
    assert [prey(game, slot) for slot in stalkers] == [other, other]
    last = game.orders[stalkers, game.units["order_count"][stalkers] - 1]
    assert (last[["verb", "x", "y"]] == before).all()
    game.remove(zealot)
    game.remove(other)
    game.step(4)
    assert (game.orders["verb"][stalkers, 0] == ATTACK_MOVE).all()
    game.step(200)
    assert (np.hypot(game.units["x"][stalkers] - 40, game.units["y"][stalkers] - 25) < 3).all()


def test_targets_named_by_others_stay_in_the_queue_and_own_ones_do_not():
    game = field()
    (slot,) = put(game, 1, "Stalker", (20, 24))
    places = (("Zealot", (23, 24)), ("Stalker", (22, 28)), ("Colossus", (36, 24)))
    named, better, best = (put(game, 2, name, at)[0] for name, at in places)
    game.issue(Command(1, ATTACK_ABILITY, (game.tag(slot),), target_tag=game.tag(named)))
    marksmen = look(game, loops=10)
    assert queue(game, slot) == [better, named]
    game.units["x"][best] = 25.0
    for _ in range(10):
        marksmen.step()
        game.step()
    assert queue(game, slot) == [best, named]


@pytest.mark.parametrize(("difficulty", "most"), [(3, 8), (4, 16)])
def test_lower_levels_share_a_target_among_fewer(difficulty, most):
    game = field()
    stalkers = put(game, 1, "Stalker", *((18 + k % 6, 20 + 1.3 * (k // 6)) for k in range(24)))
    lure = put(game, 2, "Colossus", (25.5, 22))[0]
    put(game, 2, "Zealot", (24.3, 20), (24.3, 24.5))
    game.units["flags"][game.owned(2)] |= UNHARMED
    look(game, difficulty, 46)
    assert sum(queue(game, slot)[:1] == [lure] for slot in stalkers) == most


def test_the_lowest_levels_give_no_targets_and_others_leave_who_walks_alone():
    game = field()
    stalkers = put(game, 1, "Stalker", (20, 24), (20, 26))
    put(game, 2, "Zealot", (23, 24))
    put(game, 2, "Stalker", (23, 28))
    advance(game, stalkers[:1], 40, 25)
    game.issue(Command(1, MOVE, (game.tag(stalkers[1]),), x=10, y=26, has_point=True))
    for easy in (1, 2):
        assert not look(game, easy, 8).told
    assert list(look(game, loops=16).told) == stalkers[:1]
    with pytest.raises(ComputerError, match="11"):
        Marksmen(game, 1, 11)
