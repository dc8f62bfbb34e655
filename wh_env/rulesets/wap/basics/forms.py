"""Characters who take another form (wap.lore.beasts.transformation-of-kadon.limits).

The other form is a unit row of its own behind those of the player's army. It is on the table while the character has
it; his own row, with his own Wounds, is in reserve then. Before and after that the form is a unit without models.
``statics["forms"]`` holds the row of each unit's other form, ``statics["forms_of"]`` the unit whose form a row is; -1:
none.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def other_form(g: BattleCore, unit: int) -> int:
    """The row of a unit's other form; -1: it has none."""
    found: int = g.setup.statics["forms"][unit]
    return found


def whose_form(g: BattleCore, unit: int) -> int:
    """The unit whose other form a row is; -1: it is nobody's."""
    found: int = g.setup.statics["forms_of"][unit]
    return found


def has_changed(g: BattleCore, unit: int) -> bool:
    """Whether a unit has its other form now."""
    form = other_form(g, unit)
    return form >= 0 and bool(g.units.alive[form])


def as_it_is(g: BattleCore, unit: int) -> int:
    """The row that stands for a unit now: its own, or that of the form that it has."""
    return other_form(g, unit) if has_changed(g, unit) else unit
