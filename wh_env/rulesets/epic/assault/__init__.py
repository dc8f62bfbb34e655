"""Assault phase: engaging, contact, combats."""
