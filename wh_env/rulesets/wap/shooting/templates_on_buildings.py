"""Shots over a building: D6 hits on the garrison in place of one for each model (wap.building.shooting.at.templates,
.at.many-ranks).

Weapons that use templates, and machines that look for a spot to aim at, ask ``as_templates_meet`` for the models of the
battle: a garrison is one model there, as large as its building. They roll the hits on it by ``rolled_hits``. Attacks
on several ranks end with the first model of a garrison: ``goes_past_the_first`` says so.
"""

from __future__ import annotations

from math import hypot

from wh_env.core.battle import BattleCore
from wh_env.core.tables import RECT, Array
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.garrisons import buildings_of, garrison_in, is_inside
from wh_env.rulesets.wap.basics.sight import within

RULE = "wap.building.shooting.at.templates"


def as_templates_meet(g: BattleCore) -> Array:
    """The rows of ``models`` as templates and machines meet them. The first model of each garrison lies on the whole
    outline of its building, and the others of the garrison are not on the table.
    """
    held = {unit: building for feature, building in buildings_of(g).items() if (unit := garrison_in(g, feature)) >= 0}
    if not held:
        return g.models.rows
    rows = g.models.rows.copy()
    for unit, building in held.items():
        first, *others = within(g, unit)
        rows["on_table"][others] = 0
        for name in ("x", "y", "facing", "half_a", "half_b"):
            rows[name][first] = getattr(building, name)
        rows["radius"][first], rows["shape"][first] = hypot(building.half_a, building.half_b), RECT
    return rows


def rows_in(g: BattleCore, models: Array, unit: int) -> list[int]:
    """The rows of a unit, with the characters in it, that are on the table in ``models`` (``as_templates_meet``)."""
    return [k for k in within(g, unit) if models["on_table"][k]]


def rolled_hits(g: BattleCore, unit: int) -> int:
    """Roll the hits of a template on a garrison."""
    hits = g.d6()
    if g.recorder is not None:
        g.note(RULE, "template over a building", unit=unit, die=hits)
    return hits


def models_struck(g: BattleCore, unit: int, number: int, *, apart: int = -1) -> dict[int, int]:
    """Which models of the garrison that a unit is in take ``number`` hits of magic, by their units: soldiers before
    characters, and no model more than one (wap.building.magic.templates). ``apart``: a unit that takes none.
    """
    found = dict[int, int]()
    for row in units_beside(g, unit):
        if row != apart and number > 0:
            found[row] = min(number, g.units.alive[row])
            number -= found[row]
    return found


def goes_past_the_first(g: BattleCore, unit: int) -> bool:
    """Whether an attack that concerns several ranks, such as a bolt, goes on behind the first model of a unit: not in a
    building (wap.building.shooting.at.many-ranks).
    """
    return not is_inside(g, unit)
