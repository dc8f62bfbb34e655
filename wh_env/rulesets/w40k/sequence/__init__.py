"""Rounds, turns, phases and the rules that fall due in them; roll-offs; objective markers."""
