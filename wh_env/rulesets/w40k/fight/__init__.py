"""Fight phase: order of fights, close moves, weapons and targets."""
