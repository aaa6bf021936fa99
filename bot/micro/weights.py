"""Files of tensors: arrays and one JSON header in an npz archive, read without unpickling.

`models/NAME.npz` (the bot plays from it) and the learner's checkpoints have this form.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import zipfile
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from bot.micro.network import Actor, ActorConfig

FORMAT = 1  # of the file; a reader refuses others
HEADER = "header"


class WeightsError(ValueError):
    """A file that is missing, broken, or of another network; one line that names it."""


def save(path: str | os.PathLike, arrays: Mapping[str, np.ndarray], header: Mapping) -> None:
    """Write arrays and header (whatever JSON can say) to `path`, complete or not at all."""
    path = pathlib.Path(path)
    if HEADER in arrays:
        raise WeightsError(f"{path}: no array may be named {HEADER!r}")
    text = json.dumps({"format": FORMAT, **header}, sort_keys=True).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            np.savez(file, **{HEADER: np.frombuffer(text, np.uint8)}, **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def load(path: str | os.PathLike) -> tuple[dict[str, np.ndarray], dict]:
    """The arrays and the header of a file that `save` wrote. Raises WeightsError."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays.pop(HEADER).tobytes())
        version = header["format"]
    except FileNotFoundError:
        raise WeightsError(f"{path}: no such file") from None
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WeightsError(f"{path}: not a file of weights, or a damaged one ({reason})") from None
    if version != FORMAT:
        raise WeightsError(f"{path}: format {version}, this program reads format {FORMAT}")
    return arrays, header


def save_actor(path: str | os.PathLike, actor: Actor, names: Mapping[str, Sequence[str]], about: Mapping) -> None:
    """Write a model. `names`: what the sizes count ("verbs", "features", "pairs"); `about`: how it came to be."""
    arrays = {name: value.detach().cpu().numpy() for name, value in actor.state_dict().items()}
    header = {"kind": "actor", "config": dataclasses.asdict(actor.config), "about": dict(about)}
    save(path, arrays, header | {"names": {key: list(value) for key, value in names.items()}})


def load_actor(path: str | os.PathLike, names: Mapping[str, Sequence[str]] | None = None) -> tuple[Actor, dict]:
    """The model of a file and its header; WeightsError where it is broken or its names are not these `names`."""
    arrays, header = load(path)
    if header.get("kind") != "actor":
        raise WeightsError(f"{path}: holds {header.get('kind', 'no')!r}, not a policy network")
    for what, expected in (names or {}).items():
        found = header.get("names", {}).get(what)
        if found != list(expected):
            raise WeightsError(f"{path}: made for other {what} ({_difference(found or [], list(expected))})")
    try:
        config = header["config"]
        actor = Actor(ActorConfig(**{**config, "targeted": tuple(config["targeted"])}))
    except (KeyError, TypeError, ValueError, IndexError, RuntimeError) as error:
        raise WeightsError(f"{path}: holds another network ({error})") from None
    put(actor, arrays, str(path))
    return actor.eval(), header


def put(module: torch.nn.Module, arrays: Mapping[str, np.ndarray], where: str) -> None:
    """Copy arrays into a module's tensors of the same names and shapes; nothing is changed when one does not fit."""
    state = module.state_dict()
    if arrays.keys() != state.keys():
        odd = sorted(arrays.keys() ^ state.keys())
        raise WeightsError(f"{where}: holds another network ({', '.join(odd[:3])})")
    for name, array in arrays.items():
        if array.shape != tuple(state[name].shape):
            raise WeightsError(f"{where}: {name} has shape {array.shape}, expected {tuple(state[name].shape)}")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise WeightsError(f"{where}: {name} holds numbers that are not finite")
    module.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()})


def _difference(found: Sequence[str], expected: Sequence[str]) -> str:
    for row, (one, other) in enumerate(zip(found, expected, strict=False)):
        if one != other:
            return f"row {row} is {one!r}, expected {other!r}"
    return f"{len(found)} of them, expected {len(expected)}"
