"""Abilities that are triggered by an event: a Stratagem was used, models moved, a turn begins, a Battle-shock test
failed.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.shapes import EPS, straight_distance, unit_distance
from wh_env.core.procedures import GO, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.ability.choices import choices_of, mark, numbers_at
from wh_env.rulesets.w40k.attack.abilities import LONE, Power, in_force
from wh_env.rulesets.w40k.attack.casualties import heal, mortal_wounds
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.deploy.kept_clear import deep_strike_from
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.prices import REFUNDS
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.sequence.points import gain_cp

LONE_OPERATIVE = int(Ability.LONE_OPERATIVE)


def refund(g: BattleCore, player: int, unit: int) -> None:
    """The player has used a Stratagem on the unit: abilities in force on it may give back a Command point, on a
    roll.
    """
    if unit < 0 or not g.setup.statics["powers"]["refunds"]:
        return
    for power in in_force(g, unit, "refunds"):
        if power.owner == player and g.d6() >= REFUNDS[power.effect]:
            gain_cp(g, player, 1)


def near_friends(g: BattleCore, power: Power) -> bool:
    """Whether a model with an ability of ``LONE`` is near enough to a friendly model of another unit with its keywords,
    and all units with it are on the battlefield.
    """
    m, u = g.models, g.units
    keyword, inches = LONE[power.effect]
    wanted = keyword or power.keyword
    own = {m.unit[k] for k in power.models}
    friends = [
        k
        for k, owner in enumerate(m.owner)
        if owner == power.owner and m.on_table[k] and m.unit[k] not in own and m.keywords[k] & wanted == wanted
    ]
    return any(
        m.on_table[bearer] and any(straight_distance(m.rows, bearer, k) <= inches + EPS for k in friends)
        for bearer in power.models
    ) and all(u.place[m.unit[k]] == ON_TABLE for k in power.models)


def settle_lone(g: BattleCore) -> None:
    """Models moved or were destroyed: determine which units with such an ability have Lone Operative now."""
    for power in g.setup.statics["powers"]["lone"]:
        unit = g.models.datasheet[power.models[0]]
        flags = g.units.flags[unit]
        new = flags | LONE_OPERATIVE if near_friends(g, power) else flags & ~LONE_OPERATIVE
        if new != flags:
            g.units.flags[unit] = new
            for k in power.models:
                g.models.flags[k] = g.models.flags[k] & ~LONE_OPERATIVE | new & LONE_OPERATIVE
            forget_targets(g)


def stale_lone(g: BattleCore) -> list[str]:
    """Faults of Lone Operative by such abilities: one sentence for each unit that should have it, or should not."""
    faults = []
    for power in g.setup.statics["powers"]["lone"]:
        unit = g.models.datasheet[power.models[0]]
        if bool(g.units.flags[unit] & LONE_OPERATIVE) != near_friends(g, power):
            faults.append(f"{g.setup.names['units'][unit]}: Lone Operative is kept from earlier positions")
    return faults


def bar_tunnellers(g: BattleCore, unit: int) -> None:
    """The unit was set up from Reserves. If an ability let it come nearer to enemies than usual, it cannot charge this
    turn.
    """
    usual, u = edition(g).placing.deep_strike, g.units
    if deep_strike_from(g, unit) < usual:
        enemies = [each for each in g.units_of(1 - u.owner[unit]) if u.place[each] == ON_TABLE and u.alive[each] > 0]
        if any(unit_distance(g.models.rows, u.rows, unit, each) <= usual + EPS for each in enemies):
            u.marks[unit] |= Freedom.NO_CHARGE


def mark_as_turns_begin(g: BattleCore) -> None:
    """A turn begins: mark the units in which a bearer of an ability for this moment has lost wounds."""
    m = g.models
    for number in sorted(numbers_at(g, "turn begins", -1, 0).tolist()):
        choice = choices_of(g)[number]
        hurt = {m.unit[k] for k in choice.bearers if m.on_table[k] and m.wounds[k] < m.max_wounds[k]}
        hurt = {unit for unit in hurt if not g.units.marks[unit] & choice.marks[0]}
        if hurt:
            mark(g, choice, sorted(hurt), 0)


class Leech(Procedure):
    """A unit has failed a Battle-shock test. Unless the test now counts as passed, it suffers D3 mortal wounds by each
    such ability of enemies in range, and the ability's unit regains D3 wounds.
    """

    UNIT = integer(row_of("units"))

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Leech.UNIT]
        g.pop()
        if not g.units.shocked[unit]:
            return GO
        for power in in_force(g, unit, "leeches"):
            healed = next(g.models.unit[k] for k in power.models if g.models.on_table[k])
            g.tell("datasheet.abilities", "leeches wounds", unit=healed, target=unit)
            mortal_wounds(g, unit, g.roll(1, 3, 0))
            heal(g, healed, g.roll(1, 3, 0))
        return GO
