"""Map files: placeholders that carry a name, and how a request for a game names its map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from s2clientprotocol import sc2api_pb2 as sc

from sim.files import contents
from sim.maps import MapError, Terrain

MAGIC = b"IRONSIGHT MAP\n"
Failure = sc.ResponseCreateGame


class MapRequestError(Exception):
    """A map that cannot be played: `code` is a ResponseCreateGame.Error, the text one line of details."""

    def __init__(self, code: int, details: str) -> None:
        super().__init__(details)
        self.code = code


def placeholder(name: str) -> bytes:
    """Contents of the file that stands for a map."""
    return MAGIC + name.encode() + b"\n"


def name_in(data: bytes) -> str | None:
    """The map a placeholder stands for, None for any other data."""
    if not data.startswith(MAGIC):
        return None
    return data[len(MAGIC) :].split(b"\n", 1)[0].decode(errors="replace").strip()


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
        MapRequestError: nothing is named, or it is a real map file of StarCraft II, or there is no such map.
    """
    if request.HasField("battlenet_map_name"):
        return _load(request.battlenet_map_name, load, Failure.InvalidMapName)
    local = request.local_map
    path = local.map_path.replace("\\", "/")
    if local.map_data:
        return _load(_stored_name(local.map_data, path or "map_data"), load, Failure.InvalidMapData)
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
    name = name_in(data)
    if name is None:
        text = f"{source} is a map file of StarCraft II, which this engine cannot read"
        raise MapRequestError(Failure.InvalidMapData, text)
    return name


def _load(name: str, load: Callable[[str], Terrain], code: int) -> Terrain:
    try:
        return load(name)
    except MapError as error:
        raise MapRequestError(code, str(error)) from None
