"""Stratagems."""
