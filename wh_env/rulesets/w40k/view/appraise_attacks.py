"""What attacks are worth in circumstances (``Near``): in Overwatch, or under a modifier that lasts. Values are points
as in ``appraise``.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.chances import at_least, mean
from wh_env.core.geometry.shapes import EPS, unit_distance
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.chances import chance_of
from wh_env.rulesets.w40k.view.appraise import EXTRA, EditionAppraiser
from wh_env.rulesets.w40k.view.appraise_places import LATER, NEXT_TURN, THREAT_MOVE


def apart(g: BattleCore, one: int, other: int) -> float:
    """Inches between two units."""
    return float(unit_distance(g.models.rows, g.units.rows, one, other))


def one_model(values: EditionAppraiser, g: BattleCore, model: int, weapon: int, target: int, near: int) -> float:
    """Points that one model's attacks with a weapon take from the target on average, in circumstances ``near``."""
    statics = g.setup.statics
    wounds = expected_wounds(
        g.models.rows, g.units.rows, statics["weapons"], statics["attack_rules"], model, weapon, target, near
    )
    return float(wounds * values.price(target))


def shots(values: EditionAppraiser, g: BattleCore, unit: int, target: int, near: int, away: float) -> float:
    """Points that the unit's ranged weapons take from a target ``away`` inches away; at most what is left of it."""
    weapons, counts = values.ranged(g, unit)
    reach = g.setup.statics["weapons"]["range"]
    first = next(g.members(unit), None)
    total = 0.0
    for weapon, count in zip(weapons.tolist(), counts.tolist(), strict=True):
        if first is not None and reach[weapon] + EPS >= away:
            total += count * one_model(values, g, first, weapon, target, near)
    return min(total, values.left(g, target))


def blows(values: EditionAppraiser, g: BattleCore, unit: int, target: int, near: int) -> float:
    """Points that the unit takes from the target in melee, each model with its best weapon and Extra Attacks; at most
    what is left of it.
    """
    m, statics = g.models, g.setup.statics
    weapons, carried = statics["weapons"], statics["arsenal_weapon"]
    total = 0.0
    for k in g.members(unit):
        best = 0.0
        for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]):
            weapon = carried[s]
            if weapons[weapon]["melee"]:
                points = one_model(values, g, k, weapon, target, near)
                if int(weapons[weapon]["abilities"]) & EXTRA:
                    total += points
                else:
                    best = max(best, points)
        total += best
    return min(total, values.left(g, target))


def share_lost(values: EditionAppraiser, g: BattleCore, unit: int, points: float) -> float:
    """The share of the unit, 0 to 1, that ``points`` are."""
    left = values.left(g, unit)
    return min(1.0, points / left) if left > 0.0 else 0.0


def chance_to_charge(g: BattleCore, unit: int, target: int) -> float:
    """The chance that a Charge roll of the unit covers the straight distance to the target."""
    own = edition(g)
    return float(chance_of(at_least(own.dice.charge), apart(g, unit, target) - own.measures.engagement - EPS))


def fighting_chance(g: BattleCore, unit: int, target: int, lasts: bool) -> float:
    """The approximate chance that the unit and the target fight: this turn, and in the enemy's turn too if
    ``lasts``.
    """
    own, away = edition(g), apart(g, unit, target)
    if away <= own.measures.engagement + EPS:
        return 1.0
    charger = unit if g.units.owner[unit] == g.clock.turn[0] else target
    now = chance_to_charge(g, unit, target) if away <= own.charging.reach else 0.0
    other = target if charger == unit else unit
    later = lasts and away <= g.models.move[next(g.members(other))] + mean(own.dice.charge)
    return max(now, LATER if later else 0.0)


def swing(values: EditionAppraiser, g: BattleCore, unit: int, target: int, near: int, lasts: bool) -> float:
    """Points that the unit takes from the target more under ``near`` than without: this turn, and in the enemy's turn
    too if ``lasts``.
    """
    away, mine = apart(g, unit, target), g.units.owner[unit] == g.clock.turn[0]
    total = 0.0
    if away > edition(g).measures.engagement + EPS and (mine or lasts):
        reached = away if mine else away - THREAT_MOVE
        more = shots(values, g, unit, target, near, reached) - shots(values, g, unit, target, 0, reached)
        total += more if mine else NEXT_TURN * more
    fought = fighting_chance(g, unit, target, lasts)
    if fought > 0.0:
        total += fought * (blows(values, g, unit, target, near) - blows(values, g, unit, target, 0))
    return total
