"""`StarCraft2Env`: the environment of the StarCraft Multi-Agent Challenge on our engine.

Interface, sizes, masks and rewards are those of the challenge's own class, so that programs written for it (PyMARL and
its kin) run unchanged; there is no server and no client in between. One step is 8 game loops.

Example:
    env = StarCraft2Env(map_name="3m")
    obs, state = env.reset()
    reward, terminated, info = env.step([np.flatnonzero(mask)[0] for mask in env.get_avail_actions()])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from train.errors import TrainError
from train.smac import heuristic
from train.smac.features import STEPS, Blocks, healers, masks
from train.smac.maps import BASIC_ACTIONS, HEALING, MapInfo, info
from train.smac.units import AGENTS, ATTACK, ENEMIES, HEAL, MOVE, STOP, Field, Position, Side
from train.smac.views import Views

USUAL = "4.10.0"  # the version that published results of the challenge are of, or nearest to
PATCHES = {"latest": "5.0.14", "5.0.14": "5.0.14"}
# Accepted for the sake of programs that set them; they concern the game's program, which does not exist here.
IGNORED = ("window_size_x", "window_size_y", "replay_prefix", "debug")
LOOPS = 8  # of one step, where a program leaves it to the map


class StarCraft2Env(Views):
    """One map of the challenge. Arguments and defaults as in the challenge; besides them:

    reward_abs        only-positive rewards are absolute values, as in the challenge (False: cut at 0)
    sorted_enemies    enemies are numbered by type and place at the start instead of by the observation's order

    `heuristic_ai` plays by the challenge's script instead of by the actions that `step` gets, and writes into them what
    it did; with `heuristic_rest` its agents walk to targets out of reach instead of being told to attack them.

    `game_version` "latest" or "5.0.14" plays that balance; every other one, whatever programs name, 4.10.0.

    Raises:
        TrainError: unknown map or argument.
    """

    def __init__(
        self,
        map_name: str = "8m",
        step_mul: int | None = LOOPS,
        move_amount: float = 2,
        difficulty: str | int = "7",
        game_version: str | None = None,
        seed: int | None = None,
        continuing_episode: bool = False,
        obs_all_health: bool = True,
        obs_own_health: bool = True,
        obs_own_pos: bool = False,
        obs_last_action: bool = False,
        obs_pathing_grid: bool = False,
        obs_terrain_height: bool = False,
        obs_instead_of_state: bool = False,
        obs_timestep_number: bool = False,
        state_last_action: bool = True,
        state_timestep_number: bool = False,
        reward_sparse: bool = False,
        reward_only_positive: bool = True,
        reward_death_value: float = 10,
        reward_win: float = 200,
        reward_defeat: float = 0,
        reward_negative_scale: float = 0.5,
        reward_scale: bool = True,
        reward_scale_rate: float = 20,
        replay_dir: str = "",
        heuristic_ai: bool = False,
        heuristic_rest: bool = False,
        reward_abs: bool = True,
        sorted_enemies: bool = False,
        **ignored: Any,
    ) -> None:
        unknown = sorted(set(ignored) - set(IGNORED))
        if unknown:
            raise TrainError(f"StarCraft2Env has no argument {unknown[0]!r}")
        blocks = Blocks(
            obs_all_health=obs_all_health,
            obs_own_health=obs_own_health or obs_all_health,
            obs_own_pos=obs_own_pos,
            obs_last_action=obs_last_action,
            obs_pathing_grid=obs_pathing_grid,
            obs_terrain_height=obs_terrain_height,
            obs_instead_of_state=obs_instead_of_state,
            obs_timestep_number=obs_timestep_number,
            state_last_action=state_last_action,
            state_timestep_number=state_timestep_number,
        )
        super().__init__(self._map(map_name), blocks)
        self.map_name = map_name
        self._step_mul, self._move_amount = LOOPS if step_mul is None else int(step_mul), move_amount
        self.continuing_episode = continuing_episode
        self.heuristic_ai, self.heuristic_rest = heuristic_ai, heuristic_rest
        self.reward_sparse, self.reward_only_positive = reward_sparse, reward_only_positive
        self.reward_death_value, self.reward_win, self.reward_defeat = reward_death_value, reward_win, reward_defeat
        self.reward_negative_scale = reward_negative_scale
        self.reward_scale, self.reward_scale_rate = reward_scale, reward_scale_rate
        self.reward_abs, self.sorted_enemies = reward_abs, sorted_enemies
        self.replay_dir = replay_dir
        self._seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
        self._patch = PATCHES.get(game_version or "", USUAL)
        self._difficulty = _difficulty(difficulty)
        self._field = self._new_field()
        self.heuristic_targets: list[int | None] = [None] * self.n_agents
        self.battles_won = self.battles_game = self.timeouts = self.force_restarts = 0
        self.last_action = np.zeros((self.n_agents, self.n_actions), np.float32)
        self._episode_steps = self._total_steps = self._episode_count = 0
        self.win_counted = self.defeat_counted = False
        self._init_units()
        whole = float((self.foes.hp_max + self.foes.shield_max).sum())
        self.max_reward = self.n_enemies * reward_death_value + reward_win + whole

    def _map(self, name: str) -> MapInfo:
        return info(name)

    def _new_field(self) -> Field:
        return Field(self.info, self._seed, self._patch, self._difficulty)

    # -- episodes ---------------------------------------------------------------------------------------------------
    def reset(self) -> tuple[list[np.ndarray], np.ndarray]:
        """A new episode. -> (observations of all agents, state)."""
        if self._episode_steps or self._episode_count:
            self._field.restart()
        self._episode_steps = 0
        self.last_action = np.zeros((self.n_agents, self.n_actions), np.float32)
        self.heuristic_targets = [None] * self.n_agents
        self.win_counted = self.defeat_counted = False
        self._init_units()
        return self.get_obs(), self.get_state()

    def _init_units(self) -> None:
        self.own = self._field.side(AGENTS, by_place=True)
        self.foes = self._field.side(ENEMIES, by_place=self.sorted_enemies)
        self.masks = masks(self.info, self.own, self.foes, self._move_amount)

    def step(self, actions: Sequence[int]) -> tuple[float, bool, dict[str, float]]:
        """One action an agent. -> (shared reward, episode over, numbers about the battle).

        Raises:
            AssertionError: an action that the agent's mask forbids.
        """
        chosen = [int(action) for action in actions]
        self.last_action = np.eye(self.n_actions, dtype=np.float32)[np.array(chosen)]
        if self.heuristic_ai:
            chosen = heuristic.actions(self)  # may attack what no mask allows
            if hasattr(actions, "__setitem__"):  # learners that imitate the script find what it did
                for number, action in enumerate(chosen):
                    actions[number] = action
        for number, action in enumerate(chosen):
            allowed = self.heuristic_ai or self.masks[number, action]
            assert allowed, f"Agent {number} cannot perform action {action}"
        for number, action in enumerate(chosen):
            self._act(number, action)
        self._field.step(self._step_mul)
        self._total_steps += 1
        self._episode_steps += 1
        before = self.own, self.foes
        self.own, self.foes = self._field.refresh(self.own), self._field.refresh(self.foes)
        self.masks = masks(self.info, self.own, self.foes, self._move_amount)
        outcome = self._outcome()
        reward = self._reward(*before)
        numbers: dict[str, float] = {
            "battle_won": False,
            "dead_allies": int((~self.own.alive).sum()),
            "dead_enemies": int((~self.foes.alive).sum()),
        }
        terminated = outcome is not None
        if outcome is not None:
            if outcome == 1 and not self.win_counted:
                self.battles_won += 1
                self.win_counted = True
                numbers["battle_won"] = True
                reward += 1 if self.reward_sparse else self.reward_win
            elif outcome == -1 and not self.defeat_counted:
                self.defeat_counted = True
                reward += -1 if self.reward_sparse else self.reward_defeat
        elif self._episode_steps >= self.episode_limit:
            terminated = True
            if self.continuing_episode:
                numbers["episode_limit"] = True
            self.timeouts += 1
        if terminated:
            self._episode_count += 1
            self.battles_game += 1
        if self.reward_scale:
            reward /= self.max_reward / self.reward_scale_rate
        return reward, terminated, numbers

    def _act(self, number: int, action: int) -> None:
        """Gives one agent's order; doing nothing is for the dead."""
        tag = self.own.tags[number]
        if action == 1:
            self._field.order(tag, STOP)
        elif 2 <= action < BASIC_ACTIONS:
            dx, dy = STEPS[action - 2]
            x, y = float(self.own.x[number]), float(self.own.y[number])
            self._field.order(tag, MOVE, at=Position(x + dx * self._move_amount, y + dy * self._move_amount))
        elif action >= BASIC_ACTIONS:
            heals = bool(healers(self.info, self.own)[number])
            target = (self.own if heals else self.foes).tags[action - BASIC_ACTIONS]
            self._field.order(tag, HEAL if heals else ATTACK, target)

    def _outcome(self) -> int | None:
        """1 won, -1 lost, 0 both gone, None goes on. Where Medivacs fight, a side of which nobody else is left lost:
        the agents, if both are so."""
        allies = [self.own.names[k] for k in np.flatnonzero(self.own.alive)]
        enemies = [self.foes.names[k] for k in np.flatnonzero(self.foes.alive)]
        healing = self.map_type in HEALING
        if (not allies and enemies) or (healing and set(allies) <= {"Medivac"}):
            return -1
        if (allies and not enemies) or (healing and set(enemies) <= {"Medivac"}):
            return 1
        return 0 if not allies and not enemies else None

    def _reward(self, own: Side, foes: Side) -> float:
        """Damage done and deaths since the sides before."""
        if self.reward_sparse:
            return 0
        dealt, deaths = _losses(foes, self.foes)
        gained = dealt + deaths * self.reward_death_value
        if self.reward_only_positive:
            return abs(gained) if self.reward_abs else max(gained, 0)
        taken, own_deaths = _losses(own, self.own)
        return gained - self.reward_negative_scale * (taken + own_deaths * self.reward_death_value)

    # -- the rest of the interface ------------------------------------------------------------------------------------
    def get_stats(self) -> dict[str, float]:
        """Counts since the environment was made."""
        return {
            "battles_won": self.battles_won,
            "battles_game": self.battles_game,
            "battles_draw": self.timeouts,
            "win_rate": self.battles_won / max(self.battles_game, 1),
            "timeouts": self.timeouts,
            "restarts": self.force_restarts,
        }

    def seed(self, seed: int | None = None) -> int:
        """The seed. Given another one, a new field plays by it from the next reset on (wrappers pass theirs here)."""
        if seed is not None:
            self._seed = int(seed)
            self._field = self._new_field()
            self._episode_steps = self._episode_count = 0
            self._init_units()
        return self._seed

    def save_replay(self) -> None:
        """There is nothing to save: no client records the game."""

    def full_restart(self) -> None:
        """A new battle, counted among the restarts; there is no game that could have hung."""
        self._field.restart()
        self._init_units()
        self.force_restarts += 1

    def render(self, mode: str = "human") -> None:
        """Draws nothing."""

    def close(self) -> None:
        """Ends nothing: there is no process."""


def _difficulty(given: str | int) -> int:
    """The API difficulty behind what programs give: the challenge's "1" to "9" and "A"."""
    known = {**{str(level): level for level in range(1, 10)}, "A": 10}
    if (found := known.get(str(given))) is None:
        raise TrainError(f"difficulty {given!r}; there are 1 to 9 and A")
    return found


def _losses(before: Side, now: Side) -> tuple[float, int]:
    """Life and shields that units lost (negative by regeneration), and how many died."""
    lost = np.where(before.alive, before.hp + before.shield - now.hp - now.shield, 0)
    return float(lost.sum()), int((before.alive & ~now.alive).sum())
