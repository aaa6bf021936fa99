"""`python -m sim watch GAME`: a saved game of this engine as one page that plays it in any browser.

`film.py` plays the game again and notes what is to be seen, `page.html` shows it.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from html import escape
from pathlib import Path

from sim.files import write_whole
from sim.server.playback import open_saved
from sim.watch.film import Film, film

TEMPLATE = Path(__file__).with_name("page.html")


class WatchError(ValueError):
    """A game that cannot be watched; the text is one line meant for the user."""


def run(game: Path, out: Path, every: int, recordings: Path | None) -> int:
    """The command: plays `game` again, a picture every `every` loops, and writes the page `out`. -> exit code.

    Raises:
        WatchError: the file is no saved game of this engine, its map is not here, or the page cannot be written.
    """
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise WatchError(f"--out {out}: is a folder, or in none")
    try:
        match = open_saved(game, recordings)
    except ValueError as error:
        raise WatchError(str(error)) from None
    record = film(match, every, _bar if sys.stderr.isatty() else lambda loop, end: None)
    text = page(record)
    try:
        write_whole(out, text)
    except OSError as error:
        raise WatchError(f"{out}: {error.strerror}") from None
    minutes, seconds = divmod(int(record["loops"] / 22.4), 60)
    print(f"{out}: {record['title']}, {minutes}:{seconds:02d}, {len(text) / 1e6:.1f} MB; open it in a browser")
    return 0


def page(record: Film) -> str:
    """The page: the template with the packed record inside, nothing is loaded from elsewhere."""
    data = gzip.compress(json.dumps(record, separators=(",", ":")).encode(), mtime=0)
    head, foot = TEMPLATE.read_text(encoding="utf-8").split("DATA")
    return head.replace("TITLE", escape(record["title"])) + base64.b64encode(data).decode() + foot


def _bar(loop: int, end: int) -> None:
    """One line that counts up."""
    print(f"\r  playing the game again: {loop / max(end, 1):4.0%}", end="" if loop < end else "\n", file=sys.stderr)
