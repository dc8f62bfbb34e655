"""Moves: which unit may make which move, minimum moves, Falling Back."""
