"""What past games against one opponent taught: one small JSON file per opponent, kept between ladder matches."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loguru import logger

from bot.report import write_atomically

MOST_GAMES = 60  # older games say little about a bot that its author keeps updating; also bounds the file
UNFINISHED = "Started"


@dataclass
class History:
    """Games against one opponent, oldest first: dicts of opening, map, result, loops."""

    path: Path | None = None
    games: list[dict[str, str | int]] = field(default_factory=list)

    def results(self, opening: str) -> tuple[int, int]:
        """(wins, games) with this opening; a game that never ended counts as lost: a crash must not look harmless."""
        played = [game for game in self.games if game.get("opening") == opening]
        return sum(game.get("result") == "Victory" for game in played), len(played)

    def choose(self, openings: Sequence[str]) -> str:
        """The opening with the best prospects: wins + 1 over games + 2, so that an untried one counts as even.

        The earlier of equals is taken; ValueError without any opening.
        """

        def prospects(opening: str) -> float:
            wins, games = self.results(opening)
            return (wins + 1) / (games + 2)

        return max(openings, key=prospects)

    def start(self, opening: str, map_name: str) -> None:
        """Notes that a game began, before anything can go wrong in it."""
        self.games = [*self.games, {"opening": opening, "map": map_name, "result": UNFINISHED, "loops": 0}][
            -MOST_GAMES:
        ]
        self.save()

    def finish(self, result: str, loops: int, opening: str = "") -> None:
        """Fills in the last started game; `opening` replaces the one noted at the start where the bot changed it."""
        if not self.games or self.games[-1].get("result") != UNFINISHED:
            return
        self.games[-1] |= {"result": result, "loops": loops}
        if opening:
            self.games[-1]["opening"] = opening
        self.save()

    def save(self) -> None:
        """Writes the file; a full or read-only disk is logged and does not disturb the game."""
        if self.path is None:
            return
        try:
            write_atomically(self.path, json.dumps({"games": self.games}, indent=1) + "\n")
        except OSError as error:
            logger.warning(f"history not saved: {error}")


def load(folder: Path, opponent: str | None) -> History:
    """The history against `opponent` (the ladder's stable id); an empty one where there is none or it is damaged."""
    if not opponent:
        return History()
    path = folder / f"{re.sub(r'[^0-9A-Za-z._-]', '_', opponent)[:80]}.json"
    try:
        games = json.loads(path.read_text(encoding="utf-8"))["games"]
        return History(path, [game for game in games if isinstance(game, dict)][-MOST_GAMES:])
    except FileNotFoundError:
        return History(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning(f"history {path.name} not readable, starting anew: {error}")
        return History(path)
