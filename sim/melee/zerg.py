"""All rules of the Zerg: importing this module registers them."""

from sim.melee import zerg_build, zerg_creep, zerg_death, zerg_egg, zerg_larva, zerg_morph, zerg_queen

RULES = (zerg_larva, zerg_egg, zerg_creep, zerg_build, zerg_queen, zerg_morph, zerg_death)
