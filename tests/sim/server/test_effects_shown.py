"""How long an observation lists what lies on the ground, through the protocol."""

from __future__ import annotations

import math

import pytest
from s2clientprotocol import debug_pb2

from tests.sim.server.client import Client
from tests.sim.server.test_actions import SUCCESS, create, debug, hall, units
from tests.sim.server.test_observed_orders import make, side

SCAN, BILE, STORM, ARM, NUKE = 399, 2338, 1036, 710, 1622
SCANNED, FALLING, STORMED, SPINES, DOT = 6, 11, 1, 12, 7  # effects


def listed(client: Client, effect: int, loops: int) -> list[int]:
    """In which of the next so many observations an effect is listed, from 1 on."""
    found = []
    for loop in range(1, loops + 1):
        client.step(1)
        if any(one.effect_id == effect for one in client.observe().observation.raw_data.effects):
            found.append(loop)
    return found


def test_a_bile_is_listed_for_two_normal_seconds_and_lands_later(game: Client) -> None:
    """burnysc2's issue 5: it is gone before it has landed. The catalog's persistent expires then and sends it down."""
    home = hall(game).pos
    ravager = make(game, "Ravager", 12 * side(game), 0)
    create(game, "SupplyDepot", 2, home.x + 20 * side(game), home.y)
    (depot,) = units(game, "SupplyDepot", 2)
    assert game.command(BILE, ravager.tag, at=(depot.pos.x, depot.pos.y)) == SUCCESS
    assert listed(game, FALLING, 45) == list(range(2, 34)), "after a quarter turn, which takes it a loop"
    before = units(game, "SupplyDepot", 2)[0].health
    assert not listed(game, FALLING, 10)
    assert before - units(game, "SupplyDepot", 2)[0].health >= 60


def test_a_nukes_dot_is_listed_while_its_ghost_aims(game: Client) -> None:
    """KetrocBot measured the real one's end after 300 loops and the first hurt 319 after its beginning; the catalog's
    aim is 18.75 normal seconds, 1.25 before the strike."""
    for cheat in (debug_pb2.fast_build, debug_pb2.all_resources, debug_pb2.tech_tree):
        debug(game, game_state=cheat)
    academy, ghost = make(game, "GhostAcademy", 14 * side(game), 6), make(game, "Ghost", 9 * side(game), 0)
    assert game.command(ARM, academy.tag) == SUCCESS
    game.step(80)
    depot = make(game, "SupplyDepot", 15 * side(game), 0)
    assert game.command(NUKE, ghost.tag, at=(depot.pos.x, depot.pos.y)) == SUCCESS
    shown = listed(game, DOT, 310)
    assert shown == list(range(shown[0], shown[0] + 300))
    assert units(game, "SupplyDepot", 1)
    game.step(shown[0] + 320 - 310)
    assert not units(game, "SupplyDepot", 1)


@pytest.mark.parametrize("wait", [0, 5, 11])
def test_effects_are_listed_until_they_end(game: Client, wait: int) -> None:
    """They were listed until the rules next looked through their list, up to 15 loops longer."""
    debug(game, game_state=debug_pb2.tech_tree)
    game.step(8 + wait)
    orbital = make(game, "OrbitalCommand", 14 * side(game), 0)
    assert game.command(SCAN, orbital.tag, at=(60, 60)) == SUCCESS
    assert listed(game, SCANNED, 240) in ([*range(1, 196)], [*range(1, 197)])
    templar = make(game, "HighTemplar", 14 * side(game), 8)
    debug(game, unit_value={"unit_value": debug_pb2.DebugSetUnitValue.Energy, "value": 100, "unit_tag": templar.tag})
    game.step(2)
    assert game.command(STORM, templar.tag, at=(templar.pos.x + 3 * side(game), templar.pos.y)) == SUCCESS
    assert listed(game, STORMED, 80) == list(range(2, 57)), "after a quarter turn"


@pytest.mark.parametrize("dies", [False, True])
def test_the_whole_row_of_spines_is_seen_from_the_first_on(game: Client, dies: bool) -> None:
    """Two public programs: nine places, a cell apart, "every time a spine appears"; gone with its Lurker, which is
    ours."""
    lurker = make(game, "LurkerMPBurrowed", 9 * side(game), 0)
    create(game, "Ultralisk", 2, lurker.pos.x + 6 * side(game), lurker.pos.y)
    rows: list[list[float]] = []
    for _ in range(40):
        game.step(1)
        places = [e.pos for e in game.observe().observation.raw_data.effects if e.effect_id == SPINES]
        rows += [[math.hypot(p.x - lurker.pos.x, p.y - lurker.pos.y) for p in pos] for pos in places]
        if len(rows) == 18 or (dies and not places and rows):
            break
        if dies and len(rows) == 4:
            debug(game, kill_unit={"tag": [lurker.tag]})
    assert all(row == pytest.approx(list(range(1, 10)), abs=0.01) for row in rows)
    assert len(rows) in ((6, 7, 8) if dies else (18,))
