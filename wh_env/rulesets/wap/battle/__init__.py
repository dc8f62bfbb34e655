"""Rules of the whole battle: the beginning of phases, effects of the same moment, victory, conceding (wap.battle.*,
wap.victory.*).
"""
