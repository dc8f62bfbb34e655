"""What the 10th edition adds to the Shooting phase."""
