"""Numbers on command lines, each with the range it may have; for argparse."""

from __future__ import annotations

import argparse


def port(text: str) -> int:
    """A TCP port, 0 for any."""
    return _number(text, 0, 65535)


def positive(text: str) -> int:
    """A whole number of at least 1."""
    return _number(text, 1)


def _number(text: str, least: int, most: int = 2**63 - 1) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        limit = f"from {least} to {most}" if most < 2**32 else f"of at least {least}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limit}")
    return int(text)
