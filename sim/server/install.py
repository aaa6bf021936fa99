"""A directory that clients take for an installation of StarCraft II, and whose executables start this server."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from sim.files import write_whole
from sim.maps import arenas, mini_games, names, practice_names
from sim.server.builds import BASES
from sim.server.config import DEFAULT_PATCH, PATCH, RECORDINGS
from sim.server.mapfiles import placeholder

# Folders in which pysc2 looks for maps; burnysc2 takes the first file of the right name in any of them.
MAP_FOLDERS = ("Melee",)
# The folders of maps for exercises: practice maps, the StarCraft Multi-Agent Challenge's, and pysc2's mini-games.
OTHER_MAPS: dict[str, Callable[[], Iterable[str]]] = {
    "Melee": practice_names,
    "SMAC_Maps": arenas.names,
    "mini_games": mini_games.names,
}
SEASONS = tuple(f"Ladder{year}Season{season}" for year in (2017, 2018, 2019) for season in (1, 2, 3, 4))

SHIM = """#!/bin/sh
# Starts Ironsight's engine in place of StarCraft II. Written by `python -m sim install`.
unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION
: "${{{recordings_variable}={recordings}}}" "${{{patch_variable}={patch}}}"
export {recordings_variable} {patch_variable}
exec {python} -E -s {program} shim --base {base} --home {home} "$@"
"""


def install(directory: Path, recordings: Path | None = None, patch: str = DEFAULT_PATCH) -> list[str]:
    """Makes or refreshes the installation and returns the names of its maps.

    Every file is replaced as a whole, so a running game never reads half a file; running it again changes nothing.

    Raises:
        OSError: the directory cannot be written.
    """
    home = Path(directory).expanduser().absolute()
    recordings = Path(recordings).expanduser().absolute() if recordings is not None else None
    program = Path(__file__).resolve().parent.parent / "__main__.py"
    for base in BASES:
        text = SHIM.format(
            recordings_variable=RECORDINGS,
            recordings=_in_quotes(str(recordings) if recordings else ""),
            patch_variable=PATCH,
            patch=_in_quotes(patch),
            python=shlex.quote(sys.executable),
            program=shlex.quote(str(program)),
            base=base,
            home=shlex.quote(str(home)),
        )
        _write(home / "Versions" / f"Base{base}" / "SC2_x64", text.encode(), executable=True)
    (home / "Replays").mkdir(parents=True, exist_ok=True)
    maps = names(recordings)
    for name in maps:
        folders = MAP_FOLDERS + (SEASONS if name.endswith("LE") else ())
        for folder in ("", *folders):
            _write(home / "Maps" / folder / f"{name}.SC2Map", placeholder(name))
    for folder, known in OTHER_MAPS.items():
        for name in known():
            _write(home / "Maps" / folder / f"{name}.SC2Map", placeholder(name))
    return maps


def _in_quotes(text: str) -> str:
    """Text as it may stand in a default value between the shell's double quotes."""
    return "".join("\\" + c if c in '\\"$`}' else c for c in text)


def _write(path: Path, data: bytes, executable: bool = False) -> None:
    """Replaces a file at once; leaves it alone when it already holds these bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not (path.is_file() and path.read_bytes() == data):
        write_whole(path, data, executable=executable)
