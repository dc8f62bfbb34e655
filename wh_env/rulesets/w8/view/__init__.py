"""Observations of the 8th edition, the values of its options, and its audit."""
