"""Assault phase: assault moves into contact, pairing off, combats (epic.assault.*)."""
