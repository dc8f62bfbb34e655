"""What terrain does."""
