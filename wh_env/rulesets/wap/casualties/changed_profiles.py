"""Characteristics worked out anew when something changes them, and models that this slays (wap.profile.modified,
.zero.stw).
"""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import bounded, lines_of
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import CHARACTERISTICS, MOUNTS

DEADLY = ("s", "t", "w")  # at 0 a model is slain


def recompute(g: BattleCore, unit: int, changes: Iterable[tuple[str, int]]) -> None:
    """Work out the characteristics of a unit anew: those of the army sheet plus all ``changes`` (characteristic,
    amount) that act now (wap.profile.modified). Models whose Strength, Toughness or Wounds fall to 0 are slain without
    saves (wap.profile.zero.stw).
    """
    profiles, found = g.setup.statics["profiles"], list(changes)
    for line in lines_of(g, unit):
        for name in CHARACTERISTICS:
            base = int(profiles[line][name])
            total = base + sum(amount for stat, amount in found if stat == name)
            getattr(g.lines, name)[line] = bounded(total)
        slay_who_has_none(g, unit, line)


def slay_who_has_none(g: BattleCore, unit: int, line: int) -> None:
    """Slay the models of a fighting profile whose Strength, Toughness or Wounds were brought to 0, without saves
    (wap.profile.zero.stw).
    """
    own = g.setup.statics["profiles"][line]
    if g.lines.kind[line] != MOUNTS and any(
        getattr(g.lines, name)[line] == 0 and int(own[name]) > 0 for name in DEADLY
    ):
        for k in [k for k in g.members(unit) if g.models.line[k] == line]:
            slay(g, k, "wap.profile.zero.stw")


def slay_the_spent(g: BattleCore) -> None:
    """Slay all models to which effects leave no Strength, Toughness or Wounds (wap.profile.zero.stw)."""
    for unit in range(len(g.units.owner)):
        for line in lines_of(g, unit):
            slay_who_has_none(g, unit, line)
