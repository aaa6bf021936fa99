"""What only a full game has: orders and queues, mining, production, construction, tech, supply, morphs, score, victory."""
