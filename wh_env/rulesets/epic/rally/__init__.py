"""Rally phase."""
