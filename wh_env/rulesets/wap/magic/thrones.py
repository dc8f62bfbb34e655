"""A spell that makes other spells of its wizard safer and stronger (wap.lore.life.throne-of-vines,
.empowered-spells).
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import powers_on
from wh_env.rulesets.wap.magic.spells import Casting, Deed
from wh_env.rulesets.wap.magic.wizards import spell_at

RULE = "wap.lore.life.throne-of-vines"


@dataclass(frozen=True)
class Shield:
    """A power of an effect on a wizard: his miscasts are ignored on a die of ``least`` or more."""

    least: int


@dataclass(frozen=True)
class Empowers:
    """A power of an effect on a wizard: his spells of its lore are cast as ``Version.empowered`` says.

    Attributes:
        lore: its number in ``statics["lores"]``.
    """

    lore: int


def ignores_miscast(g: BattleCore, unit: int, row: int) -> bool:
    """Whether a miscast of a wizard is ignored: a die is rolled for each effect that can do so. ``row``: of the
    spell.
    """
    for power in powers_on(g, unit, Shield):
        die = g.d6()
        if g.recorder is not None:
            told = {"name": spell_at(g, row).name, "die": die, "needed": power.least}
            g.note(RULE, "rolls against a miscast", unit=unit, result=int(die >= power.least), **told)
        if die >= power.least:
            return True
    return False


def deeds_of(g: BattleCore, casting: Casting) -> tuple[Deed, ...]:
    """What a spell does: that of its version, or of its empowered version."""
    version, lore = casting.spell.versions[casting.version], casting.spell.lore
    if version.empowered and any(power.lore == lore for power in powers_on(g, casting.caster, Empowers)):
        return version.empowered
    return version.deeds
