"""Psykers and psychic powers as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Amount = tuple[int, int, int]  # dice, sides, plus

NOTHING: Amount = (0, 0, 0)
MOST_POWERS = 48  # in a battle: bits of a column
SMITE_NUMBER = 0  # among the powers of a battle


class Affects(Enum):
    """The units that a power affects."""

    NOBODY = "nobody"
    PSYKER = "the unit that manifests it"
    FRIEND = "a friendly unit that is selected"
    ENEMY = "an enemy unit that is selected"
    CLOSEST = "the closest enemy unit"
    FRIENDS_NEAR = "friendly units within its range, an aura"
    ENEMIES_NEAR = "enemy units within its range, an aura"


SELECTED = (Affects.FRIEND, Affects.ENEMY)
AURAS = (Affects.FRIENDS_NEAR, Affects.ENEMIES_NEAR)


class Lasts(Enum):
    """How long a modifier lasts."""

    TURN = "until the end of the turn"
    NEXT_PSYCHIC = "until the next Psychic phase of its player"
    NEXT_COMMAND = "until the next Command phase of its player"


@dataclass(frozen=True)
class PsychicPower:
    """A psychic power.

    Attributes:
        charge: warp charge value.
        effect: an effect of ``Edition.effects``, carried out once on the affected unit; or a modifier that lasts: an
            effect of ``attack.abilities.ATTACKS`` or ``TARGETED``, or ``leadership``.
        affects: the units affected.
        reach: range in inches.
        visible: whether the affected unit must be visible to the psyker.
        amount: amount of the effect.
        better: result of the Psychic test from which ``more`` replaces ``amount``; 0: never.
        lasts: how long a modifier lasts.
        beyond_leadership: mortal wounds in addition if the result exceeds the Leadership of the affected unit.
        deniable: whether it can be denied.
        alone: whether it is attempted only instead of all other powers (psychic actions).
    """

    name: str
    charge: int
    effect: str
    affects: Affects = Affects.ENEMY
    reach: float = 0.0
    visible: bool = False
    amount: Amount = NOTHING
    better: int = 0
    more: Amount = NOTHING
    lasts: Lasts = Lasts.TURN
    beyond_leadership: Amount = NOTHING
    deniable: bool = True
    alone: bool = False


SMITE = PsychicPower(
    "Smite", 5, "mortal", Affects.CLOSEST, 18.0, visible=True, amount=(1, 3, 0), better=11, more=(1, 6, 0)
)


@dataclass(frozen=True)
class Discipline:
    """A psychic discipline: a list of powers that units learn from."""

    name: str
    powers: tuple[PsychicPower, ...]


@dataclass(frozen=True)
class PsychicProfile:
    """What a datasheet says about a unit's psychic powers.

    Attributes:
        manifests: powers that the unit can attempt to manifest in a Psychic phase.
        denies: powers that it can attempt to deny in a Psychic phase.
        powers: powers that it knows beside Smite.
        learns: how many more powers its player selects from disciplines before the battle.
        disciplines: disciplines that it has access to.
        instead: a discipline that its player may take in place of these.
        farther: inches added to the range of its powers.
        unaffected: whether psychic powers cannot affect it.
        resists: lowest D6 on which a power that targets it is denied; 0: none.
        smite: whether it knows Smite.
    """

    manifests: int = 0
    denies: int = 0
    powers: tuple[PsychicPower, ...] = ()
    learns: int = 0
    disciplines: tuple[Discipline, ...] = ()
    instead: Discipline | None = None
    farther: float = 0.0
    unaffected: bool = False
    resists: int = 0
    smite: bool = True

    @property
    def every_power(self) -> tuple[PsychicPower, ...]:
        """All powers that the unit could ever know beside Smite."""
        learnt = [discipline.powers for discipline in (*self.disciplines, *([self.instead] if self.instead else []))]
        return (*self.powers, *(power for powers in learnt for power in powers))


NO_PROFILE = PsychicProfile()
