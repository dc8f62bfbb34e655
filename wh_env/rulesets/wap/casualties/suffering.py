"""Hits that are no blows cost a unit Wounds, once its player has answered about its saves."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount
from wh_env.core.procedures import integer
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.harm import Harm
from wh_env.rulesets.wap.casualties.losses import is_asked, wounds_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.casualties.second_saves import SaveAgain, ask_about_save, may_save_again


class SaveFromHits(SaveAgain):
    """A unit may roll a save again against hits that are no blows."""

    advance = ask_about_save
    BY = integer(amount())  # the unit that dealt them, or the ground, counted from 1; 0: none

    def goes_on(self, g: BattleCore, unit: int, harm: Harm, f: int) -> None:
        lose(g, unit, harm, g.stack[f + SaveFromHits.BY] - 1)


def saves_again(g: BattleCore, target: int, harm: Harm, by: int) -> bool:
    """Whether the player of a unit is asked whether it rolls a save again; then he suffers what is left after that."""
    if not may_save_again(g, target, harm):
        return False
    g.push(SaveFromHits, target, harm.lost, harm.unsaved, *harm.failed, by + 1)
    return True


def lose(g: BattleCore, target: int, harm: Harm, by: int) -> None:
    """A unit suffers Wounds of shots, at most those that it has. ``by``: the unit that shot, or ``NOBODY``."""
    lost = min(wounds_of(g, target), harm.lost)
    if not lost or saves_again(g, target, harm, by):
        return
    g.note("wap.shoot.sequence", "wounds", unit=by, target=target, amount=lost)
    if is_asked(g, target, lost):
        g.push(Casualties, target, lost, by + 1)
    else:
        suffer(g, target, lost, by=by)
