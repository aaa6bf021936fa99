"""`python -m sim resim`: real games again on the engine, and how far it is from them."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sim.arguments import examples, positive
from sim.facts import Facts
from sim.facts import load as load_facts
from sim.maps import MapError
from sim.replays.again import Again, Grounds, again, by_loop
from sim.replays.answers import SMART
from sim.replays.contact import Contact, really_killed, report
from sim.replays.drive import PATIENCE, Trace
from sim.replays.effects import Effects
from sim.replays.metrics import Values, real_gathered, refusals
from sim.replays.reader import RealGame, ReplayError, read_games, read_heads
from sim.replays.table import reasons, table


def choose(
    heads: list[dict[str, Any]], recorded: Collection[str], options: argparse.Namespace
) -> tuple[list[str], str]:
    """-> (ids of the games to play, a line about those left out)."""
    if options.game:
        return [head["id"] for head in heads if head["id"] in options.game], ""
    heads = [head for head in heads if options.set in (None, head["set"])]
    mapped = [head for head in heads if (head["terrain"] in recorded) != options.flat]
    left = f"{len(heads) - len(mapped)} {'with' if options.flat else 'without'} a recording of the map"
    text = f"{len(mapped)} games; left out: {left}"
    if options.games and options.games < len(mapped):  # spread over the file, so that all kinds come up
        step = len(mapped) / options.games
        mapped = [mapped[int(n * step)] for n in range(options.games)]
        text += f"; {len(mapped)} chosen"
    return [head["id"] for head in mapped], text


def describe(real: RealGame, trace: Trace, known: Effects) -> None:
    """Prints one game in detail: refused commands, books, starts and births that are off."""
    facts = load_facts(real.patch)
    print(f"refused or failed commands of {real.id}:")
    for index, (command, verdict) in enumerate(zip(real.commands, trace.verdicts, strict=False)):
        if verdict != 1 and command.player in trace.sides:
            ability = facts.abilities.get(command.ability)
            mark = "had an effect" if index in known.commands else ""
            why = "no counterpart" if verdict == 0 else f"result {int(verdict)}"
            place = f"({command.x:g}, {command.y:g})" if command.has_point else f"unit {command.target}"
            print(
                f"  {command.loop:6} {ability.name if ability else command.ability:<28} {place:<18} "
                f"of {command.units[0]} {why} {mark}"
            )
    for loop, key, ability, result in trace.errors:
        name = facts.abilities[ability].name if ability in facts.abilities else ability
        print(f"  {loop:6} failed late: {name} of {key}: result {result}")
    for player in trace.sides:
        print(f"player {player}: loop, minerals ours/real, gas ours/real, supply used, made")
        truth, stats = real_gathered(real, known, player), dict(real.stats[player])
        for loop, ours in trace.samples[player].items():
            if loop in truth:
                true = truth[loop]
                food = stats[loop].get("FoodUsed", 0), stats[loop].get("FoodMade", 0)
                print(
                    f"  {loop:6} {ours.minerals:6.0f} {true[0]:6.0f} {ours.gas:6.0f} {true[1]:6.0f} "
                    f"{ours.supply_used:5.1f} {food[0]:5.1f} {ours.supply_made:5.0f} {food[1]:5.0f}"
                )
        print("  real loop, ours: structures started, units born, types changed")
        for event in real.events:
            if 0 < event.loop <= trace.until and event.player == player and event.kind in "IB":
                ours_at = trace.happened.get((event.kind, event.key))
                idle = "idle producer" if event.key in known.idle else ""
                what = f"{event.kind} {event.type} ({event.x}, {event.y}) {event.key}"
                print(f"  {event.loop:6} {ours_at!s:>6} {what} {idle}")
        for extra in trace.extra:
            print(f"  without counterpart: {extra}")


def strangers(real: RealGame, facts: Facts) -> list[str]:
    """A line for each sort of what the facts of its patch do not know: it is played without."""
    abilities = Counter(c.ability for c in real.commands if c.ability not in facts.abilities and c.ability != SMART)
    types = Counter(e.type for e in real.events if e.kind in "BIT" and e.player and e.type not in facts.ids)
    found = []
    for what, counts in (("abilities", abilities), ("types of units", types)):
        if counts:
            named = ", ".join(f"{name} ({count})" for name, count in counts.most_common(5))
            found.append(f"{what} that {real.patch} does not know: {named}{', …' if len(counts) > 5 else ''}")
    return found


def run(options: argparse.Namespace) -> int:
    """Plays the chosen games and prints the tables. -> exit code."""
    replays, grounds = options.data / "replays", Grounds(options.data / "recordings", options.flat)
    heads = read_heads(replays)
    ids, text = choose(heads, grounds.recorded, options)
    if not ids:
        sets = ", ".join(sorted({head["set"] for head in heads}))
        raise ReplayError("no such game" if options.game else f"no game to play; there are sets {sets}")
    print(text or f"{len(ids)} games", flush=True)
    figures: dict[str, dict[str, list[Values]]] = defaultdict(lambda: defaultdict(list))
    refused: dict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
    contacts: list[Contact] = []
    left_out: list[str] = []
    for number, real in enumerate(read_games(replays, set(ids), left_out), 1):
        try:
            terrain = grounds.of(real)
        except ValueError as error:
            left_out.append(f"{real.id}: {error}")
            continue
        for line in strangers(real, load_facts(real.patch)):
            print(f"  {real.id}: {line}")
        label = f"  {number}/{len(ids)} {real.id} {terrain.name}"
        progress = partial(_progress, label)
        played = again(real, terrain, options.until, options.past or 0, options.patience, options.seed, progress)
        print(f"{label}: {played.last} loops, {played.last / played.seconds:.0f} a second", flush=True)
        if options.verbose:
            describe(real, played.trace, played.known)
        for player in played.trace.sides:
            title = played.title(player)
            refused[title] += refusals(real, played.trace, played.known, player, played.until)
            for prefix, values in played.figures(player, (options.until,) if options.until else ()).items():
                figures[title][prefix].append(values)
        if played.fought:
            contacts.append(contact(played))
    for title, columns in figures.items():
        print()
        print(table(title, {name: columns[name] for name in sorted(columns, key=by_loop)}))
        print(reasons(title, refused[title]))
    if contacts:
        print()
        print(report(contacts))
    for line in left_out:
        print(f"python -m sim resim: left out: {line}", file=sys.stderr)
    return 2 if left_out else 0


def contact(played: Again) -> Contact:
    """What each side killed after the first fight."""
    before, after = played.trace.killed[played.until], played.trace.killed[played.last]
    ours = (after[0] - before[0], after[1] - before[1])
    return Contact(played.real.id, ours, really_killed(played.real, played.until, played.last))


def _progress(label: str, loop: int, last: int) -> None:
    """A line on a terminal that the next one overwrites."""
    if sys.stderr.isatty():
        print(f"\r{label} loop {loop} of {last}   ", end="\r", file=sys.stderr, flush=True)


def main(argv: Sequence[str]) -> int:
    """Command line. -> exit code; 2 with one line for a user's mistake."""
    parser = argparse.ArgumentParser(
        prog="python -m sim resim",
        description="Play real games again on the engine.",
        **examples(
            "python -m sim resim --set AIE-ladder --games 3 --until 1600   # three ladder games to loop 1600",
            "python -m sim resim --games 1 --verbose   # one game, every difference",
            "python -m sim resim --set AIE-ladder --past 1000   # and what was killed after the first contact",
            "python -m sim resim --set AIE-ladder --flat   # the games of maps that nobody has recorded",
        ),
    )
    parser.add_argument("--data", type=Path, default=Path("../shared"), help="holds replays/ and recordings/")
    parser.add_argument("--games", type=positive, metavar="N", help="play N, spread over the file (default: all)")
    parser.add_argument("--set", metavar="NAME", help="only games of this set (LE-ai, AIE-ladder, LE-agents, …)")
    parser.add_argument("--until", type=positive, metavar="LOOP", help="stop there (default: at the first fight)")
    parser.add_argument(
        "--past",
        type=positive,
        metavar="LOOPS",
        help="play on for so many loops after the first fight and compare what each side killed (both need commands)",
    )
    parser.add_argument("--seed", type=positive, default=1, help="chance of ours, to see how far fights vary by it")
    parser.add_argument(
        "--flat",
        action="store_true",
        help="play the games whose map is not recorded, on flat ground with the resources of that map: walks over "
        "cliffs and ramps, and creep, are not as in the real game",
    )
    parser.add_argument("--game", action="append", metavar="ID", help="this game; may be repeated")
    parser.add_argument(
        "--patience",
        type=positive,
        default=PATIENCE,
        metavar="LOOPS",
        help="give a refused command that the real game carried out again for so many loops (default: %(default)s)",
    )
    parser.add_argument("--verbose", action="store_true", help="print each game in detail")
    options = parser.parse_args(argv)
    try:
        return run(options)
    except (ReplayError, MapError) as error:
        print(f"python -m sim resim: {error}", file=sys.stderr)
        return 2
