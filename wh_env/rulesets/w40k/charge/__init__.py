"""Charge phase."""
