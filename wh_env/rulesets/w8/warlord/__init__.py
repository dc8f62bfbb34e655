"""Warlords and their Traits."""
