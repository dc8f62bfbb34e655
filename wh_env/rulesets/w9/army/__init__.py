"""Mustering armies: battle sizes, Detachments, what holds for a whole army."""
