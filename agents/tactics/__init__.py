"""Tactical positions with known best values, and the regret of agents in them."""

from .position import Position
from .score import Score, summary
from .solution import Solution, read_solutions
from .themes import load_positions

__all__ = ["Position", "Score", "Solution", "load_positions", "read_solutions", "summary"]
