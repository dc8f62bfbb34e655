"""Abilities that only this edition asks about: markers that stay held, who leaves for Reserves, what follows from kills
and charges.
"""
