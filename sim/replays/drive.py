"""Plays a real game's commands on the engine and writes down what happened."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sim.maps import Terrain
from sim.melee.game import Game, PlayerSetup
from sim.melee.records import Race
from sim.replays.binding import Binding
from sim.replays.contact import killed
from sim.replays.issuer import Drift
from sim.replays.prompter import Known, Prompter
from sim.replays.reader import PLAYERS, RealEvent, RealGame, ReplayError

RACES = {"Terran": Race.TERRAN, "Zerg": Race.ZERG, "Protoss": Race.PROTOSS}
SAMPLE = 160  # loops between two statistics of a replay
PATIENCE = 96  # loops for which a refused command is given again, so that small delays do not add up
UNKNOWN = Known()


class Sample(NamedTuple):
    """One player's books at one loop; minerals and gas are all that was ever gathered."""

    minerals: float
    gas: float
    supply_used: float
    supply_made: float
    counts: dict[str, int]  # finished and unfinished units by type name


@dataclass(slots=True)
class Trace:
    """What the engine did with one game; verdicts, held and drifts as in `prompter.Told`.

    happened: (kind of event, key) -> loop; changed: key -> (loop, new type); extra: what no real event stands for
    aside: keys of structures that stand on other cells
    errors: (loop, key, ability, ActionResult) of orders that failed later
    killed: loop -> value of what either player has killed by then, at the loops asked for
    """

    until: int
    sides: tuple[int, ...]
    verdicts: list[int] = field(default_factory=list)
    samples: dict[int, dict[int, Sample]] = field(default_factory=dict)  # player -> loop -> Sample
    drifts: list[Drift] = field(default_factory=list)
    happened: dict[tuple[str, int], int] = field(default_factory=dict)
    changed: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    extra: list[tuple[int, str, int, float, float]] = field(default_factory=list)
    aside: set[int] = field(default_factory=set)
    upgrades: dict[tuple[int, str], int] = field(default_factory=dict)  # (player, name) -> loop
    held: dict[int, int] = field(default_factory=dict)
    errors: list[tuple[int, int, int, int]] = field(default_factory=list)
    killed: dict[int, tuple[float, float]] = field(default_factory=dict)


def check_starts(real: RealGame) -> None:
    """Raises ReplayError where a player has no race that is known, or no town hall at the start."""
    halls = {event.player for event in real.events if event.loop == 0 and _is_hall(event.type)}
    for player in PLAYERS:
        if real.races.get(player) not in RACES or player not in halls:
            raise ReplayError(f"player {player} has no town hall at the start, or no known race")


def new_game(real: RealGame, terrain: Terrain, seed: int = 1) -> Game:
    """The game at loop 0 with each player at its real start."""
    halls = {event.player: event for event in real.events if event.loop == 0 and event.player and _is_hall(event.type)}
    setups = []
    for player in (1, 2):
        at = halls[player]
        start = min(
            range(len(terrain.starts)),
            key=lambda n: abs(terrain.starts[n][0] - at.x) + abs(terrain.starts[n][1] - at.y),
        )
        setups.append(PlayerSetup(RACES[real.races[player]], start=start))
    return Game(terrain, setups, seed=seed, patch=real.patch)


def _is_hall(name: str) -> bool:
    return name in ("CommandCenter", "Hatchery", "Nexus")


def play(
    real: RealGame,
    terrain: Terrain,
    until: int,
    known: Known = UNKNOWN,
    patience: int = PATIENCE,
    progress: Callable[[int], None] = lambda loop: None,
    seed: int = 1,
    marks: Collection[int] = (),
) -> Trace:
    """Plays up to loop `until`; `progress` is called with the loop once every SAMPLE loops. What is known of how the
    real game took the commands, and how long ours are given again, see `Prompter`; at the loops `marks` what has been
    killed is booked."""
    game = new_game(real, terrain, seed)
    binding = Binding(game, real, real.sides)
    prompter = Prompter(game, real, binding, known, patience)
    trace = Trace(until, real.sides, samples={player: {} for player in real.sides})
    struck = deque(e for e in real.events if e.kind == "X" and e.killer in PLAYERS and e.killer not in real.sides)
    while game.loop < until and not game.ended:
        touched = prompter.prompt()
        game.step()
        _strike(game, binding, struck)
        binding.update(touched)
        prompter.update()
        _listen(game, binding, trace)
        if game.loop in marks:
            trace.killed[game.loop] = killed(game)
        if game.loop % SAMPLE == 0:
            for player in real.sides:
                trace.samples[player][game.loop] = sample(game, player)
            progress(game.loop)
    trace.killed |= {loop: killed(game) for loop in marks if loop > game.loop}  # one of the players is beaten
    told = prompter.told
    trace.verdicts, trace.held, trace.drifts = told.verdicts, told.held, told.drifts
    trace.happened, trace.changed, trace.extra = binding.happened, dict(binding.changed), binding.extra
    trace.aside = binding.aside
    return trace


def _strike(game: Game, binding: Binding, struck: deque[RealEvent]) -> None:
    """Kills what a player whom nobody plays here killed by now: his units stand still."""
    while struck and struck[0].loop <= game.loop:
        slot = binding.slot(struck.popleft().key)
        if slot >= 0 and game.units["owner"][slot] in binding.sides:
            game.kill(slot)


def _listen(game: Game, binding: Binding, trace: Trace) -> None:
    """Notes orders that failed late, and finished upgrades."""
    for player in trace.sides:
        for error in game.events(player).errors:
            slot = game.slot(error.tag)
            trace.errors.append((game.loop, binding.slots.get(slot, -1), error.ability, error.result))
        for upgrade in np.flatnonzero(game.players[player]["upgrades"]):
            found = game.facts.upgrades.get(int(upgrade))
            if found is not None:
                trace.upgrades.setdefault((player, found.name), game.loop)


def sample(game: Game, player: int) -> Sample:
    """The player's books now."""
    record = game.players[player]
    units = game.units[: int(game.world[0]["slots"])]
    own = (units["alive"] == 1) & (units["owner"] == player)
    ids, numbers = np.unique(units["type"][own], return_counts=True)
    counts = {game.facts.names[int(i)]: int(n) for i, n in zip(ids, numbers, strict=True)}
    return Sample(
        float(record["minerals_gathered"]),
        float(record["gas_gathered"]),
        float(record["supply_used"]),
        float(record["supply_cap"]),
        counts,
    )
