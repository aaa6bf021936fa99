"""What we know: read from the observation once a step (`tracker.py`), frozen for the others (`model.py`).

`facts.py`: unit types by the client's own data; `memory.py`: the enemy as last seen; `threats.py`: who is near our
bases; `terrain.py`, `sites.py`, `paths.py`: the map, places for town halls, walking distances.
"""
