"""The choices of greedy play while a spell is cast: the model that it is cast on, dice rolled again, tests of will."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import beneath
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.magic.casting import Cast, needed_for
from wh_env.rulesets.wap.magic.fate import Fate, unpacked
from wh_env.rulesets.wap.magic.may_cast import bonus_for
from wh_env.rulesets.wap.magic.naming import NameModel
from wh_env.rulesets.wap.magic.spell_dice import LEAST
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.wills import TEST_IT, WillTest
from wh_env.rulesets.wap.magic.wizards import spell_at
from wh_env.rulesets.wap.morale.leadership import LeadershipTest, as_taken, passes_all_tests, value_of
from wh_env.rulesets.wap.view.appraise_magic import plan_for, worth_of_casting, worth_of_spells

MEAN = 3.5  # of a die
TWO_ONES = 2  # that make a spell miscast


def best_model(g: BattleCore, mask: Array) -> int:
    """The model on which the spell is worth most in one of its versions."""
    f, first = g.frame, g.setup.space.model
    unit, row, target = (g.stack[f + at] for at in (NameModel.UNIT, NameModel.ROW, NameModel.TARGET))
    spell, player = spell_at(g, row), g.units.owner[unit]
    versions = range(len(spell.versions) if g.stack[f + NameModel.BOOSTED] else 1)
    found = [
        (max(worth_of_casting(g, Casting(player, unit, row, spell, n, target, 0, model)) for n in versions), -at)
        for at, model in enumerate(NameModel.models(g, f))
    ]
    return int(first - max(found)[1])


def best_will(g: BattleCore, mask: Array) -> int:
    """A test of will if the casting is worth more with it on average."""
    unit, at = g.stack[g.frame + WillTest.UNIT], beneath(g.frame)
    row, target = g.stack[at + Cast.ROW] - 1, g.stack[at + Cast.TARGET] - 1
    among = worth_of_spells(g, g.units.owner[unit])

    def worth(more: int) -> float:
        plan = plan_for(g, unit, among, row, target, more)
        return plan.worth if plan is not None else 0.0

    passes = chance_to_pass(g, unit)
    gain = passes * worth(1) + (1.0 - passes) * worth(-1) - worth(0)
    return int(g.setup.space.option + TEST_IT) if gain > 0.0 else 0


def chance_to_pass(g: BattleCore, unit: int) -> float:
    """The chance that a wizard passes a test of his own Leadership."""
    if passes_all_tests(g, unit):
        return 1.0
    test = as_taken(g, unit, LeadershipTest("wap.lore.light.attribute", unmodified=True))
    return test.chances[max(0, min(len(test.chances) - 1, value_of(g, unit, test)))]


def best_fate(g: BattleCore, mask: Array) -> int:
    """A die of a number of hits that shows less than the mean. Of a casting roll: the lowest if the spell fails
    otherwise, or a 1 if it miscasts.
    """
    f, stack = g.frame, g.stack
    lowest = min(Fate.offered(g, f), key=lambda shown: ((shown - 1) % FACES, shown))
    face, action = (lowest - 1) % FACES + 1, int(g.setup.space.option + lowest - 1)
    if not stack[f + Fate.BRINGS]:
        mean = MEAN if stack[f + Fate.SIDES] == FACES else 2.0
        return action if face < mean else 0
    dice = [face for at in (Fate.DICE, Fate.FREE, Fate.KEPT) for face in unpacked(stack[f + at])]
    at = beneath(f)
    needed = max(LEAST, needed_for(g, at) - bonus_for(g, stack[f + Fate.UNIT], stack[at + Cast.ROW] - 1))
    if sum(dice) < needed:
        return action if needed - sum(dice) + face <= 2 * FACES else 0
    return action if face == 1 and dice.count(1) >= TWO_ONES else 0


SCORERS = {"spell-model": best_model, "test-will": best_will, "fate-die": best_fate}
