"""What the benchmark measures."""
