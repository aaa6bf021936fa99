"""Keeps freed memory for the arrays of the next step: handing it back and getting it anew costs as much as the work.

Only glibc knows how; elsewhere nothing happens.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD, MMAP_MAX = -1, -2, -3, -4  # glibc's numbers for `mallopt`
KEPT = 1 << 28  # bytes


def keep_freed() -> None:
    """Up to `KEPT` freed bytes stay, and nothing smaller is mapped apart. Tables of 128 battles take half as long to
    fill."""
    _ask({TRIM_THRESHOLD: KEPT, MMAP_THRESHOLD: KEPT})


def keep_all_freed() -> None:
    """The memory of large tensors stays for the next ones too: to clear it anew each time is a third of an update."""
    _ask({MMAP_MAX: 0, TRIM_THRESHOLD: 2**31 - 1, TOP_PAD: KEPT})


def _ask(options: dict[int, int]) -> None:
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for option, value in options.items():
            library.mallopt(option, value)
