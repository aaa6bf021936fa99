"""Plays real games again: their commands go to the engine, and what happens is compared with what happened.

`reader` reads the files, `binding` finds the engine's unit for each real one, `drive` plays, `answers` tells which
commands wait for a worker, `effects` which ones the real game carried out, `ground` stands in for a map that nobody
has recorded, `metrics` compares, `again` does all this for one game, `table` prints, `command` is
`python -m sim resim`.
"""
