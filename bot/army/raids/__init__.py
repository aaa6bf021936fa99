"""Raids: small groups that hurt the enemy away from the main fight; one file and one table of army.toml a kind.

A raid says where its units go, when they strike and when they leave, and which skills the mission allows; micro does
the rest. Ways are planned round what is known to shoot (`danger.py`, `route.py`).
"""
