"""The battles of the challenge as a PettingZoo parallel environment.

Example:
    env = parallel_env("3m")
    observations, infos = env.reset(seed=1)
    while env.agents:
        masks = {agent: observation["action_mask"] for agent, observation in observations.items()}
        actions = {agent: env.action_space(agent).sample(mask) for agent, mask in masks.items()}
        observations, rewards, terminations, truncations, infos = env.step(actions)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from train.smac_api import StarCraft2Env


class SmacParallelEnv(ParallelEnv):
    """One map of the challenge.

    An agent's observation is a dict of `observation` f4[obs] and `action_mask` i1[actions]; the reward is shared. A
    time-out truncates, a decided battle terminates; agents that die stay until the end and may only do nothing.

    Raises:
        TrainError: unknown map or argument.
    """

    metadata = {"name": "ironsight_smac_v0", "render_modes": [], "is_parallelizable": True}  # noqa: RUF012

    def __init__(self, map_name: str = "8m", render_mode: None = None, **arguments: Any) -> None:
        self.render_mode = render_mode
        self._env = StarCraft2Env(map_name, **arguments)
        names, count = [name.lower() for name in self._env.own.names], {}
        self.possible_agents = []
        for name in names:
            self.possible_agents.append(f"{name}_{count.get(name, 0)}")
            count[name] = count.get(name, 0) + 1
        self.agents: list[str] = []
        observation = spaces.Box(-1.0, np.inf, (self._env.get_obs_size(),), np.float32)
        mask = spaces.Box(0, 1, (self._env.n_actions,), np.int8)
        self.state_space = spaces.Box(-np.inf, np.inf, (self._env.get_state_size(),), np.float32)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._env.n_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Space of one agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Space of one agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        """A new battle; a seed starts its random numbers anew."""
        if seed is not None:
            self._env.seed(seed)
            for agent, space in self.action_spaces.items():
                space.seed(seed + self.possible_agents.index(agent))
        self._env.reset()
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        """One action an agent; instead of one that its mask forbids it does the first that is allowed. After the end
        there is nobody to act or to tell, until the next reset."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        chosen = np.array([int(actions[agent]) for agent in self.possible_agents])
        masks = self._env.masks
        legal = masks[np.arange(len(chosen)), chosen]
        reward, over, info = self._env.step(np.where(legal, chosen, masks.argmax(axis=1)).tolist())
        decided = over and self._decided()
        observations = self._observations()
        agents = list(self.agents)
        rewards = dict.fromkeys(agents, float(reward))
        terminations = dict.fromkeys(agents, decided)
        truncations = dict.fromkeys(agents, over and not decided)
        infos = {agent: dict(info) for agent in agents}
        if over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _decided(self) -> bool:
        """The battle was ended by deaths rather than by its limit."""
        env = self._env
        return env.win_counted or env.defeat_counted or not env.own.alive.any()

    def _observations(self) -> dict[str, dict[str, np.ndarray]]:
        found, masks = self._env.get_obs(), self._env.masks.astype(np.int8)
        return {
            agent: {"observation": found[k], "action_mask": masks[k]} for k, agent in enumerate(self.possible_agents)
        }

    def state(self) -> np.ndarray:
        """f4[state]: what a central critic may see."""
        return self._env.get_state()

    def render(self) -> None:
        """Draws nothing: `python -m train watch` does."""

    def close(self) -> None:
        """Ends the environment."""
        self._env.close()


parallel_env = SmacParallelEnv
