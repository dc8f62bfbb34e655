"""What is seen and what must always hold."""
