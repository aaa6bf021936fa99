"""Facts of the game as plain numbers, one folder a patch: `load("5.0.14")`.

Units of measure: cells, game loops (22.4 a second at Faster), radians. See docs/engine.md.
"""

from sim.facts.copies import balance
from sim.facts.model import KINDS, Ability, Buff, Effect, Facts, FactsError, Requirement, Resource, Upgrade
from sim.facts.tables import load, patches, protocol_rows
from sim.facts.upgrades import apply_upgrade

__all__ = [
    "KINDS",
    "Ability",
    "Buff",
    "Effect",
    "Facts",
    "FactsError",
    "Requirement",
    "Resource",
    "Upgrade",
    "apply_upgrade",
    "balance",
    "load",
    "patches",
    "protocol_rows",
]
