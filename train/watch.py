"""`python -m train watch SCENARIO --policy ...`: one battle as a small page that plays it in any browser."""

from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

import numpy as np
import torch

from bot.micro.skills import VERBS
from sim.arguments import natural
from sim.engine import state
from train import arena, evaluate
from train.arguments import check_writable, write
from train.battles import Environment
from train.errors import TrainError
from train.measures import SECOND
from train.play import Learned, Player
from train.ppo.batch import tensors
from train.scenario import LOOPS

TEMPLATE = pathlib.Path(__file__).with_name("watch.html")
PLAIN = ("NOTHING", "STOP", "ATTACK", "ADVANCE", "HOME")  # and moves: too common for the list of casts
SHOWN = 6  # entities of an agent's attention that are kept
RESULT = {1: "won", -1: "lost", 0: "out of time"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a name (see `scenarios`) or a TOML file")
    parser.add_argument("--policy", default=evaluate.SCRIPTED, help="who plays our side, as for `evaluate`")
    parser.add_argument("--against", default="", help=f"the enemies: {', '.join(evaluate.BEHAVIOURS)}")
    parser.add_argument("--level", type=int, choices=(1, 2, 3), default=2, help="for scenarios that name none")
    parser.add_argument("--seed", type=natural, default=1, help="which fight is drawn (default %(default)s)")
    parser.add_argument("--out", type=pathlib.Path, help="the page to write (default: watch-SCENARIO.html)")


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.against and args.against not in evaluate.BEHAVIOURS:
        raise TrainError(f"--against {args.against}: known are {', '.join(evaluate.BEHAVIOURS)}")
    name = pathlib.Path(args.scenario).stem.replace("@", "-")
    out = args.out or pathlib.Path(f"watch-{name}.html")
    check_writable(out)
    torch.set_num_threads(1)
    scenarios = evaluate.chosen([args.scenario], args.level)
    if len(scenarios) != 1:
        raise TrainError(f"{args.scenario} stands for {len(scenarios)} scenarios: name one of them")
    if not args.against:
        arena.check_driven(scenarios)
    maker = evaluate.player_of(args.policy)
    scenario = evaluate.against(scenarios[0], args.against) if args.against else scenarios[0]
    player = maker(args.seed) if maker else None
    own, advised = "learned" if player else evaluate.SCRIPTED, player is not None and player.advised
    record = watch(Environment([scenario], 1, seed=args.seed, own=own, advised=advised), player)
    title = f"{scenario.name}: {pathlib.Path(args.policy).stem}, seed {args.seed}"
    write(out, page(record, title))
    steps = len(record["frames"])  # one is shown before each decision
    print(f"{out}: {record['result']} after {steps} decisions ({steps * LOOPS / SECOND:.0f} s); open it in a browser")
    return 0


def page(record: dict[str, Any], title: str) -> str:
    """The page: the template with its data inside, nothing is loaded from elsewhere."""
    data = json.dumps(record, separators=(",", ":")).replace("</", "<\\/")
    safe = title.replace("&", "&amp;").replace("<", "&lt;")
    return TEMPLATE.read_text(encoding="utf-8").replace("TITLE", safe).replace("DATA", data, 1)


def watch(environment: Environment, player: Player | None) -> dict[str, Any]:
    """Plays one battle of an environment of one and notes what is to be seen, decision by decision."""
    field = environment.fields[0]
    battles = field.battles
    facts, walk = battles.facts, battles.rows_of(0)["walk"]
    levels = battles.rows_of(0)["levels"].astype(int)
    low = int(levels[walk == 1].min()) if (walk == 1).any() else 0
    frames: list[dict[str, Any]] = []
    casts: list[tuple[int, str]] = []
    kinds: dict[int, int] = {}
    fresh, before, won = np.ones(1, bool), None, 0
    while True:
        units = battles.units[0].copy()
        frame: dict[str, Any] = {"units": _units(units, before, kinds), "verbs": {}}
        frames.append(frame)
        before = units
        view = environment.observe()
        if player is None:
            verb, target, _ = environment.teacher()
            result = environment.step()
        else:
            if isinstance(player, Learned):
                frame["looks"] = _looks(player, view.tables)
            verb, target = player(view.tables, fresh)
            result = environment.step(verb, target)
        names = {int(slot): facts.names[int(units["type"][slot])] for slot in np.flatnonzero(units["alive"])}
        for agent in np.flatnonzero(view.tables.alive[0]).tolist():
            word = _word(int(verb[0, agent]), int(target[0, agent]), names)
            frame["verbs"][agent] = word
            if word and not word.startswith((*PLAIN, "MOVE")):
                casts.append((len(frames) - 1, f"{names.get(agent, '?')} {agent}: {word}"))
        fresh = result.done | result.timeout
        if fresh[0]:
            won = int(result.won[0])
            break
    types = [facts.types[type_id] for type_id in kinds]
    return {
        "loops": LOOPS,
        "width": int(walk.shape[1]),
        "height": int(walk.shape[0]),
        "walk": ["".join(map(str, row)) for row in walk.tolist()],
        "high": ["".join(str(min(max((value - low) // 8, 0), 9)) for value in row) for row in levels.tolist()],
        "kinds": [
            {"name": facts.names[type_id], "radius": round(float(row["radius"]), 3), "flying": bool(row["flying"])}
            for type_id, row in zip(kinds, types, strict=True)
        ],
        "frames": frames,
        "casts": casts,
        "result": RESULT[won],
    }


def _units(units: np.ndarray, before: np.ndarray | None, kinds: dict[int, int]) -> list[list[float]]:
    """[slot, kind, owner, x, y, life, shields, hidden, slot shot at since the frame before] of all that fight."""
    rows = []
    for slot in np.flatnonzero((units["alive"] == 1) & (units["owner"] > 0) & (units["flags"] & state.INSIDE == 0)):
        unit = units[slot]
        kind = kinds.setdefault(int(unit["type"]), len(kinds))
        fired = before is not None and bool((unit["cooldown"] > before[slot]["cooldown"]).any())
        rows.append(
            [
                int(slot),
                kind,
                int(unit["owner"]),
                round(float(unit["x"]), 2),
                round(float(unit["y"]), 2),
                round(float(unit["hp"] / max(unit["hp_max"], 1)), 3),
                round(float(unit["shield"] / max(unit["shield_max"], 1)), 3),
                int(bool(unit["flags"] & (state.CLOAKED | state.BURROWED))),
                int(unit["target"]) if fired else -1,
            ]
        )
    return rows


def _word(verb: int, target: int, names: dict[int, str]) -> str:
    """A decision in words."""
    if verb < 0:
        return ""
    return VERBS[verb] + (f" {names.get(target, '?')} {target}" if target >= 0 else "")


def _looks(player: Learned, tables: Any) -> dict[int, list[tuple[int, float]]]:
    """Where each agent looks most: (entity, share of attention), averaged over the heads."""
    with torch.inference_mode():
        weight = player.actor.looks(tensors(tables))[0].mean(-2).numpy()
    found = {}
    for agent in np.flatnonzero(tables.alive[0]).tolist():
        best = np.argsort(-weight[agent])[:SHOWN]
        found[agent] = [(int(n), round(float(weight[agent, n]), 3)) for n in best if weight[agent, n] > 0.01]
    return found
