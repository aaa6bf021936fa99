"""Which rules above the kernel a battle needs, and when.

A battle runs in compiled code alone as long as no rule of `sim/melee` would do anything. This page says of every rule
that runs by itself for whom it matters. A rule that is missing here is taken to matter always: slower, never wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from sim.battle.kernel import ALWAYS, BY_DEATH, BY_HIT
from sim.engine import state
from sim.facts import load
from sim.melee import burrow, mines, protoss_air, protoss_power, zerg_overseer
from sim.melee.game import Game
from sim.melee.registry import EVERY, ON_EVENT, ON_REMOVE

NEVER = 1 << 30  # a loop that no battle reaches
STRUCTURES = "structures"
BY_STATE = ()  # the compiled part sees it in the unit itself, or it can wait until the battle's rules run next
Names = tuple[str, ...]
RISING: Names = tuple(name for name, number in load("5.0.14").ids.items() if number in burrow.rising("5.0.14"))

# Rules of deaths and removals -> types whose death changes something else at once.
REMOVALS: dict[str, Names] = {
    "addons.on_remove": (STRUCTURES,),
    "alerts.forget": BY_STATE,
    "birth.lose": BY_STATE,
    "construction.cap": (STRUCTURES,),
    "construction.release": (STRUCTURES,),
    "effects_terran.lose_drop": BY_STATE,
    "ghost.gone": BY_STATE,
    "harvest.evict": (STRUCTURES,),
    "liberator.forget": ("LiberatorAG",),
    "lockon.gone": ("Cyclone",),
    "mines.gone": BY_STATE,
    "neutrals.gone": BY_STATE,
    "orders.clear": BY_STATE,
    "production.lose_jobs": BY_STATE,
    "protoss_air.let_go": BY_STATE,
    "protoss_blink.lose_shade": ("Adept",),
    "protoss_carrier.lost": ("Carrier",),
    "shrines.gone": BY_STATE,
    "spells.forget": BY_STATE,
    "thrown.forget": BY_STATE,
    "transport.on_remove": BY_STATE,
    "unload.gone": BY_STATE,
    "walls.tear_down": ("ForceField", "SiegeTankSieged", STRUCTURES),
    "zerg_baneling.died": ("Baneling", "BanelingBurrowed"),
    "zerg_bomb.lose_host": BY_STATE,
    "zerg_build.used_up": (STRUCTURES,),
    "zerg_creep.remove_source": (STRUCTURES,),
    "zerg_death.on_remove": (STRUCTURES,),
    "zerg_rally.forget": BY_STATE,
    "zerg_larva.on_remove": ("Larva", STRUCTURES),
}
# Rules of hits -> types whose being hit they answer. Alerts of attacks concern nobody in a battle.
HITS: dict[str, Names] = {
    "alerts.on_hit": BY_STATE,
    "protoss_robotics.raise_barrier": ("Immortal",),
    "zerg_overseer.drop_the_mask": zerg_overseer.DISGUISES,
}
# Rules of the other events; what is missing makes its event loud.
SILENT = {"lifecycle.on_expired"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """When a periodic rule has work: while units of these types live and the test agrees; only every `period` loops,
    if that is given."""

    types: Names = ()
    test: Callable[[Game], bool] | None = None
    period: int = 0


def _players_have(game: Game, upgrade: int) -> bool:
    return bool(game.players["upgrades"][1:, upgrade].any())


def _any_flags(game: Game, flags: int) -> bool:
    units = game.units[: int(game.world[0]["slots"])]
    return bool(((units["alive"] == 1) & (units["flags"] & flags == flags)).any())


# Rules that run every few loops -> when they have work.
PERIODIC: dict[str, Wanted | tuple[Wanted, ...]] = {
    "arena.begin_anew": Wanted(test=lambda game: False),  # the scenario's business
    "arena.hunt": Wanted(test=lambda game: False),
    "burrow.ambush": Wanted(RISING, lambda game: _any_flags(game, state.BURROWED | state.AUTOCAST)),
    "effects_terran.prune": Wanted(test=lambda game: bool(game.memory.effects)),
    "effects_terran.end_cloaks": Wanted(test=lambda game: bool(game.memory.cloaks)),
    "ghost.fire_again": Wanted(("Ghost",), lambda game: _any_flags(game, state.HOLD_FIRE)),
    "ghost.watch": Wanted(test=lambda game: bool(game.memory.aiming)),
    "liberator.light": Wanted(test=lambda game: bool(game.memory.zones)),
    "liberator.torn_away": Wanted(test=lambda game: bool(game.memory.zones)),
    "lockon.run": Wanted(test=lambda game: bool(game.memory.locks)),
    "lockon.search": Wanted(test=lambda game: bool(game.memory.cyclones)),
    "mini_game.watch": Wanted(test=lambda game: False),
    "mines.watch": (
        Wanted(test=lambda game: any(game.units[slot]["order_count"] for slot in game.memory.mines)),
        Wanted(test=lambda game: bool(game.memory.mines), period=mines.SEARCH_EVERY),
    ),
    "neutrals.hurry": Wanted(test=lambda game: bool(game.speed_zones)),
    "neutrals.watch": Wanted(test=lambda game: bool(game.watchtowers)),
    "protoss_air.tear": Wanted(("Phoenix",), lambda game: bool(protoss_air.beaming(game).size)),
    "protoss_battery.recharge": Wanted(("ShieldBattery",)),
    "protoss_blink.fade": Wanted(("AdeptPhaseShift",)),
    "protoss_blink.charge": Wanted(("Zealot",), lambda game: _players_have(game, 86)),
    "protoss_carrier.flight": Wanted(("Carrier", "Interceptor")),
    "protoss_carrier.build_by_itself": Wanted(("Carrier",)),
    "protoss_cloak.cover": Wanted(("Mothership",)),
    "protoss_nexus.hurry": Wanted(("Nexus",)),
    "protoss_oracle.look": Wanted(("Oracle", "OracleStasisTrap", "Phoenix", "Mothership")),
    "protoss_power.refresh": (Wanted((STRUCTURES,), protoss_power.is_due), Wanted(("WarpPrismPhasing",))),
    "protoss_sentry.trample": Wanted(("ForceField",)),
    "protoss_warp.morph_gateways": Wanted(("Gateway",)),
    "shrines.heal": Wanted(test=lambda game: bool(game.shrines)),
    "score.count_idle": Wanted(test=lambda game: False),  # books of a melee game
    "victory.check": Wanted(test=lambda game: False),  # who wins a battle is the scenario's business
    "zerg_build.decay": Wanted(test=lambda game: False),  # creep is part of the ground
    "zerg_larva.wither": Wanted(test=lambda game: False),  # their ground is theirs
    "zerg_creep.grow": Wanted(test=lambda game: False),
    "zerg_creep.recede": Wanted(test=lambda game: False),
    "zerg_locust.hunt": Wanted(("LocustMPFlying",)),
    "zerg_lurker.speak_again": Wanted(("LurkerMP", "LurkerMPBurrowed"), lambda game: _any_flags(game, state.HOLD_FIRE)),
    "zerg_lurker.strike": Wanted(("LurkerMPBurrowed",)),
    "zerg_overseer.stop_dripping": Wanted(test=lambda game: False),
    "zerg_powers.launch": Wanted(("BroodLord",)),
    "zerg_wander.wander": Wanted(("Larva",)),
}


def name_of(rule: Callable[..., object]) -> str:
    """module.function of a rule."""
    return f"{rule.__module__.rsplit('.', 1)[-1]}.{rule.__name__}"


@cache
def _ids(patch: str, names: Names) -> frozenset[int]:
    """Type ids of names; STRUCTURES stands for all structures."""
    facts = load(patch)
    found = {facts.ids[name] for name in names if name in facts.ids}
    if STRUCTURES in names:
        found |= {int(k) for k in np.flatnonzero(facts.types["structure"])}
    return frozenset(found)


def _mark(bits: np.ndarray, patch: str, names: Names | None, bit: int) -> None:
    if names is None:
        bits[:] |= bit
    else:
        bits[list(_ids(patch, names))] |= bit


def loud_types(patch: str, count: int) -> np.ndarray:
    """u1[count]: BY_DEATH and BY_HIT of every unit type."""
    bits = np.zeros(count, np.uint8)
    for rule in ON_REMOVE:
        _mark(bits, patch, REMOVALS.get(name_of(rule)), BY_DEATH)
    for rule in ON_EVENT.get(state.HIT, ()):
        _mark(bits, patch, HITS.get(name_of(rule)), BY_HIT)
    return bits


def loud_kinds() -> np.ndarray:
    """u1[kinds]: ALWAYS for the events that need the rules whatever the unit is."""
    kinds = np.full(max(max(ON_EVENT), state.DELIVERED) + 1, ALWAYS, np.uint8)
    for kind in range(len(kinds)):
        if all(name_of(rule) in SILENT for rule in ON_EVENT.get(kind, ())):
            kinds[kind] = 0
    return kinds


def next_due(game: Game) -> int:
    """Loop of the next delayed effect or periodic rule that has work, NEVER without any."""
    due = game.memory.later_heap[0][0] if game.memory.later_heap else NEVER
    loop = game.loop
    for every, _ in wanted_rules(game):
        due = min(due, (loop // every + 1) * every)
    return due


def wanted_rules(game: Game) -> Iterator[tuple[int, Callable[..., object]]]:
    """(loops between two turns, rule) of the periodic rules that have work with the types alive now; one that nobody
    knows always has. Each is asked when it is its turn."""
    units = game.units[: int(game.world[0]["slots"])]
    living = frozenset(units["type"][units["alive"] == 1].tolist())
    for rule, options in _possible(game.patch, living):
        for test, every in options:
            if test is None or test(game):
                yield every, rule
                break


@lru_cache(maxsize=4096)
def _possible(patch: str, living: frozenset[int]) -> tuple[tuple[Callable[..., object], tuple], ...]:
    """(rule, its (test, period)s) of the periodic rules that may have work with these types alive."""
    found = []
    for period, rule in EVERY:
        known = PERIODIC.get(name_of(rule), Wanted())
        options = [
            (wanted.test, wanted.period or period)
            for wanted in (known if isinstance(known, tuple) else (known,))
            if not wanted.types or not living.isdisjoint(_ids(patch, wanted.types))
        ]
        if options:
            found.append((rule, tuple(options)))
    return tuple(found)
