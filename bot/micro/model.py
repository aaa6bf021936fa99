"""Models as files: arrays and one JSON header in an npz archive, read without unpickling and without torch.

`models/NAME.npz` (the bot plays from it) and the learner's checkpoints have this form.
"""

from __future__ import annotations

import json
import os
import pathlib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

FORMAT = 1  # of the file; a reader refuses others
HEADER = "header"
ILLEGAL = -1e10  # logit of what is not allowed: its probability is exactly 0
SURE = 0.5  # chance of following from which on an advised policy follows, in play
FEW = 8.0  # counts are told as log(1 + n) / log(1 + FEW), which grows little beyond


class WeightsError(ValueError):
    """A file that is missing, broken, or of another network; one line that names it."""


@dataclass(frozen=True, slots=True)
class ActorConfig:
    """Sizes of the network. `targeted` are the verbs that need a target, in the order of the tables' axis T."""

    features: int
    pairs: int
    verbs: int
    targeted: tuple[int, ...]
    width: int = 64
    heads: int = 4
    memory: int = 64
    pair_width: int = 16
    key_width: int = 32
    advised: bool = False
    """It is shown what the scripted twin would do, and may follow it."""

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The network's arrays by the names that a file gives them."""
        w, p, m, k = self.width, self.pair_width, self.memory, self.key_width
        seen, aims = 2 * w + self.heads * self.pairs + 2 * p + 1, len(self.targeted) * (k + p)
        linear = {
            "encode.0": (w, self.features),
            "encode.2": (w, w),
            "question": (w, w),
            "answer": (2 * w, w),
            "relate_geometry": (p, self.pairs),
            "bias": (self.heads, p),
            "join.0": (w, seen),
            "lstm.inward": (4 * m, w),
            "recall.0": (w, m),
            "verb": (self.verbs, w),
            "query": (aims, w),
            "key": (k, w),
        }
        found: dict[str, tuple[int, ...]] = {}
        for name, (out, inputs) in linear.items():
            found |= {f"{name}.weight": (out, inputs), f"{name}.bias": (out,)}
        for name in ("encode.3", "join.1", "recall.1"):  # norms
            found |= {f"{name}.weight": (w,), f"{name}.bias": (w,)}
        unbiased = {"relate_entity": (p, w), "relate_own": (p, w), "lstm.back": (4 * m, m)}
        return found | {f"{name}.weight": shape for name, shape in unbiased.items()}


def save(path: str | os.PathLike, arrays: Mapping[str, np.ndarray], header: Mapping) -> None:
    """Write arrays and header (whatever JSON can say) to `path`, complete or not at all.

    Raises:
        WeightsError: an array has the name that the header is kept under.
        OSError: the file cannot be written.
    """
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
    """(arrays by name, header) of a file that `save` wrote; nothing is unpickled.

    Raises:
        WeightsError: no such file, not one of weights, damaged, or of another format.
    """
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


def load_model(
    path: str | os.PathLike, names: Mapping[str, Sequence[str]] | None = None
) -> tuple[dict[str, np.ndarray], ActorConfig, dict]:
    """(arrays by name, sizes, header) of a policy network; `names`: those of verbs and features, by what they name.

    Raises:
        WeightsError: the file is broken, holds something else, or its names are not these `names`.
    """
    arrays, header = load(path)
    if header.get("kind") != "actor":
        raise WeightsError(f"{path}: holds {header.get('kind', 'no')!r}, not a policy network")
    for what, expected in (names or {}).items():
        found = header.get("names", {}).get(what)
        if found != list(expected):
            raise WeightsError(f"{path}: made for other {what} ({_difference(found or [], list(expected))})")
    try:
        config = ActorConfig(**{**header["config"], "targeted": tuple(header["config"]["targeted"])})
        shapes = config.shapes()
    except (KeyError, TypeError) as error:
        raise WeightsError(f"{path}: holds another network ({error})") from None
    check(arrays, shapes, str(path))
    return arrays, config, header


def check(arrays: Mapping[str, np.ndarray], shapes: Mapping[str, tuple[int, ...]], where: str) -> None:
    """Raises WeightsError where arrays have other names or shapes, or numbers that are not finite."""
    if arrays.keys() != shapes.keys():
        odd = sorted(arrays.keys() ^ shapes.keys())
        raise WeightsError(f"{where}: holds another network ({', '.join(odd[:3])})")
    for name, array in arrays.items():
        if array.shape != shapes[name]:
            raise WeightsError(f"{where}: {name} has shape {array.shape}, expected {shapes[name]}")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise WeightsError(f"{where}: {name} holds numbers that are not finite")


def _difference(found: Sequence[str], expected: Sequence[str]) -> str:
    for row, (one, other) in enumerate(zip(found, expected, strict=False)):
        if one != other:
            return f"row {row} is {one!r}, expected {other!r}"
    return f"{len(found)} of them, expected {len(expected)}"
