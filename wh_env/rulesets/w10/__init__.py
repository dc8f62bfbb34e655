"""Warhammer 40,000, 10th edition core rules: one module a phase."""
