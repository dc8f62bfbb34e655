"""The average worth of a breath, in points of the army that it is used on."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects
from wh_env.rulesets.wap.basics.contacts import block_of, side_towards
from wh_env.rulesets.wap.basics.dice_changes import WOUND
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.immunity import ignores
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.combat.breath_blows import within_breath
from wh_env.rulesets.wap.shooting.aims import quarters_of_models
from wh_env.rulesets.wap.shooting.blind_shots import chance_to_leave
from wh_env.rulesets.wap.shooting.breathing import Breathing
from wh_env.rulesets.wap.shooting.flames import placings
from wh_env.rulesets.wap.shooting.looking_out import shares_of_hits
from wh_env.rulesets.wap.special.breath import blow_of_breath, breather_of, breaths_of, kinds_of
from wh_env.rulesets.wap.view.appraise_combat import share_of_wounds, worth_left
from wh_env.rulesets.wap.weapons.blows import Blow, blow_of

HITS = 7.0  # of a breath in close combat, on average


def worth_of(g: BattleCore, blow: Blow, number: float, target: int, side: int) -> float:
    """Points that ``number`` blows at a unit cost it on average."""
    left = wounds_of(g, target)
    return worth_left(g, target) * min(left, number * share_of_wounds(g, blow, target, side)) / max(1, left)


def worth_of_hits(g: BattleCore, unit: int, breath: str, number: float, target: int, side: int) -> float:
    """Points that ``number`` hits of a breath of a unit cost another on average; 0 if that is immune to it."""
    spared = any(ignores(g, target, kind) for kind in kinds_of(breath))
    blow = blow_of_breath(breath, rerolls_under_effects(g, unit, WOUND))
    return 0.0 if spared else worth_of(g, blow, number, target, side)


def worth_of_direction(g: BattleCore, unit: int, breath: str, models: list[int]) -> float:
    """Points that a breath over these models costs their units; what it costs allies counts against it."""
    struck = [g.models.unit[k] for k in models]
    foes = tuple(dict.fromkeys(struck))
    cost = 0.0
    for foe in foes:
        for row, share in shares_of_hits(g, foe).items():
            side = next(iter(quarters_of_models(g, unit, block_of(g, row))))
            worth = worth_of_hits(g, unit, breath, share * struck.count(foe), row, side)
            cost += worth if g.units.owner[row] != g.units.owner[unit] else -worth
    return chance_to_leave(g, unit, foes) * cost


def worth_of_breath_on(g: BattleCore, f: int, foe: int) -> float:
    """Points that the breath of the frame costs an enemy in contact."""
    unit = g.stack[f + Breathing.UNIT]
    return worth_in_combat(g, unit, breaths_of(g, unit)[g.stack[f + Breathing.BREATH]], foe)


def worth_in_combat(g: BattleCore, unit: int, breath: str, foe: int) -> float:
    """Points that a breath costs an enemy in contact; no model takes more than one hit."""
    return worth_of_hits(g, unit, breath, min(HITS, g.units.alive[foe]), foe, side_towards(g, foe, unit))


def best_breath(g: BattleCore, f: int) -> int:
    """The action of ``choose-breath`` that costs the enemy most; 0 if normal attacks cost it more, or if a breath costs
    allies more.
    """
    unit, option = g.stack[f + Breathing.UNIT], g.setup.space.option
    values, normal = list[float](), -EPS
    if engaged(g, block_of(g, unit)):
        foes, line = within_breath(g, unit), breather_of(g, unit)
        blows = [(blow_of(g, block_of(g, unit), line, foe), foe) for foe in foes]
        normal = max(worth_of(g, blow, blow.on_average, foe, side_towards(g, foe, unit)) for blow, foe in blows)
        values = [max(worth_in_combat(g, unit, breath, foe) for foe in foes) for breath in breaths_of(g, unit)]
    else:
        directions = placings(g, unit).values()
        values = [
            max(worth_of_direction(g, unit, breath, models) for models in directions) for breath in breaths_of(g, unit)
        ]
    best = max(values)
    return (option + values.index(best)) if best > normal else 0


def best_direction(g: BattleCore, f: int) -> int:
    """The action of ``breath-direction`` that costs the enemy most."""
    unit = g.stack[f + Breathing.UNIT]
    breath, found = breaths_of(g, unit)[g.stack[f + Breathing.BREATH]], placings(g, unit)
    return g.setup.space.angle + max(found, key=lambda slot: worth_of_direction(g, unit, breath, found[slot]))
