"""The opening: a list of steps from TOML, walked in order; each is done when what it asks for has been begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.config import load


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


def parse(name: str, text: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of one opening from its TOML table. Raises BuildOrderError."""
    steps = []
    numbers: Counter[UnitTypeId | UpgradeId] = Counter()
    for index, row in enumerate(text.get("steps", ())):
        verbs = [verb for verb in Verb if verb.value in row]
        if len(verbs) != 1:
            raise BuildOrderError(f"build order {name}, step {index + 1}: one of {[v.value for v in Verb]} is needed")
        known = UpgradeId if verbs[0] is Verb.RESEARCH else UnitTypeId
        try:
            product = known[row[verbs[0].value]]
            on = UnitTypeId[row["on"]] if "on" in row else None
        except KeyError as error:
            raise BuildOrderError(f"build order {name}, step {index + 1}: no such type {error}") from None
        numbers[product] += 1
        steps.append(Step(int(row["at"]), verbs[0], product, numbers[product], on, row.get("near", "")))
    if not steps:
        raise BuildOrderError(f"build order {name} has no steps")
    return tuple(steps)


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
