"""What players, programs and policies see of a battle of the 10th edition."""
