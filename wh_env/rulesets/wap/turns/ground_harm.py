"""Ground that hurts units in it at the end of a Movement phase or of a turn (wap.terrain.forest.wildwood,
.river.boiling-flood, .marsh.mist.fimir).

Such hits come from no side of a unit. They fall on a unit's own models, and on characters only where each model is hit.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.procedures import GO, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.characteristic_tests import unit_characteristic_test
from wh_env.rulesets.wap.basics.ground import Ground, Harm, is_mostly_in, touching, with_trait
from wh_env.rulesets.wap.basics.immunity import ignores
from wh_env.rulesets.wap.basics.joined import characters_first
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.casualties.casualties import suffer_together
from wh_env.rulesets.wap.casualties.harm import Harm as Cost
from wh_env.rulesets.wap.casualties.harm import harmed, wounds_of_slain
from wh_env.rulesets.wap.casualties.losses import losses_of, wounds_of
from wh_env.rulesets.wap.codes import REAR
from wh_env.rulesets.wap.morale.panic_causes import blame, ground_source, is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import FLAMING_ATTACKS
from wh_env.rulesets.wap.shooting.hits import points_against_shots, saves_again, wounds_from
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.rulesets.wap.weapons.hit import Hit

MOVES, EVERY_MOVE, TURN = "own moves", "all moves", "turn"
MOST = 128  # features of a table
AFTER_MOVES, AFTER_TURN = 0, 1  # integer ``GroundHarm.WHEN``


def harmful(g: BattleCore, when: int) -> tuple[Ground, ...]:
    """The features that hurt units at the end of a Movement phase or of a turn."""
    moments = (MOVES, EVERY_MOVE) if when == AFTER_MOVES else (TURN,)
    return tuple(item for item in with_trait(g, "harm") if item.traits.harm and item.traits.harm.when in moments)


class GroundHarm(OfPlayer):
    """Each unit in ground that harms suffers from it, one after the other: characters by themselves first, then the
    others, in the order of their rows. Panic that this causes is tested for before anything else is done.
    """

    WHEN = integer(between(AFTER_MOVES, AFTER_TURN))
    AT = integer(between(0, MOST))  # features that are done
    UNIT = integer(row_of("units"))  # units that are done in the one after them

    def advance(self, g: BattleCore, f: int) -> int:
        if finish_if_left(g):
            return GO
        stack = g.stack
        listed = harmful(g, stack[f + GroundHarm.WHEN])
        if stack[f + GroundHarm.AT] >= len(listed):
            if is_due(g):
                g.push(Panic)
                return GO
            return g.pop()
        ground = listed[stack[f + GroundHarm.AT]]
        unit = characters_first(g, range(len(g.units.owner)))[stack[f + GroundHarm.UNIT]]
        stack[f + GroundHarm.UNIT] += 1
        if stack[f + GroundHarm.UNIT] == len(g.units.owner):
            stack[f + GroundHarm.UNIT] = 0
            stack[f + GroundHarm.AT] += 1
        hurt(g, unit, ground, stack[f + GroundHarm.PLAYER])
        return GO


def hurt(g: BattleCore, unit: int, ground: Ground, player: int) -> None:
    """Let a feature harm a unit that stands in it at the end of the phase or turn of ``player``."""
    harm, u = ground.traits.harm, g.units
    if harm is None or u.place[unit] != ON_TABLE or (harm.when == MOVES and u.owner[unit] != player):
        return
    struck = wholly(g, unit) if harm.each_model else [unit]
    rows = [row for row in struck if not is_spared(g, row, harm)]
    models = touching(g, unit, ground)
    if not rows or not models or (harm.mostly and not is_mostly_in(g, unit, ground)):
        return
    if harm.escapes_by and unit_characteristic_test(g, unit, harm.escapes_by, harm.rule):
        return
    if harm.needs:
        die = g.d6()
        g.note(harm.rule, "ground rolls", unit=unit, die=die, needed=harm.needs)
        if die < harm.needs:
            return
    if harm.each_model:
        hits = {row: sum(u.first[row] <= k < u.first[row] + u.count[row] for k in models) for row in rows}
    else:
        hits = {unit: g.d6()}
    source = ground_source(g, ground.row)
    costs = {row: cost_of(g, row, number, harm) for row, number in hits.items() if number}
    wounds = {row: min(wounds_of(g, row), it.lost) for row, it in costs.items() if not saves_again(g, row, it, source)}
    for row, lost in wounds.items():
        g.note(harm.rule, "is hurt by the ground", unit=row, amount=lost)
        blame(g, row, source, losses_of(g, row, lost))
    suffer_together(g, wounds)


def is_spared(g: BattleCore, row: int, harm: Harm) -> bool:
    """Whether a unit's own models are spared: they are immune to fire, or of a kind that the ground harbours."""
    if harm.is_fire and ignores(g, row, FLAMING_ATTACKS):
        return True
    return bool(harm.harbours and harm.harbours in outfit_of(g, row).names)


def cost_of(g: BattleCore, row: int, number: int, harm: Harm) -> Cost:
    """What so many hits cost a unit; without a Strength so many whole models are lost."""
    g.note(harm.rule, "is hit by the ground", unit=row, amount=number)
    if not harm.strength:
        return Cost(wounds_of_slain(g, row, number, 0), number)
    hit = Hit(harm.strength, ignores_armour=harm.no_armour)
    wounds = wounds_from(g, row, number, hit)
    return harmed(g, row, wounds, hit, REAR, 0, points=points_against_shots(g, row, hit, REAR))
