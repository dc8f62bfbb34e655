"""Moves: who may make which, minimum moves, Falling Back."""
