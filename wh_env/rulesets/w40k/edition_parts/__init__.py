"""What an edition is made of beside its numbers: its Stratagems, its answers, the rows that kernels read."""
