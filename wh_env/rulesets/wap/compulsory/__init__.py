"""Compulsory moves: rally, stupidity, random movement, in their order; flight itself is in ``fleeing`` (wap.compulsory.*)."""
