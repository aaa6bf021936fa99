"""An open engine that follows StarCraft II's rules and speaks its protocol; docs/engine.md and docs/server.md.

`facts`: the game's numbers; `engine`: the compiled rules of movement, combat and sight; `melee`: what only a full
game has; `maps`: terrain; `computer`: built-in opponents; `server`: the protocol; `battle`: thousands of small
battles at once; `fidelity`, `replays`: how near all of this is to the real game.
"""
