"""Game turns and players' turns, and the Movement phase, whose steps are chapters of their own (wap.battle.turn.*, wap.move.phase.*)."""
