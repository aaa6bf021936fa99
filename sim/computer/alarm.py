"""What attackers that an army cannot answer ask for: units that reach flyers, structures that reach or uncover them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import aim, defence, spend

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.defence import Threat
    from sim.computer.spend import Purse
    from sim.computer.view import View

MEMORY = 150  # loops for which an attack counts as going on
HIDDEN_MEMORY = 2000  # loops for which the need of detectors is remembered
MOSTLY = 0.5  # share of the attackers by value that flies


def notice(computer: Computer, view: View, threat: Threat | None) -> None:
    """Remembers attacks by flyers, and enemies that are hidden near own structures."""
    if threat is not None and threat.flying > MOSTLY:
        computer.flyers_came = view.loop
    away = aim.nearest(view, hidden_enemies(computer, view), view.slots[view.holdings])
    if (away < defence.reach(computer, view.loop)).any():
        computer.hidden_came = view.loop


def hidden_enemies(computer: Computer, view: View) -> np.ndarray:
    """Slots of hidden enemies that do harm: neither tumors nor Observers, which nobody has to uncover."""
    hidden = computer.sight.hidden_slots()
    return hidden[view.sheet.harms_hidden[view.units["type"][hidden]]]


def flyers(computer: Computer, view: View) -> bool:
    """Flyers attack now."""
    return view.loop - computer.flyers_came < MEMORY


def raised(computer: Computer, view: View) -> bool:
    """Flyers attack, or something hidden did not long ago."""
    return flyers(computer, view) or view.loop - computer.hidden_came < HIDDEN_MEMORY


def hitters(computer: Computer, view: View, shares: dict[str, float]) -> tuple[dict[str, float], float]:
    """The units among these that reach flyers, and the race's first one; with the value of all that do so."""
    sheet, ids = view.sheet, computer.game.facts.ids
    able = {name: share for name, share in shares.items() if sheet.hits_air[ids[name]]}
    first = computer.table["against_air"]
    able.setdefault(first, max(able.values(), default=1.0))
    counted = sheet.hits_air & sheet.measured
    return able, float(((view.total + view.making) * sheet.value)[counted].sum())


def static(computer: Computer, view: View, purse: Purse, name: str) -> bool:
    """Whether the static defence `name` is wanted at once; without its tech that comes first."""
    recipe = computer.recipes[name]
    if not view.sheet.hits_air[recipe.product] or not raised(computer, view):
        return False
    requirement = computer.game.facts.requirements.get(recipe.requirement)
    for group in requirement.units if requirement else ():
        if not any(view.have(type_id) for type_id in group):
            spend.make(computer, view, purse, computer.game.facts.names[group[0]])
    return True
