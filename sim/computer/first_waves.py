"""The first waves of levels 1 to 5 that are asked for a build: first_waves.csv, laid over an opening."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from sim.computer.levels import HERE, RACES, Opening, opening

SECOND = 16  # loops of a second of the game's own AI scripts
RAMP_FROM, RAMP_REST = 2900, 500  # the army grows from here until so long before the wave (recorded curves)
NEVER = 10**9  # loops: what is wanted after it has set out is no matter of its own list (tech.army_wanted)


@dataclass(frozen=True, slots=True)
class FirstWave:
    """One row of the table; times in loops."""

    chance: float
    loop: int
    gap: int
    value: float
    opening: str
    units: tuple[tuple[str, float], ...]


@cache
def first_waves(race: int, difficulty: int, style: str) -> tuple[FirstWave, ...]:
    """What a race's level may send first when it is asked for a style; none at the levels that the table lacks."""
    with (HERE / "first_waves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    wanted = (RACES[race], str(difficulty), style)
    return tuple(_row(row) for row in rows if (row["race"], row["level"], row["build"]) == wanted)


def _row(row: dict[str, str]) -> FirstWave:
    words = row["units"].split()
    return FirstWave(
        chance=float(row["chance"]),
        loop=int(row["seconds"]) * SECOND,
        gap=int(row["gap"]) * SECOND,
        value=float(row["value"]),
        opening=row["opening"],
        units=tuple(zip(words[::2], map(float, words[1::2]), strict=True)),
    )


def with_wave(race: int, wave: FirstWave, delay: float, worth: Callable[[str], float]) -> Opening:
    """The opening that makes what a first wave is of and sends it in time; `delay` is what a level's lists are
    stretched by (tech.due), `worth` tells the value of a unit."""
    base = replace(opening(race, wave.opening), wave_at=wave.loop, gap=wave.gap)
    if not wave.units:
        return replace(base, most=wave.value)
    listed = 1000 + (wave.loop - 1000) / delay  # when the lists would have to say it
    shares = {name: count * worth(name) for name, count in wave.units}
    later = [phase for phase in base.phases if phase["from"] > listed]
    now = [phase for phase in base.phases if phase["from"] <= listed][-1]
    return replace(
        base,
        phases=({"from": 0, "units": shares}, {"from": listed, "units": now["units"]}, *later),
        until=NEVER,
        army=((RAMP_FROM, 0.0), (wave.loop - RAMP_REST, wave.value)),
        exact=True,
    )
