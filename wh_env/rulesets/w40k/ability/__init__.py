"""Abilities that players use: units and options chosen at fixed moments, and marks that last a while."""
