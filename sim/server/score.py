"""The score of an observation, from the sums the rules keep and from the units at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import score_pb2

from sim.engine.state import HALLUCINATION, UNFINISHED
from sim.melee import supply
from sim.melee.score import CATEGORIES, values

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
    structures, workers = table["structure"][types] == 1, table["worker"][types] == 1
    finished = game.units["flags"][own] & UNFINISHED == 0
    value = values(game.patch)[types]
    whole = value.sum(axis=(1, 2))
    taken = supply.taken(game, player, own)
    details = score.score_details
    details.CopyFrom(ZEROS)
    details.total_value_structures = float(whole[structures & finished].sum())
    details.total_value_units = float(whole[~structures & finished].sum())
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
    used = value[finished].sum(axis=0)
    for k, category in enumerate(CATEGORIES):
        back = sums.back[category]
        for money, name in enumerate(("minerals", "vespene")):
            lost, now = sums.lost_value[category][money], float(used[money, k])
            setattr(getattr(details, f"lost_{name}"), category, lost - back[money])
            setattr(getattr(details, f"killed_{name}"), category, sums.killed_value[category][money])
            setattr(getattr(details, f"friendly_fire_{name}"), category, sums.friendly_fire[category][money])
            setattr(getattr(details, f"used_{name}"), category, now)
            fire = sums.friendly_fire[category][money]
            # What was destroyed counts here, by own fire too, and of what was given up the part that was not paid back.
            setattr(getattr(details, f"total_used_{name}"), category, now + lost - back[money] + fire)
    known = [game.facts.upgrades[number] for number in np.flatnonzero(record["upgrades"]).tolist()]
    details.used_minerals.upgrade = float(sum(upgrade.minerals for upgrade in known))
    details.used_vespene.upgrade = float(sum(upgrade.gas for upgrade in known))
    details.total_used_minerals.upgrade = details.used_minerals.upgrade
    details.total_used_vespene.upgrade = details.used_vespene.upgrade
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
    score.score = int(whole.sum() + bank + in_progress(game, own))


def in_progress(game: Game, own: np.ndarray) -> float:
    """What was paid for the units that these slots are making: the protocol counts it in the sum of a score."""
    jobs = game.jobs[own]
    waiting = np.arange(jobs.shape[1]) < game.units["job_count"][own][:, None]
    return float(np.where(waiting & (jobs["is_upgrade"] == 0), jobs["minerals"] + jobs["gas"], 0).sum())
