"""Challenges: who issues them, who accepts, who hides, and how they are fought (wap.challenge.*)."""
