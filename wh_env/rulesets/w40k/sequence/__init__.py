"""Rounds, turns, phases and what falls due in them; roll-offs; objective markers."""
