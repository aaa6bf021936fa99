"""Which maps there are, and how a user may name them."""

from __future__ import annotations

import re
from pathlib import Path

from . import arenas, mini_games, practice
from . import recordings as recorded
from .terrain import MapError, Terrain

ROOT = Path(__file__).resolve().parents[2]


def _key(text: str) -> str:
    """What two spellings of one map have in common: no folder, no .SC2Map, no blanks, no case."""
    text = re.split(r"[\\/]", text.strip())[-1]
    return re.sub(r"[\s_'-]+", "", re.sub(r"\.sc2map$", "", text, flags=re.IGNORECASE)).casefold()


def _recorded(recordings: str | Path | None) -> dict[str, Path]:
    """Folder names of the recordings below `recordings`; {} when it is None or not there."""
    folder = Path(recordings) if recordings is not None else None
    if folder is None or not folder.is_dir():
        return {}
    return {path.name: path for path in sorted(folder.iterdir()) if (path / recorded.GAME_INFO).is_file()}


def recorded_names(recordings: str | Path | None) -> list[str]:
    """Names of the maps that were recorded below this folder, none where it is None or not there."""
    return list(_recorded(recordings))


def beside() -> Path | None:
    """The folder `../shared/recordings` beside the checkout, where there is one."""
    found = ROOT.parent / "shared" / "recordings"
    return found if found.is_dir() else None


def names(recordings: str | Path | None = None) -> list[str]:
    """Melee maps that `load` takes: shipped ones first (the first one is the default), then recordings.

    It takes the names of arenas (`arenas.names`) and mini-games (`mini_games.names`) too.
    """
    from .shipped import shipped

    return [*shipped(), *(name for name in _recorded(recordings) if name not in shipped())]


def load(name: str, recordings: str | Path | None = None) -> Terrain:
    """The map of this name. Case, blanks, a folder, `.SC2Map` and a version suffix (`_v4`) do not matter.

    recordings is a folder of recordings, one folder a map, or None. MapError (one line) when there is no such map.
    """
    from .shipped import build, shipped

    named = (*arenas.names(), *mini_games.names(), *shipped(), *practice.names())
    sources = {**dict.fromkeys(named), **_recorded(recordings)}
    wanted = _key(name)
    by_key = {_key(known): known for known in reversed(sources)}
    found = by_key.get(wanted) or by_key.get(re.sub(r"v\d+$", "", wanted))
    if found is None:
        raise MapError(f"unknown map {name!r}; there are: {', '.join(names(recordings)) or 'none'}")
    folder = sources[found]
    if folder is not None:
        return recorded.read(folder)
    if found in mini_games.names():
        return mini_games.load(found)
    return arenas.load(found).terrain if found in arenas.names() else build(found)
