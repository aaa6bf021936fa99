"""How long everything takes that any race makes: structures, units, research, morphs. Each in a game of its own."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator

import numpy as np

from sim.engine.state import MORPHING, UNFINISHED
from sim.facts import Ability, load
from sim.fidelity.real import FAST_WARP
from sim.fidelity.workshop import RefusedError, Row, first_loop
from sim.maps import Neutral, Terrain, arena
from sim.melee import addons
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.placement import ADDON_X, ADDON_Y, can_place, snap

TERRAN, ZERG, PROTOSS = 1, 2, 3
MADE = ("train", "arm", "research", "morph", "burrow", "unburrow", "build", "addon", "warp", "lift", "land", "root")
CHANGES = ("morph", "burrow", "unburrow", "lift", "land", "root")  # the maker itself becomes the product
SITES = ("build", "addon", "warp")  # their product stands there unfinished; the others' appears or changes at the end
HERE = (60.5, 40.5)
GEYSER = 342
COMPANY = {PROTOSS: ("Pylon", "Nexus"), ZERG: ("Hatchery",), TERRAN: ()}  # power and creep
FLIGHTS = {1733: 42}  # loops that a tumor's seed may fly before it grows (measured: up to 42, by the distance)


def ground() -> Terrain:
    """A wide flat field with a geyser."""
    return dataclasses.replace(arena(112, 112), neutrals=(Neutral(GEYSER, HERE[0] + 14, HERE[1]),))


def products(patch: str) -> Iterator[tuple[Ability, int]]:
    """Every ability that makes something a ladder game can hold, with one type that has it."""
    facts = load(patch)
    seen = set()
    for ability in facts.abilities.values():
        casters = [c for c in ability.casters if facts.types[c]["race"] in (1, 2, 3) and c != ability.cocoon]
        key = (ability.kind, ability.product, casters[0] if casters else 0)
        apart = ability.kind == "arm" and facts.names[ability.product] == "Interceptor"  # carriers build by themselves
        if (
            ability.kind in MADE
            and not apart
            and ability.product
            and casters
            and ability.loops >= 1
            and key not in seen
        ):
            seen.add(key)
            yield ability, casters[0]


def everything(patch: str = "5.0.14", race: int = 0, report: Callable[[str], None] = lambda _: None) -> list[Row]:
    """One row a product of one race (0: all three): loops from its beginning to its end against the facts' duration."""
    facts = load(patch)
    rows = []
    for ability, caster in products(patch):
        its = int(facts.types[caster]["race"])
        if race in (0, its):
            name = facts.upgrades[ability.product].name if ability.kind == "research" else facts.names[ability.product]
            what = f"{ability.kind} {name} ({facts.names[caster]})"
            report(what)
            try:
                slack = max(_slack(ability), FLIGHTS.get(ability.id, 0))
                rows.append(Row(what, duration(ability, caster, patch), _real(ability, name), slack))
            except RefusedError as error:
                rows.append(Row(f"{what}: {error}", -1, _real(ability, name)))
    return rows


def _slack(ability: Ability) -> int:
    """A random delay, and the loop in which a crawler arrives."""
    return math.ceil(ability.random_loops) + (ability.kind == "root")


def _real(ability: Ability, name: str) -> int:
    """Loops by the real game's replays where they were measured, else by the facts, counted in whole loops."""
    if ability.kind == "warp":
        return FAST_WARP
    return math.ceil(ability.loops - 1e-3) if ability.kind in CHANGES else round(ability.loops)


def duration(ability: Ability, caster: int, patch: str) -> int:
    """Loops that one product takes.

    Raises:
        RefusedError: the engine refused the order, or nothing came of it.
    """
    game, slot = _workplace(ability, caster, patch)
    place, target = _place(game, ability, slot)
    _grant(game, ability)
    tag = game.tag(target) if target >= 0 else 0
    point = place or (0.0, 0.0)
    result = game.issue(Command(1, ability.id, (game.tag(slot),), tag, *point, place is not None))
    if result != 1:
        raise RefusedError(f"refused with result {result}")
    limit = int(ability.loops * 1.5 + ability.random_loops + 400)
    is_there = _finish_test(game, ability, slot)
    if ability.kind in SITES:
        begun = first_loop(game, lambda: bool(_new(game, ability.product)), 600)
        if begun < 0:
            raise RefusedError("its construction never began")
        begun -= 1  # the loop in which it begins counts
    else:
        begun = game.loop
    done = first_loop(game, is_there, limit)
    if done < 0:
        raise RefusedError(f"not done after {limit} loops")
    return done - begun


