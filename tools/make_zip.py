"""Builds the ladder zip: run.py, ladderbots.json, bot/ and models/, and nothing else.

python -m tools.make_zip [FILE]      default: dist/Ironsight.zip. The same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import os
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTENTS = ("run.py", "ladderbots.json", "bot", "models")
LEFT_OUT = {"__pycache__", "tests", "teachers"}  # teachers train and do not play
LIMIT = 25 * 1024 * 1024  # half of what the ladder takes on its free tier
TIMESTAMP = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can hold; real times would make every build differ


def members(root: Path) -> list[Path]:
    """The files that belong into the zip, relative to `root`, sorted."""
    files = [path for name in CONTENTS for path in (root / name, *(root / name).rglob("*")) if path.is_file()]
    relative = [path.relative_to(root) for path in files]
    return sorted(
        path
        for path in relative
        if not LEFT_OUT & set(path.parts) and not any(part.startswith(".") for part in path.parts)
    )


def make_zip(root: Path, target: Path) -> int:
    """Writes the zip beside its place and renames it; returns its size in bytes. ValueError where it is too big."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in members(root):
                entry = zipfile.ZipInfo(path.as_posix(), TIMESTAMP)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = 3  # Unix, whatever this machine is
                entry.external_attr = 0o100644 << 16
                archive.writestr(entry, (root / path).read_bytes())
        size = unfinished.stat().st_size
        if size > LIMIT:
            raise ValueError(f"the zip has {size} bytes, the limit is {LIMIT}")
        os.replace(unfinished, target)
        return size
    finally:
        unfinished.unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_zip", description="Builds the ladder zip.")
    target = ROOT / "dist" / "Ironsight.zip"
    parser.add_argument("file", nargs="?", metavar="FILE", type=Path, default=target, help=f"default: {target}")
    target = parser.parse_args(arguments).file
    try:
        size = make_zip(ROOT, target)
    except (OSError, ValueError) as error:
        print(f"python -m tools.make_zip: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {size / 1024:.0f} KiB, {len(members(ROOT))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
