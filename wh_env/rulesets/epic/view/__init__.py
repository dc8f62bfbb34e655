"""What players, programs and policies see of a battle."""
