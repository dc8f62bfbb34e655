"""Before the battle: the battlefield, formations, setting up."""
