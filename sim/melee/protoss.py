"""All rules of the Protoss: importing this module registers them."""

from sim.melee import protoss_build, protoss_power

RULES = (protoss_power, protoss_build)
