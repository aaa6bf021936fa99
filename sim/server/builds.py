"""Builds of the game that a client may ask for by name, from the list the client library carries."""

from __future__ import annotations

from dataclasses import dataclass

from sc2.versions import VERSIONS

OLDEST = 55958  # 3.16.1: clients refuse anything older


@dataclass(frozen=True, slots=True)
class Build:
    """label and data_version are what a ping of that build answers."""

    base: int
    label: str
    data_version: str
    build: int


BUILDS = tuple(
    Build(row["base-version"], row["label"], row["data-hash"], row["version"])
    for row in VERSIONS
    if row["base-version"] >= OLDEST
)
BASES = tuple(sorted({build.base for build in BUILDS}))


def find(base: int, data_version: str = "") -> Build:
    """The build started from folder Base<base>, told apart by the data version where several share a folder."""
    same_base = [build for build in BUILDS if build.base == base] or [BUILDS[-1]]
    return next((build for build in same_base if build.data_version == data_version), same_base[-1])
