"""Rules of terrain."""
