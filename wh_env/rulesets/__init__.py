"""Game systems, one package each. They know the engine and nothing of files or RL."""
