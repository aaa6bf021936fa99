"""What counts by itself: cooldowns, buffs, energy, regeneration, timed life, construction, production, order timers."""

from __future__ import annotations

import numpy as np

from sim.engine.buffs import has_buffs, tick_buffs
from sim.engine.catalog import MAX_WEAPONS
from sim.engine.jit import inlined, rule
from sim.engine.parameters import BURN_RATE, BURN_SHARE, START_SHARE
from sim.engine.reports import report
from sim.engine.state import BUILT, EXPIRED, INVULNERABLE, JOB_DONE, REACTOR, TIMER, UNFINISHED

_ONE, _ZERO = np.float32(1.0), np.float32(0.0)


@rule
def construct(world, slot, unit, events):
    """One loop of construction: life and shields grow with the work; BUILT at its end."""
    work = min(unit.build_rate, unit.build_left)
    if work <= 0.0:
        return
    share = (1.0 - START_SHARE) * work / max(unit.build_total, 1.0)
    unit.hp = min(unit.hp + unit.hp_max * share, unit.hp_max)
    unit.shield = min(unit.shield + unit.shield_max * share, unit.shield_max)
    unit.build_left -= work
    if unit.build_left <= 1e-4:
        unit.build_left = 0.0
        unit.flags &= ~UNFINISHED
        report(world, events, BUILT, slot, unit.builder, 0.0)


@inlined
def regenerate(world, unit, kind):
    """Life, shields and energy by the type's rates; Terran structures below a third of their life burn down.

    Who is dead at this loop's end or held in stasis regains nothing (catalog: SuppressLifeRegen and its like).
    """
    if unit.hp <= 0.0 or unit.flags & INVULNERABLE:
        return
    if kind.hp_regen > 0.0 and unit.hp < unit.hp_max and world.loop - unit.last_hit >= kind.hp_delay:
        unit.hp = min(unit.hp + kind.hp_regen, unit.hp_max)
    if unit.shield < unit.shield_max and world.loop - unit.last_hit >= kind.shield_delay:
        unit.shield = min(unit.shield + kind.shield_regen, unit.shield_max)
    if unit.energy < kind.energy_max:
        unit.energy = min(unit.energy + kind.energy_regen, kind.energy_max)
    if kind.structure and kind.race == 1 and unit.owner > 0 and unit.hp < unit.hp_max * BURN_SHARE:
        unit.hp -= BURN_RATE


@rule
def work_jobs(world, slot, unit, jobs, events):
    """Production: the first started job, or two with a reactor, comes a loop nearer. The later one reports first, so
    that indices stay right for a handler that takes jobs out of the queue."""
    lanes = 2 if unit.flags & REACTOR else 1
    for k in range(min(lanes, unit.job_count) - 1, -1, -1):
        job = jobs[slot, k]
        if job.started and job.left > 0:
            job.left -= 1
            if job.left == 0:
                report(world, events, JOB_DONE, slot, k, 0.0)


@inlined
def tick_unit(arrays, slot, unit, kind):
    """All of one unit's counters, one loop."""
    world, events = arrays.world[0], arrays.events
    for k in range(MAX_WEAPONS):
        unit.cooldown[k] = max(unit.cooldown[k] - _ONE, _ZERO)
    if has_buffs(unit):
        tick_buffs(unit, arrays.buffs)
    if unit.flags & UNFINISHED:
        if unit.build_left > 0.0:
            construct(world, slot, unit, events)
    else:
        regenerate(world, unit, kind)
        if unit.job_count:
            work_jobs(world, slot, unit, arrays.jobs, events)
    if unit.life_left > 0.0:
        unit.life_left -= 1.0
        if unit.life_left <= 0.0:
            unit.life_left = 0.0
            unit.hp = 0.0
            unit.hit_by = 0
            report(world, events, EXPIRED, slot, -1, 0.0)
    if unit.order_count:
        order = arrays.orders[slot, 0]
        if order.timer > 0.0:
            order.timer -= 1.0
            if order.timer <= 0.0:
                order.timer = -1.0
                report(world, events, TIMER, slot, order.target, 0.0)


@inlined
def tick_units(arrays):
    """Counters of all units; passengers count too."""
    for slot in range(arrays.world[0].slots):
        unit = arrays.units[slot]
        if unit.alive:
            tick_unit(arrays, slot, unit, arrays.kinds[slot])


@rule
def tick_eyes(eyes):
    """Scans and the sight of the dead run out. Without a branch for each: hardly any are open in a battle."""
    for k in range(eyes.shape[0]):
        left = eyes[k].left
        eyes[k].left = left - _ONE if left > _ZERO else left
