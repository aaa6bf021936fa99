"""A game as what a spectator sees of it: where everybody was, who shot at whom, and each player's economy."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.computer.levels import level
from sim.engine import state
from sim.maps.preview import picture, png
from sim.melee.score import values
from sim.server import engine

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.server.match import Match

Film = dict[str, Any]
"""What `page.html` reads; see `film`."""
Seen = tuple[tuple[int, int, int], int, tuple[int, ...]]
"""A unit in the last frame: its generation, type and owner, its track, its sample."""
RACES = {1: "Terran", 2: "Zerg", 3: "Protoss"}
RESULTS = {0: "undecided", 1: "won", 2: "lost", 3: "tie"}
SERIES_EVERY = 112  # loops between two entries of the players' figures: 5 seconds
MAP_SCALE = 4  # pixels a cell of the ground's picture
HIDDEN, UNFINISHED, FLYING, IMAGE = 1, 2, 4, 8  # bits of a sample
SHOWN = {
    state.CLOAKED | state.BURROWED: HIDDEN,
    state.UNFINISHED: UNFINISHED,
    state.FLYING: FLYING,
    state.HALLUCINATION: IMAGE,
}


@dataclass(slots=True)
class Track:
    """A unit of one type and owner, from the frame in which it is first seen to that in which it is not any more."""

    owner: int
    kind: int
    samples: list[int] = field(
        default_factory=list
    )  # frame, x, y (tenths of a cell), life (%), bits; where they change
    end: int = -1


def film(match: Match, every: int, progress: Callable[[int, int], None]) -> Film:
    """Plays a match to its end and notes a frame every `every` loops.

    Returns:
        title, loops, every, width, height (cells), area (what can be played on: x0, y0, x1, y1), ground (a PNG),
        players (name, race, result), kinds (name, radius, structure), units [owner, kind, samples, last frame or -1],
        shots [frame: from, to, from, to ... as indices of units], figures (loops and, by player, minerals, gas, supply,
        room for supply, workers, and the values of army and losses), news [loop, player, text].
    """
    game = match.game
    assert game is not None
    assert match.playback is not None
    camera, figures = _Camera(game), _Figures(game, len(match.settings.players))
    camera.look()
    figures.note()
    while not match.over:
        engine.play_loop(match)
        if game.loop % every == 0:
            camera.look()
        if game.loop % SERIES_EVERY == 0:
            figures.note()
            progress(game.loop, match.playback.end)
    camera.look()
    figures.note()
    progress(match.playback.end, match.playback.end)
    terrain = match.settings.terrain
    sides = [
        {
            "name": _name(match, number),
            "race": RACES.get(match.races[number], "?"),
            "result": RESULTS[game.result(number)],
        }
        for number in range(1, len(match.settings.players) + 1)
    ]
    return {
        "title": f"{terrain.title}: " + " v ".join(f"{side['name']} ({side['race']})" for side in sides),
        "loops": game.loop,
        "every": every,
        "width": terrain.width,
        "height": terrain.height,
        "area": terrain.playable,
        "ground": base64.b64encode(png(picture(replace(terrain, neutrals=()), MAP_SCALE))).decode(),
        "players": sides,
        "kinds": camera.kinds,
        "units": [[track.owner, track.kind, track.samples, track.end] for track in camera.tracks],
        "shots": camera.shots,
        "figures": figures.rows,
        "news": figures.news,
    }


def _name(match: Match, number: int) -> str:
    """What a player is called: by itself, by its difficulty, or by its number."""
    player = match.settings.players[number - 1]
    if player.computer:
        return f"Computer {level(player.difficulty).name}"
    return match.names[number] or f"Player {number}"


class _Camera:
    """Follows all units of a game: a track each, a sample where something changed."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._current: dict[int, Seen] = {}  # by slot
        self._cooldown = np.zeros_like(game.units["cooldown"])
        self._kind_of: dict[int, int] = {}
        self.kinds: list[dict[str, Any]] = []
        self.tracks: list[Track] = []
        self.shots: list[list[int]] = []

    def look(self) -> None:
        """Notes one frame."""
        game, frame = self._game, len(self.shots)
        units = game.units[: int(game.world[0]["slots"])]
        seen = np.flatnonzero((units["alive"] == 1) & (units["flags"] & state.INSIDE == 0))
        now: dict[int, Seen] = {}
        for slot, sample in zip(seen.tolist(), self._samples(units[seen]), strict=True):
            unit = units[slot]
            identity = int(unit["generation"]), int(unit["type"]), int(unit["owner"])
            known = self._current.get(slot)
            if known is None or known[0] != identity:
                self.tracks.append(Track(int(unit["owner"]), self._kind(int(unit["type"]))))
                known = (identity, len(self.tracks) - 1, ())
            if known[2] != sample:
                self.tracks[known[1]].samples += (frame, *sample)
            now[slot] = (identity, known[1], sample)
        for slot, (identity, track, _) in self._current.items():
            if slot not in now or now[slot][0] != identity:
                self.tracks[track].end = frame
        self._current = now
        self.shots.append(self._shots(units, seen))

    def _samples(self, units: np.ndarray) -> list[tuple[int, ...]]:
        """(x, y, life and shields, bits) of each."""
        whole = np.maximum(units["hp_max"] + units["shield_max"], 1)
        life = np.ceil(100 * (units["hp"] + units["shield"]) / whole)
        bits = np.zeros(len(units), int)
        for flags, bit in SHOWN.items():
            bits |= np.where(units["flags"] & flags, bit, 0)
        columns = np.stack([np.round(10 * units["x"]), np.round(10 * units["y"]), life, bits], axis=1)
        return [tuple(row) for row in columns.astype(int).tolist()]

    def _shots(self, units: np.ndarray, seen: np.ndarray) -> list[int]:
        """Who fired since the last frame (a weapon's cooldown has grown), each with its target, as tracks."""
        cooldown = units["cooldown"]
        fired = seen[(cooldown[seen] > self._cooldown[seen]).any(axis=1)]
        self._cooldown[: len(units)] = cooldown
        pairs = []
        for slot in fired.tolist():
            target = self._current.get(int(units[slot]["target"]))
            if target is not None:
                pairs += [self._current[slot][1], target[1]]
        return pairs

    def _kind(self, type_id: int) -> int:
        if type_id not in self._kind_of:
            self._kind_of[type_id] = len(self.kinds)
            facts = self._game.facts
            row = facts.types[type_id]
            name, structure = facts.names[type_id], int(row["structure"])
            self.kinds.append({"name": name, "radius": round(float(row["radius"]), 2), "structure": structure})
        return self._kind_of[type_id]


