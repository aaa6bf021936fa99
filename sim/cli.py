"""Subcommands of `python -m sim`. Each imports what it needs when it runs: serving must listen within a second."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sim.arguments import examples, natural, port, positive


def parser() -> argparse.ArgumentParser:
    """Arguments of all subcommands; each sets `run` to its function."""
    top = argparse.ArgumentParser(
        prog="python -m sim",
        description="Ironsight's engine: StarCraft II's rules behind the s2client protocol.",
        **examples(
            "python -m sim install ~/ironsight-sc2   # a folder for SC2PATH: any s2client program then plays here",
            "python -m sim serve --port 5000         # one engine at ws://127.0.0.1:5000/sc2api",
            "python -m sim maps                      # which maps can be played",
            "python -m sim COMMAND --help            # the options of one command, with examples",
        ),
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str, *shown: str) -> argparse.ArgumentParser:
        lines = [f"python -m sim {name} {line}".rstrip() for line in shown]
        sub = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", **examples(*lines))
        sub.set_defaults(run=run)
        return sub

    install = command(
        "install",
        run_install,
        "make a directory that clients take for a StarCraft II installation",
        "~/ironsight-sc2   # then: SC2PATH=~/ironsight-sc2 python my_bot.py",
        "~/ironsight-smac --patch 4.10.0   # the older balance, nearest to SMAC's",
    )
    install.add_argument("directory", metavar="DIR", type=Path, help="where to make it; set SC2PATH to it afterwards")
    _add_common(install)
    serve = command(
        "serve",
        run_serve,
        "serve one engine to any s2client program until it quits or Ctrl-C",
        "--port 5000 --log engine.log   # at ws://127.0.0.1:5000/sc2api",
    )
    serve.add_argument("--port", type=port, required=True, metavar="P", help="port to listen on, 0 = any free one")
    serve.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default: %(default)s)")
    serve.add_argument("--log", type=Path, metavar="FILE", help="write a log there")
    _add_common(serve)
    maps = command(
        "maps",
        run_maps,
        "list the maps that can be played, and draw them",
        "",
        "IronRidgeAIE --out pictures   # writes pictures/IronRidgeAIE.png",
    )
    maps.add_argument("names", nargs="*", metavar="NAME", help="maps (default: all)")
    maps.add_argument("--out", type=Path, metavar="FOLDER", help="write NAME.png there")
    _add_common(maps)
    watch = command(
        "watch",
        run_watch,
        "write a page that plays a saved game in any browser: units, shots, economy",
        "game.SC2Replay   # writes game.html; games are saved by `python run.py --replay game.SC2Replay`",
        "game.SC2Replay --every 4 --out smooth.html",
    )
    watch.add_argument("game", type=Path, metavar="GAME", help="a game saved on this engine")
    watch.add_argument("--out", type=Path, metavar="FILE", help="the page to write (default: GAME with .html)")
    watch.add_argument(
        "--every", type=positive, default=8, metavar="LOOPS", help="loops between two pictures (default: %(default)s)"
    )
    _add_common(watch, patch=False)
    bench = command("bench", run_bench, "print the speed of the kernel and of the server", "--repeat 10")
    bench.add_argument(
        "--repeat", type=positive, default=50, metavar="N", help="measurements each (default: %(default)s)"
    )
    command("fidelity", run_fidelity, "compare the engine with measurements of the real game")
    command("resim", run_resim, "play real games again on the engine and compare")
    soak = command(
        "soak",
        run_soak,
        "play built-in opponents against each other: errors, speed, memory, repeatability",
        "IronRidgeAIE --games 9 --until 5000 --again 3   # nine pairs of races, every third game twice",
        "--rungs --games 162 --again 0   # each level against the next lower one, twice with each pair of races",
    )
    soak.add_argument("names", nargs="*", metavar="MAP", help="maps, in turn (default: all)")
    for name, kind, default, unit, text in (
        ("--games", positive, 9, "N", "how many games"),
        ("--until", positive, 120_000, "LOOPS", "a game's end"),
        ("--again", natural, 10, "N", "play every Nth twice, 0 = none"),
        ("--seed", natural, 1, "S", "seed of the first game"),
    ):
        soak.add_argument(name, type=kind, default=default, metavar=unit, help=f"{text} (default: %(default)s)")
    soak.add_argument("--rungs", action="store_true", help="each level against the next lower one, with what it wins")
    _add_common(soak)
    command("compile", run_compile, "compile the kernel now, so that the first game starts at once", "")
    return top


def _add_common(sub: argparse.ArgumentParser, *, patch: bool = True) -> None:
    sub.add_argument("--recordings", type=Path, metavar="DIR", help="folder with recordings of real maps")
    if patch:
        sub.add_argument(
            "--patch", default="5.0.14", help="balance to play by, 5.0.14 or 4.10.0 (default: %(default)s)"
        )


def main(arguments: Sequence[str]) -> int:
    """Runs a subcommand; -> exit code."""
    if arguments and arguments[0] == "shim":  # not for people: how an installation's executable calls
        return run_shim(arguments[1:])
    try:
        if arguments and arguments[0] in WITH_OPTIONS:
            return WITH_OPTIONS[arguments[0]](arguments[1:])
        given = parser().parse_args(arguments)
        return given.run(given)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def fail(text: str) -> int:
    """Says what is wrong in one line; -> exit code of a user's mistake."""
    print(f"python -m sim: {text}", file=sys.stderr)
    return 2


