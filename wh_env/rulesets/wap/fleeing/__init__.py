"""Units that flee: the direction, the distance, and the units that they flee through (wap.compulsory.flee.*)."""
