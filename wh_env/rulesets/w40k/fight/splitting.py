"""Full detail of melee: a model with several melee weapons splits its attacks among them (fight.weapons)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, integer
from wh_env.rulesets.w40k.fight import weapons
from wh_env.rulesets.w40k.fight.weapons import MeleeWeapon, fighter, melee_rows, reachable


class MeleeWeapons(weapons.MeleeWeapons):
    """The model chooses a weapon for each attack, then its target. The number of attacks is that of the weapon chosen
    first.
    """

    CHOSEN = integer(flag())  # the weapon of the next attack

    def advance(self, g: BattleCore, f: int) -> int:
        Step = weapons.MeleeWeapons.Step
        stack = g.stack
        unit, step = stack[f + MeleeWeapons.UNIT], stack[f + STEP]
        if step == Step.CHOOSE or stack[f + MeleeWeapons.EXTRA]:
            return super().advance(g, f)
        model = fighter(g, f)
        if len(melee_rows(g, model, 0)) < 2:
            return super().advance(g, f)
        if step == Step.COUNT:
            stack[f + STEP] = MeleeWeapons.Step.AIM
            stack[f + MeleeWeapons.CHOSEN] = 1
            if stack[f + MeleeWeapons.LEFT] <= 0:
                self.count(g, f, model)
            return GO
        if stack[f + MeleeWeapons.LEFT] <= 0:
            stack[f + MeleeWeapons.CHOSEN] = 0
        elif not stack[f + MeleeWeapons.CHOSEN]:
            return g.ask(MeleeWeapon, g.units.owner[unit], unit)
        else:
            stack[f + MeleeWeapons.CHOSEN] = 0
            targets = reachable(g, model)
            if len(targets) == 1:
                self.aim(g, f, model, targets[0])
                return GO
        return super().advance(g, f)
