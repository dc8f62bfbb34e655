"""Charges: declarations, reactions, rolls, the move into contact (wap.charge.*)."""
