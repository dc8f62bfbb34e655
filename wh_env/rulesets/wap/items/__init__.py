"""Procedures and decisions of magic items."""
