"""The Movement phase (wap.move.*)."""
