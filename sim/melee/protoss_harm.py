"""Damage that spells do: see `harm.py`."""

from __future__ import annotations

from sim.melee.harm import hurt, same

__all__ = ["hurt", "same"]
