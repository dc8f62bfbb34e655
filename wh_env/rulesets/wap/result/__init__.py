"""The winner of a round of close combat and the difference of the scores (wap.result.*)."""
