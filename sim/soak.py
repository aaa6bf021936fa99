"""Games between built-in opponents, one after the other: do they all end, how fast, in how much memory?

`python -m sim soak` plays every pair of races and level in turn and prints a row a game. The seed of a game is its
number, so any row can be played again; some are, to see that the same seed gives the same game. With `--rungs` each
level meets the next lower one, and a second table tells how many of these games the higher one won.
"""

from __future__ import annotations

import itertools
import os
import resource
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scipy.stats import binomtest

from sim.maps import Terrain, load, names

RACES = {1: "Terran", 2: "Zerg", 3: "Protoss"}
LEVELS = range(1, 11)  # API difficulties
RESULTS = {0: "undecided", 1: "first", 2: "second", 3: "tie"}
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game: its seed, races and levels (API ids) of both sides, the map's name."""

    seed: int
    races: tuple[int, int]
    levels: tuple[int, int]
    map_name: str


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went: winner (key of RESULTS), loops, processor seconds, hash of the last state, or an error."""

    winner: int = 0
    loops: int = 0
    seconds: float = 0.0
    state: str = ""
    error: str = ""


def pairings(games: int, first_seed: int, map_names: Sequence[str]) -> Iterator[Pairing]:
    """All nine pairs of races in turn; levels and maps change with every round."""
    pairs = list(itertools.product(RACES, RACES))
    for number in range(games):
        round_, pair = divmod(number, len(pairs))
        levels = LEVELS[(number + round_) % len(LEVELS)], LEVELS[(number + 3 * round_) % len(LEVELS)]
        yield Pairing(first_seed + number, pairs[pair], levels, map_names[round_ % len(map_names)])


def rungs(games: int, first_seed: int, map_names: Sequence[str]) -> Iterator[Pairing]:
    """Each level against the next lower one in turn, by one pair of races after another; 81 games have all of them,
    81 more have the higher level on the other side."""
    pairs, uppers = list(itertools.product(RACES, RACES)), LEVELS[1:]
    for number in range(games):
        round_, upper = divmod(number, len(uppers))
        turn, pair = divmod(round_, len(pairs))
        levels = (uppers[upper], uppers[upper] - 1) if (pair + turn) % 2 == 0 else (uppers[upper] - 1, uppers[upper])
        yield Pairing(first_seed + number, pairs[pair], levels, map_names[round_ % len(map_names)])


def standings(games: Sequence[tuple[Pairing, Played]]) -> list[str]:
    """A line for each level: how many games it won against the next lower one, and the 95 % interval of that share.

    A game without a winner is not won."""
    won: dict[int, list[bool]] = {}
    for pairing, played in games:
        won.setdefault(max(pairing.levels), []).append(played.winner == 1 + pairing.levels.index(max(pairing.levels)))
    lines = []
    for level, wins in sorted(won.items()):
        low, high = binomtest(sum(wins), len(wins)).proportion_ci(method="wilson")
        lines.append(f"level {level} against {level - 1}: {sum(wins)} of {len(wins)} won ({low:.2f} to {high:.2f})")
    return lines


def play(pairing: Pairing, terrain: Terrain, until: int, patch: str) -> Played:
    """One game to its end, or to `until` loops. An error of the engine is part of the result."""
    from sim.computer import Computer
    from sim.melee.game import Game, PlayerSetup

    loops, begin = 0, time.process_time()
    try:
        game = Game(terrain, [PlayerSetup(race) for race in pairing.races], seed=pairing.seed, patch=patch)
        sides = [
            Computer(game, number, race, level, 1, pairing.seed + number)
            for number, (race, level) in enumerate(zip(pairing.races, pairing.levels, strict=True), 1)
        ]
        begin = time.process_time()
        while not game.ended and game.loop < until:
            for side in sides:
                side.step()
            game.step()
            loops = game.loop
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        return Played(0, loops, time.process_time() - begin, "", f"{type(error).__name__}: {error} ({where})")
    seconds = time.process_time() - begin
    results = [game.result(player) for player in (1, 2)]
    winner = 3 if results[0] == 3 else results.index(1) + 1 if 1 in results else 0
    return Played(winner, loops, seconds, game.state_hash())


def memory() -> float:
    """Megabytes of this process now; where the system does not tell, the most it ever had."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def row(number: int, pairing: Pairing, played: Played) -> str:
    """A line of the table."""
    sides = " v ".join(f"{RACES[race]} {level}" for race, level in zip(pairing.races, pairing.levels, strict=True))
    speed = 1000 * played.seconds / max(played.loops, 1)
    outcome = played.error or RESULTS[played.winner]
    game = f"{number:>5}  {pairing.seed:>5}  {pairing.map_name:<16}  {sides:<24}"
    figures = f"{played.loops:>6}  {played.seconds:>6.1f}  {speed:>7.3f}  {memory():>6.0f}"
    return f"{game}  {figures}  {played.state[:8]:<8}  {outcome}"


def soak(
    games: int,
    until: int,
    again: int,
    first_seed: int,
    map_names: Sequence[str],
    recordings: Path | None,
    patch: str,
    by_rungs: bool = False,
) -> int:
    """Plays and prints; every `again`-th game is played twice (0: none). -> exit code, 1 if anything went wrong.

    `by_rungs`: each level meets the next lower one, and their standings are printed last.

    Raises:
        MapError: there is no such map.
    """
    from sim.server.engine import prepare

    chosen = list(map_names) or names(recordings)
    terrains = {name: load(name, recordings) for name in chosen}
    prepare(lambda part, share: None)
    head = ("game", "seed", "map", "sides and levels", "loops", "cpu s", "ms/loop", "MB", "state", "won by")
    print("{:>5}  {:>5}  {:<16}  {:<24}  {:>6}  {:>6}  {:>7}  {:>6}  {:<8}  {}".format(*head), flush=True)
    wrong, undecided, loops, seconds, first_memory = 0, 0, 0, 0.0, 0.0
    record: list[tuple[Pairing, Played]] = []
    for number, pairing in enumerate((rungs if by_rungs else pairings)(games, first_seed, chosen), 1):
        played = play(pairing, terrains[pairing.map_name], until, patch)
        record.append((pairing, played))
        print(row(number, pairing, played), flush=True)
        wrong += bool(played.error)
        undecided += not played.error and not played.winner
        loops, seconds = loops + played.loops, seconds + played.seconds
        first_memory = first_memory or memory()
        if again and number % again == 0 and not played.error:
            second = play(pairing, terrains[pairing.map_name], until, patch)
            if (second.loops, second.state) != (played.loops, played.state):
                wrong += 1
                print(f"python -m sim: game {number} went otherwise the second time", file=sys.stderr)
    print(
        f"{games} games, {wrong} wrong, {undecided} undecided, {loops} loops, "
        f"{1000 * seconds / max(loops, 1):.3f} ms a loop, {memory() - first_memory:+.0f} MB since the first"
    )
    if by_rungs:
        print("\n".join(standings(record)))
    return 1 if wrong else 0