def _check_inputs(given: argparse.Namespace) -> str | None:
    """What is wrong with --recordings or --patch, None when nothing is."""
    from sim.facts import patches

    if given.recordings is not None:
        if not given.recordings.expanduser().is_dir():
            return f"--recordings {given.recordings}: no such folder"
        from sim.maps import recorded_names

        if not recorded_names(given.recordings.expanduser()):
            return f"--recordings {given.recordings}: no recording of a map in it"
    if "patch" in given and given.patch not in patches():
        return f"--patch {given.patch}: there are {', '.join(patches())}"
    return None


def run_install(given: argparse.Namespace) -> int:
    """`install DIR`."""
    wrong = _check_inputs(given)
    if wrong:
        return fail(wrong)
    from sim.server.install import install

    try:
        maps = install(given.directory, given.recordings, given.patch)
    except OSError as error:
        return fail(f"cannot write {error.filename or given.directory}: {error.strerror}")
    home = given.directory.expanduser().absolute()
    print(f"{home} now looks like StarCraft II, with {len(maps)} maps: {', '.join(maps)}")
    print("Clients find it after:")
    print(f"  export SC2PATH={shlex.quote(str(home))}")
    return 0


def run_serve(given: argparse.Namespace) -> int:
    """`serve --port P`."""
    wrong = _check_inputs(given)
    if wrong:
        return fail(wrong)
    from sim.server.config import Config, environment_path
    from sim.server.process import serve

    if given.log is not None:
        try:
            given.log.open("a").close()
        except OSError as error:
            return fail(f"--log {given.log}: {error.strerror}")
    recordings = given.recordings.expanduser() if given.recordings else environment_path("IRONSIGHT_RECORDINGS")
    config = Config(given.host, given.port, recordings=recordings, patch=given.patch, log=given.log)
    return serve(config, lambda port: print(f"serving ws://{given.host}:{port}/sc2api (Ctrl-C ends it)", flush=True))


def run_shim(arguments: Sequence[str]) -> int:
    """How the executable of an installation starts: --base N --home DIR, then the client's own arguments."""
    from sim.server.config import from_game_arguments
    from sim.server.process import serve

    own = argparse.ArgumentParser(prog="shim", add_help=False)
    own.add_argument("--base", type=int, required=True)
    own.add_argument("--home", type=Path, required=True)
    known, rest = own.parse_known_args(arguments)
    try:
        config = from_game_arguments(rest, known.base, known.home)
    except ValueError as error:
        return fail(str(error))
    return serve(config)


def run_maps(given: argparse.Namespace) -> int:
    """`maps [NAME ...] [--out FOLDER]`: one line a map, and pictures."""
    wrong = _check_inputs(given)
    if wrong:
        return fail(wrong)
    from sim.maps.preview import show

    return show(given.names, given.recordings, given.out)


def run_watch(given: argparse.Namespace) -> int:
    """`watch GAME`: the page."""
    wrong = _check_inputs(given)
    if wrong:
        return fail(wrong)
    from sim.maps import beside
    from sim.watch import WatchError, run

    out = given.out or given.game.with_suffix(".html")
    try:
        return run(given.game, out, given.every, given.recordings or beside())
    except WatchError as error:
        return fail(str(error))


def run_bench(given: argparse.Namespace) -> int:
    """`bench`: both halves."""
    from sim.bench import bench_kernel
    from sim.server.bench import bench_server

    bench_kernel()
    bench_server(given.repeat)
    return 0


def run_soak(given: argparse.Namespace) -> int:
    """`soak [MAP ...]`: a row a game; 1 if a game failed or did not repeat."""
    wrong = _check_inputs(given)
    if wrong:
        return fail(wrong)
    from sim.maps import MapError
    from sim.soak import soak

    try:
        numbers = given.games, given.until, given.again, given.seed
        return soak(*numbers, given.names, given.recordings, given.patch, given.rungs)
    except MapError as error:
        return fail(str(error))


def run_fidelity(arguments: Sequence[str]) -> int:
    """`fidelity`: its options are its own module's."""
    from sim.fidelity import main as measure

    return measure(list(arguments))


def run_resim(arguments: Sequence[str]) -> int:
    """`resim`: passed on to the package that plays real games again."""
    from sim.replays.command import main as play_again

    return play_again(arguments)


WITH_OPTIONS: dict[str, Callable[[Sequence[str]], int]] = {"fidelity": run_fidelity, "resim": run_resim}
"""Commands that read their arguments themselves."""


def run_compile(given: argparse.Namespace) -> int:
    """`compile`: a line for each part, so that nobody thinks it hangs."""
    from sim.server.engine import prepare

    print("compiling the kernel (one to three minutes, once; later starts use the cache) ...", flush=True)
    seconds = prepare(lambda part, share: print(f"  {share:4.0%}  {part}", flush=True))
    print(f"ready in {seconds:.1f} s")
    return 0
