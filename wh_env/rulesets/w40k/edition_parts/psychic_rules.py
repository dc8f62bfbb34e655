"""Answers of editions about psychic powers: the units that may attempt a power again, changes of warp charge values."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import Unchanging


class PsychicRules(Unchanging):
    """Every psyker may attempt every power once a turn, whatever other psykers attempted.

    Attributes:
        deny_reach: inches from the psyker within which a unit can deny (psychic.deny).
        one_by_one: True: the player selects a psyker for each single attempt, so the attempts of several psykers may
            alternate. False: the player selects a psyker once, for all its attempts.
        perils_reach: inches from a psyker destroyed by Perils of the Warp within which units suffer
            (psychic.perils.destroyed).
    """

    deny_reach: ClassVar[float]
    perils_reach: ClassVar[float]
    one_by_one: ClassVar[bool] = False

    def psyker(self, g: BattleCore, unit: int) -> int:
        """The model of the unit that manifests and denies, -1 for the whole unit. Distances are measured from it, and
        it suffers Perils of the Warp.
        """
        return -1

    def present(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit, which is on the battlefield, still has a model that manifests and denies."""
        return True

    def may_manifest(self, g: BattleCore, unit: int) -> bool:
        """Whether the actions of the unit in this turn let it attempt powers."""
        return True

    def period(self, g: BattleCore) -> int:
        """The number of the period (turn, battle round, ...) in which a power is not attempted twice."""
        return 2 * g.clock.round[0] + (g.clock.turn[0] != g.clock.first_player[0])

    def barred(self, g: BattleCore, unit: int) -> int:
        """Bits of the powers that the unit may not attempt now because other units attempted them. The unit's own
        attempts bar powers in every edition, so they are not among these.
        """
        return 0

    def rise(self, g: BattleCore, unit: int, number: int) -> int:
        """The number added to the warp charge value of power ``number`` when the unit attempts it."""
        return 0

    def possible(self, g: BattleCore, unit: int, number: int) -> bool:
        """Whether the unit meets the special conditions of power ``number``, if the power has any."""
        return True

    def attempts(self, g: BattleCore, unit: int, number: int) -> None:
        """The unit attempts power ``number`` now."""

    def silent(self, g: BattleCore, unit: int) -> bool:
        """Whether the auras of the unit have no effect now."""
        return False
