"""Tactical positions with known best values, and how much an agent gives away in them."""

from agents.tactics.position import Position, load_positions
from agents.tactics.score import Score, summary
from agents.tactics.solution import Solution, read_solutions

__all__ = ["Position", "Score", "Solution", "load_positions", "read_solutions", "summary"]
