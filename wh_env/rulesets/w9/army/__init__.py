"""Mustering armies: battle sizes, Detachments, conditions on whole armies."""
