"""How long each weapon takes to kill standard targets, and how far everyone sees, against what the facts imply.

The expectation is reckoned here from the rows of the facts alone, shot by shot, without the engine's rules of combat.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.engine import state
from sim.engine.catalog import AIR, GROUND
from sim.facts import Facts, load
from sim.fidelity.workshop import Row
from sim.maps import arena
from sim.melee.game import Command, Game, PlayerSetup

TARGETS = ("SCV", "Marine", "Marauder", "SiegeTank", "Zealot", "Stalker", "Archon", "Zergling", "Roach", "Ultralisk")
FLYERS = ("Medivac", "VikingFighter", "Battlecruiser", "Phoenix", "Mutalisk", "Corruptor")
# Fight only where others send them, do not fight, or are not alone.
APART = ("Interceptor", "LiberatorAG", "LocustMP", "LocustMPFlying", "BroodLord")
LIMIT = 4000  # loops; slower duels are left out
WHERE = 56.5


def shooters(facts: Facts) -> list[tuple[str, int]]:
    """Names of all fighting units of the three races with the number of each of their weapons."""
    found = []
    for type_id in np.flatnonzero(facts.types["race"] > 0):
        row = facts.types[type_id]
        for number, weapon in enumerate(row["weapons"]):
            name = facts.names[int(type_id)]
            if name in APART or name.startswith("Changeling") or weapon < 0 or facts.weapons[weapon]["suicide"]:
                continue
            if facts.weapons[weapon]["damage"] > 0:
                found.append((facts.names[int(type_id)], number))
    return found


def duels(patch: str = "5.0.14", only: tuple[str, ...] = ()) -> list[Row]:
    """Every weapon (or those of the types `only`) against every standard target it can hit."""
    facts = load(patch)
    rows = []
    for name, number in shooters(facts):
        if only and name not in only:
            continue
        weapon = facts.weapons[facts.types[facts.ids[name]]["weapons"][number]]
        targets = (TARGETS if weapon["targets"] & GROUND else ()) + (FLYERS if weapon["targets"] & AIR else ())
        for target in targets:
            if _chosen(facts, name, target) == number:
                duel = fight(facts, patch, name, target, weapon)
                if duel is not None:
                    rows.append(duel)
    return rows


def _chosen(facts: Facts, name: str, target: str) -> int:
    """The first of a type's weapons that can hit the target."""
    bit = AIR if facts.types[facts.ids[target]]["flying"] else GROUND
    for number, row in enumerate(facts.types[facts.ids[name]]["weapons"]):
        if row >= 0 and facts.weapons[row]["targets"] & bit and facts.weapons[row]["damage"] > 0:
            return number
    return -1


def expectation(kind: Any, weapon: Any) -> tuple[float, float]:
    """Least and most loops from the first hit of a weapon to the death of a type that does nothing."""
    least = _time(kind, weapon, max(1.0, float(weapon["period"] + weapon["random_min"])))
    most = _time(kind, weapon, float(math.ceil(weapon["period"] + weapon["random_max"])) + 1)
    return (math.floor(least), math.ceil(most)) if math.isfinite(most) else (least, most)


def _time(kind: Any, weapon: Any, period: float) -> float:
    damage, bare = float(weapon["damage"]), bool(weapon["ignore_armor"])
    if kind["structure"] and weapon["structure_damage"] > 0:
        bare = True
        damage = float(weapon["structure_damage"])
    elif kind["attributes"] & weapon["bonus_attribute"]:
        damage += float(weapon["bonus"])
    life, shield, loops, after = float(kind["hp"]), float(kind["shield"]), 0.0, 0
    while loops < LIMIT:
        for number in range(int(weapon["attacks"])):
            if life <= 1e-6:
                break
            after, left = round(number * float(weapon["apart"])), damage
            if shield > 0:
                whole = damage + float(weapon["shield_bonus"])
                hit = whole if bare else max(whole - float(kind["shield_armor"]), 0.5)
                shield, left = shield - hit, min(hit - shield, left)
            if shield <= 0 and left > 0:
                shield = 0.0
                life -= left if bare else max(left - float(kind["armor"]), 0.5)
        if life <= 1e-6:
            return loops + after
        loops += period
        life = min(life + max(period - float(kind["hp_delay"]), 0.0) * float(kind["hp_regen"]), float(kind["hp"]))
        if period > kind["shield_delay"] > 0:
            shield = min(shield + (period - float(kind["shield_delay"])) * float(kind["shield_regen"]), kind["shield"])
    return math.inf


def fight(facts: Facts, patch: str, name: str, target: str, weapon: Any) -> Row | None:
    """One duel in the engine; None when the facts say that it lasts too long."""
    kind = facts.types[facts.ids[target]]
    least, most = expectation(kind, weapon)
    if not math.isfinite(most) or most > LIMIT:
        return None
    game = Game(arena(112, 112), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1, patch=patch)
    shooter = game.spawn(facts.ids[name], 1, WHERE, WHERE, facing=0.0)
    reach = float(weapon["range"]) + float(facts.types[facts.ids[name]]["radius"]) + float(kind["radius"])
    distance = max(reach - 0.2, float(weapon["min_range"]) + 1.0, 0.5)
    victim = game.spawn(facts.ids[target], 2, WHERE + distance, WHERE)
    held = state.DISARMED | state.IMMOBILE
    game.units[victim]["flags"] = int(game.units[victim]["flags"]) | held
    game.units[shooter]["energy"] = 200
    flags = int(game.units[shooter]["flags"])
    game.units[shooter]["flags"] = (flags | state.POWERED) & ~state.AUTOCAST
    game.spawn(facts.ids["Observer"], 1, WHERE + distance, WHERE + 3)
    game.spawn(facts.ids["Pylon"], 1, WHERE, WHERE - 5)
    game.step(2)
    attack = game.abilities_of(facts.ids[name]).get("attack", (23,))
    game.issue(Command(1, attack[0], (game.tag(shooter),), game.tag(victim)))
    first, generation = -1, int(game.units[victim]["generation"])
    full = float(game.units[victim]["hp"] + game.units[victim]["shield"])
    for _ in range(int(most) + 400):
        game.step()
        unit = game.units[victim]
        if not unit["alive"] or unit["generation"] != generation:
            first = game.loop if first < 0 else first
            return _row(name, target, weapon, game.loop - first, least, most)
        if first < 0 and float(unit["hp"] + unit["shield"]) < full:
            first = game.loop
    return _row(name, target, weapon, -1, least, most)


def _row(name: str, target: str, weapon: Any, loops: int, least: float, most: float) -> Row:
    """The row of one duel: what the facts allow is a span, since weapons add random delays."""
    which = {AIR: " (air)", GROUND: " (ground)"}.get(int(weapon["targets"]), "")
    return Row(f"{name}{which} v {target}", loops, (least + most) / 2, (most - least) / 2)
