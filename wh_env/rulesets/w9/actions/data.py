"""Actions as data: which units may start them, when they start and are completed, and their effect
(w9.actions.definition).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower

BOTH = -1  # players


class Whose(Enum):
    """Whose turn it is: that of the player of the unit that performs the action, or the opponent's."""

    OWN = "own"
    OPPONENTS = "the opponent's"


@dataclass(frozen=True)
class When:
    """The end of a phase. The end of the Morale phase is the end of the turn."""

    phase: Phase
    turn: Whose = Whose.OWN


END_OF_TURN = When(Phase.MORALE)


@dataclass(frozen=True)
class Action:
    """An action that units may perform.

    Attributes:
        starts: when it is started.
        ends: when it is completed: the next such moment after the start.
        owner: the player whose units may perform it, or ``BOTH``.
        keyword: a keyword that the units must have; empty: none.
        marker: inches from an objective marker within which a unit must be to start it, 0: anywhere.
        several: whether several units of an army may start it in the same battle round.
        effect, amount: an effect of ``Edition.effects`` on the unit, when the action is completed.
    """

    name: str
    starts: When
    ends: When = END_OF_TURN
    owner: int = BOTH
    keyword: str = ""
    marker: float = 0.0
    several: bool = False
    effect: str = "none"
    amount: int = 0


class Near(Enum):
    """Where a unit has to be for a psychic action."""

    ANYWHERE = "anywhere"
    CENTRE = "within range of the centre of the battlefield"
    MARKER = "within range of an objective marker"


@dataclass(frozen=True)
class PsychicAction(PsychicPower):
    """A psychic action: it is attempted like a power, as the only one, and completed at once (w9.actions.psychic).

    Attributes:
        near: what the psyker has to be within ``reach`` inches of.
        owner: the player whose psykers may attempt it, or ``BOTH``.
    """

    affects: Affects = Affects.NOBODY
    alone: bool = True
    near: Near = Near.ANYWHERE
    owner: int = BOTH
