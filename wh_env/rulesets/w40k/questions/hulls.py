"""The model of a TRANSPORT unit that a unit is embarked in: units embark in a model, not in its unit
(transport.capacity, .embark).

``statics["hulls"]`` has the rows of the models that carry others, by TRANSPORT unit. Table ``hulls`` has the row of its
model for each embarked unit. It is empty in battles in which every TRANSPORT unit is one model.
"""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.battle import BattleCore
from wh_env.core.tables import EMBARKED


def hulls(g: BattleCore, carrier: int) -> tuple[int, ...]:
    """Rows of the models of a TRANSPORT unit that carry others, destroyed ones included."""
    rows: Mapping[int, tuple[int, ...]] = g.setup.statics["hulls"]
    return rows[carrier]


def hull_of(g: BattleCore, unit: int) -> int:
    """The row of the model that the unit is embarked in."""
    return g.hulls[unit] if len(g.hulls) else hulls(g, g.units.carrier[unit])[0]


def passengers_of(g: BattleCore, hull: int) -> list[int]:
    """Units embarked in the model."""
    u, carrier = g.units, g.models.unit[hull]
    return [
        unit
        for unit in g.units_of(u.owner[carrier])
        if u.place[unit] == EMBARKED and u.carrier[unit] == carrier and hull_of(g, unit) == hull
    ]


def embarked_in(g: BattleCore, carrier: int) -> list[int]:
    """Units embarked in the TRANSPORT unit."""
    u = g.units
    return [unit for unit in g.units_of(u.owner[carrier]) if u.place[unit] == EMBARKED and u.carrier[unit] == carrier]
