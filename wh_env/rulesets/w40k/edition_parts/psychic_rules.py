"""What editions answer differently about psychic powers: who may attempt what again, what raises warp charge values."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import Unchanging


class PsychicRules(Unchanging):
    """Every psyker may attempt every power once a turn, whatever others attempted.

    Attributes:
        deny_reach: inches from the psyker within which a unit can deny (psychic.deny).
        one_by_one: a psyker is selected for each of its attempts, so that those of several may alternate; else once, for all of them.
        perils_reach: inches from a psyker destroyed by Perils of the Warp within which units suffer (psychic.perils.destroyed).
    """

    deny_reach: ClassVar[float]
    perils_reach: ClassVar[float]
    one_by_one: ClassVar[bool] = False

    def psyker(self, g: BattleCore, unit: int) -> int:
        """The model of the unit that manifests and denies, from which is measured and that suffers Perils of the Warp; -1: the whole unit."""
        return -1

    def present(self, g: BattleCore, unit: int) -> bool:
        """Whether somebody is left in a unit on the battlefield who manifests and denies."""
        return True

    def may_manifest(self, g: BattleCore, unit: int) -> bool:
        """Whether what the unit did this turn lets it attempt powers."""
        return True

    def period(self, g: BattleCore) -> int:
        """The number of the turn, battle round, ... in which a power is not attempted again."""
        return 2 * g.clock.round[0] + (g.clock.turn[0] != g.clock.first_player[0])

    def barred(self, g: BattleCore, unit: int) -> int:
        """Bits of powers that attempts of others keep the unit from attempting now; those of its own do so everywhere."""
        return 0

    def rise(self, g: BattleCore, unit: int, number: int) -> int:
        """What is added to the warp charge value of a power that the unit attempts."""
        return 0

    def possible(self, g: BattleCore, unit: int, number: int) -> bool:
        """Whether the unit fulfils the conditions of a power that has some of its own."""
        return True

    def attempts(self, g: BattleCore, unit: int, number: int) -> None:
        """The unit attempts the power now."""

    def silent(self, g: BattleCore, unit: int) -> bool:
        """Whether the auras of the unit have no effect now."""
        return False
