"""Firing Deck."""
