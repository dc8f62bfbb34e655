"""What is seen of battles of the 8th edition, what its options are worth and what must always hold in it."""
