"""Charges: Overwatch before the roll, Heroic Interventions after all charges."""
