"""Fire phase, overwatch, and the dice of volleys."""
