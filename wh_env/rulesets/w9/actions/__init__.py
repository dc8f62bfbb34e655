"""Actions of units, those of psykers included."""
