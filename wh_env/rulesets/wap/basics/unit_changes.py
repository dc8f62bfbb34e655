"""How an effect changes what a unit as a whole rolls and adds up: combat results, Leadership tests, charges.

``basics.changed_units`` says what holds for a unit now.
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.rulesets.wap.basics.dice import Number

# rolls that may be rolled again; the last one only if it is the first failed Leadership test
BREAK, CHARGE, LEADERSHIP = "break-test", "charge-distance", "leadership-test"


@dataclass(frozen=True)
class UnitChanges:
    """What an effect does to a unit as a whole.

    Attributes:
        result: added to its combat result, as (dice, sides, plus) or a multiple.
        rally: added to its Leadership when it tries to rally.
        is_lent: a General lends to other units what the effect adds to his Leadership.
        shares_leadership: other models may use its Leadership, in its own unit and as that of a General.
        is_inspired: it may use the Leadership of a General who is not in it.
        again: the rolls, ``BREAK``, ``CHARGE`` or ``LEADERSHIP``, that it may roll again.
        rule: the catalogue id that events cite.
    """

    result: Number = (0, 6, 0)
    rally: int = 0
    is_lent: bool = True
    shares_leadership: bool = True
    is_inspired: bool = True
    again: tuple[str, ...] = ()
    rule: str = ""


AS_EVER = UnitChanges()
