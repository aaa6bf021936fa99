"""The one decorator of compiled rules, and where compiled code is kept.

numba's cache looks only at the file of the cached function: a changed callee in another file would go unnoticed. So
every file's compiled code lies in a folder named by a hash of that file and of everything of `sim` it imports.
`IRONSIGHT_CACHE` names another place for these folders; without it they lie in `.cache/kernel` beside `sim`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import pathlib
import shutil
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numba
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.np import arrayobj

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
_index_from_either_end = arrayobj.fix_integer_index


def _index_from_start(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as it is: rules never count from an array's end. numba's own way asks of every signed index whether it
    is negative, and keeps the lengths of all arrays at hand for that: a sixth of a loop's time. Code of others in this
    process, which counts references, keeps numba's way."""
    if context.enable_nrt:
        return _index_from_either_end(context, builder, kind, index, size)
    return context.cast(builder, index, kind, numba.intp if kind.signed else numba.uintp)


arrayobj.fix_integer_index = _index_from_start
lowest = trailing_zeros  # for rules: number of the lowest bit that is set


@functools.cache
def cache_root() -> pathlib.Path:
    """Folder of all compiled code: `IRONSIGHT_CACHE`, else `.cache/kernel` of the checkout, else a temporary one."""
    wanted = os.environ.get("IRONSIGHT_CACHE")
    root = pathlib.Path(wanted) if wanted else PACKAGE.parent / ".cache" / "kernel"
    try:
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK):
            return root
    except OSError:
        pass
    root = pathlib.Path(tempfile.gettempdir()) / f"ironsight-kernel-{os.getuid()}"
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return root


def _module_file(name: str) -> pathlib.Path | None:
    """Source of a dotted `sim` module, None for a package or a name that is no module of `sim`."""
    if not name.startswith("sim."):
        return None
    path = PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py")
    return path if path.is_file() else None


@functools.cache
def _imports(path: pathlib.Path) -> frozenset[pathlib.Path]:
    """Sources of the `sim` modules that one source file imports anywhere in its text."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(file for file in map(_module_file, names) if file is not None)


def sources(path: pathlib.Path) -> set[pathlib.Path]:
    """A source file and every `sim` module it imports, directly or through others."""
    files: set[pathlib.Path] = set()
    waiting = {path}
    while waiting:
        file = waiting.pop()
        files.add(file)
        waiting |= _imports(file) - files
    return files


@functools.cache
def source_hash(path: pathlib.Path) -> str:
    """Hash of all that the compiled code of one source file depends on."""
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(sources(path)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def cache_folder(source: pathlib.Path) -> pathlib.Path:
    """Folder that keeps the compiled code of one source file, as its text and that of its imports is now."""
    return cache_root() / f"{source.stem}-{source_hash(source)}"


def prune() -> None:
    """Delete compiled code of older sources that nobody has used for a week."""
    limit = time.time() - 7 * 86400
    for folder in cache_root().iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir() and folder.stat().st_mtime < limit:
                shutil.rmtree(folder)


def rule(function: Callable[..., Any]) -> Any:
    """Compile a rule: no allocation, no Python objects, no reference counting, C's float division.

    Arguments are numbers, records (`units[slot]`) and C-contiguous arrays. Without reference counting the code is up to
    1.4 times faster; allocating inside a rule therefore fails to compile. The interpreter's lock is free while it runs.
    """
    return _compiled(function, forceinline=False)


def inlined(function: Callable[..., Any]) -> Any:
    """A rule whose code becomes part of its callers': for what is called for every unit in every loop. A call costs
    several words for each array handed over, which for small rules is more than the rule itself."""
    return _compiled(function, forceinline=True)


def bound(function: Any, *arguments: Any) -> Callable[[], Any]:
    """A rule with its arguments, to be called many times: their types are looked up here and not in each call, which
    for a bundle of some thirty arrays takes 10 microseconds."""
    signature = numba.none(*map(numba.typeof, arguments))
    return functools.partial(function.get_compile_result(signature).entry_point, *arguments)


def _compiled(function: Callable[..., Any], *, forceinline: bool) -> Any:
    source = pathlib.Path(function.__code__.co_filename).resolve()
    folder = cache_folder(source)
    with contextlib.suppress(OSError):
        os.utime(folder)  # still in use, see `prune`
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return numba.njit(_nrt=False, error_model="numpy", cache=True, nogil=True, forceinline=forceinline)(function)
    finally:
        numba.config.CACHE_DIR = before
