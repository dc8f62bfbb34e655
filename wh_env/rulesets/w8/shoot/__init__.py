"""Shooting: who fires what, and how steadily."""
