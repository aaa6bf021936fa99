"""Map files: placeholders that carry a name, the game's own, and how a request for a game names its map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from s2clientprotocol import sc2api_pb2 as sc

from sim.files import contents
from sim.maps import MapError, Terrain

MAGIC = b"IRONSIGHT MAP\n"
ARCHIVE = b"MPQ"  # how the game's own map files begin
Failure = sc.ResponseCreateGame


class MapRequestError(Exception):
    """A map that cannot be played: `code` is a ResponseCreateGame.Error, the text one line of details."""

    def __init__(self, code: int, details: str) -> None:
        super().__init__(details)
        self.code = code


def placeholder(name: str) -> bytes:
    """Contents of the file that stands for a map."""
    return MAGIC + name.encode() + b"\n"


def name_in(data: bytes, path: str) -> str | None:
    """The map that a map file stands for: a placeholder says it, the game's own file has the name of its `path`.

    None for any other data. The ground of the game's own files is not read: programs that bring their maps along play
    on ours of that name.
    """
    if data.startswith(MAGIC):
        return data[len(MAGIC) :].split(b"\n", 1)[0].decode(errors="replace").strip()
    return PurePosixPath(path.replace("\\", "/")).name if data.startswith(ARCHIVE) else None


def wanted_map(
    request: sc.RequestCreateGame,
    folders: tuple[Path, ...],
    saved: Mapping[str, str],
    load: Callable[[str], Terrain],
) -> Terrain:
    """The map that a create_game asks for.

    Looked up in the data sent along, in files saved before (save_map: path -> name), below each of `folders`, as an
    absolute path, and at last by the bare name of the file. `load` turns a name into a map or raises MapError.

    Raises:
        MapRequestError: nothing is named, or the file is none of a map, or there is no such map.
    """
    if request.HasField("battlenet_map_name"):
        return _load(request.battlenet_map_name, load, Failure.InvalidMapName)
    local = request.local_map
    path = local.map_path.replace("\\", "/")
    if local.map_data:
        return _load(_stored_name(local.map_data, path), load, Failure.InvalidMapData)
    if not path:
        raise MapRequestError(Failure.MissingMap, "no map was named")
    if path in saved:
        return _load(saved[path], load, Failure.InvalidMapPath)
    for folder in folders:
        file = folder / path
        data = contents(file)
        if data is not None:
            return _load(_stored_name(data, str(file)), load, Failure.InvalidMapData)
    return _load(PurePosixPath(path).name, load, Failure.InvalidMapPath)


def _stored_name(data: bytes, source: str) -> str:
    name = name_in(data, source)
    if name is None:
        raise MapRequestError(Failure.InvalidMapData, f"{source or 'map_data'} is no map file")
    return name


def _load(name: str, load: Callable[[str], Terrain], code: int) -> Terrain:
    try:
        return load(name)
    except MapError as error:
        raise MapRequestError(code, str(error)) from None
