"""Tournaments between policies.

``schedule``: which agents meet where; ``game``: one game with time limits; ``referee``: processes that can be
ended; ``backends``: many of them; ``results``: the results file; ``standings`` and ``report``: what the
results show.
"""

from .backends import BACKENDS, Backend, NoBackend, backend_of
from .config import Entrant, TournamentConfig, load_config
from .results import Results
from .run import RESULTS, Progress, Tournament

__all__ = [
    "BACKENDS",
    "RESULTS",
    "Backend",
    "Entrant",
    "NoBackend",
    "Progress",
    "Results",
    "Tournament",
    "TournamentConfig",
    "backend_of",
    "load_config",
]
