"""The mission sequence."""
