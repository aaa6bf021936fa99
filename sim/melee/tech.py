"""Tech requirements: what a player must have before a unit may do something."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import MORPHING, UNFINISHED
from sim.facts import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.facts import Ability
    from sim.melee.game import Game

STATES: dict[str, Callable[[Game, int], bool]] = {}  # Requirement.state -> test on the caster; without a row: refused
# States without which the game shows no button (catalog: Show), so that the order is not supported (observed).
HIDING = ("HoldingFire", "NotHoldingFire", "LockedOn", "NotLockedOn", "PhaseShifting", "PrismaticAligned")


def finished_types(game: Game, player: int) -> frozenset[int]:
    """Unit types of which the player has a finished one (kept until units change)."""
    if player in game.memory.taught:
        return frozenset(range(game.types.shape[1]))
    cached = game.finished_cache.get(player)
    if cached is not None and cached[0] == game.counts_version:
        return cached[1]
    units = game.units[: int(game.world[0]["slots"])]
    mask = (units["alive"] == 1) & (units["owner"] == player) & (units["flags"] & UNFINISHED == 0)
    types = frozenset(int(type_id) for type_id in np.unique(units["type"][mask]))
    game.finished_cache[player] = (game.counts_version, types)
    return types


@cache
def improvable(patch: str) -> frozenset[int]:
    """Abilities that some upgrade changes."""
    upgrades = load(patch).upgrades.values()
    return frozenset(
        e.target for u in upgrades for e in u.effects if e.scope == "ability" and isinstance(e.target, int)
    )


@cache
def autocasters(patch: str) -> frozenset[int]:
    """Unit types with an ability that casts itself from birth."""
    abilities = load(patch).abilities.values()
    return frozenset(caster for ability in abilities if ability.autocast_on for caster in ability.casters)


def improved(game: Game, player: int, ability_id: int) -> Ability:
    """The ability as the player's finished upgrades have made it (ranges, cooldowns, durations of morphs)."""
    if ability_id not in improvable(game.facts.patch):
        return game.facts.abilities[ability_id]
    have = game.players[player]["upgrades"]
    return game.facts.ability_for(ability_id, {upgrade for upgrade in game.facts.upgrades if have[upgrade]})


def met(game: Game, player: int, name: str, slot: int) -> bool:
    """The named requirement holds for the unit in `slot` of the player."""
    if not name:
        return True
    requirement = game.facts.requirements[name]
    have, upgrades = finished_types(game, player), game.players[player]["upgrades"]
    waived = len(have) >= game.types.shape[1]  # by the cheat tech_tree: whatever has to be had
    if not waived:
        if not all(any(type_id in have for type_id in group) for group in requirement.units):
            return False
        if requirement.addon and not _addon(game, slot, requirement.addon):
            return False
        if not all(upgrades[upgrade] for upgrade in requirement.upgrades):
            return False
    if requirement.lacks and upgrades[requirement.lacks]:
        return False
    if requirement.state:
        test = STATES.get(requirement.state)
        return test is not None and test(game, slot)
    return True


def _addon(game: Game, slot: int, types: tuple[int, ...]) -> bool:
    addon = int(game.units[slot]["addon"])
    if addon < 0:
        return False
    unit = game.units[addon]
    return bool(unit["alive"]) and not int(unit["flags"]) & UNFINISHED and int(unit["type"]) in types


SMART = 1
HIDDEN_KINDS = ("smart", "turn", "cancel_slot", "unload_unit")  # never offered
WHILE_UNFINISHED = ("cancel", "halt", "rally", "rally_workers")
CHANGES = ("morph", "burrow", "unburrow")
WITH_CARGO = ("unload", "redirect")
UP = 2  # from the id of a burrow to that of its rising
UNKNOWN = (2354,)  # the end of a lock-on works, but the query does not know it (observed)
WALKS = ("move", "patrol", "hold", "attack")
CLICKABLE = ("move", "attack", "rally", "rally_workers", "redirect")  # what a right-click may turn into
# What the real game answers beyond that (compared with the table of offers that burnysc2 ships):
SCANS_TOO = ("AdeptPhaseShift", "HighTemplar", "LurkerMP", "Oracle")  # the scanning move beside their attack
CLICKED = (  # a right-click, though it could only mean a stop or nothing
    "CreepTumorBurrowed",
    "OverseerSiegeMode",
    "ShieldBattery",
    "SwarmHostBurrowedMP",
    "WarpGate",
    "WarpPrismPhasing",
    "WidowMineBurrowed",
)
WORM_CANCEL = 175  # offered as every site's cancel is, though the data names it not (ours)
NO_BUTTON = {"BanelingBurrowed": 2081, "InfestorBurrowed": 4111, "LocustMPFlying": 2706, "QueenBurrowed": 4}


