"""Stupidity: a test at the start of the turn, and the consequence of failing it (wap.special.stupidity.*).

Until a unit passes such a test, it moves straight ahead by a die in place of its Movement
(``basics.special_rules.movement_dice``, ``movement.forced_moves``).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.combined_unit import has, is_stupid
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.gilded import is_dazzled, may_dazzle
from wh_env.rulesets.wap.basics.special_rules import is_known
from wh_env.rulesets.wap.morale.leadership import leadership_test
from wh_env.rulesets.wap.movement.start_of_turn import StartEffect
from wh_env.rulesets.wap.rule_book import STUPIDITY


class Stupidity(StartEffect):
    """A unit with stupid models tests if it is not engaged. A unit that is stupid tests too if these models are gone
    meanwhile, and so does one that gold dazzles (wap.lore.metal.final-transmutation.gold-fever).
    """

    rule = "wap.special.stupidity.test"

    def possible(self, g: BattleCore) -> bool:
        return is_known(g, STUPIDITY) or any(g.units.stupid.tolist()) or may_dazzle(g)

    def due(self, g: BattleCore, unit: int) -> bool:
        u = g.units
        if u.place[unit] != ON_TABLE or u.fleeing[unit] or engaged(g, unit):
            return False
        return is_stupid(g, unit) or has(g, unit, STUPIDITY) or is_dazzled(g, unit)

    def resolve(self, g: BattleCore, unit: int) -> None:
        passed = leadership_test(g, unit, self.rule)
        g.units.stupid[unit] = not passed
        if not passed and g.recorder is not None:
            g.note("wap.special.stupidity.failed", "is stupid", unit=unit)
