"""What all chapters need: units in contact, units that are removed, the units of a formation, the log of kernels."""