class _Figures:
    """The players' economy as a table over time, the structures they began and the upgrades they finished."""

    def __init__(self, game: Game, players: int) -> None:
        self._game, self._players = game, range(1, players + 1)
        self._value = values(game.patch).sum(axis=1)  # [type, category], minerals and gas
        self._upgrades = {player: game.players[player]["upgrades"].copy() for player in self._players}
        self._structures: dict[int, set[int]] = {player: set() for player in self._players}
        self.rows: list[list[Any]] = []
        self.news: list[tuple[int, int, str]] = []

    def note(self) -> None:
        """One entry for each player."""
        self.rows.append([self._game.loop, *(self._figures(player) for player in self._players)])
        for player in self._players:
            self._tell(player)

    def _figures(self, player: int) -> list[int]:
        game = self._game
        record, lost = game.players[player], game.scores[player].lost_value["army"]
        own = np.array(game.owned(player), int)
        own = own[game.units["flags"][own] & (state.HALLUCINATION | state.UNFINISHED) == 0]
        types = game.units["type"][own]
        workers = int(game.types[player]["worker"][types].sum())
        army = float(self._value[types, 0].sum())
        bank = record["minerals"], record["gas"], record["supply_used"], record["supply_cap"]
        return [*(int(value) for value in bank), workers, round(army), round(sum(lost))]

    def _tell(self, player: int) -> None:
        """Structures that are new and upgrades that are done since the last time."""
        game = self._game
        units, types = game.units, game.types[player]
        standing = {slot for slot in game.owned(player) if types["structure"][units[slot]["type"]]}
        tags = {game.tag(slot): game.facts.names[int(units[slot]["type"])] for slot in standing}
        if game.loop:
            for tag in tags.keys() - self._structures[player]:
                self.news.append((game.loop, player, tags[tag]))
            for number in np.flatnonzero(game.players[player]["upgrades"] > self._upgrades[player]).tolist():
                self.news.append((game.loop, player, f"{game.facts.upgrades[number].name} done"))
        self._structures[player] = set(tags)
        self._upgrades[player] = game.players[player]["upgrades"].copy()
