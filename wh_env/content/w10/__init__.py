"""Content of the 10th edition: datasheets, factions, armies, missions and battles, from YAML to a ``Setup``."""
