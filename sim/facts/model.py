"""What facts are made of: plain frozen values, in cells, game loops and radians."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np

from sim.engine.state import PLAYERS

# What the kinds of abilities mean; code dispatches on these instead of on ids.
KINDS = {
    "smart": "right click: whatever fits the target",
    "move": "walk or fly, or follow a unit",
    "patrol": "walk between two points, attacking",
    "hold": "stand and fire, never chase",
    "attack": "attack a unit, or walk to a point attacking (Scan Move too)",
    "stop": "drop all orders",
    "gather": "harvest a resource",
    "return": "bring home what it carries",
    "repair": "SCV, MULE, repair drone",
    "heal": "Medivac",
    "train": "queue a unit (or, on a larva, become its egg)",
    "warp": "warp gate: a unit at a point in power",
    "arm": "fill a magazine: nuke, interceptors",
    "research": "queue an upgrade; the product is an upgrade id",
    "build": "a worker, queen, tumor, Oracle or Nydus network places a structure",
    "addon": "a Terran producer builds its add-on",
    "morph": "become the product, through `cocoon` if it names one",
    "auto_morph": "a morph that the rules themselves order, never a player",
    "burrow": "morph into the burrowed type",
    "unburrow": "and back",
    "root": "a crawler walks to a point and becomes the structure",
    "lift": "become the flying type",
    "land": "fly to a site and become the structure",
    "load": "take a unit in",
    "load_all": "take in all workers near",
    "unload": "let all out: at once, or at the target point if it has one",
    "unload_unit": "let one out",
    "rally": "where made units go (a hatchery's fighters)",
    "rally_workers": "where a town hall's workers go",
    "cancel": "give up what its link is doing: construction, add-on, morph, channel",
    "cancel_last": "take the last item from the queue",
    "cancel_slot": "take a chosen item from the queue",
    "halt": "the builder leaves, the structure waits",
    "behavior_on": "switch a lasting mode on: cloak, creep, pulsar beam",
    "behavior_off": "and off",
    "effect": "cast: the rest, by link name",
    "redirect": "a bunker passes the order to its passengers",
    "merge": "two templar become an Archon",
}


class FactsError(ValueError):
    """A patch that we have no tables for; the text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One command by its exact API id."""

    id: int
    name: str = ""  # link_name of the protocol
    index: int = 0  # link_index
    friendly_name: str = ""
    general: int = 0  # general id that may stand for it, 0 = none
    kind: str = ""  # what it does: a key of KINDS
    target: str = "None"  # None, Point, Unit, PointOrUnit or PointOrNone
    casters: tuple[int, ...] = ()  # unit type ids; empty for `smart`: any unit
    product: int = 0  # unit type id, or upgrade id for research
    cocoon: int = 0  # unit type between, of morphs through an egg or cocoon
    count: int = 1  # units made
    loops: float = 0.0  # duration of train, research, build or morph, without random delay
    type_delay: float = 0.0  # morphs: loops until the unit type changes
    random_loops: float = 0.0  # morphs: longest random delay before both
    requirement: str = ""  # key of Facts.requirements
    energy: float = 0.0
    hp_cost: float = 0.0
    minerals: int = 0  # price: product less what it is made of
    gas: int = 0
    supply: float = 0.0
    cooldown: float = 0.0
    cooldown_link: str = ""  # abilities with the same link share the cooldown
    range: float = 0.0  # 500 = anywhere
    autocast: bool = False
    autocast_on: bool = False  # on from birth
    autocast_range: float = 0.0
    instant: bool = False  # leaves the unit's orders alone
    best_unit: bool = False  # morphs: of a command's units only the fittest does it
    halts: bool = False  # morphs: who is on its way comes to rest before it begins
    allow_minimap: bool = False
    shown: bool = False  # has a button on a command card
    prepare: float = 0.0  # loops before the effect
    finish: float = 0.0  # loops after it
    target_filters: str = ""  # of the catalog: `what a target must be,...;what it must not be,...`


@dataclass(frozen=True, slots=True)
class Effect:
    """One change that an upgrade makes: `field` of a type, a weapon (by name) or an ability."""

    scope: str  # type, weapon or ability
    target: int | str  # unit type id, weapon name or ability id
    field: str  # `bonus:Armored` names the attribute
    op: str  # add, set or mul
    value: float


@dataclass(frozen=True, slots=True)
class Upgrade:
    """One research."""

    id: int
    name: str
    race: int
    minerals: int
    gas: int
    loops: float
    ability: int  # API ability id of the research
    requirement: str
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Buff:
    """One temporary change of a unit; factors are 1 and additions 0 where it changes nothing."""

    id: int
    name: str = ""
    loops: float = 0.0  # 0 = until removed
    period: float = 0.0
    speed: float = 1.0  # factor
    speed_bonus: float = 0.0  # cells per loop
    attack: float = 1.0  # factor on attack speed
    armor: float = 0.0
    damage_taken: float = 1.0
    food: int = 0
    hp_max: float = 0.0
    energy_regen: float = 0.0  # per loop, on top of the unit's own
    shield_regen: float = 0.0
    cloak: bool = False
    stun: bool = False
    no_move: bool = False
    no_attack: bool = False
    no_abilities: bool = False
    invulnerable: bool = False
    reveal: bool = False
    no_cloak: bool = False


@dataclass(frozen=True, slots=True)
class Resource:
    """A mineral field, geyser or gas structure."""

    contents: int  # 0 for gas structures: they take the geyser's
    amount: int  # per trip
    loops: float  # at the resource
    return_loops: float
    ideal: int  # workers
    is_gas: bool


@dataclass(frozen=True, slots=True)
class Requirement:
    """When an ability may be used; all parts must hold."""

    name: str
    units: tuple[tuple[int, ...], ...] = ()  # of each group at least one finished unit (equivalent types included)
    addon: tuple[int, ...] = ()  # one of these must be attached
    upgrades: tuple[int, ...] = ()  # finished
    lacks: int = 0  # upgrade that must be neither finished nor under research
    state: str = ""  # condition on the caster itself, named for the rule that knows it


@dataclass(frozen=True, eq=False, repr=False)
class Facts:
    """All facts of one patch. Shared and never changed: players get copies."""

    patch: str
    types: np.ndarray  # TYPE[n], by API unit type id
    weapons: np.ndarray  # WEAPON[n]
    weapon_names: tuple[str, ...]
    names: tuple[str, ...]  # unit type names by id, "" where there is none
    ids: dict[str, int]
    abilities: dict[int, Ability]
    upgrades: dict[int, Upgrade]
    buffs: dict[int, Buff]
    general: dict[int, tuple[int, ...]]
    requirements: dict[str, Requirement]
    shapes: dict[int, tuple[int, int]]  # width and depth in cells of what blocks the ground
    resources: dict[int, Resource]
    tech_alias: dict[int, tuple[int, ...]]  # counts as: Lair -> Hatchery
    producer: dict[int, int]  # unit type -> API ability that makes it
    flags: dict[str, frozenset[int]] = field(default_factory=dict)  # cloaked, burrowed, invulnerable

    @property
    def workers(self) -> frozenset[int]:
        """SCV, Drone and Probe."""
        return self.flags["worker"]

    @cached_property
    def harvesters(self) -> frozenset[int]:
        """Workers and the MULE."""
        return self.flags["worker"] | {self.ids["MULE"]}

    @property
    def town_halls(self) -> frozenset[int]:
        """Where resources are brought: town halls on the ground."""
        return self.flags["town_hall"]

    @property
    def gas_structures(self) -> frozenset[int]:
        """Refineries, Extractors and Assimilators, rich ones too."""
        return self.flags["gas_structure"]

    @property
    def minerals(self) -> frozenset[int]:
        """Mineral fields of every kind."""
        return self.flags["mineral"]

    @property
    def geysers(self) -> frozenset[int]:
        """Bare geysers of every kind."""
        return self.flags["geyser"]

    @cached_property
    def grown(self) -> np.ndarray:
        """Type whose supply each type takes, i[types]: a cocoon that of what comes out of it, all others their own."""
        found = np.arange(len(self.types))
        for ability in self.abilities.values():
            if ability.kind == "morph" and ability.cocoon:
                found[ability.cocoon] = ability.product
        return found

    def equivalents(self, type_id: int) -> tuple[int, ...]:
        """Types that count as `type_id` for tech: itself and those whose tech_alias names it."""
        return (type_id, *(other for other, as_ in self.tech_alias.items() if type_id in as_))

    def player_types(self) -> np.ndarray:
        """TYPE[PLAYERS, n]: a copy for each player, which upgrades then change."""
        return np.stack([self.types] * PLAYERS)

    def player_weapons(self) -> np.ndarray:
        """WEAPON[PLAYERS, n]."""
        return np.stack([self.weapons] * PLAYERS)

    def ability_for(self, ability_id: int, upgrades: frozenset[int] | set[int]) -> Ability:
        """The ability as finished `upgrades` have changed it (Smart Servos, Drilling Claws, ranges)."""
        ability = self.abilities[ability_id]
        known = {f.name for f in fields(Ability)}
        for upgrade in upgrades:
            for effect in self.upgrades[upgrade].effects if upgrade in self.upgrades else ():
                if effect.scope == "ability" and effect.target == ability_id and effect.field in known:
                    value = change(getattr(ability, effect.field), effect)
                    ability = replace(ability, **{effect.field: max(value, 0.0)})
        return ability


def change(old: float, effect: Effect) -> float:
    """`old` after one effect."""
    if effect.op == "add":
        return old + effect.value
    return effect.value if effect.op == "set" else old * effect.value
