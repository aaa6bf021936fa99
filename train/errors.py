"""What a user can do wrong."""

from __future__ import annotations


class TrainError(Exception):
    """A user's mistake, told in one line: what was wrong, where, what is allowed. Exit status 2, no traceback."""
