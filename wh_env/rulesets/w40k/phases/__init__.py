"""Phases start and end, and the battle ends."""
