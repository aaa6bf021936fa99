"""How units fight: tasks in, orders out, by a network or by rules (`step.py`; how it fits together: docs/micro.md).

What is seen: `reader.py` makes a `Scene`; `geometry.py`, `battlefield.py` and `kinds.py` the relations in it. The
rules: one file a unit type in `scripted/`, with what the group decides at once in `survey.py`, `fire.py`, `stim.py`,
`spells.py`, `split.py`, `dodge.py`, `heal.py`. The network: `policy.py`, `inference.py`, `tables.py`. What units can be
told, and when: `skills.py` (`bot/config/skills.toml`), `masks.py`, `commands.py`, and from scripted orders back to
decisions `nearest.py`. Thresholds are in `bot/config/micro.toml`.
"""
