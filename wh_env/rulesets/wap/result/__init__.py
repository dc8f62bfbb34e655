"""Who has won a round of close combat, and by how much (wap.result.*)."""
