"""The score of an observation, from the sums the rules keep and from the units at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import score_pb2

from sim.melee.score import CATEGORIES
from sim.server.kinds import kinds
from sim.server.tally import TALLY, add_up

if TYPE_CHECKING:
    from sim.melee.game import Game

START_MINERALS = 50
LOOPS_A_SECOND = 16.0  # idle times are normal seconds
BY_CATEGORY = ("lost", "killed", "friendly_fire", "used", "total_used")  # details of minerals and of vespene


def zeros() -> score_pb2.ScoreDetails:
    """Every number set: real observations say that they are nothing."""
    details = score_pb2.ScoreDetails()
    for part in details.DESCRIPTOR.fields:
        if part.message_type:
            for number in part.message_type.fields:
                setattr(getattr(details, part.name), number.name, 0.0)
    return details


ZEROS = zeros()


def holdings(game: Game, player: int) -> np.void:
    """What a player has, added up; TALLY."""
    found = np.zeros(1, TALLY)
    slots = int(game.world[0]["slots"])
    add_up(game.units, game.orders, game.jobs, game.types, kinds(game.patch), player, slots, found)
    return found[0]


def fill_score(score: score_pb2.Score, game: Game, player: int, has: np.void) -> None:
    """Fills the score of a player who has what this TALLY says."""
    record, sums = game.players[player], game.scores[player]
    details = score.score_details
    details.CopyFrom(ZEROS)
    details.total_value_structures = float(has["structures"])
    details.total_value_units = float(has["units"])
    details.idle_production_time = sums.idle_production / LOOPS_A_SECOND
    details.idle_worker_time = sums.idle_workers / LOOPS_A_SECOND
    details.killed_value_units = sums.killed_units
    details.killed_value_structures = sums.killed_structures
    details.collected_minerals = float(record["minerals_gathered"])
    details.collected_vespene = float(record["gas_gathered"])
    details.collection_rate_minerals = sums.rate(game.loop, False)
    details.collection_rate_vespene = sums.rate(game.loop, True)
    details.spent_minerals = float(START_MINERALS + record["minerals_gathered"] + sums.given[0] - record["minerals"])
    details.spent_vespene = float(record["gas_gathered"] + sums.given[1] - record["gas"])
    for money, name in enumerate(("minerals", "vespene")):
        of_lost, of_killed, of_fire, of_used, of_all = (getattr(details, f"{part}_{name}") for part in BY_CATEGORY)
        for category, used in zip(CATEGORIES, has["used"][money].tolist(), strict=True):
            lost = sums.lost_value[category][money] - sums.back[category][money]
            fire = sums.friendly_fire[category][money]
            setattr(of_lost, category, lost)
            setattr(of_killed, category, sums.killed_value[category][money])
            setattr(of_fire, category, fire)
            setattr(of_used, category, used)
            # What was destroyed counts here, by own fire too, and of what was given up the part that was not paid back.
            setattr(of_all, category, used + lost + fire)
    known = [game.facts.upgrades[number] for number in np.flatnonzero(record["upgrades"]).tolist()]
    details.used_minerals.upgrade = float(sum(upgrade.minerals for upgrade in known))
    details.used_vespene.upgrade = float(sum(upgrade.gas for upgrade in known))
    details.total_used_minerals.upgrade = details.used_minerals.upgrade
    details.total_used_vespene.upgrade = details.used_vespene.upgrade
    details.food_used.economy = float(has["food_workers"])
    details.food_used.army = float(has["food_others"])
    head = game.world[0]
    for part, (life, shields) in (
        (details.total_damage_dealt, head["dealt"][player]),
        (details.total_damage_taken, head["taken"][player]),
        (details.total_healed, head["healed"][player]),
    ):
        part.life, part.shields = float(life), float(shields)
    if game.terrain.mini_game:
        score.score_type, score.score = score_pb2.Score.Curriculum, game.memory.points
        return
    score.score_type = score_pb2.Score.Melee
    bank = float(record["minerals"] + record["gas"])
    score.score = int(has["worth"] + bank + has["making"])
