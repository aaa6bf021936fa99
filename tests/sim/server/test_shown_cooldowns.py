"""What programs that step back between shots live by: a cooldown shows from the shot on, not from its wind-up on."""

from __future__ import annotations

from s2clientprotocol import raw_pb2

from tests.sim.server.client import Client
from tests.sim.server.test_actions import ATTACK, MOVE, create, units

PERIOD, WIND_UP = 13.2, 3  # a Hydralisk's on 5.0.14, loops: the shot comes in the third after 2.24
EARLY, LATE = 1, 2  # what chance takes off the period, or adds to it, at most


def hydralisk_and_wall(client: Client) -> tuple[raw_pb2.Unit, raw_pb2.Unit]:
    """One of ours within reach of an enemy's depot."""
    create(client, "Hydralisk", 1, 60, 60)
    create(client, "SupplyDepot", 2, 64, 60)
    return units(client, "Hydralisk")[0], units(client, "SupplyDepot", 2)[0]


def test_a_cooldown_shows_from_the_shot_on(empty: Client) -> None:
    hydralisk, wall = hydralisk_and_wall(empty)
    empty.command(ATTACK, hydralisk.tag, target=wall.tag)
    shown = []
    for _ in range(12):
        empty.step(1)
        shown.append(units(empty, "Hydralisk")[0].weapon_cooldown)
    first = next(k for k, cooldown in enumerate(shown) if cooldown > 0)
    assert first >= WIND_UP, "nothing shows before the shot"
    left = PERIOD - WIND_UP
    assert left - EARLY <= shown[first] + 0.01 <= left + LATE + 0.02, "and then what is left of the period"


def test_who_attacks_at_nought_and_steps_back_else_hits_at_a_step_of_three(empty: Client) -> None:
    hydralisk, wall = hydralisk_and_wall(empty)
    for _ in range(30):
        if units(empty, "Hydralisk")[0].weapon_cooldown == 0:
            empty.command(ATTACK, hydralisk.tag, target=wall.tag)
        else:
            empty.command(MOVE, hydralisk.tag, at=(59, 60))
        empty.step(3)
    assert units(empty, "SupplyDepot", 2)[0].health <= wall.health - 5 * 11
