"""The models that spells which act on a single model may name (wap.lore.death.spirit-leech,
wap.lore.beasts.panns-impenetrable-pelt): range and front arc are those of the model, whatever unit it stands in.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, gap_at
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.joined import is_character, models_in
from wh_env.rulesets.wap.codes import INFANTRY, RANK_AND_FILE
from wh_env.rulesets.wap.magic.spells import AHEAD, Aim, Casting, Picks, Spell
from wh_env.rulesets.wap.shooting.sniping import marks_in


@kernel
def find_near(models: Array, k: int, inches: float, ahead: bool, rows: Array, marks: Array) -> None:
    """Write to ``marks`` (int8) 1 for each of the models ``rows`` that stands within ``inches`` of model ``k`` and, if
    ``ahead``, at least partly in its front quarter, else 0.
    """
    m = models[k]
    c = cos(m["facing"])
    s = sin(m["facing"])
    for n in range(len(rows)):
        o = models[rows[n]]
        marks[n] = 0
        if gap_at(models, k, m["x"], m["y"], m["facing"], rows[n], o["x"], o["y"], o["facing"]) > inches:
            continue
        if not ahead or rows[n] == k:
            marks[n] = 1
            continue
        oc = cos(o["facing"])
        os = sin(o["facing"])
        for corner in range(5):  # the middle of the base is the last
            a = 0.0 if corner == 4 else (o["half_a"] if corner < 2 else -o["half_a"])
            b = 0.0 if corner == 4 else (o["half_b"] if corner % 2 == 0 else -o["half_b"])
            dx = o["x"] + oc * a - os * b - m["x"]
            dy = o["y"] + os * a + oc * b - m["y"]
            if c * dx + s * dy - m["half_a"] - abs(c * dy - s * dx) + m["half_b"] > EPS:
                marks[n] = 1


def near(g: BattleCore, wizard: int, spell: Spell, unit: int, inches: float) -> set[int]:
    """The models of a unit and of the characters in it that a wizard reaches with a spell. To and from a building the
    whole garrison is measured (wap.building.magic.casting, .no-protection).
    """
    rows = models_in(g, unit)
    if is_inside(g, unit) or is_inside(g, block_of(g, wizard)):
        return set(rows)
    marks = np.zeros(len(rows), np.int8)
    own = g.units.first[wizard]
    g.work.call(find_near, g.models.rows, own, inches + EPS, spell.kind in AHEAD, np.array(rows, np.int64), marks)
    return {k for k, mark in zip(rows, marks.tolist(), strict=True) if mark}


def fits(g: BattleCore, wizard: int, spell: Spell, model: int) -> bool:
    """Whether a model is of the kind that a spell may name."""
    row = g.models.unit[model]
    if spell.picks is Picks.MODEL:
        return True
    if not is_character(g, row) or spell.aim is not Aim.FRIEND:
        return False
    return spell.picks is Picks.CHARACTER or row == wizard or g.units.kind[row] == INFANTRY


def within_reach(g: BattleCore, wizard: int, spell: Spell, unit: int, inches: float) -> list[int]:
    """The models in a unit that a spell may name within ``inches``: one of the rank and file, which are alike, command
    models, and characters.
    """
    reached = near(g, wizard, spell, unit, inches)
    plain = any(g.models.role[k] == RANK_AND_FILE for k in g.members(unit) if k in reached)
    return [
        k for k in marks_in(g, unit) if fits(g, wizard, spell, k) and (plain if is_one_of_many(g, k) else k in reached)
    ]


def is_one_of_many(g: BattleCore, model: int) -> bool:
    """Whether a model stands for all the rank and file of its unit."""
    return g.models.role[model] == RANK_AND_FILE and not is_character(g, g.models.unit[model])


def may_be_named(g: BattleCore, wizard: int, spell: Spell, unit: int, *, boosted: bool) -> list[int]:
    """The models in a unit that a spell may name when it is cast, up to the range of its longest version if it can be
    ``boosted`` (wap.lore.general.boosted-version).
    """
    inches = spell.range if boosted else spell.versions[0].range
    return within_reach(g, wizard, spell, unit, inches)


def is_reached(g: BattleCore, casting: Casting) -> bool:
    """Whether the version that was cast reaches the model that was named, and the model is there still
    (wap.magic.resolve.no-effect).
    """
    if casting.model < 0 or not g.models.alive[casting.model]:
        return False
    unit = block_of(g, g.models.unit[casting.model])
    inches = casting.spell.versions[casting.version].range
    return casting.model in within_reach(g, casting.caster, casting.spell, unit, inches)


def models_meant(g: BattleCore, casting: Casting, unit: int) -> list[int]:
    """The models of a unit that a spell may do something to: the one that was named, else all that may be named. Of a
    unit that is not on the table they are all alike.
    """
    if casting.model >= 0:
        return [casting.model] if is_reached(g, casting) else []
    if g.units.place[unit] != ON_TABLE:
        return [int(g.units.first[unit])]
    return within_reach(g, casting.caster, casting.spell, unit, casting.spell.versions[casting.version].range)
