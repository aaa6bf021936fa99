"""Looking for the enemy: overlords near home, and now and then a worker, later a cheap fighter, through his bases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

LIFE_LOOPS = 2600  # a scout is one for that long at most
WORKERS_UNTIL = 9000  # loops until workers are sent: real ones were met in their enemy's base from 2430 to 8820


def act(computer: Computer, view: View) -> None:
    """Sends scouts from time to time, and at the better levels overlords to the next bases."""
    if computer.level.overlords:
        overlords(computer, view)
    for slot, (generation, until) in list(computer.scouts.items()):
        unit = view.units[slot]
        if not unit["alive"] or unit["generation"] != generation or view.loop > until or not unit["order_count"]:
            computer.scouts.pop(slot)
    every = computer.level.scout
    if not every or view.loop < computer.next_scout:
        return
    computer.next_scout = view.loop + every
    scout = pick(computer, view)
    if scout is None:
        return
    computer.scouts[scout] = (int(view.units["generation"][scout]), view.loop + LIFE_LOOPS)
    ex, ey = computer.ground.enemy_start
    route = sorted(computer.ground.bases, key=lambda base: np.hypot(base.x - ex, base.y - ey))[:4]
    for index, base in enumerate(route):
        computer.hands.walk([scout], base.x, base.y, queued=index > 0)


def pick(computer: Computer, view: View) -> int | None:
    """Slot of the next scout: by race a worker first, or a cheap fighter at home."""
    for name in computer.table["scouts"]:
        mask = view.mask(computer.game.facts.ids[name]) & view.finished
        if view.sheet.worker[computer.game.facts.ids[name]]:
            mask &= view.harvesting & (view.loop < WORKERS_UNTIL)
        found = [int(slot) for slot in view.slots[mask] if int(slot) not in computer.army.wave]
        if found:
            return found[0]
    return None


def overlords(computer: Computer, view: View) -> None:
    """The first overlords fly to the own next bases; they stay there as eyes."""
    kind = computer.table.get("floating_scout")
    if not kind:
        return
    mine = view.slots[view.mask(computer.game.facts.ids[kind])]
    fresh = [int(slot) for slot in mine if (int(slot), int(view.units["generation"][slot])) not in computer.posted]
    posts = computer.ground.posts
    for slot in fresh:
        if len(computer.posted) >= len(posts):
            return
        x, y = posts[len(computer.posted)]
        computer.posted.add((slot, int(view.units["generation"][slot])))
        computer.hands.walk([slot], x, y)
