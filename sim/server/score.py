"""The score of an observation, from the sums the rules keep and from the units at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import score_pb2

from sim.engine.state import HALLUCINATION
from sim.melee import supply

if TYPE_CHECKING:
    from sim.melee.game import Game

START_MINERALS = 50
LOOPS_A_SECOND = 16.0  # idle times are normal seconds


def zeros() -> score_pb2.ScoreDetails:
    """Every number set: real observations say that they are nothing."""
    details = score_pb2.ScoreDetails()
    for part in details.DESCRIPTOR.fields:
        if part.message_type:
            for number in part.message_type.fields:
                setattr(getattr(details, part.name), number.name, 0.0)
    return details


ZEROS = zeros()


def fill_score(score: score_pb2.Score, game: Game, player: int, own: np.ndarray) -> None:
    """Fills the score of a player whose units are in the slots `own`; images do not count."""
    own = own[game.units["flags"][own] & HALLUCINATION == 0]
    record, sums = game.players[player], game.scores[player]
    types, table = game.units["type"][own], game.types[player]
    counted = table["score"][types] > 0
    price = np.where(counted, table["minerals"][types], 0)
    gas_price = np.where(counted, table["gas"][types], 0)
    structures = table["structure"][types] == 1
    workers = table["worker"][types] == 1
    homes = table["food"][types] > 0
    army = ~workers & ~structures
    taken = supply.taken(game, player, own)
    value = price + gas_price
    details = score.score_details
    details.CopyFrom(ZEROS)
    details.total_value_structures = float(value[structures].sum())
    details.total_value_units = float(value[~structures].sum())
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
    for category, (minerals, gas) in sums.lost_value.items():
        setattr(details.lost_minerals, category, minerals)
        setattr(details.lost_vespene, category, gas)
    for category, (minerals, gas) in sums.killed_value.items():
        setattr(details.killed_minerals, category, minerals)
        setattr(details.killed_vespene, category, gas)
    details.friendly_fire_minerals.army, details.friendly_fire_vespene.army = sums.friendly_fire
    details.used_minerals.economy = float(price[workers | homes].sum())
    details.used_minerals.army = float(price[army].sum())
    details.used_minerals.technology = float(price[structures & ~homes].sum())
    details.used_vespene.army = float(gas_price[army].sum())
    details.used_vespene.technology = float(gas_price[structures].sum())
    known = [game.facts.upgrades[number] for number in np.flatnonzero(record["upgrades"]).tolist()]
    details.used_minerals.upgrade = float(sum(upgrade.minerals for upgrade in known))
    details.used_vespene.upgrade = float(sum(upgrade.gas for upgrade in known))
    for category in (*sums.lost_value, "upgrade"):  # what was destroyed counts here
        minerals, gas = sums.lost_value.get(category, (0.0, 0.0))
        setattr(details.total_used_minerals, category, getattr(details.used_minerals, category) + minerals)
        setattr(details.total_used_vespene, category, getattr(details.used_vespene, category) + gas)
    details.food_used.economy = float(taken[workers].sum())
    details.food_used.army = float(taken[~workers].sum())
    head = game.world[0]
    for part, (life, shields) in (
        (details.total_damage_dealt, head["dealt"][player]),
        (details.total_damage_taken, head["taken"][player]),
        (details.total_healed, head["healed"][player]),
    ):
        part.life, part.shields = float(life), float(shields)
    score.score_type = score_pb2.Score.Melee
    bank = float(record["minerals"] + record["gas"])
    score.score = int(details.total_value_units + details.total_value_structures + bank)
