"""Morale: models slain this turn, Morale tests, fleeing models."""
