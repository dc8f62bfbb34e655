"""Movement phase: moves of units and of models, and what they allow."""
