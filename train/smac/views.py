"""What agents and learners see of a battle: the challenge's questions to its environment, under its own names."""

from __future__ import annotations

from typing import Any

import numpy as np

from train.smac.features import observations, state, state_blocks
from train.smac.sizes import Sizes
from train.smac.units import Side, Unit, apart


class Views(Sizes):
    """Answers from the sides as they stood after the last step."""

    own: Side
    foes: Side
    masks: np.ndarray  # bool[agents, actions]
    last_action: np.ndarray  # f4[agents, actions]
    _episode_steps: int
    _move_amount: float

    @property
    def agents(self) -> dict[int, Unit]:
        """The agents' units by their numbers."""
        return {k: self.own.unit(k) for k in range(self.n_agents)}

    @property
    def enemies(self) -> dict[int, Unit]:
        """The enemy's units by their numbers."""
        return {k: self.foes.unit(k) for k in range(self.n_enemies)}

    def get_obs(self) -> list[np.ndarray]:
        """Observations f4[obs] of all agents."""
        step = int(self._move_amount)
        found = observations(self.info, self.blocks, self.own, self.foes, self.masks, self.last_action, step)
        if self.blocks.obs_timestep_number:
            found = np.append(found, np.full((self.n_agents, 1), self._time(), np.float32), axis=1)
        return list(found)

    def get_obs_agent(self, agent_id: int) -> np.ndarray:
        """f4[obs] of one agent."""
        return self.get_obs()[agent_id]

    def get_state(self) -> np.ndarray:
        """f4[state]: everything, or all observations where that is asked for."""
        if self.blocks.obs_instead_of_state:
            return np.concatenate(self.get_obs()).astype(np.float32)
        return np.concatenate([np.ravel(part) for part in self.get_state_dict().values()]).astype(np.float32)

    def get_state_dict(self) -> dict[str, Any]:
        """The state in parts: f4[units, columns] of `allies` and `enemies`, and what else is asked for of the
        `last_action` f4[agents, actions] and the `timestep`, a share of the limit."""
        units, shapes = state(self.info, self.own, self.foes), state_blocks(self.info)
        allies = shapes["ally"][0] * shapes["ally"][1]
        parts: dict[str, Any] = {
            "allies": units[:allies].reshape(shapes["ally"]),
            "enemies": units[allies:].reshape(shapes["enemy"]),
        }
        if self.blocks.state_last_action:
            parts["last_action"] = self.last_action
        if self.blocks.state_timestep_number:
            parts["timestep"] = self._time()
        return parts

    def _time(self) -> float:
        return self._episode_steps / self.episode_limit

    def get_avail_actions(self) -> list[list[int]]:
        """Masks of all agents, 1 = may be done."""
        return self.masks.astype(int).tolist()

    def get_avail_agent_actions(self, agent_id: int) -> list[int]:
        """Mask of one agent."""
        return self.masks[agent_id].astype(int).tolist()

    def get_visibility_matrix(self) -> np.ndarray:
        """bool[agents, agents + enemies]: who sees whom; nobody sees itself."""
        sight = self.info.sight(self.own.names)[:, None]
        parts = [(apart(self.own, side) < sight) & side.alive[None, :] for side in (self.own, self.foes)]
        seen = np.concatenate(parts, axis=1) & self.own.alive[:, None]
        seen[np.arange(self.n_agents), np.arange(self.n_agents)] = False
        return seen

    def get_unit_types(self) -> list[int]:
        """Type ids of all agents and enemies."""
        return [*self.own.types.tolist(), *self.foes.types.tolist()]

    def get_unit_by_id(self, a_id: int) -> Unit:
        """One agent's unit."""
        return self.own.unit(a_id)

    def unit_sight_range(self, agent_id: int) -> float:
        """Cells; the same for all in the first challenge."""
        return float(self.info.sight(self.own.names)[agent_id])

    def unit_shoot_range(self, agent_id: int) -> float:
        """Cells between centres within which targets can be chosen; the same for all in the first challenge."""
        return float(self.info.shoot(self.own.names)[agent_id])
