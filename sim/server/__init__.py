"""The s2client protocol in front of the engine: what a client finds where it looks for StarCraft II."""
