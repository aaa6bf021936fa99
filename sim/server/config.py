"""Settings of one server process, from the command line a client starts StarCraft II with and from the environment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DEFAULT_PATCH = "5.0.14"
DEFAULT_BASE = 94137  # the build whose balance the default patch is
RECORDINGS, PATCH, LOG = "IRONSIGHT_RECORDINGS", "IRONSIGHT_PATCH", "IRONSIGHT_LOG"  # environment variables


@dataclass(frozen=True, slots=True)
class Config:
    """One server process.

    base and data_version say which build of the game to claim to be; data_dir is the installation with `Maps/`;
    idle_exit is the seconds without any connection after which the process ends by itself, None = never.
    """

    host: str = "127.0.0.1"
    port: int = 0
    base: int = DEFAULT_BASE
    data_version: str = ""
    data_dir: Path | None = None
    temp_dir: Path | None = None
    recordings: Path | None = None
    patch: str = DEFAULT_PATCH
    log: Path | None = None
    idle_exit: float | None = None


VALUES = {
    "-listen": "host",
    "-port": "port",
    "-dataDir": "data_dir",
    "-tempDir": "temp_dir",
    "-dataVersion": "data_version",
}


def from_game_arguments(arguments: Sequence[str], base: int, home: Path) -> Config:
    """The configuration behind a command line meant for StarCraft II; unknown arguments are ignored, as there.

    `home` is the installation, used where -dataDir is missing. ValueError (one line) for a port that is no number.
    """
    given: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        if word in VALUES:
            given[VALUES[word]] = next(words, "")
    try:
        port = int(given.get("port", "0"))
    except ValueError:
        raise ValueError(f"-port {given['port']!r} is not a number") from None
    temp_dir = Path(given["temp_dir"]) if given.get("temp_dir") else None
    return Config(
        host=given.get("host", "127.0.0.1") or "127.0.0.1",
        port=port,
        base=base,
        data_version=given.get("data_version", ""),
        data_dir=Path(given.get("data_dir") or home),
        temp_dir=temp_dir,
        recordings=environment_path(RECORDINGS),
        patch=os.environ.get(PATCH) or DEFAULT_PATCH,
        log=environment_path(LOG) or (temp_dir / "ironsight.log" if temp_dir else None),
        idle_exit=60.0,
    )


def environment_path(name: str) -> Path | None:
    """The path in an environment variable, None when it is unset or empty."""
    value = os.environ.get(name)
    return Path(value).expanduser() if value else None
