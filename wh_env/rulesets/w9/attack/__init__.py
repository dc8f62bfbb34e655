"""Making attacks."""
