"""Objective markers: range, control, which marker a model counts for."""
