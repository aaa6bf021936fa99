"""The opening: a list of steps from TOML, walked in order; each is done when what it asks for has been begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.config import load
from bot.macro.production import RECIPES
from bot.macro.tech import ADDONS, RESEARCHED_AT
from bot.macro.techtree import CONSTRUCTED


class Verb(Enum):
    """What a step does; the name is its key in TOML."""

    BUILD = "build"
    ADDON = "addon"
    MORPH = "morph"
    TRAIN = "train"
    RESEARCH = "research"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a build order. `number` says which one of its product it is, counted from 1."""

    at: int
    verb: Verb
    product: UnitTypeId | UpgradeId
    number: int
    on: UnitTypeId | None = None
    near: str = ""


class BuildOrderError(ValueError):
    """A build order names something that does not exist; the message is one line."""


TRAINED_AT = {
    recipe.unit: producer
    for producer in ADDONS
    for recipe in RECIPES[producer]
    if not recipe.techlab and recipe.needs is None
}
"""Where the units of an opening are trained: those that need neither an add-on nor another structure."""
ABLE: Mapping[Verb, Collection[UnitTypeId | UpgradeId]] = {
    Verb.BUILD: CONSTRUCTED,
    Verb.ADDON: [addon for pair in ADDONS.values() for addon in pair],
    Verb.MORPH: [UnitTypeId.ORBITALCOMMAND],
    Verb.TRAIN: TRAINED_AT,
    Verb.RESEARCH: RESEARCHED_AT,
}
"""What each verb can make."""


def parse(name: str, text: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of one opening from its TOML table. Raises BuildOrderError."""
    numbers: Counter[UnitTypeId | UpgradeId] = Counter()
    steps = []
    for index, row in enumerate(text.get("steps", ())):
        try:
            steps.append(_step(row, numbers))
        except (KeyError, ValueError) as error:
            raise BuildOrderError(f"build order {name}, step {index + 1}: {error.args[0]}") from None
    if not steps:
        raise BuildOrderError(f"build order {name} has no steps")
    return tuple(steps)


def _step(row: Mapping[str, Any], numbers: Counter[UnitTypeId | UpgradeId]) -> Step:
    """One line. Raises KeyError or ValueError, whose first argument says what is wrong with it."""
    verbs = [verb for verb in Verb if verb.value in row]
    if len(verbs) != 1 or not isinstance(row.get("at"), int):
        raise ValueError(f"`at` and one of {[v.value for v in Verb]} are needed")
    (verb,) = verbs
    product = _named(UpgradeId if verb is Verb.RESEARCH else UnitTypeId, row[verb.value])
    on = _named(UnitTypeId, row["on"]) if "on" in row else None
    if product not in ABLE[verb]:
        raise ValueError(f"an opening cannot {verb.value} {product.name}")
    if verb is Verb.ADDON and product not in ADDONS.get(on, ()):
        raise ValueError(f"{product.name} is no add-on of {on.name if on else 'nothing: `on` is needed'}")
    if row.get("near", "natural") != "natural":
        raise ValueError(f"near {row['near']!r} is not known, only near natural")
    numbers[product] += 1
    return Step(row["at"], verb, product, numbers[product], on, row.get("near", ""))


def _named(types: type[Enum], name: str) -> Any:
    if name not in types.__members__:
        raise KeyError(f"no such type {name!r}")
    return types[name]


def openings() -> dict[str, tuple[Step, ...]]:
    """All openings of `build_order.toml` by name."""
    return {name: parse(name, text) for name, text in load("build_order").items()}


def open_steps(steps: Sequence[Step], supply: int, begun: Callable[[Step], int]) -> tuple[Step, ...]:
    """The steps to work on now: those not begun, in order, as far as the supply has come.

    `begun(step)` is how many of the step's product have been begun so far. A later step never overtakes an earlier one
    in the list, but both may be open: the spender pays in this order.
    """
    result = []
    for step in steps:
        if step.at > supply:
            break
        if begun(step) < step.number:
            result.append(step)
    return tuple(result)


def is_over(steps: Sequence[Step], begun: Callable[[Step], int]) -> bool:
    """Whether everything in the opening has been begun."""
    return all(begun(step) >= step.number for step in steps)
