"""Leadership and the tests against it (w10.datasheet.leadership, .leadership-test)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.abilities import characteristic, test_bonus
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll
from wh_env.rulesets.w40k.edition import edition


def best_leadership(g: BattleCore, unit: int) -> int:
    """The best (lowest) Leadership among the unit's models, as modified."""
    return characteristic(g, unit, "Leadership", int(min(g.models.leadership[k] for k in g.members(unit))), 1)


class LeadershipTest(DiceRoll):
    """A roll against the unit's best Leadership. It does not cause Battle-shock; the rule that asked for it uses the
    result.
    """

    name = "leadership"

    def dice(self, g: BattleCore) -> int:
        return edition(g).dice.leadership

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        bonus, needed = test_bonus(g, unit, self.name), best_leadership(g, unit)
        if g.recorder is not None:
            rule, passed = "w10.datasheet.leadership-test", result + bonus >= needed
            g.note(rule, "Leadership test", unit=unit, roll=result, bonus=bonus, needed=needed, passed=passed)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return result + test_bonus(g, unit, self.name) >= best_leadership(g, unit)
