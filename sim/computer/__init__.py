"""Built-in opponents: `Computer(game, player, race, difficulty, build, seed)`, one `step()` per game loop; on arenas,
whose units the map leads, `Marksmen(game, player, difficulty)`."""

from sim.computer.computer import Computer
from sim.computer.levels import ComputerError
from sim.computer.marksmen import Marksmen

__all__ = ["Computer", "ComputerError", "Marksmen"]
