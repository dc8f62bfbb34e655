"""Casualties: from hits to wounds, models that are removed and the gaps they leave (wap.core.casualties.*,
wap.profile.w).
"""
