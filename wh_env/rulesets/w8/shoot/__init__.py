"""Shooting: which weapons a unit fires, and Heavy weapons."""
