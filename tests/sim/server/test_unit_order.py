"""The order in which an observation lists units: by chance, but as in all recorded first observations."""

from __future__ import annotations

from s2clientprotocol import raw_pb2

from sim.engine.state import slot_of
from tests.sim.server.client import Client


def slots(client: Client) -> list[int]:
    """Of the units in sight, as they are listed."""
    found = client.observe().observation.raw_data.units
    return [slot_of(unit.tag)[0] for unit in found if unit.display_type == raw_pb2.Visible]


def test_slots_rise_to_the_highest_and_fall_then_anew_in_each_loop(game: Client) -> None:
    looks = []
    for _ in range(12):
        listed = slots(game)
        highest = listed.index(max(listed))
        assert listed[: highest + 1] == sorted(listed[: highest + 1])
        assert listed[highest:] == sorted(listed[highest:], reverse=True)
        looks.append(tuple(listed))
        game.step(1)
    assert len(set(looks)) == len(looks)


def test_two_looks_at_one_loop_list_alike_and_every_second_unit_falls(game: Client) -> None:
    assert slots(game) == slots(game)
    falls = total = 0
    for _ in range(40):
        listed = slots(game)
        falls += len(listed) - 1 - listed.index(max(listed))
        total += len(listed)
        game.step(1)
    assert abs(falls / total - 0.5) < 0.1  # of some thousand: six standard deviations
