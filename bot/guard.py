"""Fault isolation: a broken part is logged once and skipped, the rest of the bot plays on.

On the ladder an exception that leaves the bot loses the game, so every stage, sub-manager and event handler runs
through a `Guard`.
"""

from __future__ import annotations

import inspect
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from loguru import logger

T = TypeVar("T")


class Guard:
    """Runs calls, counts their failures in `errors` (site -> times) and logs each distinct site once.

    A site is the label of the call and the file and line that raised: the same fault in each of 10,000 steps is one
    traceback in the log and one growing count in the report.
    """

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()

    def call(self, label: str, function: Callable[..., T], *args: Any, default: T) -> T:
        """`function(*args)`, or `default` if it raises."""
        try:
            return function(*args)
        except Exception as error:
            self.report(label, error)
            return default

    async def wait(self, label: str, function: Callable[..., T | Awaitable[T]], *args: Any, default: T) -> T:
        """The same for a function that may be a coroutine."""
        try:
            value = function(*args)
            return await value if inspect.isawaitable(value) else value
        except Exception as error:
            self.report(label, error)
            return default

    def report(self, label: str, error: Exception) -> None:
        """Count a fault, and log its traceback if its site is new."""
        frames = traceback.extract_tb(error.__traceback__)
        where = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
        site = f"{label}: {type(error).__name__} at {where}"
        self.errors[site] += 1
        if self.errors[site] == 1:
            logger.opt(exception=error).error("{} failed ({}); the rest of the bot plays on", label, error)
