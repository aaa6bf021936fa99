"""Ironsight, a Terran StarCraft II bot: everything that runs on the ladder."""

__version__ = "0.1.0"
