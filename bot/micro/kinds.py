"""What unit types do to each other, as tables over "kinds", read from the client's own data when a type is first met.

A kind is a unit type in one place, on the ground or in the air: the data does not say which types fly, units do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sc2.data import Attribute, TargetType
from sc2.game_data import GameData
from sc2.ids.unit_typeid import UnitTypeId

from bot.config import load
from bot.knowledge.facts import Facts, TypeFacts

LOOPS_PER_NORMAL_SECOND = 16.0  # the data counts speeds and periods in normal seconds
LOOPS_PER_SECOND = 22.4
ATTRIBUTES = (
    Attribute.Light,
    Attribute.Armored,
    Attribute.Biological,
    Attribute.Mechanical,
    Attribute.Robotic,
    Attribute.Psionic,
    Attribute.Massive,
    Attribute.Structure,
)
PHYSICAL: tuple[str, ...] = (
    *(attribute.name.lower() for attribute in ATTRIBUTES),
    *("worker", "suicide", "armed", "healer", "second_mode"),
    *(f"{what}_ground" for what in ("hits", "range", "volley", "period", "dps")),
    *(f"{what}_air" for what in ("hits", "range", "volley", "period", "dps")),
    *("speed", "armor", "value", "gas_share", "supply", "sight", "cargo_size", "splash"),
)
"""What a kind is, in numbers that mean the same for every type."""
MOST = 2.0
"""No feature leaves [-MOST, MOST]."""
LEAST_DAMAGE = 0.5  # per hit, whatever the armour (5.0.14)


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon: damage a hit, hits an attack, loops between attacks, range edge to edge in cells."""

    damage: float
    attacks: int
    period: float
    range: float
    bonus: tuple[tuple[Attribute, float], ...] = ()

    def volley(self, target: TypeFacts, armor: float) -> float:
        """Damage of one attack on a target of this type with so much armour."""
        extra = max((amount for attribute, amount in self.bonus if attribute in target.attributes), default=0.0)
        return max(self.damage + extra - armor, LEAST_DAMAGE) * self.attacks


def of_message(message: Any) -> Kinds:
    """The tables of a client's `ResponseData`, without a client."""
    data = GameData(message)
    return Kinds(Facts(data), data)


