"""Armies that fight side by side: how far they trust each other, and what that allows (wap.ally.*)."""
