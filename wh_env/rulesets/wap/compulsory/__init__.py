"""Compulsory moves: rally, flight, random movement (wap.compulsory.*)."""
