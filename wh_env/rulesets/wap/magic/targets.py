"""The units that a spell may be cast on: by its type, its range, the wizard's front arc and his sight
(wap.magic.type.*, wap.magic.cast.declare).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.allies.relations import Relation, alliances_of, relation_between
from wh_env.rulesets.wap.basics.blocks import block_distance, distance
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.quarters import is_partly_before
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.magic.models import within_reach
from wh_env.rulesets.wap.magic.sides import side_of
from wh_env.rulesets.wap.magic.spells import AHEAD, AT_NO_UNIT, Aim, Kind, Spell
from wh_env.rulesets.wap.shooting.aims import base_gap, gaps_to, put_base
from wh_env.rulesets.wap.special.flying import is_flyer

EITHER = -1  # the units of either player
NOT_FROM_COMBAT = (Kind.MISSILE,)  # types that a wizard in close combat cannot cast (wap.magic.type.missile)
NOT_INTO_COMBAT = (Kind.MISSILE, Kind.DAMAGE)  # types whose target is not in close combat


@inner_kernel
def is_ahead(models: Array, units: Array, parts: Array, k: int, target: int) -> bool:
    """Whether a base of unit ``target`` lies at least partly in the front quarter of model ``k``."""
    m = models[k]
    x = m["x"] + m["half_a"] * cos(m["facing"])
    y = m["y"] + m["half_a"] * sin(m["facing"])
    return is_partly_before(parts, units[target]["first_part"], x, y, m["facing"], m["half_b"])


@kernel
def mark_near(
    models: Array, units: Array, parts: Array, wizard: int, block: int, side: int, free: bool, ahead: bool, far: float,
    base: Array, marks: Array,
) -> None:  # fmt: skip
    """Write to ``marks`` (bool, by unit) the units of a player (``side``; EITHER: of both) on the table within ``far``
    inches of a wizard in unit ``block``; if ``free``, those that are not in close combat; if ``ahead``, those in his
    front arc. Out of a building he casts to all sides (wap.building.magic.casting).
    """
    k = units[wizard]["first"]
    inside = units[block]["garrison"] >= 0
    put_base(models[k], base[0])
    for u in range(len(units)):
        marks[u] = False
        unit = units[u]
        if unit["place"] != ON_TABLE or (side != EITHER and unit["owner"] != side) or (free and unit["fights"] != 0):
            continue
        if u != block:
            gap = block_distance(parts, units, block, u) if inside else base_gap(parts, units, base[0], u)
            if gap > far:
                continue
        marks[u] = not ahead or inside or is_ahead(models, units, parts, k, u)


def model_of(g: BattleCore, wizard: int) -> int:
    """The model that casts the spells of a unit: its first."""
    first: int = g.units.first[wizard]
    return first


def gap_between(g: BattleCore, wizard: int, target: int) -> float:
    """Inches from a wizard's base, or from the building that he is in, to the nearest base of a unit
    (wap.building.magic.casting).
    """
    block = block_of(g, wizard)
    if block == target:
        return 0.0
    if is_inside(g, block):
        return distance(g, block, target)
    return gaps_to(g, target, [model_of(g, wizard)])[0]


def is_seen(g: BattleCore, wizard: int, target: int) -> bool:
    """Whether a wizard sees a unit."""
    block = block_of(g, wizard)
    if not find_who_see(g, block, target, all_round=is_inside(g, block), joined=True):
        return False
    return is_inside(g, block) or bool(g.work.sights.seeing[model_of(g, wizard)])


def are_friends(g: BattleCore, wizard: int, unit: int) -> bool:
    """Whether a unit counts as friendly for the spells of a wizard (wap.ally.blood-bound, wap.ally.trusted,
    wap.ally.suspicious).
    """
    if g.units.owner[unit] != g.units.owner[wizard]:
        return False
    return relation_between(g, wizard, unit) < Relation.SUSPICIOUS


def are_foes(g: BattleCore, wizard: int, unit: int) -> bool:
    """Whether a unit counts as an enemy for the spells of a wizard (wap.ally.desperate.spells)."""
    if g.units.owner[unit] != g.units.owner[wizard]:
        return True
    return relation_between(g, wizard, unit) == Relation.DESPERATE


def flyers_there(g: BattleCore) -> list[int]:
    """The units of both sides on the table that have flyers among them."""
    units = (unit for unit, place in enumerate(g.units.place) if place == ON_TABLE)
    return [unit for unit in units if any(is_flyer(g, row) for row in wholly(g, unit))]


def may_be_cast_from(g: BattleCore, wizard: int, spell: Spell) -> bool:
    """Whether a wizard stands where a spell of this type can be cast from, and, if it gives him another form, is one
    who can take it (wap.lore.beasts.transformation-of-kadon). A spell on flyers needs some.
    """
    if spell.reshapes and other_form(g, wizard) < 0:
        return False
    if spell.aim is Aim.FLYERS and not flyers_there(g):
        return False
    return spell.kind not in NOT_FROM_COMBAT or not engaged(g, block_of(g, wizard))


def marks_near(g: BattleCore, wizard: int, side: int, free: bool, ahead: bool, inches: float) -> list[bool]:
    """What ``mark_near`` writes, by unit."""
    g.work.call(
        mark_near, g.models.rows, g.units.rows, g.parts.rows, wizard, block_of(g, wizard), side, free, ahead,
        inches + EPS, g.work.block, g.work.near,
    )  # fmt: skip
    marks: list[bool] = g.work.near.tolist()
    return marks


def near(g: BattleCore, wizard: int, spell: Spell, inches: float) -> list[int]:
    """The units that may be targets of a spell of a wizard by their side, the type of the spell, its range (``inches``)
    and his front arc.
    """
    side = EITHER if alliances_of(g) is not None else g.units.owner[side_of(g, wizard)] ^ (spell.aim is Aim.ENEMY)
    marks = marks_near(g, wizard, side, spell.kind in NOT_INTO_COMBAT, spell.kind in AHEAD, inches)
    return [unit for unit, is_near in enumerate(marks) if is_near]


def reached_with(g: BattleCore, wizard: int, spell: Spell, inches: float) -> Iterator[int]:
    """The units that a spell of a wizard may be cast on, or act on, within ``inches``; the cheap questions first."""
    allied, on_side = alliances_of(g) is not None, are_foes if spell.aim is Aim.ENEMY else are_friends
    side = side_of(g, wizard)
    for unit in near(g, wizard, spell, inches):
        if allied and not on_side(g, side, unit):
            continue
        if spell.strikes_once and g.wizards.chained[unit] >> spell.lore & 1:
            continue
        if spell.picks is not None and not within_reach(g, wizard, spell, unit, inches):
            continue
        if spell.kind is not Kind.MISSILE or is_seen(g, wizard, unit):
            yield unit


def targets_of(g: BattleCore, wizard: int, spell: Spell, *, boosted: bool = True) -> Iterator[int]:
    """The units that a wizard may name as the target of a spell, up to the range of its longest version
    (wap.lore.general.boosted-version), or of its base version if it cannot be ``boosted``. A spell on himself has the
    unit that he is in as its target.
    """
    if not may_be_cast_from(g, wizard, spell):
        return
    if spell.aim in AT_NO_UNIT:
        yield block_of(g, wizard)
        return
    yield from reached_with(g, wizard, spell, spell.range if boosted else spell.versions[0].range)


def has_target(g: BattleCore, wizard: int, spell: Spell, *, boosted: bool = True) -> bool:
    """Whether a spell of a wizard can be cast on anything now; ``boosted``: as for ``targets_of``. The wizard's own
    unit is a friend that most augments find at once.
    """
    at_once = spell.kind is Kind.AUGMENT and spell.aim is Aim.FRIEND and spell.picks is None and not spell.strikes_once
    if at_once and alliances_of(g) is None and g.units.place[block_of(g, wizard)] == ON_TABLE:
        return may_be_cast_from(g, wizard, spell)
    return next(targets_of(g, wizard, spell, boosted=boosted), -1) >= 0


def acted_on(g: BattleCore, wizard: int, spell: Spell, target: int, everyone: bool, inches: float) -> list[int]:
    """The units that a version of a spell acts on when it is resolved: its target if that is in range still, or all
    units in range that could be its target (wap.magic.resolve.no-effect).
    """
    if spell.aim is Aim.FLYERS:
        return flyers_there(g)
    if spell.aim in AT_NO_UNIT and not everyone:
        return [target] if target >= 0 and g.units.place[target] == ON_TABLE else []
    found = set(reached_with(g, wizard, spell, inches)) if everyone else set[int]()
    if target >= 0 and marks_near(g, wizard, EITHER, False, False, inches)[target]:
        found.add(target)
    return sorted(found)


def meant_by(g: BattleCore, model: int, units: list[int]) -> list[int]:
    """The units whose models a spell targets: the one of the single ``model`` that it names (-1: none), else ``units``,
    that it acts on.
    """
    return [g.models.unit[model]] if model >= 0 and units else units
