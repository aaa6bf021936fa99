"""What learners ask of an environment before they play: sizes, and the names of the columns."""

from __future__ import annotations

from typing import Any

from train.smac.features import Blocks, obs_blocks, state_blocks
from train.smac.maps import BASIC_ACTIONS, MOVES, MapInfo

WAYS = ("north", "south", "east", "west")


class Sizes:
    """Sizes and columns of one map's observations, state and actions, under the challenge's own names."""

    def __init__(self, info: MapInfo, blocks: Blocks) -> None:
        self.info, self.blocks = info, blocks
        self.n_agents, self.n_enemies = info.agents, info.enemies
        self.n_actions, self.n_actions_no_attack, self.n_actions_move = info.actions, BASIC_ACTIONS, MOVES
        self.episode_limit, self.map_type = info.arena.limit, info.map_type
        self.unit_type_bits = info.type_bits
        self.shield_bits_ally, self.shield_bits_enemy = info.shields
        shields, types = [["shield"] * bits for bits in info.shields], [f"type_{bit}" for bit in range(info.type_bits)]
        self.ally_state_attr_names = ["health", "energy/cooldown", "rel_x", "rel_y", *shields[0], *types]
        self.enemy_state_attr_names = ["health", "rel_x", "rel_y", *shields[1], *types]

    def get_env_info(self) -> dict[str, Any]:
        """Sizes as learners ask for them, and the names of the columns of one unit in the state."""
        return {
            "state_shape": self.get_state_size(),
            "obs_shape": self.get_obs_size(),
            "n_actions": self.n_actions,
            "n_agents": self.n_agents,
            "episode_limit": self.episode_limit,
            "agent_features": self.ally_state_attr_names,
            "enemy_features": self.enemy_state_attr_names,
        }

    def get_total_actions(self) -> int:
        """Actions an agent can ever have."""
        return self.n_actions

    # -- one agent's observation: where it can move, enemies, allies, itself -----------------------------------------
    def get_obs_move_feats_size(self) -> int:
        """Columns about moves and the ground."""
        return obs_blocks(self.info, self.blocks)["move"][0]

    def get_obs_enemy_feats_size(self) -> tuple[int, int]:
        """(Enemies, columns of each)."""
        rows, columns = obs_blocks(self.info, self.blocks)["enemy"]
        return rows, columns

    def get_obs_ally_feats_size(self) -> tuple[int, int]:
        """(Allies but oneself, columns of each)."""
        rows, columns = obs_blocks(self.info, self.blocks)["ally"]
        return rows, columns

    def get_obs_own_feats_size(self) -> int:
        """Columns about oneself, the time included where that is asked for."""
        return obs_blocks(self.info, self.blocks)["own"][0] + self.blocks.obs_timestep_number

    def get_obs_size(self) -> int:
        """Length of one observation."""
        enemies, enemy = self.get_obs_enemy_feats_size()
        allies, ally = self.get_obs_ally_feats_size()
        return self.get_obs_move_feats_size() + enemies * enemy + allies * ally + self.get_obs_own_feats_size()

    def get_obs_feature_names(self) -> list[str]:
        """Names of an observation's columns, allies as agent 0 numbers them."""
        blocks, names = self.blocks, [f"move_action_{way}" for way in WAYS]
        names += [f"pathing_grid_{k}" for k in range(8 * blocks.obs_pathing_grid)]
        names += [f"terrain_height_{k}" for k in range(9 * blocks.obs_terrain_height)]
        for side, numbers in (("enemy", range(self.n_enemies)), ("ally", range(1, self.n_agents))):
            shield = self.shield_bits_enemy if side == "enemy" else self.shield_bits_ally
            place = ("shootable" if side == "enemy" else "visible", "distance", "relative_x", "relative_y")
            vitals = ("health", *["shield"] * shield) if blocks.obs_all_health else ()
            for k in numbers:
                names += [f"{side}_{name}_{k}" for name in (*place, *vitals)]
                names += [f"{side}_unit_type_{k}_bit_{bit}" for bit in range(self.unit_type_bits)]
                if side == "ally" and blocks.obs_last_action:
                    names += self._last_action_names(k)
        if blocks.obs_own_health:
            names += ["own_health", *["own_shield"] * self.shield_bits_ally]
        names += ["own_pos_x", "own_pos_y"] * blocks.obs_own_pos
        names += [f"own_unit_type_bit_{bit}" for bit in range(self.unit_type_bits)]
        return names + ["timestep"] * blocks.obs_timestep_number

    # -- the state ---------------------------------------------------------------------------------------------------
    def get_ally_num_attributes(self) -> int:
        """Columns of an agent's unit in the state."""
        return len(self.ally_state_attr_names)

    def get_enemy_num_attributes(self) -> int:
        """Columns of an enemy in the state."""
        return len(self.enemy_state_attr_names)

    def get_state_size(self) -> int:
        """Length of the state."""
        if self.blocks.obs_instead_of_state:
            return self.get_obs_size() * self.n_agents
        size = sum(rows * columns for rows, columns in state_blocks(self.info).values())
        size += self.n_agents * self.n_actions * self.blocks.state_last_action
        return size + self.blocks.state_timestep_number

    def get_state_feature_names(self) -> list[str]:
        """Names of the state's columns; those of all observations in turn where they stand for the state."""
        if self.blocks.obs_instead_of_state:
            return [f"agent_{k}_{name}" for k in range(self.n_agents) for name in self.get_obs_feature_names()]
        names = []
        place = ("relative_x", "relative_y")
        for side, count, first, shield in (
            ("ally", self.n_agents, ("health", "cooldown"), self.shield_bits_ally),
            ("enemy", self.n_enemies, ("health",), self.shield_bits_enemy),
        ):
            for k in range(count):
                names += [f"{side}_{name}_{k}" for name in (*first, *place, *["shield"] * shield)]
                names += [f"{side}_unit_type_{k}_bit_{bit}" for bit in range(self.unit_type_bits)]
        if self.blocks.state_last_action:
            names += [name for k in range(self.n_agents) for name in self._last_action_names(k)]
        return names + ["timestep"] * self.blocks.state_timestep_number

    def _last_action_names(self, ally: int) -> list[str]:
        return [f"ally_last_action_{ally}_action_{action}" for action in range(self.n_actions)]
