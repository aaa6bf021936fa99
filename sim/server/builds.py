"""Builds of the game that a client may ask for by name: `builds.csv`, as the protocol's list of versions has them."""

from __future__ import annotations

import csv
import pathlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Build:
    """label and data_version are what a ping of that build answers."""

    base: int
    label: str
    data_version: str
    build: int


def _read() -> tuple[Build, ...]:
    with (pathlib.Path(__file__).parent / "builds.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Build(int(row["base"]), row["label"], row["data_version"], int(row["version"]))
            for row in csv.DictReader(file)
        )


BUILDS = _read()  # from 3.16.1 on: clients refuse anything older
BASES = tuple(sorted({build.base for build in BUILDS}))


def find(base: int, data_version: str = "") -> Build:
    """The build started from folder Base<base>, told apart by the data version where several share a folder."""
    same_base = [build for build in BUILDS if build.base == base] or [BUILDS[-1]]
    return next((build for build in same_base if build.data_version.upper() == data_version.upper()), same_base[-1])
