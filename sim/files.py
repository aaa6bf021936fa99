"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


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
