"""Measures how far the engine's game is from the real one, per prefix of the game."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from sim.melee.records import Result
from sim.replays.drive import SAMPLE, Trace
from sim.replays.effects import Effects
from sim.replays.issuer import Drift
from sim.replays.reader import RealEvent, RealGame

GATHERED = ("{}Current", "{}UsedInProgress", "{}UsedCurrent", "{}Lost", "{}FriendlyFire")
SEEN_AGAIN, MOVED = 48, 0.3  # loops between two sightings, and cells in between, from which ways are compared
LEAST = 100  # resources below which a relative error says nothing
PASSING = ("Larva", "Egg", "MULE", "Broodling", "KD8Charge", "AutoTurret", "Cocoon")  # come and go: not counted
NOT_BY_DRONES = ("CreepTumor", "NydusCanal")  # what Zerg start otherwise
# Verdicts that a longer bank would have changed, and success.
RICH = (Result.SUCCESS, Result.NOT_ENOUGH_MINERALS, Result.NOT_ENOUGH_VESPENE)

RESULTS = {0: "no counterpart"} | {result: result.name.lower().replace("_", " ") for result in Result}

Values = dict[str, float]


def gathered(stats: Mapping[str, float], resource: str, start: float) -> float:
    """All of a resource that a real player has gathered, from one row of its statistics.

    Something cancelled is booked as friendly fire, and what it paid back as a negative loss; what own fire killed is
    friendly fire and no loss.
    """
    prefixes = tuple(name.format(resource) for name in GATHERED[1:])
    return sum(v for k, v in stats.items() if k == GATHERED[0].format(resource) or k.startswith(prefixes)) - start


def real_gathered(real: RealGame, facts: Effects, player: int) -> dict[int, tuple[float, float]]:
    """Minerals and gas gathered by loop; what was paid and is in no book is added."""
    found, start = {}, {}
    rows = [row for row in real.stats[player] if row[0] % SAMPLE == 0 and row[0]]
    first = real.stats[player][0][1] if real.stats[player] else {}
    start = gathered(first, "Minerals", 0), gathered(first, "Vespene", 0)
    for loop, stats in rows:
        paid = [w for w in facts.waiting if w[0] == player and w[1] < loop < w[2]]
        found[loop] = (
            gathered(stats, "Minerals", start[0]) + sum(w[3] for w in paid),
            gathered(stats, "Vespene", start[1]) + sum(w[4] for w in paid),
        )
    return found


def _spread(values: Iterable[float], name: str) -> Values:
    """Median and 90th percentile of absolute values, and the signed median."""
    array = np.array(list(values), float)
    if not len(array):
        return {}
    return {
        name: float(np.median(np.abs(array))),
        f"{name}, p90": float(np.percentile(np.abs(array), 90)),
        f"{name}, signed": float(np.median(array)),
    }


def measure(real: RealGame, trace: Trace, known: Effects, player: int, until: int) -> Values:
    """All figures of one side over the first `until` loops; what cannot be measured is left out."""
    values: Values = {}
    given = real.commands[: len(trace.verdicts)]
    orders = [n for n, command in enumerate(given) if command.player == player and command.loop < until]
    if orders:
        values["binding %"] = 100 * float(np.mean([trace.verdicts[n] != 0 or n in trace.held for n in orders]))
    made = [n for n in orders if n in known.commands and (trace.verdicts[n] or n in trace.held)]
    if made:
        values["refused at first, effective %"] = 100 * float(np.mean([trace.verdicts[n] != 1 for n in made]))
        values["the same, but for money, %"] = 100 * float(np.mean([trace.verdicts[n] not in RICH for n in made]))
        for_good = [trace.verdicts[n] != 1 and n not in trace.held for n in made]
        values["refused, effective %"] = 100 * float(np.mean(for_good))
    values |= _books(real, trace, known, player, until)
    events = [e for e in real.events if 0 < e.loop <= until]
    starts = [e for e in events if e.kind == "I" and e.player == player]
    if starts:
        hits = [e for e in starts if ("I", e.key) in trace.happened]
        values["structures at their place %"] = 100 * sum(e.key not in trace.aside for e in hits) / len(starts)
        values |= _spread((trace.happened["I", e.key] - e.loop for e in hits), "structure start, loops")
    born = [e for e in events if e.kind == "B" and e.player == player and ("B", e.key) in trace.happened]
    late = {e.key: trace.happened["B", e.key] - e.loop for e in born if e.creator >= 0}
    values |= _spread((d for key, d in late.items()), "birth, loops")
    values |= _spread((d for key, d in late.items() if key in known.idle), "birth of idle producers, loops")
    values |= _morphs(events, trace, player, real)
    drifts = [d.cells for d in trace.drifts if d.player == player and d.loop < until]
    values |= {k: v for k, v in _spread(drifts, "position, cells").items() if not k.endswith("signed")}
    values |= _ways([d for d in trace.drifts if d.player == player and d.loop < until])
    values |= _counts(real, trace, player, until)
    return values


def refusals(real: RealGame, trace: Trace, known: Effects, player: int, until: int) -> Counter[tuple[str, bool]]:
    """How often which ActionResult refused a command that the real game carried out in the first `until` loops: (its
    name, for good) -> count."""
    found: Counter[tuple[str, bool]] = Counter()
    for index, verdict in enumerate(trace.verdicts):
        command = real.commands[index]
        told = command.player == player and command.loop < until and index in known.commands
        if verdict == Result.SUCCESS or not told:
            continue
        name = RESULTS.get(verdict, f"result {int(verdict)}")
        found[name, index not in trace.held] += 1
    return found


def _books(real: RealGame, trace: Trace, known: Effects, player: int, until: int) -> Values:
    values: Values = {}
    truth = real_gathered(real, known, player)
    both = [loop for loop in truth if loop <= until and loop in trace.samples[player]]
    if not both:
        return values
    last = max(both)
    ours = trace.samples[player][last]
    for name, own, true in zip(("minerals", "gas"), ours[:2], truth[last], strict=True):
        if true >= LEAST:
            values[f"{name} gathered, %"] = 100 * abs(own - true) / true
            values[f"{name} gathered, %, signed"] = 100 * (own - true) / true
    stats = dict(real.stats[player])
    own = [trace.samples[player][loop] for loop in both]
    values["supply used"] = float(
        np.mean([abs(o.supply_used - stats[loop].get("FoodUsed", 0)) for o, loop in zip(own, both, strict=True)])
    )
    values["supply made"] = float(
        np.mean([abs(o.supply_made - stats[loop].get("FoodMade", 0)) for o, loop in zip(own, both, strict=True)])
    )
    return values


def _morphs(events: Iterable[RealEvent], trace: Trace, player: int, real: RealGame) -> Values:
    """Loops between real changes of type and the engine's nearest one to the same type."""
    off = []
    for event in events:
        if event.kind != "T" or event.type in PASSING or real.owners.get(event.key) != player:
            continue
        ours = [loop for loop, name in trace.changed.get(event.key, ()) if name == event.type]
        if ours:
            off.append(min((loop - event.loop for loop in ours), key=abs))
    return _spread(off, "change of type, loops")


