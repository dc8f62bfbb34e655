"""Characters: how they join and leave units, and where they stand in them (wap.character.*)."""
