"""Flight from close combat, pursuit, overrun (wap.pursuit.*)."""
