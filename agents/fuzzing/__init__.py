"""Randomly mutated inputs (files, calls, saved states), and the readers that must survive them."""
