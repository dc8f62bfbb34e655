"""The General and the Battle Standard Bearer: where they stand, and which units they help (wap.general.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.allies.relations import bearers_of, bond_between, generals_of
from wh_env.rulesets.wap.basics.auras import change_near
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.changed_units import is_inspired, lent_leadership, shares_leadership
from wh_env.rulesets.wap.basics.effects import change_under_effects, is_bare, with_change
from wh_env.rulesets.wap.basics.forms import whose_form

# Line of Sight value from which on a General or standard bearer helps units farther away
# (wap.general.inspiring-presence.large, .bsb.hold-your-ground.large)
TALL = 5


def block_of(g: BattleCore, unit: int) -> int:
    """The unit in whose block a unit stands: its own, or the one that it has joined. -1: the block is not on the table,
    or the unit is destroyed.
    """
    u = g.units
    if not u.alive[unit]:
        return -1
    host = u.bodyguard[unit] if u.place[unit] == ATTACHED else unit
    return int(host) if u.place[host] == ON_TABLE else -1


def reaches(g: BattleCore, leader: int, unit: int) -> bool:
    """Whether unit ``unit`` is near enough to a leader of the army for his help. A leader who flees helps no unit."""
    rules = g.setup.rules
    where, there = block_of(g, leader), block_of(g, unit)
    if where < 0 or there < 0 or g.units.fleeing[where]:
        return False
    far = rules["leaders_distance"] + rules["leaders_tall"] * (g.units.sight[leader] >= TALL)
    return where == there or bool(distance(g, where, there) <= far + EPS)


def presence(g: BattleCore, unit: int) -> int:
    """The Leadership that a General lends to a unit that he is not in; 0: none (wap.general.inspiring-presence). Those
    of allied armies lend theirs if the bond allows it (wap.ally.permissions).
    """
    if not is_inspired(g, unit):
        return 0
    return max((lent_by(g, general, unit) for general in generals_of(g, g.units.owner[unit])), default=0)


def lent_by(g: BattleCore, general: int, unit: int) -> int:
    """The Leadership that one General lends to a unit, changed as effects change that of the unit
    (wap.general.modifiers, wap.lore.death.doom-and-darkness); 0: none.
    """
    if g.units.disgraced[general] or block_of(g, general) == unit or not reaches(g, general, unit):
        return 0
    if not bond_between(g, general, unit).inspiring_presence or not shares_leadership(g, general):
        return 0
    best = max(0, lent_leadership(g, g.units.first_line[general]) + change_near(g, general, "ld"))
    return with_change(best, change_under_effects(g, unit, "ld", besides=general))


def bears_standard(g: BattleCore, bearer: int) -> bool:
    """Whether the standard of a Battle Standard Bearer works: it is equipment, which a toad has none of, nor who has
    another form (wap.item.arcane.sivejirs-hex-scroll, wap.lore.beasts.transformation-of-kadon.limits).
    """
    return whose_form(g, bearer) < 0 and not is_bare(g, bearer)


def holds_ground(g: BattleCore, unit: int) -> bool:
    """Whether a unit may re-roll failed Panic and Break tests because of a Battle Standard Bearer
    (wap.general.bsb.hold-your-ground), of its army or of an ally's whose bond allows it (wap.ally.permissions). A
    bearer who has refused a challenge in this turn does not help (wap.general.bsb.refused-challenge).
    """
    return any(
        not g.units.disgraced[bearer] and reaches(g, bearer, unit) and bond_between(g, bearer, unit).hold_your_ground
        for bearer in bearers_of(g, g.units.owner[unit])
        if bears_standard(g, bearer)
    )


def has_battle_standard(g: BattleCore, unit: int) -> bool:
    """Whether a Battle Standard Bearer is alive and in this unit; the standard is lost with him
    (wap.general.bsb.lost, .combat-result).
    """
    bearers = bearers_of(g, g.units.owner[unit])
    there = (bearer for bearer in bearers if g.units.alive[bearer] and block_of(g, bearer) == unit)
    return any(bears_standard(g, bearer) for bearer in there)
