"""Moments at which players may act out of order."""
