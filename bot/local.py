"""One game on this machine against a built-in opponent, on the real StarCraft II or on the embedded engine.

Both are started and spoken to by burnysc2 in the same way; the engine only has to say where its SC2PATH is.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from loguru import logger
from sc2.data import Race, Result
from sc2.player import Bot, Computer

from bot import options
from bot.report import Tally, build_report, write_report
from bot.status import StatusLine, table

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

REFUSED = "Could not create game"  # how burnysc2's error begins when the engine answers create_game with one
PLAYED, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Engine(Protocol):
    """The embedded engine as a local game needs it; the ladder zip has none."""

    def maps(self, recordings: Path | None) -> list[str]:
        """Names of the maps it can play; ValueError with one line for an unusable folder."""

    def prepare(self, recordings: Path | None) -> Path:
        """Compiles what is not compiled yet, and returns a folder that works as SC2PATH."""


def main(arguments: Sequence[str], embedded: Engine | None) -> int:
    """Plays as the command line says; returns the process's exit code."""
    signal.signal(signal.SIGTERM, stop)
    try:
        chosen = options.parse(arguments)
        engine = embedded if use_embedded(chosen.engine, embedded) else None
        maps = engine.maps(chosen.recordings) if engine else real_maps()
        if chosen.list_maps:
            print("\n".join(maps))
            return PLAYED
        check_writable(chosen.report, chosen.replay)
        check_config()
        computer = options.opponent(chosen.opponent)
        map_name = options.pick("map", chosen.map, maps)
        chosen.seed = random.randrange(2**31) if chosen.seed is None else chosen.seed
        if engine:
            os.environ["SC2PATH"] = str(engine.prepare(chosen.recordings))
        return play(chosen, map_name, computer)
    except (options.UsageError, ValueError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:  # a full disk, a checkout that cannot be written
        print(f"run.py: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        stop_engines()


def use_embedded(engine: str, embedded: Engine | None) -> bool:
    """Whether the embedded engine plays: when asked for, or when there is no real game."""
    found = real_game()
    if engine == "sim" and embedded is None:
        raise options.UsageError("the embedded engine is not here (the ladder zip has none); use --engine sc2")
    if engine == "sc2" and not found:
        where = os.environ.get("SC2PATH")
        raise options.UsageError(f"no StarCraft II in {where} (SC2PATH)" if where else "no StarCraft II; set SC2PATH")
    if engine == "auto" and not found and embedded is None:
        raise options.UsageError("no StarCraft II found; set SC2PATH to its folder")
    return engine == "sim" or (engine == "auto" and not found)


def real_game() -> bool:
    """Whether burnysc2 finds a game it could start, in SC2PATH or in its default folders."""
    from sc2.paths import Paths

    def forget() -> None:
        """The paths are kept from their first use on, but SC2PATH may have changed, and may still change."""
        for name in [name for name in vars(Paths) if name.isupper()]:
            delattr(Paths, name)

    forget()
    logger.disable("sc2.paths")
    try:
        return Path(Paths.EXECUTABLE).exists()
    except (SystemExit, ValueError, OSError):
        return False
    finally:
        logger.enable("sc2.paths")
        forget()


def real_maps() -> list[str]:
    """Stems of the map files where burnysc2 looks for them."""
    from sc2.paths import Paths

    folder = Path(Paths.MAPS)
    return sorted({path.stem for pattern in ("*.SC2Map", "*/*.SC2Map") for path in folder.glob(pattern)})


def check_writable(*files: Path | None) -> None:
    """Says before the game, not after it, that a result cannot be saved."""
    for file in files:
        if file is None:
            continue
        try:
            file.resolve().parent.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=file.resolve().parent).close()
        except OSError as error:
            raise options.UsageError(f"cannot write {file}: {error.strerror}") from error
        if file.is_dir():
            raise options.UsageError(f"cannot write {file}: it is a folder")


def check_config() -> None:
    """Says before the game what is wrong with a file that somebody has edited: in a game the bot would play on without
    the part that needs it."""
    from bot.config import load
    from bot.macro.build_order import openings

    for name in ("army", "composition", "knowledge", "macro", "micro", "placement", "skills"):
        load(name)
    openings()
    try:
        from bot.micro import skills as skills
        from bot.strategy.decide import Strategy

        Strategy()
    except KeyError as error:
        raise options.UsageError(f"bot/config: unknown name or missing key {error}") from None


def play(chosen: Any, map_name: str, computer: Computer) -> int:
    """Plays one game to its end, shows it, and saves the report; FAILED where there is no result."""
    from sc2 import maps
    from sc2.main import run_game

    tally = Tally()
    status = StatusLine(tally)
    quiet_log(status)
    ai = watched(tally, status, chosen.micro, steady=chosen.steady)
    setup = {"map": map_name, "opponent": options.describe(computer), "seed": chosen.seed}
    print(f"{map_name} against {setup['opponent']}, seed {chosen.seed}", flush=True)
    started = time.perf_counter()
    failure = ""
    result: Any = None
    try:
        result = run_game(
            maps.get(map_name),
            [Bot(Race.Terran, ai, "Ironsight"), computer],
            realtime=chosen.realtime,
            random_seed=chosen.seed,
            save_replay_as=str(chosen.replay.resolve()) if chosen.replay else None,
            game_time_limit=chosen.game_time_limit,
        )
    except SystemExit as error:  # what burnysc2 does when Ctrl-C comes while the game still starts
        raise KeyboardInterrupt from error
    except Exception as error:
        if str(error).startswith(REFUSED):  # a map or an opponent that this engine does not have
            raise options.UsageError(str(error)) from error
        logger.opt(exception=error).debug("the game broke off")
        failure = f"the game broke off: {type(error).__name__}: {error}".rstrip(": ")
    status.clear()
    played = isinstance(result, Result) and result is not Result.Undecided
    report = build_report(setup, ai, tally, result.name if played else "Error", time.perf_counter() - started)
    report["errors"] += [failure] if failure else []
    print(table(report), flush=True)
    if failure:
        print(f"run.py: {failure}", file=sys.stderr)
    if chosen.report:
        write_report(chosen.report, report)
    return PLAYED if played else FAILED


def watched(tally: Tally, status: StatusLine, micro: str | None = None, *, steady: bool = False) -> BotAI:
    """Our bot with a clock on its steps and an eye on what it makes and loses; the rest as of `Ironsight`."""
    from bot.main import Ironsight

    class Watched(Ironsight):
        async def on_before_start(self) -> None:
            signal.signal(signal.SIGINT, stop)  # burnysc2's own one ends the game like a crash
            await super().on_before_start()

        async def on_step(self, iteration: int) -> None:
            begun = time.perf_counter()
            await super().on_step(iteration)
            tally.time_step((time.perf_counter() - begun) * 1000)
            for look in (tally.see, tally.hear, status.update):  # counting must not disturb the game either
                self.guard.call("report", look, self, default=None)

    return Watched(micro=micro, steady=steady)


def quiet_log(status: StatusLine) -> None:
    """Shows warnings only, and never in the middle of the live line."""

    def show(message: str) -> None:
        if REFUSED in message:
            return
        status.clear()
        sys.stderr.write(message)

    # An interrupted game leaves half-done requests behind, of which asyncio would print tracebacks.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    logger.remove()
    logger.add(show, level="WARNING", format="{time:HH:mm:ss} {level} {message}")


def stop(*_: object) -> None:
    """Ctrl-C and SIGTERM end the engines at once, and the game by KeyboardInterrupt.

    The engines first: an interrupt between the arrival of an answer and its hand-over loses the answer, and burnysc2
    waits for it before it lets itself be cancelled. Only a closed connection ends that.
    """
    stop_engines()
    raise KeyboardInterrupt


def stop_engines() -> None:
    """Ends every engine that this process started and that still runs."""
    from sc2.sc2process import KillSwitch

    for process in KillSwitch._to_kill:
        with suppress(Exception):
            process._clean(verbose=False)
    KillSwitch._to_kill.clear()
