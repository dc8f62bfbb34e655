"""The Core Stratagems."""
