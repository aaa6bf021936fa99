"""What a person sees while a game plays: one live line, and a short table at the end."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from bot.report import Tally, army_value

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

REDRAW_SECONDS = 0.25  # a terminal's line: quick enough to look alive, too slow to cost anything
PLAIN_GAME_SECONDS = 60  # a log file's lines: one a minute of the game


def clock(seconds: float) -> str:
    """Game time as on the game's own clock: minutes and seconds."""
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


class StatusLine:
    """Redraws one line on a terminal, or prints a line now and then elsewhere."""

    def __init__(self, tally: Tally, stream: TextIO | None = None) -> None:
        self.tally = tally
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty()
        self.drawn = False
        self._next_wall = 0.0
        self._next_game = 0.0
        self._started = time.perf_counter()

    def update(self, ai: BotAI) -> None:
        """Shows the state of the game if it is time to; call once a step."""
        now = time.perf_counter()
        if self.live and now >= self._next_wall:
            self._next_wall = now + REDRAW_SECONDS
            self.stream.write(f"\r{self.text(ai)}\x1b[K")
            self.drawn = True
        elif not self.live and ai.time >= self._next_game:
            self._next_game = (ai.time // PLAIN_GAME_SECONDS + 1) * PLAIN_GAME_SECONDS
            self.stream.write(f"{self.text(ai)}\n")
        else:
            return
        self.stream.flush()

    def text(self, ai: BotAI) -> str:
        """The line's words, without control characters."""
        recent = self.tally.step_ms[-100:]
        step = sum(recent) / len(recent) if recent else 0.0
        pace = ai.time / max(time.perf_counter() - self._started, 1e-6)
        return (
            f"{clock(ai.time)}  supply {ai.supply_used:.0f}/{ai.supply_cap:.0f}  bank {ai.minerals}/{ai.vespene}  "
            f"army {army_value(ai):.0f}  enemy seen {self.tally.enemy_value():.0f}  step {step:.1f} ms  {pace:.0f}x"
        )

    def clear(self) -> None:
        """Takes the live line away, so that other output starts on a clean one."""
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.drawn = False


def table(report: dict[str, Any]) -> str:
    """The end of a game in a few lines, from the values of its report."""
    steps = report["step_ms"]
    army = ", ".join(f"{count} {name.lower()}" for name, count in most(report["units_built"], 6)) or "nothing"
    rows = [
        ("result", report["result"]),
        ("map", report["map"]),
        ("opponent", report["opponent"]),
        ("seed", report["seed"]),
        ("game time", f"{clock(report['game_seconds'])} ({report['game_loops']} loops)"),
        ("wall time", f"{report['wall_seconds']:.0f} s"),
        ("step", f"median {steps['median']} ms, p99 {steps['p99']} ms, max {steps['max']} ms"),
        ("built", army),
        ("lost / killed", f"{report['units_lost']} / {report['enemy_killed']}"),
        ("errors", len(report["errors"])),
    ]
    return "\n".join(f"  {name:<14} {value}" for name, value in rows)


def most(counts: dict[str, int], number: int) -> list[tuple[str, int]]:
    """The `number` largest entries, largest first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:number]
