"""What observations and readers of the state tell of a fight alike."""

from __future__ import annotations

from sim.engine.catalog import MAX_WEAPONS
from sim.engine.jit import inlined


@inlined
def shown_cooldown(unit):
    """Loops until a unit's weapons are ready, 0 while it winds up for a shot.

    `unit.cooldown` runs from the beginning of the wind-up; what the game shows begins with the shot. A public program
    that attacks at 0 and else steps back wins 96 of 100 real fights with Hydralisks, whose wind-up is longer than its
    steps (with a cooldown shown before the shot they never fire); and the most that the multi-agent challenge's
    environment divides by, 10 for a Hydralisk and 8 or 11 for a Zergling, is the period less the wind-up.
    """
    if unit.windup >= 0.0:
        return 0.0
    longest = unit.cooldown[0]
    for k in range(1, MAX_WEAPONS):
        longest = max(longest, unit.cooldown[k])
    return max(longest, 0.0)
