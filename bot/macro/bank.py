"""Money as a value: spenders take a bank and return what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.knowledge.facts import Cost

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Bank:
    """What may be spent in this step. Reserving may make it negative: later spenders then have to wait."""

    minerals: int
    gas: int
    supply: float

    def affords(self, cost: Cost) -> bool:
        """Whether the cost can be paid now. What needs no gas may be bought though gas is short; so with supply."""
        return (
            (cost.minerals <= 0 or self.minerals >= cost.minerals)
            and (cost.gas <= 0 or self.gas >= cost.gas)
            and (cost.supply <= 0 or self.supply >= cost.supply)
        )

    def pay(self, cost: Cost) -> Bank:
        """The bank after paying, or after setting the sum aside for something that is to come first."""
        return replace(
            self,
            minerals=self.minerals - cost.minerals,
            gas=self.gas - cost.gas,
            supply=self.supply - cost.supply,
        )


Spender = Callable[[Bank], tuple[Bank, list]]
"""Takes the bank, returns what is left of it and the orders that use the rest."""


def spend(bank: Bank, spenders: Sequence[Spender]) -> tuple[Bank, list]:
    """Run spenders in order of importance, each on what the ones before it left."""
    orders: list = []
    for spender in spenders:
        bank, more = spender(bank)
        orders += more
    return bank, orders
