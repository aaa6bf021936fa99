"""Memory between steps: freed memory stays for the next arrays, and the collector looks at objects more seldom.

Handing memory back and getting it anew costs as much as the work. Only glibc knows how to keep it; elsewhere that part
does nothing.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD, MMAP_MAX = -1, -2, -3, -4  # glibc's numbers for `mallopt`
KEPT = 1 << 28  # bytes
YOUNG = 20_000  # containers; Python's own number is 700


def keep_freed() -> None:
    """Up to `KEPT` freed bytes stay, and nothing smaller is mapped apart. Tables of 128 battles take half as long to
    fill."""
    _ask({TRIM_THRESHOLD: KEPT, MMAP_THRESHOLD: KEPT})


def keep_all_freed() -> None:
    """The memory of large tensors stays for the next ones too: to clear it anew each time is a third of an update."""
    _ask({MMAP_MAX: 0, TRIM_THRESHOLD: 2**31 - 1, TOP_PAD: KEPT})


def settle() -> None:
    """All objects of now stay for the whole game: a full collection over them takes 0.15 s. The young are collected
    after so many as a few steps make, instead of twice within a decision of micro."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)


def _ask(options: dict[int, int]) -> None:
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for option, value in options.items():
            library.mallopt(option, value)
