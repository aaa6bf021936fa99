"""What only a full game has: orders, queues, mining, production, construction, tech, supply, morphs, score, victory.

Rules take their turns in the order in which their modules are imported. Whatever of this package is imported first, all
of it is, in one order: else a saved game would go another way in a program that imports something else before.
"""

from sim.melee import game

__all__ = ["game"]
