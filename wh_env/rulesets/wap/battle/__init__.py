"""What belongs to the whole battle: how phases begin, effects of the same moment, victory, conceding (wap.battle.*, wap.victory.*)."""
