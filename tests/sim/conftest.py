"""Facts and ground as tests of the engine want them."""

from __future__ import annotations

import pytest

from sim import maps
from sim.facts import Facts, load


@pytest.fixture(params=["5.0.14", "4.10.0"])
def facts(request: pytest.FixtureRequest) -> Facts:
    """Of each patch in turn."""
    return load(request.param)


@pytest.fixture
def newest() -> Facts:
    """Of the patch that the ladder plays."""
    return load("5.0.14")


@pytest.fixture(scope="session")
def terrain() -> maps.Terrain:
    """The first shipped map."""
    return maps.load(maps.names()[0])
