"""Fights of whole games, from saved ones: what both armies had and where they stood when they met.

python -m tools.fights games/*.SC2Replay --out train/scenarios/games.jsonl.gz
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bot.local import check_writable
from bot.options import UsageError
from sim.arguments import examples
from sim.engine.state import INSIDE, UNFINISHED
from sim.melee.game import Game
from sim.server import engine
from sim.server.playback import open_saved
from train import scenario_games

EVERY = 16  # loops between two looks
MEET = 14.0  # cells between two armed enemies at which a fight begins: nobody fires yet
AROUND = 26.0  # cells from its middle: who stands there takes part
REST = 448  # loops without such a pair after which the next fight near by is another one (20 s)
LEAST = 200.0  # minerals and gas of each side: less is a scout
MOST = 110  # units of one side; larger fights would make every battle of a batch as large
PASSING = ("Broodling", "Interceptor", "AutoTurret", "Egg", "Larva", "KD8Charge", "Overlord", "AdeptPhaseShift")
"""Types that come and go with others, or that no fight is about."""


@dataclass
class Meeting:
    """A fight under way: its middle and when it was last seen to go on."""

    x: float
    y: float
    loop: int


def replayed(file: Path, recordings: Path | None) -> Iterator[Game]:
    """The saved game at every EVERY-th loop. ValueError: no game of this engine."""
    match = open_saved(file, recordings)
    assert match.game is not None
    while not match.over:
        engine.play_loop(match)
        if match.game.loop % EVERY == 0:
            yield match.game


class Watch:
    """Finds the fights of one game, which it is shown again and again from its start on; player 1 is ours."""

    def __init__(self) -> None:
        self._known: list[Meeting] = []
        self._starts: list[list[float]] = []

    def look(self, game: Game) -> list[dict[str, Any]]:
        """The fights that begin now, a row of `scenario_games` each."""
        self._starts = self._starts or [_hall(game, player) for player in (1, 2)]
        found = []
        for x, y in _meeting(game):
            old = next((m for m in self._known if np.hypot(m.x - x, m.y - y) < AROUND), None)
            if old is not None:
                old.x, old.y, old.loop = x, y, game.loop
                continue
            row = _row(game, x, y, self._starts)
            if row is not None:
                self._known.append(Meeting(x, y, game.loop))
                found.append(row)
        self._known = [meeting for meeting in self._known if game.loop - meeting.loop < REST]
        return found


def _armed(game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(slots of all who may take part, their value, whether each is armed and no structure)."""
    used = int(game.world[0]["slots"])
    units = game.units[:used]
    rows = game.types[units["owner"], units["type"]]
    aside = [*(game.facts.ids[name] for name in PASSING if name in game.facts.ids), *game.facts.harvesters]
    structure = rows["structure"] == 1
    armed = rows["weapons"][:, 0] >= 0
    value = rows["minerals"].astype(np.float32) + rows["gas"]
    found = (units["alive"] == 1) & (units["owner"] > 0) & ~np.isin(units["type"], aside) & (value > 0)
    found &= (units["flags"] & UNFINISHED) == 0
    found &= ~structure | armed
    return found.nonzero()[0], value, armed & ~structure


def _meeting(game: Game) -> list[tuple[float, float]]:
    """Middles of the pairs of armed enemies within MEET, one for each place."""
    slots, _, armed = _armed(game)
    units = game.units
    slots = slots[armed[slots] & ((units["flags"][slots] & INSIDE) == 0)]
    ours, theirs = slots[units["owner"][slots] == 1], slots[units["owner"][slots] == 2]
    if not (len(ours) and len(theirs)):
        return []
    dx = units["x"][ours][:, None] - units["x"][theirs]
    dy = units["y"][ours][:, None] - units["y"][theirs]
    a, b = np.nonzero(dx * dx + dy * dy < MEET * MEET)
    places: list[tuple[float, float]] = []
    middles = zip(
        (units["x"][ours[a]] + units["x"][theirs[b]]) / 2,
        (units["y"][ours[a]] + units["y"][theirs[b]]) / 2,
        strict=True,
    )
    for x, y in middles:
        if all(np.hypot(x - px, y - py) > AROUND / 2 for px, py in places):
            places.append((float(x), float(y)))
    return places


def _row(game: Game, x: float, y: float, starts: list[list[float]]) -> dict[str, Any] | None:
    """The fight that begins here, or None where it is too small or too large for one."""
    slots, value, _ = _armed(game)
    units = game.units
    away = np.hypot(units["x"][slots] - x, units["y"][slots] - y)
    slots = slots[away < AROUND]
    sides = [slots[units["owner"][slots] == player] for player in (1, 2)]
    if any(value[side].sum() < LEAST or len(side) > MOST for side in sides):
        return None
    return {
        "map": game.terrain.name,
        "loop": game.loop,
        "races": [int(setup.race) for setup in game.setups],
        "own": [_unit(game, slot) for slot in sides[0]],
        "enemy": [_unit(game, slot) for slot in sides[1]],
        "upgrades": [game.players[player]["upgrades"].nonzero()[0].tolist() for player in (1, 2)],
        "starts": starts,
    }


def _hall(game: Game, player: int) -> list[float]:
    """Where the player's first town hall stands."""
    units = game.units[: int(game.world[0]["slots"])]
    halls = (units["alive"] == 1) & (units["owner"] == player) & np.isin(units["type"], [*game.facts.town_halls])
    slot = int(halls.argmax())
    return [round(float(units["x"][slot]), 1), round(float(units["y"][slot]), 1)]


def _unit(game: Game, slot: int) -> list[Any]:
    """[type, x, y, share of life, energy]."""
    unit = game.units[slot]
    life = float(unit["hp"] + unit["shield"]) / float(unit["hp_max"] + unit["shield_max"])
    return [
        game.facts.names[int(unit["type"])],
        round(float(unit["x"]), 2),
        round(float(unit["y"]), 2),
        round(life, 2),
        round(float(unit["energy"]), 1),
    ]


def main(arguments: Sequence[str]) -> int:
    """Command line; exit code 2 for a file that is no saved game."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fights",
        description="Collects the fights of saved games of the engine, for the scenario `games`.",
        **examples("python run.py --seed 101 --opponent zerg:hard --replay a.SC2Replay"),
    )
    parser.add_argument("replays", nargs="+", type=Path, metavar="REPLAY", help="saved by run.py --replay")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl.gz", help="write the fights here")
    parser.add_argument("--recordings", type=Path, metavar="FOLDER", help="recorded maps, for games on them")
    chosen = parser.parse_args(list(arguments))
    try:
        check_writable(chosen.out)
        rows: list[dict[str, Any]] = []
        for file in chosen.replays:
            watch = Watch()
            found = [row for game in replayed(file, chosen.recordings) for row in watch.look(game)]
            rows += [row | {"game": file.stem} for row in found]
            print(f"{file.stem}: {len(found)} fights", flush=True)
    except (UsageError, ValueError) as error:
        print(f"python -m tools.fights: {error}", file=sys.stderr)
        return 2
    scenario_games.write(chosen.out, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
