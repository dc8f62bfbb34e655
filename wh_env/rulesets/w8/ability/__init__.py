"""Abilities of datasheets that only the 8th edition plays."""
