"""Numbers and lists that a person may tune, in TOML files with the reason beside each."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def load(name: str) -> dict[str, Any]:
    """The parsed file `bot/config/<name>.toml`. Callers must not change the result: it is shared.

    Raises ValueError, one line, for a file that is no TOML.
    """
    text = resources.files("bot.config").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"bot/config/{name}.toml: {error}") from None
