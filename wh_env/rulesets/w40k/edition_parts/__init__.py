"""Parts of an edition beside its numbers: its Stratagems, its answers to shared code, the rows that kernels read."""
