"""Movement phase: moves of units and of models, and their limits."""
