"""Command phase: Command points, Battle-shock, Leadership."""
