"""Turns, initiative, objectives and the end of the game."""
