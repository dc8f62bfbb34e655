"""The units that a spell may be cast on: by its type, its range, the wizard's front arc and his sight
(wap.magic.type.*, wap.magic.cast.declare).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.allies.relations import Relation, relation_between
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.quarters import is_partly_before
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.magic.models import within_reach
from wh_env.rulesets.wap.magic.spells import AHEAD, AT_NO_UNIT, Aim, Kind, Spell
from wh_env.rulesets.wap.shooting.aims import gaps_to
from wh_env.rulesets.wap.special.flying import is_flyer

NOT_FROM_COMBAT = (Kind.MISSILE,)  # types that a wizard in close combat cannot cast (wap.magic.type.missile)
NOT_INTO_COMBAT = (Kind.MISSILE, Kind.DAMAGE)  # types whose target is not in close combat


@kernel
def is_ahead(models: Array, units: Array, parts: Array, k: int, target: int) -> bool:
    """Whether a base of unit ``target`` lies at least partly in the front quarter of model ``k``."""
    m = models[k]
    x = m["x"] + m["half_a"] * cos(m["facing"])
    y = m["y"] + m["half_a"] * sin(m["facing"])
    return is_partly_before(parts, units[target]["first_part"], x, y, m["facing"], m["half_b"])


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


def is_in_front(g: BattleCore, wizard: int, target: int) -> bool:
    """Whether a unit is in a wizard's front arc. Out of a building he casts to all sides."""
    if is_inside(g, block_of(g, wizard)):
        return True
    found: bool = g.work.call(is_ahead, g.models.rows, g.units.rows, g.parts.rows, model_of(g, wizard), target)
    return found


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


def may_be_target(g: BattleCore, wizard: int, spell: Spell, unit: int, inches: float) -> bool:
    """Whether a spell of a wizard may be cast on a unit that stands within ``inches``; the cheap questions first."""
    if g.units.place[unit] != ON_TABLE:
        return False
    if not (are_foes if spell.aim is Aim.ENEMY else are_friends)(g, wizard, unit):
        return False
    if spell.kind in NOT_INTO_COMBAT and engaged(g, unit):
        return False
    if spell.strikes_once and g.wizards.chained[unit] >> spell.lore & 1:
        return False
    if gap_between(g, wizard, unit) > inches + EPS:
        return False
    if spell.kind in AHEAD and not is_in_front(g, wizard, unit):
        return False
    if spell.picks is not None and not within_reach(g, wizard, spell, unit, inches):
        return False
    return spell.kind is not Kind.MISSILE or is_seen(g, wizard, unit)


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
    inches = spell.range if boosted else spell.versions[0].range
    for unit in range(len(g.units.owner)):
        if may_be_target(g, wizard, spell, unit, inches):
            yield unit


def has_target(g: BattleCore, wizard: int, spell: Spell, *, boosted: bool = True) -> bool:
    """Whether a spell of a wizard can be cast on anything now; ``boosted``: as for ``targets_of``. Friends are found
    at once: the wizard's own unit is one.
    """
    inches = spell.range if boosted else spell.versions[0].range
    if spell.aim is Aim.FRIEND and may_be_cast_from(g, wizard, spell):
        if may_be_target(g, wizard, spell, block_of(g, wizard), inches):
            return True
    return any(True for _ in targets_of(g, wizard, spell, boosted=boosted))


def acted_on(g: BattleCore, wizard: int, spell: Spell, target: int, everyone: bool, inches: float) -> list[int]:
    """The units that a version of a spell acts on when it is resolved: its target if that is in range still, or all
    units in range that could be its target (wap.magic.resolve.no-effect).
    """
    if spell.aim is Aim.FLYERS:
        return flyers_there(g)
    if spell.aim in AT_NO_UNIT and not everyone:
        return [target] if g.units.place[target] == ON_TABLE else []
    units = range(len(g.units.owner)) if everyone else (target,)
    return [
        unit
        for unit in units
        if g.units.place[unit] == ON_TABLE
        and gap_between(g, wizard, unit) <= inches + EPS
        and (unit == target or may_be_target(g, wizard, spell, unit, inches))
    ]
