"""Turns catalog tables and a recorded `ResponseData` into the compact tables that `sim.facts` reads."""
