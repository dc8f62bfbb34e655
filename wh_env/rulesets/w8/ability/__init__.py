"""Abilities of datasheets that the 8th edition plays in ways of its own."""
