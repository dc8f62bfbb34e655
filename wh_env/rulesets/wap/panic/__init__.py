"""Panic tests (wap.panic.*)."""
