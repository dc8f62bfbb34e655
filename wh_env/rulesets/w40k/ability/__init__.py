"""Abilities that players use: units and options chosen at fixed moments, marks that last a while, what follows from
them.
"""
