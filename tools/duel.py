"""Ladder games on the embedded engine: this checkout's bot against the bot in another folder, over many seeds.

python -m tools.duel ../other --games 10

Both bots are started as AI Arena's host does it: an engine process each, a created game, and
`run.py --GamePort ... --LadderServer ... --StartPort ...` in the bot's folder. So the other folder may hold another
checkout, an unpacked zip, or any ladder bot in Python whose `ladderbots.json` names its race and file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from s2clientprotocol import common_pb2, sc2api_pb2

from bot.options import UsageError, positive, seed
from sim.arguments import examples
from train.statistics import wilson

ROOT = Path(__file__).resolve().parent.parent
END = re.compile(r"game over at loop (\d+): player 1 (\w+), player 2 (\w+)")
START_PORTS = range(21001, 60000, 10)
PORTS = 6  # that one game takes, from its start port on
AHEAD = 1.0  # seconds between the starts of the host's bot and the guest's
GRACE = 20.0  # seconds that a bot may take to end by itself once the game is over


@dataclass(frozen=True)
class Entrant:
    """A ladder bot in its folder."""

    folder: Path
    file: str
    race: int


def entrant(folder: Path) -> Entrant:
    """Reads the folder's ladderbots.json. UsageError: no such file, or no Python bot in it."""
    file = folder / "ladderbots.json"
    try:
        row = next(iter(json.loads(file.read_text(encoding="utf-8"))["Bots"].values()))
        name, race = row["FileName"], common_pb2.Race.Value(row["Race"])
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration) as error:
        raise UsageError(f"{file} names no bot with its Race and FileName ({type(error).__name__}: {error})") from None
    if not name.endswith(".py") or not (folder / name).is_file():
        raise UsageError(f"{folder / name} is no Python program")
    return Entrant(folder.resolve(), name, race)


@contextmanager
def engine(log: Path) -> Iterator[int]:
    """One engine process, as the ladder starts one game process a player; gives its port."""
    command = [sys.executable, "-m", "sim", "serve", "--port", "0", "--log", str(log)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        match = re.search(r":(\d+)/sc2api", line)
        if not match:
            raise UsageError(f"the engine did not start: {line.strip() or 'see ' + str(log)}")
        yield int(match[1])
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
        process.stdout.close()


async def create(port: int, map_name: str, races: Sequence[int], seed: int) -> None:
    """What the ladder's proxy does before the bots come: a game with two participants.

    Raises:
        UsageError: the engine refuses it.
    """
    async with aiohttp.ClientSession() as session, session.ws_connect(f"ws://127.0.0.1:{port}/sc2api") as connection:
        request = sc2api_pb2.Request()
        request.create_game.local_map.map_path = f"{map_name}.SC2Map"
        for race in races:
            request.create_game.player_setup.add(type=sc2api_pb2.Participant, race=race)
        request.create_game.random_seed = seed
        await connection.send_bytes(request.SerializeToString())
        response = sc2api_pb2.Response.FromString((await connection.receive()).data)
        if response.error or response.create_game.HasField("error"):
            reason = response.create_game.error_details or "; ".join(response.error)
            raise UsageError(f"no game on {map_name}: {reason}")


def free_ports() -> int:
    """A start port whose next five ports are free, as the ladder's are."""
    for start in START_PORTS:
        with ExitStack() as stack:
            try:
                for port in range(start, start + PORTS):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return start
    raise OSError("no free ports")


def play(host: Entrant, guest: Entrant, map_name: str, seed: int, patience: float, logs: Path) -> tuple[str, int]:
    """One game: (the host's result in small letters, "undecided" after `patience` seconds; its loops)."""
    logs.mkdir(parents=True)
    told = logs / "engine-host.log"
    with ExitStack() as running:
        ports = [running.enter_context(engine(log)) for log in (told, logs / "engine-guest.log")]
        asyncio.run(create(ports[0], map_name, (host.race, guest.race), seed))
        start, bots = free_ports(), []
        for bot, port, name in zip((host, guest), ports, ("host", "guest"), strict=True):
            command = [sys.executable, bot.file, "--GamePort", str(port), "--LadderServer", "127.0.0.1"]
            command += ["--StartPort", str(start)]
            said = running.enter_context((logs / f"{name}.log").open("w"))
            bots.append(subprocess.Popen(command, cwd=bot.folder, stdout=said, stderr=subprocess.STDOUT))
            running.callback(bots[-1].kill)
            time.sleep(AHEAD)
        until = time.monotonic() + patience
        while any(bot.poll() is None for bot in bots) and time.monotonic() < until:
            time.sleep(0.2)
            if END.search(told.read_text(encoding="utf-8")) or any(bot.poll() is not None for bot in bots):
                until = min(until, time.monotonic() + GRACE)
        end = END.search(told.read_text(encoding="utf-8"))
    return (end[2], int(end[1])) if end else ("undecided", 0)


def main(arguments: Sequence[str]) -> int:
    """Command line; exit code 0 when every game was played to a result."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.duel",
        description="Plays this checkout's bot against the ladder bot in another folder: win rate with its interval.",
        **examples(
            "git worktree add ../before HEAD~5; python -m tools.duel ../before --games 20",
            "python -m tools.duel ~/bots/SomeBot --map IronRidgeAIE --logs data/duel",
        ),
    )
    parser.add_argument("other", type=Path, metavar="FOLDER", help="folder of the other bot, with a ladderbots.json")
    parser.add_argument("--games", type=positive, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument("--first-seed", type=seed, default=1, metavar="N", help="seeds are N, N+1, ... (default 1)")
    parser.add_argument("--map", default="IronRidgeAIE", metavar="NAME", help="map (default IronRidgeAIE)")
    parser.add_argument(
        "--patience", type=positive, default=900, metavar="S", help="seconds a game may take (default 900)"
    )
    parser.add_argument("--logs", type=Path, metavar="DIR", help="keep what bots and engines said here")
    known = parser.parse_args(list(arguments))
    results: Counter[str] = Counter()
    with ExitStack() as stack:
        try:
            ours, other = entrant(ROOT), entrant(known.other)
            logs = known.logs or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            for number in range(known.first_seed, known.first_seed + known.games):
                hosts = (number - known.first_seed) % 2 == 0  # who hosts, and so which place, changes from game to game
                pair = (ours, other) if hosts else (other, ours)
                result, loops = play(*pair, known.map, number, known.patience, logs / str(number))
                if not hosts:
                    result = {"victory": "defeat", "defeat": "victory"}.get(result, result)
                results[result] += 1
                print(f"seed {number:<6} {result:<9} {loops / 22.4 / 60:5.1f} min", flush=True)
        except (UsageError, OSError) as error:
            parser.error(str(error))
    wins, games = results["victory"], results.total()
    low, high = wilson(wins, games)
    print(f"{wins} of {games} won: {wins / games:.0%} (95 % interval {low:.0%} to {high:.0%})")
    print("  " + ", ".join(f"{count} {name}" for name, count in results.most_common()))
    return 1 if results["undecided"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
