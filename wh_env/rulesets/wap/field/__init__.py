"""Terrain (wap.terrain.*)."""
