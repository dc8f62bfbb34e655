"""Morale: who was slain this turn, tests, flight."""
