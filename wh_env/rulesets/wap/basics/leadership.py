"""Leadership and Psychology tests (wap.core.ldtest.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.army_leaders import presence
from wh_env.rulesets.wap.basics.profiles import lines_there, wholly
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.codes import BEASTS, MOUNTS
from wh_env.rulesets.wap.rule_book import HIDDEN, PSYCHOLOGY
from wh_env.rulesets.wap.special.psychology import immune_to

LED = (MOUNTS, BEASTS)  # whose Leadership is never used (wap.troop.monster.leadership, wap.troop.chariot.attacked)


def leadership_of(g: BattleCore, unit: int) -> int:
    """The highest Leadership in the unit and of the characters in it, mounts aside (wap.core.ldtest.highest, wap.character.leadership.best); not of those who hide or
    have hidden among them (wap.special.hidden.general), nor of who has refused a challenge in this turn (wap.challenge.refuse.leadership)."""
    rows = [
        row for row in wholly(g, unit) if row == unit or not (models_have(g, row, HIDDEN) or g.units.disgraced[row])
    ]
    lines = [line for row in rows for line in lines_there(g, row) if g.lines.kind[line] not in LED]
    return max((g.lines.ld[line] for line in lines), default=0)


def is_unmoved(g: BattleCore, unit: int) -> bool:
    """Whether the unit is immune to Psychology, and passes such tests without dice; special rules go before basic ones
    (wap.core.ldtest.psychology, wap.core.precedence.special, wap.special.immunity.psychology)."""
    return immune_to(g, unit, PSYCHOLOGY)


def leadership_value(
    g: BattleCore,
    unit: int,
    modifier: int = 0,
    *,
    unmodified: bool = False,
    halved: bool = False,
    steadfast: bool = False,
) -> int:
    """What a unit tests on: its Leadership, or the General's where that is higher, with ``modifier``, half of that rounded up where it is ``halved``
    (wap.general.inspiring-presence, .modifiers). Of an ``unmodified`` test its own; of a ``steadfast`` one its own without the modifier, or the General's
    with it (wap.general.steadfast)."""
    own, lent = leadership_of(g, unit), 0 if unmodified else presence(g, unit)
    if unmodified:
        value = own
    elif steadfast:
        value = max(own, lent + modifier)
    else:
        value = max(own, lent) + modifier
    return -(-value // 2) if halved else value


def leadership_test(
    g: BattleCore,
    unit: int,
    rule: str,
    modifier: int = 0,
    *,
    unmodified: bool = False,
    halved: bool = False,
    steadfast: bool = False,
    again: str = "",
) -> bool:
    """Whether the unit passes a test: 2D6 of at most its Leadership (wap.core.ldtest.roll).

    Args:
        rule: that calls for it.
        modifier: added to its Leadership; an ``unmodified`` test leaves it aside (wap.core.ldtest.unmodified).
        halved: it tests on half of what then counts, rounded up.
        steadfast: the test is a break test of a steadfast unit.
        again: the rule by which it rolls again if it fails; the second result stands.

    Of 0 or less it fails without dice (wap.core.ldtest.zero).
    """
    value = leadership_value(g, unit, modifier, unmodified=unmodified, halved=halved, steadfast=steadfast)
    roll = g.roll(2) if value > 0 else 0
    passed = value > 0 and roll <= value
    if g.recorder is not None:
        g.note(rule, "leadership test", unit=unit, roll=roll, leadership=value, passed=passed)
    if again and value > 0 and not passed:
        roll = g.roll(2)
        passed = roll <= value
        if g.recorder is not None:
            g.note(again, "rolls again", unit=unit, roll=roll, leadership=value, passed=passed)
    return bool(passed)


def psychology_test(g: BattleCore, unit: int, rule: str, modifier: int = 0, *, again: str = "") -> bool:
    """The same for a Psychology test, which units that are immune to Psychology do not take (wap.core.ldtest.psychology)."""
    return is_unmoved(g, unit) or leadership_test(g, unit, rule, modifier, again=again)
