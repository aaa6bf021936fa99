"""What the scripted twin advises: shown to the policy as a decision, and done in full by whoever follows it.

A policy that is advised has the verb FOLLOW, so it starts as good as the rules and learns where to depart from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bot.micro import commands as micro_commands
from bot.micro import nearest, skills
from bot.micro.battlefield import Battlefield
from bot.micro.commands import Commands
from bot.micro.scene import Scene
from bot.micro.tables import Tables, tables
from bot.micro.task import Tasks
from bot.micro.twin import Report, Twin
from bot.orders import Order


class Advice(NamedTuple):
    """The twin's orders in one moment of B battles, and the legal decision nearest to them."""

    verb: np.ndarray
    """i8 [B, A]: -1 for those to whom the twin says nothing."""
    target: np.ndarray
    """i8 [B, A]: entity row, NOBODY without one."""
    orders: list[dict[int, list[Order]]]
    """Of each battle, by agent."""


def ask(
    twin: Twin,
    scene: Scene,
    tasks: Tasks,
    verbs: np.ndarray,
    targets: np.ndarray,
    report: Report | None = None,
    field: Battlefield | None = None,
) -> Advice:
    """The twin's advice on one moment; `verbs` bool [B, A, V] and `targets` bool [B, A, T, N] are what is legal, the
    rest as of `Twin.orders`."""
    given = twin.orders(scene, tasks, verbs, targets, report=report, field=field)
    return Advice(*nearest.decisions(scene, tasks, given, verbs, targets), given)


def heard(advice: Advice, verb: np.ndarray, target: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(advised, departs) bool [B, A]: who could follow, by the legal verbs, and who decided otherwise: neither FOLLOW
    nor the decision that comes nearest to the advice."""
    advised = legal[..., skills.FOLLOW]
    same = (verb == skills.FOLLOW) | ((verb == advice.verb) & (target == advice.target))
    return advised, advised & ~same


def shown(
    twin: Twin,
    scene: Scene,
    tasks: Tasks,
    report: Report | None = None,
    field: Battlefield | None = None,
    make: Callable[..., Tables] = tables,
) -> tuple[Tables, Advice]:
    """The tables of an advised policy, and the advice that they show. `make`: this page's `tables`, or their equal; the
    rest as of `Twin.orders`."""
    found: list[Advice] = []

    def advise(verbs: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found.append(ask(twin, scene, tasks, verbs, targets, report, field))
        return found[0].verb, found[0].target

    return make(scene, tasks, advise), found[0]


def commands(scene: Scene, tasks: Tasks, verb: np.ndarray, target: np.ndarray, advice: Advice | None) -> Commands:
    """As `commands.commands` (verb and target i8 [B, A]), with the twin's own orders for those who follow it."""
    chosen = micro_commands.commands(scene, tasks, verb, target)
    followers = verb == skills.FOLLOW
    if advice is None or not followers.any():
        return chosen
    followed = {
        b: {agent: given for agent, given in advice.orders[b].items() if followers[b, agent]}
        for b in np.flatnonzero(followers.any(axis=1)).tolist()
    }
    return micro_commands.join([chosen, micro_commands.of_orders(scene, followed)])


def orders(scene: Scene, tasks: Tasks, verb: np.ndarray, target: np.ndarray, advice: Advice | None) -> list[Order]:
    """As `commands`, for the client: the orders of a scene with one battle."""
    chosen = micro_commands.orders(scene, micro_commands.commands(scene, tasks, verb, target))
    if advice is None:
        return chosen
    follows = (verb[0] == skills.FOLLOW).tolist()
    return chosen + [order for agent, given in advice.orders[0].items() if follows[agent] for order in given]
