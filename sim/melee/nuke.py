"""Nuclear strikes: armed in a Ghost Academy, called down by a Ghost that stands still and aims.

Catalog: 100/100, 60 n, range 12. The Ghost is needed for 18.75 n; if it dies or gives up before, the missile is lost.
Its dot is listed for so long, too (a public bot's test of the real game: 300 loops, the first hurt 319 after it began).
It strikes 1.25 n later: 300 damage (500 to structures), whatever the armour, within 4 cells, half of it within 6, a
quarter within 8; its owner sees 8 cells round it then and for 8.25 n more. The Ghost lowers its weapon for 2.5 n unless
it is told something else. The dot shows to both sides (common knowledge).

The missile that is called is a unit: five public bots look for it among their own while a Ghost aims or leave it out of
their armies, as the official client's examples do. The book of a real game has it born at its academy's place (as that
is armed; here when it is called). That it stands there until the Ghost is done, falls on the target then and is taken
off without a death is ours. Nobody commands it, selects or hurts it (catalog: its flags).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.state import INVULNERABLE, NO_COLLISION, PLAYERS, STRUCTURE, UNFINISHED
from sim.melee import production, tech
from sim.melee.areas import within
from sim.melee.casts import bind, fail, looking, release, seen_or_wait
from sim.melee.eyes import reveal
from sim.melee.harm import author, distance_to, hurt, same
from sim.melee.records import Alert, GroundEffect, Result, Target
from sim.melee.registry import ABILITIES, AFTER, FORBID, MADE, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

ARM, CALL, NUKE = 710, 1622, 58
EFFECT, DOT = 7, 0.5  # API effect id and its radius
AIM, FALL, FINISH = 300, 20, 40  # loops: the Ghost is needed, then until the blast, and until its order ends
LIT, LIT_RADIUS = 152, 8.0
UNTOUCHED = INVULNERABLE | NO_COLLISION
DAMAGE, STRUCTURE_DAMAGE = 300.0, 500.0
RINGS = ((4.0, 1.0), (6.0, 0.5), (8.0, 0.25))  # cells from the middle to the victim's edge, share of the damage


# -- the academy ------------------------------------------------------------------------------------------------------
def silo_empty(game: Game, slot: int) -> bool:
    """State SiloEmpty: one missile for each academy, the one being made included."""
    jobs = game.jobs[slot, : game.units[slot]["job_count"]]
    return bool(game.units[slot]["timer"] < 1 and not (jobs["product"] == NUKE).any())


def arm(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Into the queue."""
    production.push_job(game, slot, ability)


def armed(game: Game, producer: int) -> None:
    """The missile is ready in its silo; `timer` of an academy counts it."""
    game.units[producer]["timer"] = 1
    game.counts_version += 1
    game.alert(int(game.units[producer]["owner"]), Alert.NUKE_COMPLETE)


def silos(game: Game, player: int) -> list[int]:
    """Academies of the player with a missile."""
    academies = game.owned(player, "GhostAcademy")
    return [s for s in academies if game.units[s]["timer"] >= 1 and not int(game.units[s]["flags"]) & UNFINISHED]


# -- the Ghost --------------------------------------------------------------------------------------------------------
def call(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks into range."""
    game.push_order(slot, ability.id, target, range=ability.range)


def begin(game: Game, slot: int) -> None:
    """In range: a missile is on its way, and everybody knows."""
    order = game.orders[slot, 0]
    owner = int(game.units[slot]["owner"])
    full = silos(game, owner)
    if not full:
        fail(game, slot, Result.TECH_REQUIREMENTS_NOT_MET)
        return
    if not seen_or_wait(game, slot):
        return
    academy = game.units[full[0]]
    academy["timer"] = 0
    game.counts_version += 1
    missile = game.spawn(NUKE, owner, float(academy["x"]), float(academy["y"]), flags=UNTOUCHED)
    game.memory.missiles[slot] = game.tag(missile)
    order["timer"] = AIM
    bind(game, slot)
    dot = GroundEffect(EFFECT, owner, float(order["x"]), float(order["y"]), DOT, game.loop + AIM)
    game.memory.nukes[slot] = dot
    game.memory.effects.append(dot)
    for player in range(1, PLAYERS):
        if player != owner:
            game.alert(player, Alert.NUCLEAR_LAUNCH_DETECTED)


def away(game: Game, slot: int) -> None:
    """Aimed long enough: nothing stops the missile now, and the Ghost may be told something else."""
    order = game.orders[slot, 0]
    if looking(game, slot):
        begin(game, slot)
        return
    if order["stage"] == 2:
        game.finish_order(slot)
        return
    game.memory.nukes.pop(slot, None)
    owner, x, y = int(game.units[slot]["owner"]), float(order["x"]), float(order["y"])
    missile = game.slot(game.memory.missiles.pop(slot, 0))
    if missile >= 0:  # else a debug command has taken it away
        for name, value in (("x", x), ("y", y), ("goal_x", x), ("goal_y", y)):
            game.units[missile][name] = value
    game.later(FALL, "nuke", author(game, slot), x, y, missile, int(game.units[missile]["generation"]))
    reveal(game, owner, x, y, LIT_RADIUS, LIT)
    release(game, slot)
    if int(game.units[slot]["order_count"]) > 1:
        game.finish_order(slot)
    else:
        order["stage"], order["timer"] = 2, FINISH


def given_up(game: Game, slot: int, order: Any) -> None:
    """Cancelled, or the Ghost died: the missile is lost and the dot goes out."""
    if order["stage"]:
        release(game, slot)
    missile = game.slot(game.memory.missiles.pop(slot, 0))
    if missile >= 0:
        game.remove(missile)
    dot = game.memory.nukes.pop(slot, None)
    if dot is not None and dot in game.memory.effects:
        game.memory.effects.remove(dot)


def blast(game: Game, by: float, x: float, y: float, missile: float, generation: float) -> None:
    """Friend and foe, flyers and rocks."""
    if missile >= 0 and same(game, missile, generation):
        game.remove(int(missile))
    for other in within(game, x, y, RINGS[-1][0], neutral=True):
        apart = distance_to(game, other, x, y)
        share = next(share for radius, share in RINGS if apart <= radius)
        structure = int(game.units[other]["flags"]) & STRUCTURE
        hurt(game, other, share * (STRUCTURE_DAMAGE if structure else DAMAGE), by)


def nobody_commands(game: Game, slot: int, ability: Ability) -> int:
    """Catalog: a missile is Uncommandable."""
    return Result.NOT_SUPPORTED if int(game.units[slot]["type"]) == NUKE else Result.SUCCESS


ABILITIES[ARM] = Kind(arm, production.can_train, everyone=False)
ABILITIES[CALL] = Kind(call, reached=begin, timer=away, dropped=given_up, everyone=False, turns=True)
AFTER["nuke"] = blast
MADE[NUKE] = armed
FORBID.append(nobody_commands)
tech.STATES["SiloEmpty"] = silo_empty
tech.STATES["HaveNuke"] = lambda game, slot: bool(silos(game, int(game.units[slot]["owner"])))
