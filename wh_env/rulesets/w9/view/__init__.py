"""What is seen of battles of the 9th edition and what must always hold in them."""
