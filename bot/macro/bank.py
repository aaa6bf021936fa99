"""Money as a value: spenders take a bank and return what is left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.knowledge.facts import Cost


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
