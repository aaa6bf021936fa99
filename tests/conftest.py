"""Fixtures that every test package shares."""

from __future__ import annotations

import os
import pathlib

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # tests run side by side: threads of one would only wait for each other

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    """The folder of real recordings and replays beside the checkout; tests that need it skip where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no ../shared: real recordings are not here")
    return folder
