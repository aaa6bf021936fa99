"""Where the fighting units go: every unit is in one group, groups have missions, missions give each unit a task.

Begin at `step.py`. Who attacks, joins and retreats: `squad.py` (judged by `predict.py`); what a mission asks of each:
`missions.py`; threats at home: `defence.py`, `garrison.py`; looking: `scout.py`, `search.py`; drops, cloaked raids,
nukes and jumps: `raids/`. The numbers are in `bot/config/army.toml`. How units fight is decided in `bot/micro`.
"""
