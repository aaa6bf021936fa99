"""Runs one server process: logging, signals, the event loop."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable

from sim.server.config import Config
from sim.server.server import Server


def serve(config: Config, on_listening: Callable[[int], None] | None = None) -> int:
    """Serves until a client quits; -> exit code. `on_listening` gets the port once it is open.

    SIGINT and SIGTERM keep their default action: a client that ends its game process expects it gone within
    milliseconds, and nothing here needs a farewell.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    _log_to(config)
    try:
        return asyncio.run(_main(config, on_listening))
    except OSError as error:
        text = f"cannot listen on {config.host}:{config.port}: {error.strerror or error}"
        logging.getLogger("ironsight").error(text)
        print(text, file=sys.stderr)
        return 1


async def _main(config: Config, on_listening: Callable[[int], None] | None) -> int:
    server = Server(config)
    await server.listen()
    if on_listening is not None:
        on_listening(server.port)
    await server.run()
    return 0


def _log_to(config: Config) -> None:
    """A log file if one is wanted and can be written; never the console, whose output is the client's."""
    root = logging.getLogger("ironsight")
    root.propagate = False
    root.handlers[:] = [logging.NullHandler()]
    if config.log is None:
        return
    try:
        handler = logging.FileHandler(config.log, encoding="utf-8", delay=False)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
