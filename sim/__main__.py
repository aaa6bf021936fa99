"""The command line of the engine: `python -m sim --help`."""

from __future__ import annotations

import sys
from pathlib import Path

if __package__ in (None, ""):  # started as a file, by an installation's executable
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from sim.cli import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
