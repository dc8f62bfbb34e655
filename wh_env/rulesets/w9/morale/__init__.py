"""The Morale phase."""
