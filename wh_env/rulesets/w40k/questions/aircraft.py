"""AIRCRAFT: which units are AIRCRAFT, and which enemies within Engagement Range matter (aircraft.others.*,
aircraft.fight.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.questions.move_limits import AIRCRAFT, FLY, engaged_with


def is_aircraft(g: BattleCore, unit: int) -> bool:
    """Whether the unit is an AIRCRAFT now. In Hover mode it is not (aircraft.hover.effect)."""
    return bool(g.units.keywords[unit] & AIRCRAFT)


def engaged_units(g: BattleCore, unit: int) -> list[int]:
    """Enemy units within Engagement Range of the unit."""
    u = g.units
    return [
        enemy for enemy in g.units_of(1 - u.owner[unit]) if u.place[enemy] == ON_TABLE and engaged_with(g, unit, enemy)
    ]


def only_aircraft_near(g: BattleCore, unit: int) -> bool:
    """Whether the enemies within Engagement Range of the unit, if any, are all AIRCRAFT (aircraft.others.may-move)."""
    keywords = g.units.keywords
    return all(keywords[enemy] & AIRCRAFT for enemy in engaged_units(g, unit))


def flyers_near(g: BattleCore, unit: int) -> bool:
    """Whether an enemy unit with FLY is within Engagement Range of the unit (aircraft.fight.eligible)."""
    keywords = g.units.keywords
    return any(keywords[enemy] & FLY for enemy in engaged_units(g, unit))
