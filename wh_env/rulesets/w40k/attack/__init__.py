"""Making attacks: from declared attacks to destroyed models."""
