"""Terrain: the ground that units stand on and cross, what blocks lines of sight, what gives cover (epic.terrain.*)."""
