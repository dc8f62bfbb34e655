"""Panic tests; what makes units take them is marked by ``morale.panic_causes`` (wap.panic.*)."""
