"""Challenges: how they are issued, accepted, refused and fought (wap.challenge.*)."""
