"""Codes of the editions that are stored in state columns."""

from __future__ import annotations

from enum import IntEnum

BEFORE = 0  # ``clock.phase`` before the first turn


class Moved(IntEnum):
    """The move of a unit in its Movement phase (column ``units.moved``)."""

    NOT_YET = 0
    STATIONARY = 1
    NORMAL = 2
    ADVANCE = 3
    FELL_BACK = 4


class Deed(IntEnum):
    """An action of a unit that can end other actions of it (``Edition.acts``)."""

    NORMAL_MOVE = 0
    ADVANCE = 1
    FALL_BACK = 2
    HEROIC_INTERVENTION = 3
    CHARGE = 4
    SHOOT = 5
    MANIFEST = 6
    LEAVE = 7  # the battlefield, destroyed or not


class Selected:
    """Bits of ``units.selected``: the selections of the unit in this phase. Plain ints, because they are tested
    often.
    """

    MOVE = 1 << 0
    SHOOT = 1 << 1
    CHARGE = 1 << 2
    SHOCK_TEST = 1 << 3
    ESCAPE_TEST = 1 << 4
    SCOUT = 1 << 5
    ABOARD = 1 << 6  # was embarked when its player's Movement phase began
    MORALE_TEST = 1 << 7
    INTERVENE = 1 << 8
    LEFT_TRANSPORT = 1 << 9  # got out of a TRANSPORT in this phase (only in editions that ask for it)


class Effect:
    """Bits of ``units.cover``: effects on a unit until the end of the phase."""

    BENEFIT_OF_COVER = 1 << 0
    STEALTH = 1 << 1
    SHIELDED = 1 << 2  # its models have an invulnerable save besides their own
    TESTED_BY_ALL = 1 << 4  # it takes a Battle-shock test that a rule asks of all units of its army
    HIT = 1 << 3  # the current or the last attacks hit it (set only if ``Asks.MARK_HITS``)


class Freedom:
    """Lowest bits of ``units.marks``: exceptions to rules that would forbid the unit an action."""

    SHOOT_ADVANCED = 1 << 0
    CHARGE_ADVANCED = 1 << 1
    SHOOT_FELL_BACK = 1 << 2
    CHARGE_FELL_BACK = 1 << 3
    EVERY = 15  # the bits that are set anew when a phase begins
    CHARGE_DISEMBARKED = 1 << 4  # in the turn in which it got out of a TRANSPORT that had moved
    REROLLED = 1 << 7  # not a freedom: an ability of its models was used for a re-roll in this turn
    NO_CHARGE = 1 << 6  # not a freedom: it does not charge in this turn
    CHARGE_LATER = 1 << 8  # in the turn in which it got out of a TRANSPORT before that moved, also after an Advance
    STRATAGEM_FREED = 1 << 5  # not a freedom: its models have made a Stratagem free in this battle round


FIRST_MARK = 9  # number of the lowest bit of ``units.marks`` for the mark of a rule

# column ``units.charged``: the unit made a Charge move this turn, with or without the charge bonus (Fights First)
WITH_BONUS, WITHOUT_BONUS = 1, 2

# column ``units.disembarked``: when the unit left its TRANSPORT this turn
BEFORE_IT_MOVED, AFTER_IT_MOVED, FROM_WRECK = 1, 2, 3

# Bits of column ``models.flags`` above the ability bits of datasheets.
# COVERED: the model has the Benefit of Cover against the attacks that are being resolved (terrain.cover.per-model).
# CAME_BACK: the model was destroyed and has come back in this phase; wounds that it lacks were not lost in this phase
# (rare.resurrected.set-up).
COVERED, CAME_BACK = 1 << 56, 1 << 62

# table ``targets``: whether a unit may target another. HIDDEN: it could if it were visible.
UNKNOWN, YES, BARRED, HIDDEN = 0, 1, 2, 3
