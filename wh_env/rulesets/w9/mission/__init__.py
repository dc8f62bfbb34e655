"""Missions: victory points at the end, secondary objectives, rules of mission packs."""
