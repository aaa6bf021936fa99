"""What casts cost and how soon they can be repeated, measured by casting, against the facts of the patch."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np

from sim.engine.state import AUTOCAST, UNHARMED
from sim.facts import Ability, Facts, load
from sim.fidelity.workshop import Row
from sim.maps import Neutral, arena
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.records import Result

AT = (64.5, 64.5)
MINERALS, ZERG = 341, 2
# No unit of a ladder game has these; the last needs what no other cast does (a mine that is dug in).
APART = (
    *("NydusCanalCreeper", "NexusInvulnerability", "MothershipCore", "WarHound", "Defiler", "InfestorEnsnare"),
    *("Ultralisk", "PurificationNova_", "OracleStasisTrap", "VoidMP", "WidowMineAttack", "AmorphousArmorcloud_"),
    *("Spray", "Shatter"),
)
ENEMIES = ("Marine", "SiegeTank", "HighTemplar", "Mutalisk", "Hatchery")
FRIENDS = ("Zealot", "Roach", "Sentry", "Hatchery", "SupplyDepot", "Gateway", "Nexus")
WAIT = 400  # loops until an accepted cast is paid


def casts(patch: str = "5.0.14") -> list[Row]:
    """Energy and cooldown of every cast that has them."""
    facts = load(patch)
    rows = []
    for ability, caster in castable(facts):
        rows += measure(facts, patch, ability, caster)
    return rows


def castable(facts: Facts) -> Iterator[tuple[Ability, int]]:
    """Abilities with a price in energy or a cooldown, and the first type that has each."""
    for ability in facts.abilities.values():
        casters = [c for c in ability.casters if facts.types[c]["race"] > 0 and facts.types[c]["hp"] > 0]
        if not casters or ability.kind not in ("effect", "behavior_on") or not (ability.energy or ability.cooldown):
            continue
        if not any(name in f"{ability.name}_ {facts.names[casters[0]]}" for name in APART):
            yield ability, casters[0]


def measure(facts: Facts, patch: str, ability: Ability, caster: int) -> list[Row]:
    """Casts once and waits for the second chance."""
    what = f"{ability.friendly_name or ability.name} ({facts.names[caster]})"
    game, slot, others = _stage(facts, patch, ability, caster)
    before = float(game.units[slot]["energy"])
    if not _cast(game, slot, ability, others):
        return [Row(f"{what}: refused", -1, ability.energy or ability.cooldown)]
    paid, rows = 0.0, []
    for _ in range(WAIT):
        game.step()
        now = float(game.units[slot]["energy"])
        paid, before = max(paid, before - now), now
        if (slot, ability.id) in game.memory.ready or (paid > 1 and not ability.cooldown):
            break
    if ability.energy:
        rows.append(Row(f"{what}: energy", round(paid, 1), ability.energy, 1))
    ready = game.memory.ready.get((slot, ability.id), game.loop) - game.loop
    if ability.cooldown >= 1 and ready > 0:
        rows.append(Row(f"{what}: cooldown, loops", ready, round(ability.cooldown), 1))
    elif ability.cooldown >= 1:
        rows.append(Row(f"{what}: no cooldown", -1, round(ability.cooldown)))
    return rows


def _stage(facts: Facts, patch: str, ability: Ability, caster: int) -> tuple[Game, int, list[int]]:
    """The caster with energy to spare (full Vipers drink nothing), enemies and friends in range, all research done."""
    field = dataclasses.replace(arena(128, 128), neutrals=(Neutral(MINERALS, AT[0] - 0.5, AT[1] + 10),))
    game = Game(field, [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1, patch=patch)
    game.creep[:] = facts.types[caster]["race"] == ZERG
    slot = game.spawn(caster, 1, *AT)
    game.units[slot]["energy"] = 190
    game.units[slot]["flags"] = (int(game.units[slot]["flags"]) | UNHARMED) & ~AUTOCAST
    requirement = facts.requirements.get(ability.requirement)
    for upgrade in requirement.upgrades if requirement else ():
        game.players[1]["upgrades"][upgrade] = 1
    others = []
    for names, player, side in ((ENEMIES, 2, 1), (FRIENDS, 1, -1)):
        for number, name in enumerate(names):
            angle = number * math.tau / len(names)
            far = 6.0 if facts.types[facts.ids[name]]["structure"] else 2.2
            x, y = AT[0] + far * math.cos(angle), AT[1] + side * far * math.sin(angle) + 0.3 * side
            other = game.spawn(facts.ids[name], player, x, y)
            game.units[other]["energy"] = 100
            game.units[other]["hp"] *= 0.6
            game.units[other]["flags"] = int(game.units[other]["flags"]) | UNHARMED
            others.append(other)
    game.step(16)  # until everybody has looked round
    game.creep[:] = facts.types[caster]["race"] == ZERG
    game.memory.taught.add(1)
    return game, slot, others


def _cast(game: Game, slot: int, ability: Ability, others: list[int]) -> bool:
    """Tries itself, points and every unit; True when one is accepted."""
    tag = game.tag(slot)
    fields = np.flatnonzero(np.isin(game.units["type"], list(game.facts.minerals)) & (game.units["alive"] == 1))
    tries = [Command(1, ability.id, (tag,))]
    if ability.target != "None":
        tries = [Command(1, ability.id, (tag,), target_tag=game.tag(o)) for o in (*others, *fields[:1].tolist())]
    if ability.target.startswith("Point"):
        tries = [Command(1, ability.id, (tag,), x=AT[0] + 3.5, y=AT[1] + k, has_point=True) for k in (3.5, 0)] + tries
    return any(game.issue(command) == Result.SUCCESS for command in tries)
