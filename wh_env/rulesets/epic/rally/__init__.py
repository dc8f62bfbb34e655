"""Rally phase: break tests, retreat, rallying (epic.break.*, epic.morale.*, epic.rally.*)."""
