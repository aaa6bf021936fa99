"""What strategy decides, as one frozen value: macro builds towards it, the army acts on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2


class Stance(Enum):
    """What the army is for at the moment."""

    DEFEND = "defend"
    """Stay at `rally`, answer the threats near our bases."""
    ATTACK = "attack"
    """Go for `target`; engage and retreat by the army's own judgement."""
    HUNT = "hunt"
    """Few enemies are known: spread out over `search` and finish what is found."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Targets for macro and army.

    `composition` maps unit types to their wanted share of army supply (shares sum to about 1). `structures` maps
    structure types to how many we want by now, `bases` and `workers` likewise. `upgrades` are wanted in this order.
    `reasons` say in words why, one per decision: they are the decision log.
    """

    stance: Stance
    rally: Point2
    """Where the army waits: in front of our natural, later between it and the outermost base."""
    target: Point2 | None
    """What an attack goes for: a remembered enemy structure, or the place the enemy is taken to be."""
    search: tuple[Point2, ...] = ()
    """Places to look at when hunting, the most promising first."""
    composition: Mapping[UnitTypeId, float] = field(default_factory=dict)
    units: Mapping[UnitTypeId, int] = field(default_factory=dict)
    """Numbers of special units (and of nukes) beside the composition; macro sees to what they take."""
    structures: Mapping[UnitTypeId, int] = field(default_factory=dict)
    upgrades: tuple[UpgradeId, ...] = ()
    key_upgrades: int = 0
    """So many of them are worth more than units: they are paid for first."""
    workers: int = 0
    bases: int = 1
    refineries: int = 0
    gas_workers: int = 0
    """How many SCVs should be on gas."""
    orbitals: int = 0
    fortresses: int = 0
    opening_name: str = ""
    """Which build order of `build_order.toml` to follow; read once, at the start."""
    army_first: bool = False
    """The army is behind its schedule: units before bases, tech and upgrades."""
    rushed: bool = False
    """An early attack is seen or expected: units and bunker before economy."""
    one_base: bool = False
    """The enemy takes no second base, so that an early attack is likely: bunkers at once, no third base yet."""
    pull_workers: int = 0
    """How many workers should fight along with the defenders; macro picks and releases them."""
    scout: bool = False
    """A worker should look for the enemy now; macro sends it."""
    scout_again: bool = False
    """It should go round once more: whether the enemy has a second base is not known yet."""
    reasons: tuple[str, ...] = ()
