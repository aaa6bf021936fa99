"""The kernel: a game's state as plain records (`state.py`) and compiled rules over them, one file a family of rules.

`step.py` is one game loop in the order in which things happen; `docs/engine.md` names who owns which field.
"""
