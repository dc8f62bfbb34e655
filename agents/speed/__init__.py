"""Measurements of speed for ``scripts/benchmark.py``."""
