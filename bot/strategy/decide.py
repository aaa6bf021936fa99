"""Strategy: reads knowledge, keeps its few pieces of state, returns a plan with the reasons in words."""

from __future__ import annotations

from typing import Any

from loguru import logger
from sc2.ids.upgrade_id import UpgradeId

from bot.config import load
from bot.knowledge.model import Knowledge
from bot.strategy.composition import CompositionKeeper, specials
from bot.strategy.economy import bases_wanted, gas_workers, refineries_wanted, structures_wanted, workers_wanted
from bot.strategy.opponent import OneBaseWatch, RushWatch, defences_wanted
from bot.strategy.plan import Plan, Stance
from bot.strategy.stance import StanceKeeper, army_is_behind, attack_target, rally_point, search_points


class Strategy:
    """Decides once a step; slow decisions are cached for a second."""

    def __init__(self) -> None:
        self._config: dict[str, Any] = load("strategy")
        self._stance = StanceKeeper(self._config["attack"])
        self._rush = RushWatch(self._config["rush"])
        self._one_base = OneBaseWatch(self._config["one_base"])
        self._armies: dict[str, Any] = load("composition")
        self._composition = CompositionKeeper(self._armies)
        self._upgrades = tuple(UpgradeId[name] for name in self._config["upgrades"]["order"])
        self.opening = next(iter(load("build_order")))
        self._said: dict[str, str] = {}
        self.log: list[tuple[int, str]] = []
        """(loop, reason) of every change of mind, oldest first."""

    def decide(self, knowledge: Knowledge) -> Plan:
        """The plan for this step."""
        config = self._config
        rushed, rush_reason = self._rush.update(knowledge)
        one_base, one_base_reason = self._one_base.update(knowledge)
        stance, stance_reason = self._stance.update(knowledge, rushed)
        composition, army_reason = self._composition.update(knowledge)
        units, research, special_reason = specials(knowledge, self._armies)
        bases, base_reason = bases_wanted(knowledge, rushed, one_base, config["economy"])
        structures = structures_wanted(knowledge, config)
        structures |= defences_wanted(knowledge, rushed, one_base, config["defences"])
        reasons = {"rush": rush_reason, "stance": stance_reason, "army": army_reason, "bases": base_reason}
        reasons |= {"one base": one_base_reason, "special": special_reason}
        key = config["upgrades"]["key"]
        early = knowledge.seconds < config["defences"]["bunkers_until"]
        self._note(reasons, knowledge)
        return Plan(
            stance=stance,
            rally=rally_point(knowledge, early, config["rally"]),
            target=attack_target(knowledge),
            search=search_points(knowledge) if stance is Stance.HUNT else (),
            composition=composition,
            structures=structures,
            units=units,
            upgrades=(*self._upgrades[:key], *research, *self._upgrades[key:]),
            key_upgrades=key,
            workers=workers_wanted(knowledge, config["economy"]),
            bases=bases,
            refineries=refineries_wanted(knowledge, rushed, config["gas"]),
            gas_workers=gas_workers(knowledge, config["gas"]),
            orbitals=config["economy"]["orbitals"],
            fortresses=config["economy"]["fortresses"],
            opening_name=self.opening,
            army_first=rushed or one_base or army_is_behind(knowledge, config["army_first"]),
            rushed=rushed,
            one_base=one_base,
            pull_workers=self._rush.workers_to_pull(knowledge),
            scout=self._wants_scout(knowledge),
            scout_again=not self._one_base.settled,
            reasons=tuple(reason for reason in reasons.values() if reason),
        )

    def _wants_scout(self, knowledge: Knowledge) -> bool:
        config = self._config["scout"]
        return knowledge.supply_used >= config["at_supply"] and knowledge.seconds < config["until"]

    def _note(self, reasons: dict[str, str], knowledge: Knowledge) -> None:
        """Log each reason when it changes."""
        for topic, reason in reasons.items():
            if reason and self._said.get(topic) != reason:
                self._said[topic] = reason
                self.log.append((knowledge.loop, reason))
                minutes, seconds = divmod(int(knowledge.seconds), 60)
                logger.info("{:02d}:{:02d} {}", minutes, seconds, reason)
