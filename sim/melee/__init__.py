"""What only a full game has: orders, queues, mining, production, construction, tech, supply, morphs, score, victory."""
