"""Observations of the 9th edition, the values of its options, and its audit."""
