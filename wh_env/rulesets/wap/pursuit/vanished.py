"""Units that charged an enemy that is gone before the Close Combat phase begins (wap.pursuit.overrun.enemy-gone)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.codes import CHARGED, DRIVEN, NO_INTENT, OVERRAN, OVERRUNS, PURSUED, REFORMED, REFORMS
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.pursuit.choices import AfterVictory
from wh_env.rulesets.wap.pursuit.order import CombatOrder, InTurn
from wh_env.rulesets.wap.pursuit.pursuits import StayedReform, start_pursuit
from wh_env.rulesets.wap.pursuit.rolls import roll_pursuit

DONE = PURSUED | OVERRAN | DRIVEN | REFORMED


def lost_its_target(g: BattleCore, unit: int) -> bool:
    """Whether a unit charged in this turn and all its targets have been destroyed while they stood, so that it ran none
    down. A unit that was moved outside the Movement phase since then has no choice.
    """
    u, c = g.units, g.charges
    if u.place[unit] != ON_TABLE or u.fleeing[unit] or not u.did[unit] & CHARGED or u.did[unit] & DONE:
        return False
    targets = [c.target[k] for k in range(len(c.unit)) if c.unit[k] == unit and c.target[k] >= 0]
    gone = all(u.place[target] == DESTROYED and not u.fleeing[target] for target in targets)
    return bool(targets) and gone and not engaged(g, unit)


class VanishedTargets(InTurn):
    """The units of the player whose turn it is that lost their targets choose and move one after the other, before any
    combat is fought.
    """

    asks = ("combat-order", "after-victory")

    def waiting(self, g: BattleCore) -> Sequence[int]:
        if not any(map(CHARGED.__and__, g.units.did.tolist())):  # as a rule
            return ()
        units = g.units_of(g.clock.turn[0])
        return [unit for unit in units if lost_its_target(g, unit) and g.units.intent[unit] == NO_INTENT]

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack, u = VanishedTargets.Step, g.stack, g.units
        step, unit = stack[f + STEP], stack[f + VanishedTargets.UNIT]
        if step == Step.MOVE:
            if u.intent[unit] == NO_INTENT:
                return g.ask(AfterVictory, u.owner[unit], unit)
            stack[f + STEP] = Step.AFTER
            if u.intent[unit] == OVERRUNS:
                roll_pursuit(g, unit, "wap.pursuit.overrun.enemy-gone")
                start_pursuit(g, unit)
            elif u.intent[unit] == REFORMS:
                g.push(StayedReform, unit)
        elif step == Step.AFTER:
            stack[f + STEP] = Step.NEXT
            g.push(Panic)
        else:
            unit = self.next_unit(g, f)
            if unit == -1:
                return g.pop()
            if unit == -2:
                return g.ask(CombatOrder, stack[f + VanishedTargets.PLAYER])
        return GO


def begin_phase(g: BattleCore) -> None:
    """Clear the intents of all units and push ``VanishedTargets``."""
    g.units.rows["intent"] = NO_INTENT
    g.push(VanishedTargets, g.clock.turn[0])
