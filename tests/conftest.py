"""Fixtures that every test package shares."""

from __future__ import annotations

import os
import pathlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType

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


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType], Callable[[], None]]:
    """Interrupts a module while it waits for its pool's jobs. What comes back is for the jobs to call: the first call
    brings the interrupt, and all return when the pool takes no more jobs."""

    def watch(module: ModuleType) -> Callable[[], None]:
        first, closed = threading.Event(), threading.Event()

        class Pool(ThreadPoolExecutor):
            def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
                super().shutdown(False, cancel_futures=cancel_futures)
                closed.set()
                super().shutdown(wait)

        def as_completed(jobs: object) -> Iterator[Future]:
            assert first.wait(60)
            raise KeyboardInterrupt

        def work() -> None:
            first.set()
            assert closed.wait(60)

        monkeypatch.setattr(module, "ThreadPoolExecutor", Pool)
        monkeypatch.setattr(module, "as_completed", as_completed)
        return work

    return watch
