"""Geometry kernels: outlines and distances, sight, moves, placement."""
