"""Cheats of the debug interface: some act once, the others are switched on and off and act after every loop."""

from __future__ import annotations

import csv
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import debug_pb2

from sim.engine.state import CHANNELLING, UNFINISHED, UNHARMED
from sim.melee import eyes, supply, zerg_larva
from sim.melee.upgrades import finish

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.server.match import Match
    from sim.server.seat import Seat

GIFT = 5000  # minerals and gas of one call
MIGHT = 10  # of a god's weapons, in the data (observed; public dumps made so have Marines of 60) and in fights (ours)
FASTER = 20  # the official client's tests ask for 16 times at least (armour 2 in 190 loops) and 28 at most (a Marine)


def _marked(column: str, value: str) -> frozenset[str]:
    """Names of upgrades with the catalog's flag so in `granted.csv`, which lists those where either is not as usual.

    Catalog: UpgradeCheat is on, TechTreeCheat off, unless an upgrade says otherwise. Of the latter 46 were read, of
    several patches, 36 of which are in the facts of 5.0.14; of 5.0.15 42 granted upgrades were observed.
    """
    with (pathlib.Path(__file__).parent / "granted.csv").open(encoding="utf-8", newline="") as file:
        return frozenset(row["upgrade"] for row in csv.DictReader(file) if row[column] == value)


# Removed ones that `upgrade` does not bring: burnysc2's test of damages on 4.10 holds with one level of a Hellion's, a
# landed Viking's and a Tempest's and with a Tempest's old bonus only.
GONE = frozenset(f"TerranVehicleAndShipWeaponsLevel{level}" for level in "123") | {"TempestRangeUpgrade"}
KEPT_BACK, WITH_TECH = _marked("upgrade_cheat", "0") | GONE, _marked("tech_tree_cheat", "1")


def _own(game: Game, player: int) -> np.ndarray:
    units = game.units[: int(game.world[0]["slots"])]
    return np.flatnonzero((units["alive"] == 1) & (units["owner"] == player))


def fast_build(game: Game, player: int) -> None:
    """What is begun goes on FASTER times as fast, and larvae come so."""
    own = _own(game, player)
    jobs = game.jobs[own]
    jobs["left"] = np.where(jobs["started"] == 1, _hastened(jobs["left"]), jobs["left"])
    game.jobs[own] = jobs
    going_up = own[(game.units["flags"][own] & UNFINISHED != 0) & (game.units["build_rate"][own] > 0)]
    rate = game.units["build_rate"]
    rate[going_up] = np.maximum(rate[going_up], FASTER)  # its life grows as well
    making = own[game.units["flags"][own] & CHANNELLING == 0]  # casts take their time
    timers = game.orders[making]
    timers["timer"] = _hastened(timers["timer"])
    game.orders[making] = timers
    zerg_larva.hasten(game, own, FASTER)


def _hastened(left: np.ndarray) -> np.ndarray:
    """Loops left of what takes more than one, after the further loops that pass in this one."""
    return np.where(left > 1, np.maximum(left - (FASTER - 1), 1), left)


def god(game: Game, player: int) -> None:
    """Own units cannot be hurt."""
    game.units["flags"][_own(game, player)] |= UNHARMED


def ascend(match: Match, player: int, on: bool) -> None:
    """A god's weapons do more. Whose cheat is off can be hurt again; what upgrades added meanwhile he keeps."""
    game, fields = match.game, ("damage", "bonus", "shield_bonus")
    weapons = game.weapons[player]
    if on:
        match.mortal[player] = weapons.copy()
        for field in fields:
            weapons[field] *= MIGHT
        return
    plain = match.mortal.pop(player)
    for field in fields:
        weapons[field] += plain[field] - MIGHT * plain[field]
    game.units["flags"][_own(game, player)] &= ~np.uint32(UNHARMED)


def minerals(game: Game, player: int) -> None:
    """A gift, which the score does not count as gathered."""
    game.players[player]["minerals"] += GIFT
    game.scores[player].given[0] += GIFT


def gas(game: Game, player: int) -> None:
    """The same of gas."""
    game.players[player]["gas"] += GIFT
    game.scores[player].given[1] += GIFT


def all_resources(game: Game, player: int) -> None:
    """Both gifts."""
    minerals(game, player)
    gas(game, player)


def cooldown(game: Game, player: int) -> None:
    """Abilities are ready again at once."""
    owners = game.units["owner"]
    for key in [key for key in game.memory.ready if owners[key[0]] == player]:
        del game.memory.ready[key]


def upgrade(game: Game, player: int) -> None:
    """What the catalog marks so is done, also most of what nothing researches now; of levels one more each time.

    So a Bunker has two places by Neosteel Armor and two by Neosteel Frame, which was removed (tests of the C++ client).
    """
    record, facts = game.players[player], game.facts
    done = {known.name for number, known in facts.upgrades.items() if record["upgrades"][number]}
    for number in sorted(number for number, known in facts.upgrades.items() if known.name not in KEPT_BACK):
        name, level = facts.upgrades[number].name[:-1], facts.upgrades[number].name[-1]
        if level not in "23" or f"{name}{int(level) - 1}" in done:
            finish(game, player, number)


def tech_tree(game: Game, player: int) -> None:
    """Requirements are waived, and some upgrades are done (they stay when requirements count again)."""
    for number in sorted(number for number, known in game.facts.upgrades.items() if known.name in WITH_TECH):
        finish(game, player, number)


Cheat = Callable[["Game", int], None]
ONCE: dict[int, Cheat] = {
    debug_pb2.minerals: minerals,
    debug_pb2.gas: gas,
    debug_pb2.all_resources: all_resources,
    debug_pb2.upgrade: upgrade,
}
RULES: dict[int, Callable[[Game], set[int]]] = {  # the game's own rules ask who has them
    debug_pb2.control_enemy: lambda game: game.memory.masters,
    debug_pb2.free: lambda game: game.memory.spared,
    debug_pb2.food: lambda game: game.memory.fed,
    debug_pb2.tech_tree: lambda game: game.memory.taught,
}
LASTING: dict[int, Cheat] = {
    debug_pb2.fast_build: fast_build,
    debug_pb2.god: god,
    debug_pb2.cooldown: cooldown,
}


def switch(seat: Seat, state: int) -> None:
    """Switches a cheat on or off for the seat's player, or grants what is granted once."""
    match, player = seat.match, seat.player
    if state in ONCE:
        ONCE[state](match.game, player)
    elif state == debug_pb2.show_map:
        players = [other for other in match.eyes if other.player and other.sight is not None]
        for other in players:  # one switch for all participants (a program with two clients on the real 4.10)
            other.sight.reveal = not other.sight.reveal
        for number in sorted({other.player for other in players}):
            eyes.lift_fog(match.game, number)  # so that abilities and attacks know what is seen
    elif state in RULES:
        RULES[state](match.game).symmetric_difference_update({player})
        if state == debug_pb2.tech_tree:
            tech_tree(match.game, player)
        match.game.mark_supply(player)
        supply.recount(match.game)
    else:
        match.cheats ^= {(player, state)}
        apply(match)
        if state == debug_pb2.god:
            ascend(match, player, (player, state) in match.cheats)


def apply(match: Match) -> None:
    """Lets the lasting cheats act on the loop just played."""
    for player, state in match.cheats:
        LASTING[state](match.game, player)
