"""The 9th edition core rules."""
