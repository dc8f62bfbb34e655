"""Actions as data: who may start them, when, when they are completed and what for (w9.actions.definition)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower

BOTH = -1  # players


class Whose(Enum):
    """In whose turn, seen from the unit that performs the action."""

    OWN = "own"
    OPPONENTS = "the opponent's"


@dataclass(frozen=True)
class When:
    """The end of a phase; the end of the Morale phase is the end of the turn."""

    phase: Phase
    turn: Whose = Whose.OWN


END_OF_TURN = When(Phase.MORALE)


@dataclass(frozen=True)
class Action:
    """An action that units may perform.

    Attributes:
        starts, ends: when it is started, and completed: the next such moment after it was started.
        owner: whose units may perform it, ``BOTH``: those of both.
        keyword: units that perform it have it; empty: any.
        marker: inches from an objective marker within which a unit must be to start it, 0: anywhere.
        several: more than one unit of an army may start it in the same battle round.
        effect, amount: of ``Edition.effects``, when it is completed, for the unit's player and on the unit.
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
    """A psychic action: it is attempted as a power is, alone, and completed at once (w9.actions.psychic).

    Attributes:
        near: of what the psyker has to be within ``reach``. owner: whose psykers may attempt it.
    """

    affects: Affects = Affects.NOBODY
    alone: bool = True
    near: Near = Near.ANYWHERE
    owner: int = BOTH
