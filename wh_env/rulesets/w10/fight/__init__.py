"""What the 10th edition adds to the Fight phase."""
