"""Teach the micro policy in the engine, measure it, write `models/`."""
