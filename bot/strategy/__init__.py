"""What we are after: knowledge in, a `Plan` with its reasons in words out, once a step (`decide.py`, `plan.py`).

`stance.py`: attack, defend or search, and where the army waits; `opponent.py`: early attacks, seen or expected;
`economy.py`: workers, bases, structures; `composition.py`: which units. Thresholds are in `bot/config/strategy.toml`
and `composition.toml`.
"""
