"""Panic tests. ``morale.panic_causes`` marks the units that must take them (wap.panic.*)."""
