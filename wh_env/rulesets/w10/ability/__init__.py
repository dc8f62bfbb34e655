"""Abilities of the 10th edition only: secured markers, units that leave for Reserves, effects of kills and charges."""
