"""Fire phase and overwatch: legal targets, the dice of volleys, expected losses (epic.fire.*, epic.save.*)."""
