"""`python -m train evaluate`: how often a policy wins, what it loses and kills, how well it uses its skills."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bot.micro import skills, weights
from sim.arguments import natural, positive
from train import arena, statistics
from train.arguments import check_writable, write
from train.battles import Environment
from train.errors import TrainError
from train.measures import NAMES as MEASURES
from train.opponent import Opposed
from train.play import Always, Learned, Player, Random, play
from train.value.play import Greedy, holds_values

if TYPE_CHECKING:
    from train.scenario import Scenario

SCRIPTED = "scripted"
PLAYERS: dict[str, Callable[[int], Player]] = {
    "random": lambda seed: Random(seed, np.asarray(skills.TARGET_ROW)),
    "attack": lambda seed: Always(skills.ADVANCE),
    "hold": lambda seed: Always(skills.STOP),
    "none": lambda seed: Always(skills.NOTHING),
    "follow": lambda seed: Always(skills.FOLLOW, advised=True),
}
BEHAVIOURS = ("attack", "hold", "raid", "hunt", "none", SCRIPTED)
AT_ONCE = 64  # battles of one scenario played together


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    who = f"who plays our side: a model (.npz), {SCRIPTED}, {', '.join(PLAYERS)}; several are compared with the last"
    foes = f"the enemies: {', '.join(BEHAVIOURS)}, or a model; default: as the scenario says"
    parser.add_argument("--policy", required=True, nargs="+", help=who)
    parser.add_argument("--against", default="", help=foes)
    parser.add_argument("--scenarios", required=True, nargs="+", metavar="NAME", help="names, families or TOML files")
    parser.add_argument("--episodes", type=positive, default=100, help="battles of each scenario")
    parser.add_argument("--level", type=int, choices=(1, 2, 3), default=2, help="for scenarios that name none")
    parser.add_argument("--seed", type=natural, default=1, help="the same seed gives all policies the same fights")
    parser.add_argument("--threads", type=positive, default=1)
    parser.add_argument("--sample", action="store_true", help="let models choose at random by their probabilities")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the numbers")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write the table")


def run(args: argparse.Namespace) -> int:
    """The command."""
    from tqdm import tqdm

    check_writable(args.json, args.markdown)
    if args.against and args.against not in BEHAVIOURS and not args.against.endswith(".npz"):
        raise TrainError(f"--against {args.against}: neither a model file (.npz) nor one of {', '.join(BEHAVIOURS)}")
    args.opponent = player_of(args.against) if args.against.endswith(".npz") else None
    torch.set_num_threads(1)
    scenarios = chosen(args.scenarios, args.level)
    if not args.against:
        arena.check_driven(scenarios)
    makers = {policy: player_of(policy, args.sample) for policy in args.policy}
    began = time.perf_counter()
    results: dict[str, list[dict[str, Any]]] = {policy: [] for policy in args.policy}
    with tqdm(total=len(scenarios) * len(makers) * args.episodes, unit="battle") as bar:
        for scenario in scenarios:
            for policy, maker in makers.items():
                bar.set_postfix(scenario=scenario.name, policy=pathlib.Path(policy).stem)
                rows = battles(scenario, maker, args, bar.update)
                results[policy].append({"scenario": scenario.name, **statistics.summary(rows)})
    report = {
        "command": command(args),
        "against": args.against or "as the scenario says",
        "episodes": args.episodes,
        "seed": args.seed,
        "level": args.level,
        "seconds": round(time.perf_counter() - began, 1),
        "results": results,
    }
    text = statistics.markdown(report)
    print(text)
    if args.json:
        write(args.json, json.dumps(report, indent=1) + "\n")
    if args.markdown:
        write(args.markdown, text)
    return 0


def command(args: argparse.Namespace) -> str:
    """What prints the same table again."""
    parts = ["python -m train evaluate", "--policy", *args.policy, "--scenarios", *args.scenarios]
    parts += ["--episodes", str(args.episodes), "--level", str(args.level), "--seed", str(args.seed)]
    parts += ["--against", args.against] * bool(args.against) + ["--sample"] * args.sample
    return " ".join(parts)


def battles(
    scenario: Scenario,
    maker: Callable[[int], Player] | None,
    args: argparse.Namespace,
    progress: Callable[[int], object],
) -> dict[str, np.ndarray]:
    """The measures of `episodes` battles, one array a measure, in an order that only seed and scenario decide."""
    driven = against(scenario, args.against) if args.against in BEHAVIOURS else scenario
    rounds = -(-args.episodes // AT_ONCE)
    count = -(-args.episodes // rounds)
    own, enemy = SCRIPTED if maker is None else "learned", "learned" if args.opponent else ""
    player = maker(args.seed) if maker else None
    opponent = args.opponent
    environment = Environment(
        [driven],
        count,
        seed=args.seed,
        threads=args.threads,
        own=own,
        enemy=enemy,
        advised=player is not None and player.advised,
        enemy_advised=opponent is not None and opponent(args.seed).advised,
    )
    ends = play(Opposed(environment, opponent, args.seed) if opponent else environment, player, rounds, progress)
    table = ends.final.reshape(count, rounds, -1).transpose(1, 0, 2).reshape(count * rounds, -1)[: args.episodes]
    drawn = ends.won.reshape(count, rounds).T.reshape(-1)[: args.episodes] == 0
    return {name: table[:, column] for column, name in enumerate(MEASURES)} | {"timeout": drawn.astype(float)}


def against(scenario: Scenario, behaviour: str) -> Scenario:
    """The scenario with enemies that do something else."""
    make = scenario.make
    if make is None:
        return dataclasses.replace(scenario, behaviour=behaviour)
    return dataclasses.replace(
        scenario, behaviour=behaviour, make=lambda rng: dataclasses.replace(make(rng), behaviour=behaviour)
    )


def chosen(names: Sequence[str], level: int) -> list[Scenario]:
    """The scenarios of the command line; a family's name stands for all of it."""
    listed = arena.listed(names)
    return arena.scenarios(listed, [level] * len(listed))


def player_of(policy: str, sampled: bool = False) -> Callable[[int], Player] | None:
    """How to make a player for every scenario; None for the scripted twin. Raises TrainError."""
    if policy == SCRIPTED:
        return None
    if policy in PLAYERS:
        return PLAYERS[policy]
    if not policy.endswith(".npz"):
        raise TrainError(f"--policy {policy}: neither a model file (.npz) nor one of {SCRIPTED}, {', '.join(PLAYERS)}")
    try:
        actor, header = weights.load_actor(policy, arena.NAMES.of_model())
    except weights.WeightsError as error:
        raise TrainError(str(error)) from None
    if holds_values(header):
        return lambda seed: Greedy(actor)
    return lambda seed: Learned(actor, seed, sampled)
