"""Fight phase: who fights, close moves, weapons and targets."""
