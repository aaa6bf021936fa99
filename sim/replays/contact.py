"""What happens after contact: what each side killed in the loops after the first fight, ours and real.

Fights diverge, so only ranks and ratios say anything. What one player lost to the other is what the other killed, so
one number a side tells both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from sim.facts import load
from sim.melee.game import Game
from sim.melee.score import values
from sim.replays.reader import PLAYERS, RealGame

LEAST = 100.0  # minerals and gas below which a ratio says nothing
FEW = 3  # games or sides below which a rank correlation says nothing


class Contact(NamedTuple):
    """One game after its first fight: minerals and gas of what each player killed of the other's, in player order."""

    id: str
    ours: tuple[float, float]
    real: tuple[float, float]


def killed(game: Game) -> tuple[float, float]:
    """What each player of ours has killed so far."""
    first, second = (sum(map(sum, game.scores[player].killed_value.values())) for player in PLAYERS)
    return first, second


def really_killed(real: RealGame, since: int, until: int) -> tuple[float, float]:
    """What each player of the real game killed after loop `since`, up to `until`: by the type that it was last."""
    types: dict[int, str] = {}
    found = {1: 0.0, 2: 0.0}
    worth = prices(real.patch)
    owners = dict(real.owners)
    for event in real.events:
        if event.kind in "BIO":
            owners[event.key] = event.player
        if event.kind in "BIT":
            types[event.key] = event.type
        elif event.kind == "X" and since < event.loop <= until and event.key in types:
            owner = owners.get(event.key, 0)
            if event.killer in found and owner in found and owner != event.killer:
                found[event.killer] += worth.get(types[event.key], 0.0)
    return found[1], found[2]


def prices(patch: str) -> dict[str, float]:
    """Minerals and gas of a unit that is killed, by the name of its type."""
    facts = load(patch)
    return {facts.names[kind]: float(value) for kind, value in enumerate(values(patch).sum(axis=(1, 2))) if value}


def report(contacts: Sequence[Contact]) -> str:
    """Ranks and ratios over sides and games, as text."""
    ours = np.array([contact.ours for contact in contacts], float).reshape(-1, 2)
    real = np.array([contact.real for contact in contacts], float).reshape(-1, 2)
    lines = [f"after contact: {len(contacts)} games, {ours.size} sides (killed = lost by the other side)"]
    for contact in contacts:
        (one, two), (true_one, true_two) = contact.ours, contact.real
        lines.append(f"  {contact.id}: killed {one:.0f} : {two:.0f}, really {true_one:.0f} : {true_two:.0f}")
    lines.append(
        f"  killed, minerals and gas: median {_three(ours.ravel())} ours, {_three(real.ravel())} real (quarters)"
    )
    lines.append(f"  killed, rank correlation over sides: {_ranks(ours.ravel(), real.ravel())}")
    known = real.ravel() >= LEAST
    if known.any():
        lines.append(f"  killed, ours / real: median {_three(ours.ravel()[known] / real.ravel()[known], 2)} (quarters)")
    fell = (ours.sum(axis=1) >= LEAST) & (real.sum(axis=1) >= LEAST)
    if fell.any():
        mine, true = (value[fell, 0] / value[fell].sum(axis=1) for value in (ours, real))
        ahead = int(((mine > 0.5) == (true > 0.5)).sum())
        lines.append(
            f"  share that player 1 killed of all that fell, rank correlation over games: {_ranks(mine, true)}"
        )
        lines.append(f"  the same player ahead in {ahead} of {int(fell.sum())} games")
    return "\n".join(lines)


def _ranks(ours: np.ndarray, real: np.ndarray) -> str:
    if len(ours) < FEW or len(set(ours)) < 2 or len(set(real)) < 2:
        return "-"
    return f"{spearmanr(ours, real).statistic:.2f}"


def _three(values: np.ndarray, digits: int = 0) -> str:
    low, middle, high = np.percentile(values, (25, 50, 75))
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
