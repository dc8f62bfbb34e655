"""Tournaments between policies: who plays whom (``schedule``), one game under a clock (``game``), processes that can be
stopped (``referee``), many of them (``backends``), a results file (``results``), what it all says (``standings``, ``report``)."""

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
