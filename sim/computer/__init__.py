"""Built-in opponents: `Computer(game, player, race, difficulty, build, seed)`, one `step()` per game loop."""

from sim.computer.computer import Computer
from sim.computer.levels import ComputerError

__all__ = ["Computer", "ComputerError"]
