"""All rules of the Protoss: importing this module registers them."""

from sim.melee import (
    protoss_air,
    protoss_battery,
    protoss_blink,
    protoss_build,
    protoss_carrier,
    protoss_cloak,
    protoss_nexus,
    protoss_oracle,
    protoss_power,
    protoss_robotics,
    protoss_sentry,
    protoss_templar,
    protoss_warp,
)

RULES = (
    protoss_power,
    protoss_build,
    protoss_carrier,
    protoss_warp,
    protoss_nexus,
    protoss_cloak,
    protoss_blink,
    protoss_templar,
    protoss_sentry,
    protoss_robotics,
    protoss_air,
    protoss_oracle,
    protoss_battery,
)
