"""The command line of a local game, read into values; everything a user can mistype is answered in one line."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from sc2.data import AIBuild, Difficulty, Race
from sc2.player import Computer

Choice = TypeVar("Choice", bound=Enum)
RACES = (Race.Terran, Race.Zerg, Race.Protoss, Race.Random)
DEFAULT_OPPONENT = "zerg:hard"
EPILOG = f"""\
examples:
  python run.py                                               # zerg:hard on the first map
  python run.py --opponent terran:veryhard:air --map IronRidgeAIE --seed 7
  python run.py --micro scripted --report out.json            # the rules alone; what happened, as data
  python run.py --engine sim --replay game.SC2Replay && python -m sim watch game.SC2Replay  # see it: game.html
  python run.py --engine sc2 --realtime

opponents, as RACE:DIFFICULTY[:BUILD]:
  races         {", ".join(race.name.lower() for race in RACES)}
  difficulties  {", ".join(difficulty.name.lower() for difficulty in Difficulty)}
  builds        {", ".join(build.name.lower() for build in AIBuild)}

A ladder starts the same file with its own options (--LadderServer ...).
"""


class UsageError(Exception):
    """Bad input of a person; its text is the whole message."""


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace; argparse itself answers unknown options with exit 2."""
    parser = argparse.ArgumentParser(
        prog="run.py",
        description="Plays Ironsight against a built-in opponent.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--map", metavar="NAME", help="map to play on (default: the first of --list-maps)")
    parser.add_argument(
        "--opponent",
        metavar="RACE:DIFFICULTY[:BUILD]",
        default=DEFAULT_OPPONENT,
        help=f"built-in opponent, for example zerg:veryhard:rush (default: {DEFAULT_OPPONENT})",
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="random seed of the game (default: drawn and shown)")
    parser.add_argument("--realtime", action="store_true", help="play at the speed of the Faster setting")
    parser.add_argument("--micro", choices=("scripted", "learned"), help="who decides in fights (default: micro.toml)")
    parser.add_argument(
        "--engine",
        choices=("auto", "sim", "sc2"),
        default="auto",
        help="the real game (sc2), our engine (sim), or the first of them that is installed (default: %(default)s)",
    )
    parser.add_argument(
        "--steady",
        action="store_true",
        help="think as often on a slow machine as on a fast one, so that games of one seed can be compared",
    )
    parser.add_argument("--game-time-limit", type=positive, metavar="SECONDS", help="a longer game counts as a tie")
    parser.add_argument(
        "--replay",
        metavar="FILE",
        type=Path,
        help="save the replay here; `python -m sim watch FILE` shows one of our engine",
    )
    parser.add_argument("--report", metavar="FILE.json", type=Path, help="save what happened here")
    parser.add_argument("--recordings", metavar="DIR", type=Path, help="recordings of real maps for our engine")
    parser.add_argument("--list-maps", action="store_true", help="print the maps there are, and exit")
    return parser.parse_args(list(arguments))


def seed(text: str) -> int:
    """A seed as the protocol carries it: an unsigned 32-bit number."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value < 2**32:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {2**32 - 1}")
    return value


def positive(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def opponent(text: str) -> Computer:
    """`race:difficulty` or `race:difficulty:build` as burnysc2's computer player; UsageError names what there is."""
    race, _, rest = text.partition(":")
    difficulty, _, build = rest.partition(":")
    return Computer(
        member("race", race, RACES),
        member("difficulty", difficulty or "hard", Difficulty),
        member("build", build or AIBuild.RandomBuild.name, AIBuild),
    )


def describe(computer: Computer) -> str:
    """The opponent in the form that `opponent` reads."""
    words = [computer.race.name, computer.difficulty.name]
    if computer.ai_build not in (None, AIBuild.RandomBuild):
        words.append(computer.ai_build.name)
    return ":".join(words).lower()


def member(what: str, text: str, choices: Iterable[Choice]) -> Choice:
    """The enum member of that name, in any case. Raises UsageError, which names what there is."""
    names = {choice.name.lower(): choice for choice in choices}
    if text.lower() not in names:
        raise UsageError(f"unknown {what} {text!r}; there are: {', '.join(names)}")
    return names[text.lower()]


def pick(what: str, name: str | None, names: Sequence[str]) -> str:
    """The listed name that was meant, in any case; the first one where none was given. Raises UsageError, which names
    what there is."""
    if not names:
        raise UsageError(f"there is no {what} at all")
    if name is None:
        return names[0]
    if name in names:
        return name
    similar = [known for known in names if known.lower() == name.lower()]
    if len(similar) == 1:
        return similar[0]
    raise UsageError(f"unknown {what} {name!r}; there are: {', '.join(names)}")
