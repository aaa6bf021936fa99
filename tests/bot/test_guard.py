"""Fault isolation: a broken part is counted and skipped, and its traceback is logged once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from loguru import logger

from bot.guard import Guard


@pytest.fixture
def log() -> Iterator[list[str]]:
    lines: list[str] = []
    handler = logger.add(lines.append, level="ERROR")
    yield lines
    logger.remove(handler)


def broken(_: int = 0) -> list[int]:
    raise ValueError("no")


async def broken_later() -> list[int]:
    raise KeyError("later")


def test_a_fault_yields_the_default_and_is_logged_once(log: list[str]) -> None:
    guard = Guard()
    for step in range(5):
        assert guard.call("workers", broken, step, default=[]) == []
    assert sum(guard.errors.values()) == 5
    assert len(guard.errors) == 1
    assert len(log) == 1
    assert "workers" in next(iter(guard.errors))
    assert "ValueError" in log[0]


def test_two_sites_are_two_entries(log: list[str]) -> None:
    guard = Guard()
    guard.call("a", broken, default=[])
    guard.call("b", broken, default=[])
    assert len(guard.errors) == 2
    assert len(log) == 2


def test_coroutines_are_guarded_too(log: list[str]) -> None:
    guard = Guard()
    assert asyncio.run(guard.wait("late", broken_later, default=[3])) == [3]
    assert asyncio.run(guard.wait("plain", lambda: [4], default=[])) == [4]
    assert sum(guard.errors.values()) == 1
    assert len(log) == 1
