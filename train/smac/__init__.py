"""The StarCraft Multi-Agent Challenge on our engine: interface of its environment, without a server in between."""
