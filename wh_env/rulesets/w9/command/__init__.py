"""The Command phase."""
