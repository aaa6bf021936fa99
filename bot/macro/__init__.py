"""Economy, structures and production: managers that spend one bank in order of importance (`step.py`, `bank.py`).

The opening: `build_order.py`, `opening.py` (`bot/config/build_order.toml`); after it the plan's targets:
`structures.py`, `tech.py`, `production.py`, `townhalls.py`, `supply.py`, and what these need in turn: `needs.py`,
`techtree.py`. Raising a structure: `construction.py`, its place: `placement.py`, `layout.py`. SCVs: `workers.py`,
`militia.py` (fighting and scouting), `repair.py`, `unfinished.py`. Energy of Orbital Commands: `orbital.py`.
"""
