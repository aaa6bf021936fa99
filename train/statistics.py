"""What many battles say: shares with Wilson intervals, means with normal ones, tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

Z = 1.959964  # 95 % of a normal distribution lie within so many deviations
SKILLS = (
    *("stims", "stims_wasted", "overkill", "friendly_splash"),
    *("cloak_detected", "yamatos", "yamato_value", "casts_refused", "departures"),
)
"""Measures of skill use that are shown where any battle has them, as means of a battle."""


def wilson(wins: float, battles: float) -> tuple[float, float]:
    """The 95 % interval of a share. Nothing is known of no battles: (0, 1)."""
    if battles <= 0:
        return 0.0, 1.0
    share, weight = wins / battles, Z * Z / battles
    middle = (share + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * math.sqrt(share * (1 - share) / battles + weight / (4 * battles))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def mean(values: np.ndarray) -> tuple[float, float]:
    """Mean of shares or differences of shares, f8 [n], and half of its 95 % interval: 1 for one value only."""
    half = Z * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 1.0
    return float(values.mean()), half


def summary(rows: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The numbers of one scenario's battles, `rows` f8 [n] by measure (`measures.NAMES`); `kept` and `killed` are
    shares of both sides' value."""
    won = rows["won"]
    low, high = wilson(float(won.sum()), len(won))
    kept = 1.0 - rows["own_value_lost"] / np.maximum(rows["own_value"], 1.0)
    killed = rows["enemy_value_killed"] / np.maximum(rows["enemy_value"], 1.0)
    found: dict[str, Any] = {
        "battles": len(won),
        "won": float(won.mean()),
        "won_interval": [low, high],
        "timeout": float(rows["timeout"].mean()),
        "steps": float(rows["steps"].mean()),
        "own_value_lost": float(rows["own_value_lost"].mean()),
        "enemy_value_killed": float(rows["enemy_value_killed"].mean()),
        "skills": {name: float(rows[name].mean()) for name in SKILLS},
        "each_won": won.astype(int).tolist(),
        "each_kept": np.round(kept, 4).tolist(),
    }
    for name, share in (("kept", kept), ("killed", killed)):
        found[name], found[f"{name}_half"] = mean(share)
    return found


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """How much more `one` won and kept than `other` in the same fights: differences with half intervals, paired. Where
    all fights differ by the same the interval is that of a share that is whole: few fights are no certainty."""
    found = {}
    for name in ("won", "kept"):
        each = np.array(one[f"each_{name}"], float) - np.array(other[f"each_{name}"], float)
        middle, half = mean(each)
        found[name] = middle, half or abs(middle) * (1.0 - wilson(len(each), len(each))[0])
    return found


def markdown(report: Mapping[str, Any]) -> str:
    """The report as Markdown: one table a policy, and one that compares each with the last."""
    names = list(report["results"])
    lines = [
        f"{report['episodes']} battles a scenario, enemies {report['against']}, seed {report['seed']}; "
        "shares in % with 95 % intervals (Wilson for wins, normal for the rest); values are minerals and gas."
    ]
    for name in names:
        lines += ["", f"**{name}**", *_table(report["results"][name])]
    for name in names[:-1]:
        lines += ["", f"**{name} against {names[-1]}, the same fights**"]
        lines += _comparison(report["results"][name], report["results"][names[-1]])
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    used = [skill for skill in SKILLS if any(row["skills"][skill] for row in rows)]
    names = ["scenario", "won", "timed out", "own value kept", "enemy value killed", "lost", "killed", "steps", *used]
    lines = [_line(name.replace("_", " ") for name in names), _rule(len(names))]
    for row in rows:
        low, high = row["won_interval"]
        cells = [
            row["scenario"],
            f"{_percent(row['won'])} ({_percent(low)}–{_percent(high)})",
            _percent(row["timeout"]),
            *(f"{_percent(row[name])} ± {_percent(row[f'{name}_half'])}" for name in ("kept", "killed")),
            *(f"{row[name]:.0f}" for name in ("own_value_lost", "enemy_value_killed", "steps")),
            *(f"{row['skills'][skill]:.1f}" for skill in used),
        ]
        lines.append(_line(cells))
    if len(rows) > 1:
        lines.append(_line(["mean", _percent(np.mean([row["won"] for row in rows])), *[""] * (len(names) - 2)]))
    return lines


def _comparison(rows: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [_line(["scenario", "wins more (points)", "verdict", "keeps more (points)", "verdict"]), _rule(5)]
    for row, other in zip(rows, others, strict=True):
        cells = [
            cell
            for middle, half in difference(row, other).values()
            for cell in (f"{_percent(middle)} ± {_percent(half)}", verdict(middle, half))
        ]
        lines.append(_line([row["scenario"], *cells]))
    return lines


def verdict(middle: float, half: float) -> str:
    """better, worse or even: whether the interval holds 0."""
    if abs(middle) <= half:
        return "even"
    return "better" if middle > 0 else "worse"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _rule(columns: int) -> str:
    return _line(["---", *["---:"] * (columns - 1)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
