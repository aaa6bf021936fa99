"""Compares the engine with measurements of the real game: `python -m sim fidelity [--data ../shared] [--patch P]`.

The real numbers come from replays: ladder games on the client 4.10.0 and AI Arena games of 2026 (5.0.14). Ours are
measured in games of the engine, by counting loops and minerals, never read from its tables.
"""

from sim.fidelity.economy import gas, gas_trips, mining, mules
from sim.fidelity.production import production, structures, travel
from sim.fidelity.report import main, table
from sim.fidelity.trips import led_home, trips
from sim.fidelity.workshop import RefusedError, Row

__all__ = [
    "RefusedError",
    "Row",
    "gas",
    "gas_trips",
    "led_home",
    "main",
    "mining",
    "mules",
    "production",
    "structures",
    "table",
    "travel",
    "trips",
]
