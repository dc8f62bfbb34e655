"""Terrain: what ground units stand on and cross, what hides them from each other, what covers them (epic.terrain.*)."""
