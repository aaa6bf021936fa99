"""The hash of a game's whole state, and the order of its rules."""

import subprocess
import sys

from sim.melee import digest, zerg_creep
from tests.sim.melee.field import give, terran


def test_every_table_of_a_game_is_in_its_memory_or_said_to_be_derived():
    game = terran()
    tables = {name for name, value in vars(game).items() if isinstance(value, dict | list | set | tuple)}
    assert tables == {"state", *digest.DERIVED}  # its arrays are a tuple, too


def test_what_comes_later_changes_the_hash():
    game, other = terran(), terran()
    assert game.state_hash() == other.state_hash()
    zerg_creep.add_source(game, give(game, "CommandCenter"), source=zerg_creep.TUMOR)
    for change in (
        lambda: game.later(5, "mule", 0),
        lambda: game.memory.masters.add(1),
        lambda: game.memory.cyclones.setdefault(7),
        lambda: zerg_creep.advance(game, game.creep_state.all()[0], 0.1, 1),  # too little for a cell
        lambda: give(game, "Marine"),
    ):
        before = game.state_hash()
        change()
        assert game.state_hash() != before


def test_rules_take_their_turns_in_one_order_whatever_is_imported_first():
    """Else a game that a server saved would end in another state where it is played again."""
    said = "print([rule.__qualname__ for _, rule in EVERY], [answer.__qualname__ for answer in SMART])"
    programs = [
        f"import {first}; from sim.melee.registry import EVERY, SMART; {said}"
        for first in ("sim.server.server", "sim.melee.walls")
    ]
    runs = [subprocess.run([sys.executable, "-c", text], capture_output=True, text=True) for text in programs]
    assert not any(run.returncode for run in runs), runs
    assert runs[0].stdout == runs[1].stdout
