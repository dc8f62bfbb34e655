"""Casualties: from hits to wounds, models that are removed and gaps that they leave (wap.core.casualties.*, wap.profile.w)."""
