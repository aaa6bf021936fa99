"""From a fight to the first moment of a battle: a game with both armies, our units in the leading slots."""

from __future__ import annotations

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.config import load as load_config
from sim.battle import empty_game, open_map, ready
from sim.engine.state import AUTOCAST, HOLD_FIRE
from sim.facts import load as load_facts
from sim.maps import footprint_cells
from sim.melee import placement, transport
from sim.melee.game import Game
from train.errors import TrainError
from train.scenario import PATCH, Fight, Group, Point, Scenario

OURS, THEIRS = 1, 2
HELPERS = frozenset(
    ("Medivac", "Overlord", "Overseer", "OverlordTransport", "WarpPrism", "Observer", "SupplyDepot", "Pylon", "Armory")
)
"""Types whose side is beaten when nobody else is left, as are those that `IGNORED` numbers."""
IGNORED = tuple(UnitTypeId[name].value for name in load_config("micro")["kinds"]["ignored"])
ARMED_SILO = "GhostAcademy"  # stands with a nuke ready


def agents_of(fight: Fight) -> int:
    """Units of ours that are told what to do: everything but structures."""
    return sum(not _is_structure(group) for group, _ in fight.own)


def template(family: Scenario, fight: Fight, agents: int) -> Game:
    """The first moment of a fight. Our units that move stand in the slots 0.., the enemies' from slot `agents` on, our
    structures behind them. The generator's state is replaced when a battle starts from it.

    Raises:
        TrainError: more units of ours than `agents`, or passengers without room.
    """
    game = empty_game(family.ground, family.races, patch=PATCH, upgrade_ids=fight.upgrades)
    if not family.fog:
        open_map(game)
    game.players["minerals"][1:] = game.players["gas"][1:] = family.bank
    units = [one for one in fight.own if not _is_structure(one[0])]
    if len(units) > agents:
        raise TrainError(f"{family.name}: {len(units)} units of ours, but room for {agents}")
    middle = np.mean([at for _, at in fight.enemy], axis=0)
    slots = [put(game, OURS, group, at, middle) for group, at in units]
    game.world[0]["slots"] = agents
    centre = np.mean([at for _, at in fight.own], axis=0)
    for group, at in fight.enemy:
        put(game, THEIRS, group, at, centre)
    for group, at in fight.own:
        if _is_structure(group):
            put(game, OURS, group, at, middle)
    if family.passive:
        for slot in slots:
            game.units[slot]["flags"] = (int(game.units[slot]["flags"]) | HOLD_FIRE) & ~AUTOCAST
    for (group, _), slot in zip(units, slots, strict=True):
        if group.aboard:
            _board(game, slot, group, family.name)
    ready(game)
    return game


def put(game: Game, owner: int, group: Group, at: Point, towards: np.ndarray) -> int:
    """Makes one unit of a group at a place (cells), looking at a point f8 [2]. -> slot."""
    kind = game.facts.ids[group.unit]
    x, y = at
    if _is_structure(group):
        x, y = placement.snap(game, kind, x, y)
        for column, row in footprint_cells(kind, x, y):
            if 0 <= row < game.creep.shape[0] and 0 <= column < game.creep.shape[1]:
                game.creep[row, column] = 1  # what Zerg structures stand on
    facing = float(np.arctan2(towards[1] - y, towards[0] - x))
    slot = game.spawn(kind, owner, float(x), float(y), facing=facing, turret=facing)
    unit = game.units[slot]
    unit["hp"] = max(1.0, group.life * float(unit["hp_max"]))
    unit["shield"] = group.life * float(unit["shield_max"])
    if group.energy is not None and game.type_of(slot)["energy_max"] > 0:
        unit["energy"] = min(group.energy, float(game.type_of(slot)["energy_max"]))
    if group.unit == ARMED_SILO:
        unit["timer"] = 1
    return slot


def _board(game: Game, slot: int, group: Group, name: str) -> None:
    kind = game.facts.ids[group.aboard]
    for carrier in game.owned(OURS, group.aboard):
        if int(game.units[carrier]["type"]) == kind and transport.fits(game, carrier, slot):
            transport.enter(game, slot, carrier)
            return
    raise TrainError(f"{name}: no {group.aboard} has room for a {group.unit}")


def values(game: Game) -> np.ndarray:
    """f4 [slots used]: what each unit costs, minerals and gas; a pair of Zerglings costs 50."""
    used = int(game.world[0]["slots"])
    units = game.units[:used]
    rows = game.types[units["owner"], units["type"]]
    worth = rows["minerals"].astype(np.float32) + rows["gas"]
    worth[units["type"] == game.facts.ids["Zergling"]] = 25.0
    return np.where(units["alive"] == 1, np.maximum(worth, 1.0), 0.0).astype(np.float32)


def fighters(game: Game, targets: tuple[str, ...] = ()) -> np.ndarray:
    """bool [slots used]: units that must fall for their side to be beaten (of the enemy: `targets`, if given)."""
    used = int(game.world[0]["slots"])
    units = game.units[:used]
    aside = [*(game.facts.ids[name] for name in HELPERS if name in game.facts.ids), *IGNORED]
    helpers = np.isin(units["type"], aside)
    alive = units["alive"] == 1
    found = alive & ~helpers
    structure = game.types[units["owner"], units["type"]]["structure"] == 1
    unarmed = game.types[units["owner"], units["type"]]["weapons"][:, 0] < 0
    found &= ~(structure & unarmed)
    for owner in (OURS, THEIRS):
        if not found[units["owner"] == owner].any():
            found |= alive & (units["owner"] == owner)
    if targets:
        wanted = np.isin(units["type"], [game.facts.ids[name] for name in targets])
        found = np.where(units["owner"] == THEIRS, alive & wanted, found)
    return found


def _is_structure(group: Group) -> bool:
    facts = load_facts(PATCH)
    return bool(facts.types[facts.ids[group.unit]]["structure"])
