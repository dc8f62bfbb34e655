"""What all chapters need: who touches whom, units that are removed, the units of a formation, the log of kernels."""
