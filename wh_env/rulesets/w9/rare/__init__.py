"""Rare rules."""
