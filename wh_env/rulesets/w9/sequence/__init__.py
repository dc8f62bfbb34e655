"""Battle rounds."""
