"""Inputs that somebody else could write, mutated by chance, and the doors they are handed to."""
