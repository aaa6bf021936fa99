"""What command lines share: numbers, each with the range it may have, and examples in the help; for argparse."""

from __future__ import annotations

import argparse
from typing import Any


def port(text: str) -> int:
    """A TCP port, 0 for any."""
    return _number(text, 0, 65535)


def natural(text: str) -> int:
    """A whole number of at least 0."""
    return _number(text, 0)


def positive(text: str) -> int:
    """A whole number of at least 1."""
    return _number(text, 1)


def examples(*lines: str) -> dict[str, Any]:
    """Arguments of a parser whose help ends in examples: a command a line, a comment after `#`."""
    if not lines:
        return {}
    text = "\n".join(f"  {line}" for line in lines)
    return {
        "epilog": f"example{'s' if len(lines) > 1 else ''}:\n{text}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def _number(text: str, least: int, most: int = 2**63 - 1) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        limit = f"from {least} to {most}" if most < 2**32 else f"of at least {least}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limit}")
    return int(text)