class Kinds:
    """Tables that grow with the types met. Row and column = the number that `number` gave out.

    volley [K, K]   damage of one attack of the row's kind on the column's, 0 where it cannot hit it, no upgrades
    period [K, K]   loops between those attacks; rate [K, K] attacks a second
    reach [K, K]    range of those attacks in cells, -1 where it cannot hit it
    hits [K, K]     hits in one of those attacks; dps [K, K] damage a second
    mutual          by name [2, K * K]: of these tables what the row's kind does to the column's, and what is done to it
    speed [K]       cells a loop; value [K] minerals and gas; armed, structure, worker, splash [K] flags
    force [K]       value of those whom a fight is between: no workers, no structures without a weapon
    fighter [K]     armed and no worker; ground_fighter those on the ground; healable whom Medivacs heal
    attribute       by `Attribute`: bool [K]
    physical [K, S] what the network is told of a kind, the columns of `PHYSICAL`
    """

    def __init__(self, facts: Facts, data: GameData, config: Mapping[str, Any] | None = None) -> None:
        """`config` is the table `kinds` of micro.toml, read from there by default."""
        config = load("micro")["kinds"] if config is None else config
        self._facts = facts
        self._data = data
        self._suicides = frozenset(config["suicides"])
        self._splash: Mapping[str, float] = config["splash"]
        self._second_modes = frozenset(config["second_modes"])
        self._healers = frozenset(config["healers"])
        self.ignored_ids = frozenset(UnitTypeId[name].value for name in config["ignored"])
        """Type ids that no fight is about."""
        self._known = np.full(0, -1, np.int64)
        self.notes: dict[str, Any] = {}
        """Tables that others make of these, dropped whenever a type is met."""
        self._numbers: dict[int, int] = {}
        self._types: list[tuple[UnitTypeId, bool]] = []
        self._weapons: list[tuple[Weapon | None, Weapon | None]] = []
        self.volley = np.zeros((0, 0), np.float32)
        self.period = np.zeros((0, 0), np.float32)
        self.reach = np.zeros((0, 0), np.float32)
        self.dps = np.zeros((0, 0), np.float32)
        self.hits = np.zeros((0, 0), np.float32)
        self.rate = np.zeros((0, 0), np.float32)
        self._tables()

    def number(self, type_id: int, flying: bool) -> int:
        """The kind's number; meets the type where it is new."""
        key = type_id * 2 + flying
        found = self._numbers.get(key)
        return self._meet(key, type_id, flying) if found is None else found

    def of_keys(self, keys: np.ndarray) -> np.ndarray:
        """`number` for whole arrays: i8 of their shape. Keys i8: twice the type id, and one more for who flies."""
        top = int(keys.max(initial=0))
        if top >= len(self._known):
            self._known = np.concatenate((self._known, np.full(top + 1 - len(self._known), -1, np.int64)))
        found = self._known[keys]
        if (found < 0).any():
            for key in np.unique(keys[found < 0]).tolist():
                self._known[key] = self.number(key >> 1, bool(key & 1))
            found = self._known[keys]
        return found

    def type_of(self, number: int) -> UnitTypeId:
        """The unit type of a kind."""
        return self._types[number][0]

    def of_type(self, type_id: UnitTypeId) -> np.ndarray:
        """bool [K]: kinds of this unit type."""
        found = self.notes.get(type_id.name)
        if found is None:
            found = np.array([kind is type_id for kind, _ in self._types], bool)
            self.notes[type_id.name] = found
        return found

    def noted(self, name: str, config: Mapping, make: Callable[[Kinds, Mapping], Any]) -> Any:
        """What `make` tells of all kinds by a section of the config; kept until a type is met."""
        found = self.notes.get(name)
        if found is None or found[0] is not config:
            found = self.notes[name] = config, make(self, config)
        return found[1]

    def _meet(self, key: int, type_id: int, flying: bool) -> int:
        number = self._numbers[key] = len(self._types)
        try:
            kind = UnitTypeId(type_id)
        except ValueError:  # ids that the client's enum lacks: on 4.10 types from 1943 up have other numbers
            kind = UnitTypeId.NOTAUNIT
        self._types.append((kind, flying))
        self._weapons.append((self._weapon(kind, TargetType.Ground), self._weapon(kind, TargetType.Air)))
        self._tables()
        return number

    def _weapon(self, kind: UnitTypeId, target: TargetType) -> Weapon | None:
        """The best weapon against ground or air; one made from the known damage a second where the data hides it."""
        data = self._data.units.get(kind.value)
        found = [
            Weapon(
                w.damage,
                w.attacks,
                w.speed * LOOPS_PER_NORMAL_SECOND,
                w.range,
                tuple((Attribute(b.attribute), b.bonus) for b in w.damage_bonus),
            )
            for w in (data._proto.weapons if data is not None else ())
            if w.type in (target.value, TargetType.Any.value) and w.speed > 0
        ]
        if found:
            return max(found, key=lambda weapon: weapon.damage * weapon.attacks / weapon.period)
        fact = self._facts[kind]
        dps, reach = (
            (fact.ground_dps, fact.ground_range) if target is TargetType.Ground else (fact.air_dps, fact.air_range)
        )
        return Weapon(dps, 1, LOOPS_PER_SECOND, reach) if dps > 0 else None

    def _tables(self) -> None:
        """Rebuilds every table; types are met a few times a minute at most."""
        self.notes.clear()
        facts = [self._facts[kind] for kind, _ in self._types]
        armors = [self._armor(kind) for kind, _ in self._types]
        names = [kind.name for kind, _ in self._types]
        count = len(facts)
        self.volley = np.zeros((count, count), np.float32)
        self.period = np.full((count, count), LOOPS_PER_SECOND, np.float32)
        self.reach = np.full((count, count), -1.0, np.float32)
        self.hits = np.ones((count, count), np.float32)
        for row, (ground, air) in enumerate(self._weapons):
            for column, (_, flying) in enumerate(self._types):
                weapon = air if flying else ground
                if weapon is not None:
                    self.volley[row, column] = weapon.volley(facts[column], armors[column])
                    self.period[row, column] = weapon.period
                    self.hits[row, column] = weapon.attacks
                    self.reach[row, column] = weapon.range
        self.dps = self.volley / self.period * LOOPS_PER_SECOND
        self.rate = LOOPS_PER_SECOND / self.period
        self.mutual = {
            name: np.stack((table.ravel(), table.T.ravel()))
            for name, table in (("reach", self.reach), ("volley", self.volley), ("rate", self.rate), ("dps", self.dps))
        }
        self.speed = np.array([fact.speed / LOOPS_PER_SECOND for fact in facts], np.float32)
        self.value = np.array([fact.cost.value for fact in facts], np.float32)
        self.structure = np.array([fact.is_structure for fact in facts], bool)
        self.worker = np.array([fact.is_worker for fact in facts], bool)
        self.armed = np.array([ground is not None or air is not None for ground, air in self._weapons], bool)
        self.suicide = np.array([name in self._suicides for name in names], bool)
        self.splash = np.array([self._splash.get(name, 1.0) for name in names], np.float32)
        self.range = np.array([max((w.range for w in pair if w), default=-1.0) for pair in self._weapons], np.float32)
        self.power = np.array([self._power(pair) for pair in self._weapons], np.float32) * self.splash
        self.attribute = {a: np.array([a in fact.attributes for fact in facts], bool) for a in ATTRIBUTES}
        self.biological = self.attribute[Attribute.Biological]
        self.mechanical = self.attribute[Attribute.Mechanical]
        self.healer = np.array([name in self._healers for name in names], bool)
        self.ignored = np.array([kind.value in self.ignored_ids for kind, _ in self._types], bool)
        self.second_mode = np.array([name in self._second_modes for name in names], bool)
        self.flying = np.array([flying for _, flying in self._types], bool)
        self.fighter = self.armed & ~self.worker
        self.force = np.where(self.worker | (self.structure & ~self.armed), np.float32(0.0), self.value)
        self.ground_fighter = self.fighter & ~self.flying
        self.healable = self.biological & ~self.flying
        self.sight = np.array([fact.sight for fact in facts], np.float32)
        self.cargo_size = np.array([fact.cargo for fact in facts], np.float32)
        self.gas = np.array([fact.cost.gas for fact in facts], np.float32)
        self.supply = np.array([fact.cost.supply for fact in facts], np.float32)
        self.armor = np.array(armors, np.float32)
        self.physical = self._physical()

    def _physical(self) -> np.ndarray:
        """f4 [K, S]: the columns of `PHYSICAL`, scaled to about [-1, 1]."""
        count = len(self._types)
        columns: dict[str, np.ndarray] = {a.name.lower(): flags for a, flags in self.attribute.items()}
        columns |= {name: getattr(self, name) for name in ("worker", "suicide", "armed", "healer", "second_mode")}
        for place, side in (("ground", 0), ("air", 1)):
            weapons = [pair[side] for pair in self._weapons]
            columns["hits_" + place] = np.array([w is not None for w in weapons], bool)
            columns["range_" + place] = np.array([w.range / 15.0 if w else 0.0 for w in weapons])
            columns["volley_" + place] = np.sqrt(
                np.array([w.damage * w.attacks / 100.0 if w else 0.0 for w in weapons])
            )
            columns["period_" + place] = np.array([w.period / 64.0 if w else 0.0 for w in weapons])
            columns["dps_" + place] = np.sqrt(
                np.array([w.damage * w.attacks / w.period * LOOPS_PER_SECOND / 100.0 if w else 0.0 for w in weapons])
            )
        columns |= {
            "speed": self.speed / 0.3,
            "armor": self.armor / 5.0,
            "value": np.sqrt(self.value / 1000.0),
            "gas_share": self.gas / np.maximum(self.value, 1.0),
            "supply": self.supply / 8.0,
            "sight": self.sight / 15.0,
            "cargo_size": self.cargo_size / 8.0,
            "splash": (self.splash - 1.0) / 2.0,
        }
        assert tuple(columns) == PHYSICAL
        table = np.zeros((count, len(PHYSICAL)), np.float32)
        for index, column in enumerate(columns.values()):
            table[:, index] = column
        return np.clip(table, -MOST, MOST)

    def _armor(self, kind: UnitTypeId) -> float:
        data = self._data.units.get(kind.value)
        return float(data._proto.armor) if data is not None else 0.0

    @staticmethod
    def _power(weapons: tuple[Weapon | None, Weapon | None]) -> float:
        """Damage a second of the better weapon, without bonuses."""
        return max((w.damage * w.attacks / w.period * LOOPS_PER_SECOND for w in weapons if w), default=0.0)
