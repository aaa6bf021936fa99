"""Random orders to every Terran unit: nothing breaks, nothing is left over, and the same seed gives the same game."""

import numpy as np
import pytest

from sim.engine.state import CHANNELLING, IMMOBILE, INSIDE
from sim.melee.game import Command
from sim.melee.tables import by_kind
from tests.sim.melee.field import give, terran

UNITS = (
    *("SCV", "Marine", "Marauder", "Reaper", "Ghost", "Hellion", "HellionTank", "WidowMine", "Cyclone", "SiegeTank"),
    *("Thor", "VikingFighter", "Medivac", "Liberator", "Banshee", "Raven", "Battlecruiser", "Bunker", "GhostAcademy"),
)


def chaos(patch: str, seed: int, loops: int):
    """A game in which both sides' units get random orders. -> the game."""
    game = terran(patch=patch)
    rng = np.random.default_rng(seed)
    game.players["upgrades"][1:] = 1
    for player in (1, 2):
        game.players[player]["minerals"] = game.players[player]["gas"] = 20_000
        give(game, "Factory", 70.5, 20.5 + 6 * player, player)
        for name in UNITS:
            for _ in range(2):
                x, y = rng.uniform(30, 66, 2)
                if name in ("Bunker", "GhostAcademy"):
                    x, y = int(x) + 0.5, int(y) + 0.5
                game.units[give(game, name, x, y, player)]["energy"] = 200
    for _ in range(loops // 4):
        units = game.units[: int(game.world[0]["slots"])]
        living = np.flatnonzero((units["alive"] == 1) & (units["owner"] > 0))
        for slot in rng.choice(living, min(8, len(living)), replace=False).tolist():
            ids = [i for kind in by_kind(patch, int(units["type"][slot])).values() for i in kind]
            if not ids:
                continue
            target = int(rng.choice(living))
            x, y = (float(v) for v in rng.uniform(28, 68, 2))
            named = game.tag(target) if rng.random() < 0.5 else 0
            order = Command(
                int(units["owner"][slot]), int(rng.choice(ids)), (game.tag(slot),), named, x, y, not named,
                bool(rng.random() < 0.2), bool(rng.random() < 0.05),
            )  # fmt: skip
            game.issue(order)
        game.step(4)
    return game


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_chaos(patch):
    first, second = chaos(patch, 5, 600), chaos(patch, 5, 600)
    assert first.state_hash() == second.state_hash()
    game, memory = first, first.memory
    units = game.units[: int(game.world[0]["slots"])]
    for table in (
        memory.mines,
        memory.locks,
        memory.nukes,
        memory.aiming,
        memory.dropping,
        memory.zones,
        memory.cyclones,
    ):
        assert all(units["alive"][slot] for slot in table)
    bound = np.flatnonzero((units["alive"] == 1) & (units["flags"] & CHANNELLING != 0))
    assert all(units["order_count"][slot] for slot in bound), "who is bound carries something out"
    for slot in np.flatnonzero((units["alive"] == 1) & (units["cargo"] > 0)):
        inside = (units["alive"] == 1) & (units["inside"] == slot) & (units["flags"] & INSIDE != 0)
        assert game.types[1]["cargo_size"][units["type"][inside]].sum() == units["cargo"][slot]
    free = (units["alive"] == 1) & (units["order_count"] == 0) & np.isin(units["type"], [48, 51, 54])
    assert not (units["flags"][free] & IMMOBILE).any()
