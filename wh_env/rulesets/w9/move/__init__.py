"""Movement phase."""
