"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def contents(path: Path) -> bytes | None:
    """The bytes of a file; None where there is none that can be read, or no file can have such a name."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def write_whole(path: Path, data: str | bytes, *, executable: bool = False) -> None:
    """Writes beside the target and renames: a reader sees the old file or the new one. OSError where it cannot."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data.encode() if isinstance(data, str) else data)
        if executable:
            partial.chmod(0o755)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
