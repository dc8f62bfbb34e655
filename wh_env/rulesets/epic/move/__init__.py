"""Movement phase: plans, cells, paths, walking them."""
