"""Troop types whose rules need code of their own (wap.troop.*)."""
