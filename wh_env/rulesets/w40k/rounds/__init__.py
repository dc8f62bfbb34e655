"""Battle rounds and turns, from the first to the last."""
