"""Game turns and players' turns, and the Movement phase; the steps of that phase are chapters of their own
(wap.battle.turn.*, wap.move.phase.*).
"""
