"""Characters: who joins which unit, where they stand in it, what becomes of them (wap.character.*)."""
