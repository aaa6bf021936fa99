"""`StarCraftCapabilityEnvWrapper`: the environment of the second challenge (SMACv2) on our engine.

Teams and places are drawn anew in every episode, units see and shoot as far as their types do, and agents know where
they stand. Names, sizes and arguments are those of the challenge's own class; the rest is `train.smac_api`'s.

Example:
    env = StarCraftCapabilityEnvWrapper(capability_config=capability_config("10gen_terran", 5, 5))
    obs, state = env.reset()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.maps import arenas
from train.errors import TrainError
from train.smac.maps import MapInfo
from train.smac.teams import TeamField
from train.smac.units import Field
from train.smac_api import StarCraft2Env

FIELD = "32x32_flat"
# Map name -> unit types in the order of their columns, and how often each is drawn.
RACES = {
    "10gen_terran": (("Marine", "Marauder", "Medivac"), (0.45, 0.45, 0.1)),
    "10gen_protoss": (("Stalker", "Zealot", "Colossus"), (0.45, 0.45, 0.1)),
    "10gen_zerg": (("Zergling", "Hydralisk", "Baneling"), (0.45, 0.45, 0.1)),
}
# Of the second challenge's arguments those that none of its published settings switches on; set, they are refused.
OFF = ("conic_fov", "change_fov_with_move", "fully_observable", "mask_enemies", "replace_teammates")
OFF += ("stochastic_attack", "stochastic_health")
FIXED = {"use_unit_ranges": True, "min_attack_range": 2, "num_fov_actions": 12, "prob_obs_enemy": 1.0}
FIXED |= {"action_mask": True, "kill_unit_step_mul": 2, "obs_starcraft": True}
CONFIG = ("n_units", "n_enemies", "team_gen", "start_positions")  # more of its keys would change what agents see


def capability_config(map_name: str, units: int, enemies: int) -> dict[str, Any]:
    """The published settings of one map for teams of these sizes."""
    types, weights = RACES[map_name]
    return {
        "n_units": units,
        "n_enemies": enemies,
        "team_gen": {
            "dist_type": "weighted_teams",
            "unit_types": [name.lower() for name in types],
            "exception_unit_types": ["medivac"],
            "weights": list(weights),
            "observe": True,
        },
        "start_positions": {
            "dist_type": "surrounded_and_reflect",
            "p": 0.5,
            "n_enemies": enemies,
            "map_x": arenas.SIDE,
            "map_y": arenas.SIDE,
        },
    }


class StarCraftCapabilityEnvWrapper(StarCraft2Env):
    """One race of the second challenge. Arguments as in the challenge, beside those of `StarCraft2Env`:

    capability_config   sizes of the teams, how they are drawn and where they start (see `train.smac.teams`)
    obs_own_pos         agents observe their own place

    Raises:
        TrainError: unknown map, distribution or argument, or one of OFF switched on.
    """

    def __init__(
        self,
        capability_config: Mapping[str, Any],
        map_name: str = "10gen_terran",
        obs_own_pos: bool = True,
        reward_abs: bool = False,
        **arguments: Any,
    ) -> None:
        for name in OFF:
            if arguments.pop(name, False):
                raise TrainError(f"{name} is not there")
        for name, value in FIXED.items():
            if arguments.pop(name, value) != value:
                raise TrainError(f"{name} can only be {value!r}")
        more = sorted(set(capability_config) - set(CONFIG))
        if more:
            raise TrainError(f"capability_config has {more[0]!r}; there are: {', '.join(CONFIG)}")
        if not capability_config.get("team_gen", {}).get("observe", True):
            raise TrainError("capability_config: team_gen.observe can only be True")
        self.distribution_config = capability_config
        super().__init__(map_name, obs_own_pos=obs_own_pos, reward_abs=reward_abs, **arguments)

    def _map(self, name: str) -> MapInfo:
        """The field for one race's teams."""
        if name not in RACES:
            raise TrainError(f"no map {name!r}; there are: {', '.join(RACES)}")
        for key in CONFIG:
            if key not in self.distribution_config:
                raise TrainError(f"capability_config lacks {key!r}")
        race, columns = name.removeprefix("10gen_"), RACES[name][0]
        shields = int(race == "protoss")
        return MapInfo(
            name=name,
            arena=arenas.load(FIELD),
            agents=int(self.distribution_config["n_units"]),
            enemies=int(self.distribution_config["n_enemies"]),
            shields=(shields, shields),
            map_type=f"{race}_gen",
            columns=columns,
            enemy_columns=columns,
            own_ranges=True,
        )

    def _new_field(self) -> Field:
        return TeamField(self.info, self._seed, self._patch, self._difficulty, self.distribution_config)

    # -- what only the second challenge asks --------------------------------------------------------------------------
    @property
    def env(self) -> StarCraft2Env:
        """The environment inside the challenge's wrapper, which programs ask by this name; here both are one."""
        return self

    def get_cap_size(self) -> int:
        """Columns of an agent's capabilities: those of its type."""
        return self.info.type_bits

    def get_capabilities_agent(self, agent_id: int) -> np.ndarray:
        """f4[capabilities] of one agent."""
        name = self.own.names[agent_id]
        return np.array([other == name for other in self.info.columns], np.float32)

    def get_capabilities(self) -> np.ndarray:
        """f4[agents * capabilities]."""
        return np.concatenate([self.get_capabilities_agent(k) for k in range(self.n_agents)])

    def get_env_info(self) -> dict[str, Any]:
        """As in the first challenge, and the size of the capabilities."""
        return {**super().get_env_info(), "cap_shape": self.get_cap_size()}
