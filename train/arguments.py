"""What commands share of their arguments: numbers, and files to write."""

from __future__ import annotations

import argparse
import math
import os
import pathlib

from bot.report import write_atomically
from train.errors import TrainError


def duration(text: str) -> float:
    """Seconds above 0, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def finite(text: str) -> float:
    """Any number but infinities and what is none, for argparse."""
    value = float(text)  # argparse names the text that is no number
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is no finite number")
    return value


def folder(path: pathlib.Path) -> pathlib.Path:
    """The folder, made where it is not there. Raises TrainError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrainError(f"{path}: {error.strerror or error}") from None
    if not os.access(path, os.W_OK):
        raise TrainError(f"{path}: not writable")
    return path


def check_writable(*paths: pathlib.Path | None) -> None:
    """Says before the work, not after it, that a file cannot be written. Raises TrainError."""
    for path in paths:
        if path is None:
            continue
        folder(path.absolute().parent)
        if path.is_dir():
            raise TrainError(f"{path}: is a folder")


def write(path: pathlib.Path, text: str) -> None:
    """Write a text file, complete or not at all. Raises TrainError."""
    try:
        write_atomically(path, text)
    except OSError as error:
        raise TrainError(f"{path}: {error.strerror or error}") from None
