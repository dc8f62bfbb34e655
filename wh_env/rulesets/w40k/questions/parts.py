"""Units that have split in two. The second part has a spare row that the Setup keeps for it, with the same rows of
models.

``Setup.statics["splits"]``: by unit its spare row and the number of models that part; ``"spares"``: by spare row the
unit.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def origin(g: BattleCore, unit: int) -> int:
    """The row by which rules name the unit: for a second part, the row of the unit that has split."""
    return int(g.setup.statics["spares"].get(unit, unit))


def parts(g: BattleCore, unit: int) -> tuple[int, ...]:
    """The unit and, if it has split, its second part."""
    splits = g.setup.statics["splits"]
    return (unit, splits[unit][0]) if unit in splits and g.units.strength[splits[unit][0]] else (unit,)


def share(g: BattleCore, unit: int, whole: int) -> int:
    """The unit's share of a number that its datasheet gives to the whole unit, such as points. Parts of a split unit
    share it in proportion to their models.
    """
    statics, strength = g.setup.statics, g.units.strength
    first = origin(g, unit)
    if first not in statics["splits"]:
        return whole
    spare = statics["splits"][first][0]
    parted = whole * strength[spare] // (strength[spare] + strength[first])
    return int(parted if unit == spare else whole - parted)


def points(g: BattleCore, unit: int) -> int:
    """Points of the unit."""
    return share(g, unit, g.units.points[origin(g, unit)])
