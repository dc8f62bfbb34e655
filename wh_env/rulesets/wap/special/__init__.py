"""Special rules of units (wap.special.*)."""
