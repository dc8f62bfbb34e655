"""Assault phase: assault moves into contact, who is pinned, pairing off, combats (epic.assault.*, epic.pin.*)."""
