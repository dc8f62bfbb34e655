"""Units that flee: which way, how far, through whom (wap.compulsory.flee.*)."""