def _workplace(ability: Ability, caster: int, patch: str) -> tuple[Game, int]:
    """A rich player of the caster's race with the caster, its add-on, power or creep."""
    facts = load(patch)
    race = int(facts.types[caster]["race"])
    game = Game(ground(), [PlayerSetup(race, start=0)], seed=1, patch=patch)
    game.players[1]["minerals"] = game.players[1]["gas"] = 50_000
    for name in COMPANY[race]:
        far = 6 if name != "Nexus" else 12
        game.spawn(facts.ids[name], 1, HERE[0], HERE[1] + far)
    game.creep[:] = race == ZERG
    if addons.sort_of(game, caster):  # it stays its host's in its place only
        host = facts.names[caster].removesuffix(addons.sort_of(game, caster))
        game.spawn(facts.ids[host], 1, HERE[0] - ADDON_X, HERE[1] - ADDON_Y)
    slot = game.spawn(caster, 1, *HERE)
    unit = game.units[slot]
    unit["energy"] = max(float(game.type_of(slot)["energy_max"]), 0.0)
    requirement = facts.requirements.get(ability.requirement)
    if requirement is not None and requirement.addon:
        addon = game.spawn(requirement.addon[0], 1, HERE[0] + ADDON_X, HERE[1] + ADDON_Y)
        unit["addon"], game.units[addon]["addon"] = addon, slot
    for number in range(10):
        game.spawn(facts.ids[{1: "SupplyDepot", 2: "Overlord", 3: "Pylon"}[race]], 1, 6.5 + 4 * number, 100.5)
    for _ in range(16):
        game.creep[:] = race == ZERG
        game.step()
    if not game.units[slot]["alive"]:
        raise RefusedError("its maker did not live")
    return game, slot


def _grant(game: Game, ability: Ability) -> None:
    """All tech counts as built, and upgrades that must come first as done."""
    requirement = game.facts.requirements.get(ability.requirement)
    for upgrade in requirement.upgrades if requirement else ():
        game.players[1]["upgrades"][upgrade] = 1
    game.memory.taught.add(1)


def _place(game: Game, ability: Ability, slot: int) -> tuple[tuple[float, float] | None, int]:
    """Where it is made: a point, or a target slot."""
    if ability.kind in ("build", "warp", "land", "root") and ability.target != "None":
        name = game.facts.names[ability.product]
        if name in ("Refinery", "Extractor", "Assimilator"):
            return None, int(np.flatnonzero(game.units["type"] == GEYSER)[0])
        if ability.kind in ("land", "root"):
            at = snap(game, ability.product, *HERE)  # where it is: no way to go
            game.units[slot]["x"], game.units[slot]["y"] = at
            return at, -1
        steps = [d for k in range(4, 22) for d in (k / 2, -k / 2)]
        for dx in steps:
            for dy in steps:
                at = (HERE[0] + dx, HERE[1] + dy)
                if can_place(game, 1, ability.id, *at) == 1:
                    return at, -1
        raise RefusedError("no place found")
    return None, -1


def _new(game: Game, type_id: int) -> list[int]:
    """Unfinished units of a type."""
    units = game.units[: int(game.world[0]["slots"])]
    found = (units["alive"] == 1) & (units["type"] == type_id) & (units["owner"] == 1)
    return [int(s) for s in np.flatnonzero(found & (units["flags"] & UNFINISHED != 0))]


def _finish_test(game: Game, ability: Ability, slot: int) -> Callable[[], bool]:
    """The test that the product is complete."""
    if ability.kind == "research":
        return lambda: bool(game.players[1]["upgrades"][ability.product])
    if ability.kind in SITES:
        return lambda: not _new(game, ability.product)
    if ability.kind == "arm":
        return lambda: int(game.units[slot]["job_count"]) == 0
    if ability.kind in CHANGES:
        return lambda: _settled(game, slot, ability.product)
    had = _count(game, ability.product)
    return lambda: _count(game, ability.product) > had


def _settled(game: Game, slot: int, type_id: int) -> bool:
    """The unit has become the type and may act again."""
    unit = game.units[slot]
    return int(unit["type"]) == type_id and not int(unit["flags"]) & MORPHING and int(unit["order_count"]) == 0


def _count(game: Game, type_id: int) -> int:
    """Complete units of a type."""
    units = game.units[: int(game.world[0]["slots"])]
    whole = (units["alive"] == 1) & (units["owner"] == 1) & (units["flags"] & UNFINISHED == 0)
    return int((whole & (units["type"] == type_id)).sum())