def nameless(ability: Ability) -> bool:
    """The game never named it."""
    return ability.friendly_name == f"{ability.name}_{ability.index}"


def button(ability: Ability, name: str, kinds: dict[str, tuple[int, ...]], unfinished: bool) -> bool:
    """The ability has a button on the command card of the type with that name, which has abilities of these kinds.

    Abilities that the game never named have none. Units without a weapon show the scanning move where others show the
    attack; structures in the air show neither. Units that can walk rally only while they are being made.
    """
    if NO_BUTTON.get(name) == ability.id:
        return False
    if not ability.shown and nameless(ability) and ability.id != WORM_CANCEL:
        return False
    if ability.target == "Unit" and not (ability.shown or ability.requirement):
        return False  # what is required of an ability is a note of its button
    if ability.kind == "attack" and ability.name.lower().endswith("move"):
        return name in SCANS_TOO or (len(kinds["attack"]) == 1 and "land" not in kinds)
    return unfinished or ability.kind not in ("rally", "rally_workers") or "move" not in kinds


@cache
def kin(patch: str, ability_id: int) -> tuple[int, ...]:
    """What is offered beside an ability: to who can burrow or rise the burrows of all that had to learn it, too, and
    it does its own by them (observed)."""
    abilities = load(patch).abilities
    down = ability_id if abilities[ability_id].kind == "burrow" else ability_id - UP
    if down not in abilities or abilities[down].kind != "burrow" or not abilities[down].requirement:
        return ()
    alike = [a.id for a in abilities.values() if a.kind == "burrow" and a.requirement == abilities[down].requirement]
    return tuple(other + ability_id - down for other in alike if other != down)


def affordable(game: Game, slot: int, ability: Ability) -> bool:
    """It has cooled down, and there are energy, life, money and supply for it."""
    from sim.melee import supply

    unit = game.units[slot]
    owner = int(unit["owner"])
    energy = 0.0 if ability.kind == "behavior_off" else game.energy_for(slot, ability)
    if game.memory.ready.get((slot, ability.id), 0) > game.loop or float(unit["energy"]) < energy:
        return False
    if float(unit["hp"]) <= game.life_for(slot, ability):
        return False
    if not game.can_pay(owner, ability.minerals, ability.gas):
        return False
    return not ability.supply or supply.room_for(game, owner, ability.supply)


def available_abilities(game: Game, slot: int, *, ignore_resources: bool = False) -> list[int]:
    """Exact ability ids that the unit could be told now (abilities query), sorted.

    What lacks its tech, what the unit's state forbids (powers of an image or of a silenced caster, everything in
    stasis) and the cancel of something that is not going on is left out. So is what costs more minerals, gas, supply,
    energy or life than there is and what cools down, unless `ignore_resources`: so says the client library's comment of
    this flag, and public bots rely on it.
    """
    from sim.melee.orders import kind_of
    from sim.melee.production import in_research
    from sim.melee.records import Result, Target
    from sim.melee.registry import FORBID
    from sim.melee.verdicts import rooted

    unit = game.units[slot]
    player, unfinished = int(unit["owner"]), bool(int(unit["flags"]) & UNFINISHED)
    busy = bool(unit["job_count"]) and bool(game.jobs[slot, 0]["is_upgrade"])
    found, name = [], game.facts.names[int(unit["type"])]
    kinds, clickable = game.abilities_of(int(unit["type"])), name in CLICKED and not unfinished
    for kind_name, ids in kinds.items():
        if kind_name in HIDDEN_KINDS or (unfinished and kind_name not in WHILE_UNFINISHED):
            continue
        if kind_name in WITH_CARGO and not unit["cargo"]:
            continue
        if kind_name in WALKS and rooted(game, slot, attack=kind_name == "attack"):
            continue
        for ability_id in ids:
            ability, kind = game.facts.abilities[ability_id], kind_of(game, ability_id)
            if kind is None or ability_id in UNKNOWN or not button(ability, name, kinds, unfinished):
                continue
            if not met(game, player, ability.requirement, slot):
                continue
            if not ignore_resources and not affordable(game, slot, ability):
                continue
            if kind_name == "research" and (busy or in_research(game, player, ability.product)):
                continue  # what researches is offered no other line, nobody one that is in a queue, though all take it
            if kind_name in CHANGES and int(unit["flags"]) & MORPHING:
                continue  # taken, but not offered before the form is done (observed: up to 22 loops later)
            if any(no(game, slot, ability) != Result.SUCCESS for no in FORBID):
                continue
            if ability.target in ("None", "PointOrNone") or kind_name == "unload":
                verdict = kind.check(game, slot, ability, Target())
                if verdict in (Result.ERROR, Result.NOT_SUPPORTED):
                    continue
            found.append(ability_id)
            found += kin(game.facts.patch, ability_id)
            clickable |= kind_name in CLICKABLE
    return sorted([*found, SMART] if clickable else found)
