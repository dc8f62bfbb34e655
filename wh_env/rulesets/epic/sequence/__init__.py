"""The start and end of turns and phases, and the initiative."""