def _ways(drifts: Iterable[Drift]) -> Values:
    """How far the ways are from each other that one unit of ours and the real one have gone between two sightings, if
    both have moved: wherever they started, and whereto, it shows their speed."""
    last: dict[int, Drift] = {}
    off = []
    for drift in drifts:
        before, last[drift.key] = last.get(drift.key), drift
        if before is None or not 1 < drift.loop - before.loop <= SEEN_AGAIN:
            continue
        ours, true = math.dist(before.ours, drift.ours), math.dist(before.real, drift.real)
        if min(ours, true) > MOVED:
            off.append(ours - true)
    return {k: v for k, v in _spread(off, "way between two sightings, cells").items() if not k.endswith("signed")}


def census(real: RealGame, player: int, loop: int) -> Counter[str]:
    """The player's units by type name at a loop, as tracked; a drone that has become a structure, which replays count
    until the structure is complete, is no unit any more."""
    types: dict[int, str] = {}
    drones: set[int] = set()  # structures that still hold their drone
    for event in real.events:
        if event.loop > loop:
            break
        if event.kind == "I" and event.player == player and real.races[player] == "Zerg":
            drones |= set() if event.type.startswith(NOT_BY_DRONES) else {event.key}
        elif event.kind in "DX":
            drones.discard(event.key)
        if (event.kind in "BI" and event.player == player) or (event.kind == "T" and event.key in types):
            types[event.key] = event.type
        elif event.kind == "X":
            types.pop(event.key, None)
    count = Counter(types.values())
    count["Drone"] -= len(drones)
    return count


def _counts(real: RealGame, trace: Trace, player: int, until: int) -> Values:
    loops = [loop for loop in trace.samples[player] if loop <= until]
    if not loops:
        return {}
    true, ours = census(real, player, max(loops)), trace.samples[player][max(loops)].counts
    names = {n for n in true.keys() | ours.keys() if not n.startswith(PASSING)}
    total = sum(true[name] for name in names)
    off = sum(abs(true[name] - ours.get(name, 0)) for name in names)
    return {"unit count, %": 100 * off / total} if total else {}
