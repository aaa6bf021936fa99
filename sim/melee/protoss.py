"""All rules of the Protoss: importing this module registers them."""

from sim.melee import protoss_build, protoss_nexus, protoss_power, protoss_warp

RULES = (protoss_power, protoss_build, protoss_warp, protoss_nexus)
