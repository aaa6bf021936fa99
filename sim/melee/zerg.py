"""All rules of the Zerg: importing this module registers them."""

from sim.melee import (
    zerg_active,
    zerg_baneling,
    zerg_build,
    zerg_creep,
    zerg_death,
    zerg_egg,
    zerg_infestor,
    zerg_larva,
    zerg_locust,
    zerg_morph,
    zerg_neural,
    zerg_nydus,
    zerg_overseer,
    zerg_powers,
    zerg_queen,
    zerg_viper,
)

RULES = (
    zerg_active,
    zerg_larva,
    zerg_egg,
    zerg_creep,
    zerg_build,
    zerg_queen,
    zerg_morph,
    zerg_death,
    zerg_baneling,
    zerg_infestor,
    zerg_neural,
    zerg_viper,
    zerg_overseer,
    zerg_nydus,
    zerg_locust,
    zerg_powers,
)
