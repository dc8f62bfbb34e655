"""Combats of more than two units (wap.multi.*)."""
