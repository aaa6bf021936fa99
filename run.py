"""Plays Ironsight: a game against a built-in opponent, or, with the ladder's arguments, a ladder game.

Exit codes: 0 played (won, lost or drawn), 1 the game broke off, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from bot import ladder

ROOT = Path(__file__).resolve().parent
SC2PATH = ROOT / ".cache" / "sc2"


class EmbeddedEngine:
    """The embedded engine as `bot.local` needs it; imported late, because the ladder zip has no `sim`."""

    def maps(self, recordings: Path | None) -> list[str]:
        """Shipped maps first, then the recorded ones; ValueError for a folder that holds none."""
        from sim.maps import names

        return names(self.recordings(recordings))

    def prepare(self, recordings: Path | None) -> Path:
        """Compiles the kernel if it is not compiled, and makes the SC2PATH folder in the cache."""
        from sim.engine.compile import is_compiled
        from sim.server.engine import prepare
        from sim.server.install import install

        if not is_compiled():
            print("compiling the engine's kernel; once, this takes up to a minute", flush=True)
            prepare(lambda what, share: print(f"  {share:4.0%} {what}", flush=True))
        install(SC2PATH, self.recordings(recordings))
        return SC2PATH

    def recordings(self, folder: Path | None) -> Path | None:
        """The folder asked for, else the one beside the checkout where it exists. ValueError: no recordings there."""
        from sim.maps import beside, recorded_names

        if folder is not None and not folder.is_dir():
            raise ValueError(f"--recordings {folder}: no such folder")
        if folder is not None and not recorded_names(folder):
            raise ValueError(f"--recordings {folder}: no recording of a map in it")
        return folder or beside()


def main(arguments: list[str]) -> int:
    """Hands over to the ladder or to a local game; returns the exit code."""
    if ladder.wanted(arguments):
        return ladder.main(arguments)
    ladder.prepare_environment()
    from bot import local

    return local.main(arguments, EmbeddedEngine() if importlib.util.find_spec("sim") else None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
