"""Moves of units, beside charges and flight; the Movement phase as a whole is in ``turns`` (wap.move.*)."""
