"""Multi-agent PPO with a memory per unit: rollout, returns, losses, critic, checkpoints, the loop."""
