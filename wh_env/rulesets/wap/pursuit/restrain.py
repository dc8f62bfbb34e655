"""The Leadership test of a unit that tries not to pursue (wap.pursuit.restrain-test), with its penalty and its
re-roll.
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.changed_units import has_failed
from wh_env.rulesets.wap.basics.combined_unit import any_profile, any_unit, has
from wh_env.rulesets.wap.basics.special_rules import is_known
from wh_env.rulesets.wap.commands.follow_me import FAILED, PASSED, RESTRAIN, take_test
from wh_env.rulesets.wap.morale.leadership import leadership_test
from wh_env.rulesets.wap.rule_book import FRENZY, HATRED
from wh_env.rulesets.wap.weapons.blows import hates


def penalty_of(g: BattleCore, unit: int, foes: Sequence[int]) -> int:
    """The penalty on the test: the greatest combat result difference among the broken enemies ``foes`` if a model of
    the unit is frenzied, else 0 (wap.special.frenzy.restrain).
    """
    if not has(g, unit, FRENZY):
        return 0
    return max((g.units.penalty[foe] for foe in foes), default=0)


def must_roll_again(g: BattleCore, unit: int, foes: Sequence[int]) -> bool:
    """Whether a passed test must be rolled again: a living profile of the unit hates one of its broken enemies, or a
    character in one (wap.special.hatred.restrain).
    """
    return is_known(g, HATRED) and any(hates_any_of(g, unit, foe) for foe in foes)


def hates_any_of(g: BattleCore, unit: int, foe: int) -> bool:
    """Whether a living profile of the unit hates an enemy unit or a character in it."""
    return any_profile(g, unit, lambda g, line: any_unit(g, foe, lambda g, row: hates(g, line, row)))


def take_restraint_test(g: BattleCore, unit: int, foes: Sequence[int], into: int) -> None:
    """Take the test. The result is written to the frame on top, at offset ``into``; if the player may re-roll a failed
    test, only after that decision.

    A unit that hates one of its broken enemies must roll a passed test again. No test is rolled more than twice
    (wap.core.reroll.once): neither a champion's re-roll nor this one is followed by another.

    Args:
        foes: the broken enemies in contact with the unit.
    """
    penalty = penalty_of(g, unit, foes)
    rule = "wap.special.frenzy.restrain" if penalty else "wap.pursuit.restrain-test"
    frame = g.frame
    take_test(g, unit, RESTRAIN, into, rule, -penalty)
    waits = g.frame != frame  # the player may have a failed test rolled again
    if not waits and g.stack[frame + into] == PASSED and must_roll_again(g, unit, foes):
        passed = leadership_test(g, unit, "wap.special.hatred.restrain", -penalty)
        g.stack[frame + into] = PASSED if passed else FAILED
        if not passed:
            has_failed(g, unit)
