"""The learner's battles: environments of scenarios by name, and the evaluation of a run while it trains."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch

from bot.micro.network import Actor
from bot.micro.skills import TARGETED, VERBS
from bot.micro.tables import ENTITY_FEATURES, PAIR_FEATURES
from train import catalog, teachers
from train.battles import Environment
from train.errors import TrainError
from train.measures import NAMES as MEASURES
from train.opponent import Opposed
from train.play import Learned, play
from train.ppo import parallel
from train.ppo.config import Fit
from train.ppo.run import Make, Names, Run, seed_of
from train.settings import Reward
from train.teachers import Taught

if TYPE_CHECKING:
    from train.scenario import Scenario

NAMES = Names(ENTITY_FEATURES, PAIR_FEATURES, VERBS, TARGETED)
EVALUATION = 7_000_000  # first numbers of the battles of evaluations: none of them is trained on


def scenarios(names: Sequence[str], levels: Sequence[int]) -> list[Scenario]:
    """Scenarios by name or file, each at its level unless its name says one (`@1`) or has none."""
    drills = catalog.drills()
    has = [name in drills or name.endswith(".toml") for name in names]
    chosen = zip(names, levels, has, strict=True)
    return [catalog.load(f"{name}@{level}" if leveled else name) for name, level, leveled in chosen]


def check_driven(found: Iterable[Scenario]) -> None:
    """TrainError where the enemies wait for a policy and nobody plays it: they would stand and be shot."""
    for scenario in found:
        if scenario.behaviour == "learned":
            raise TrainError(f'{scenario.name}: behaviour = "learned" needs a policy, as evaluate --against names one')


def listed(names: Sequence[str]) -> list[str]:
    """Names with families written out: `drills`, `drills@2`, `smac`, `smacv2`. `random` is one scenario of many fights:
    what is held back for evaluation never comes along."""
    found: list[str] = []
    for name in names:
        family, _, level = name.partition("@")
        if family == "drills":
            found += [f"{drill}@{level}" if level else drill for drill in catalog.drills()]
        elif family in ("smac", "smacv2"):
            found += catalog.names(family)
        else:
            found.append(name)
    return found


def expanded(fit: Fit) -> Fit:
    """The run with its families of scenarios written out, sorted by size where there are several lanes."""
    names = listed(fit.battles.scenarios)
    found = scenarios(names, [2] * len(names))
    check_driven(found)
    # what the network's work grows with
    sizes = {name: one.sizes[0] * sum(one.sizes) for name, one in zip(names, found, strict=True)}
    if fit.battles.lanes > 1:
        names.sort(key=lambda name: (sizes[name], name))
    if fit.battles.count < len(names):
        raise TrainError(f"[battles] count = {fit.battles.count} is fewer than the {len(names)} scenarios")
    return dataclasses.replace(fit, battles=dataclasses.replace(fit.battles, scenarios=tuple(names)))


def weighed(scenario: Scenario, reward: Reward) -> Scenario:
    """The scenario with these weights of the reward instead of its own, but for the negative ones."""
    weights = {name: value for name, value in dataclasses.asdict(reward).items() if value >= 0}
    if not weights:
        return scenario
    make = scenario.make
    again = None if make is None else lambda rng: weighed(make(rng), reward)
    return dataclasses.replace(scenario, reward=dataclasses.replace(scenario.reward, **weights), make=again)


def make(fit: Fit) -> Make:
    """How this run makes its environments."""
    folder = fit.imitate.teachers
    specialists = teachers.load(folder, fit.battles.scenarios, NAMES.of_model()) if folder else {}

    def environment(
        names: tuple[str, ...], levels: tuple[int, ...], count: int, seed: int, opponent: Actor | None
    ) -> Environment | Opposed | Taught:
        found = [weighed(scenario, fit.reward) for scenario in scenarios(names, levels)]
        enemy, battles, advised = "learned" if opponent else "", fit.battles, fit.network.advised
        made = Environment(
            found,
            count,
            seed=seed,
            threads=battles.threads,
            enemy=enemy,
            variants=battles.variants,
            advised=advised,
            enemy_advised=advised and opponent is not None,
        )
        if opponent:
            return Opposed(made, partial(Learned, opponent))
        if not specialists:
            return made
        known = {index: specialists[name] for index, name in enumerate(names) if name in specialists}
        return Taught(made, np.arange(count) % len(names), known)

    return environment


def evaluate(run: Run) -> dict[str, float]:
    """Greedy battles of the run's scenarios, shared among the processes: the share won, of all and of each scenario."""
    watch, battles = run.fit.watch, run.fit.battles
    found: dict[str, float] = {}
    total = torch.zeros(2)
    groups = run.groups
    for row, names in enumerate(groups):
        chosen = scenarios(names, [run.levels[name] for name in names])
        count = max(watch.battles // parallel.size() // len(groups), len(chosen))
        first = EVALUATION + parallel.rank() * count
        seed = seed_of(run.fit.seed, EVALUATION, row)
        environment = Environment(
            chosen,
            count,
            seed=seed,
            threads=battles.threads,
            first=first,
            variants=battles.variants,
            advised=run.fit.network.advised,
        )
        ends = play(environment, Learned(run.learner.actor, seed), 1)
        for index, scenario in enumerate(chosen):
            mine = ends.scenario == index
            pair = parallel.add(torch.tensor([float((ends.won[mine] > 0).sum()), float(mine.sum())]).to(run.device))
            total += pair.cpu()
            found[f"won {scenario.name}"] = float(pair[0] / pair[1].clamp(min=1))
        kept = 1.0 - ends.final[:, MEASURES.index("own_value_lost")] / ends.final[:, MEASURES.index("own_value")]
        pair = parallel.add(torch.tensor([float(kept.sum()), float(len(kept))]).to(run.device))
        found["kept"] = found.get("kept", 0.0) + float(pair[0] / pair[1]) / len(groups)
    return {"won": float(total[0] / total[1].clamp(min=1)), **found}
