"""Shooting phase: targets, declaring weapons."""
