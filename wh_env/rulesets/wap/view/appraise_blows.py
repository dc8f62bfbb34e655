"""The worth of blows that a player divides among enemies, and of weapons among which a unit chooses."""

from __future__ import annotations

from math import sqrt

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import FRONT, LEADERS, REAR, STOMPS
from wh_env.rulesets.wap.combat.aiming import IMPACT, Aiming, step_of, targets_left
from wh_env.rulesets.wap.combat.impact_hits import impact_of
from wh_env.rulesets.wap.combat.wounds import aimed
from wh_env.rulesets.wap.special.breath import breath_of
from wh_env.rulesets.wap.troops.war_machines import figures_of, is_machine
from wh_env.rulesets.wap.view.appraise_combat import (
    CAUGHT,
    DOUBT,
    abreast,
    bonus_of,
    heroes_striking,
    most_assailants,
    odds_to_break,
    share_of_wounds,
    worth_left,
    worth_of_result,
)
from wh_env.rulesets.wap.view.odds import binomial
from wh_env.rulesets.wap.ways.poses import depth_of, front_width
from wh_env.rulesets.wap.weapons.blows import NEVER, STOMP, Blow, blow_of, extra_ranks

LASTS = 0.5  # the assumed chance that a combat goes on after a round


def room_between(g: BattleCore, unit: int, foe: int) -> float:
    """The greatest length, in inches, along which two units in contact can touch."""
    return min(
        front_width(g, one) if side_towards(g, one, other) in (FRONT, REAR) else depth_of(g, one)
        for one, other in ((unit, foe), (foe, unit))
    )


class Strikers:
    """One unit's part of a round against ``foe``: the wounds that it deals at each step, and the models that deal
    them.
    """

    def __init__(self, g: BattleCore, unit: int, foe: int) -> None:
        u, side = g.units, side_towards(g, unit, foe)
        machine = is_machine(g, foe)
        self.front = most_assailants(g, unit) if machine else abreast(g, unit, side, room_between(g, unit, foe))
        behind = max(0, u.alive[unit] - u.files[unit]) if side == FRONT and not machine else 0
        self.support = min(self.front * extra_ranks(g, unit), behind)
        self.models, self.left = float(u.alive[unit]), float(wounds_of(g, unit))
        self.each = self.left / max(1.0, self.models)
        self.steps = steps_of(g, unit, unit, foe, self.front, self.support)
        self.heroes: dict[int, float] = {}
        for hero in heroes_striking(g, unit):
            for step, wounds in steps_of(g, unit, hero, foe, 1, 0).items():
                self.heroes[step] = self.heroes.get(step, 0.0) + wounds

    def deals(self, step: int, lost: float) -> float:
        """Wounds that it deals at a step on average after it has lost ``lost`` Wounds itself. Other models step up as
        long as there are any (wap.combat.casualties.step-up).
        """
        alive = max(0.0, self.models - lost / self.each)
        share: float = min(1.0, alive / max(1, self.front + self.support))
        return self.steps.get(step, 0.0) * share + self.heroes.get(step, 0.0)


def steps_of(g: BattleCore, unit: int, row: int, foe: int, front: int, support: int) -> dict[int, float]:
    """Average wounds by step that so many models in contact (``front``) and behind them (``support``) deal to ``foe``:
    models of the unit or of a character in it (``row``).
    """
    found: dict[int, float] = {}
    for line in lines_of(g, row):
        blow = blow_of(g, unit, line, foe)
        if g.lines.kind[line] == LEADERS or blow.tier == NEVER:
            continue
        strikes = figures_of(g, row, line) * (front * blow.on_average + support * blow.supports)
        if g.lines.kind[line] == STOMPS:
            strikes *= STOMP
        wounds = strikes * share_of_wounds(g, blow, foe, side_towards(g, foe, unit))
        found[step_of(blow)] = found.get(step_of(blow), 0.0) + wounds
    return found


def exchange(g: BattleCore, unit: int, foe: int) -> tuple[float, float]:
    """Average wounds that two units in contact deal each other in a round, step by step: losses
    reduce later strikes.
    """
    mine, theirs = Strikers(g, unit, foe), Strikers(g, foe, unit)
    deals = takes = 0.0
    for step in sorted({*mine.steps, *mine.heroes, *theirs.steps, *theirs.heroes}, reverse=True):
        dealt, taken = mine.deals(step, takes), theirs.deals(step, deals)
        deals, takes = min(theirs.left, deals + dealt), min(mine.left, takes + taken)
    return deals, takes


def worth_of_weapon(g: BattleCore, unit: int, weapon: int) -> float:
    """Points that a combat is worth with a weapon in hand: its first round, and a second one without first-round and
    charge bonuses, weighted by the chance that it takes place (wap.weapon.general.choose, .keep).

    Args:
        g: a copy of the battle; it is changed.
        weapon: its index among those of the unit.
    """
    u, foes = g.units, foes_of(g, unit)
    u.weapon[unit] = weapon + 1
    first = sum(worth_of_meeting(g, unit, foe) for foe in foes)
    for one in (unit, *foes):
        u.rounds[one], u.charging[one] = u.rounds[one] + 1, 0
    return first + LASTS * sum(worth_of_meeting(g, unit, foe) for foe in foes)


def worth_of_meeting(g: BattleCore, unit: int, foe: int) -> float:
    """Points that a round between two units in contact is worth, with their blows in order."""
    sides = side_towards(g, foe, unit), side_towards(g, unit, foe)
    return worth_of_result(g, unit, foe, *sides, exchange(g, unit, foe))


# ---------------------------------------------------------------- choice of targets


def blow_aimed(g: BattleCore, f: int, foe: int) -> tuple[Blow, float]:
    """The blow of the attacks of an ``Aiming`` frame against an enemy, and the wounds that one attack costs it on
    average.
    """
    stack = g.stack
    unit, line = stack[f + Aiming.UNIT], stack[f + Aiming.LINE]
    hits = stack[f + Aiming.KEY] == IMPACT
    blow = impact_of(g, unit, line) if hits else blow_of(g, unit, line, foe)
    return blow, share_of_wounds(g, blow, foe, side_towards(g, foe, unit))


def wounds_to_come(g: BattleCore, foe: int) -> float:
    """Average wounds of all attacks that are aimed at a unit and not rolled yet."""
    found, b = 0.0, g.blows
    for k in aimed(g):
        if b.target[k] == foe and b.attacks[k]:
            if b.breath[k]:
                blow = breath_of(g, g.lines.unit[b.line[k]], b.breath[k] - 1)
            elif b.key[k] == IMPACT:
                blow = impact_of(g, b.unit[k], b.line[k])
            else:
                blow = blow_of(g, b.unit[k], b.line[k], foe)
            found += b.attacks[k] * share_of_wounds(g, blow, foe, side_towards(g, foe, b.unit[k]))
    return found


def worth_of_wound(g: BattleCore, unit: int, foe: int) -> float:
    """Points that one more wound is worth: the loss itself, and the higher chance that the enemy breaks."""
    deals, takes = exchange(g, unit, foe)
    here, there = side_towards(g, foe, unit), side_towards(g, unit, foe)
    lead = deals - takes + bonus_of(g, unit, foe, here, there, charges=False)
    lead -= bonus_of(g, foe, unit, there, here, charges=False)
    spread = sqrt(0.6 * (deals + takes) + DOUBT)
    more = odds_to_break(g, foe, unit, lead + 0.5, spread) - odds_to_break(g, foe, unit, lead - 0.5, spread)
    return worth_left(g, foe) * (1.0 / max(1, wounds_of(g, foe)) + CAUGHT * more)


def worth_of_attacks(g: BattleCore, f: int) -> dict[int, list[float]]:
    """The worth of 0, 1, ... of the attacks to be aimed, for each enemy that they may go to. Wounds beyond those the
    enemy has left count nothing.
    """
    unit, attacks = g.stack[f + Aiming.UNIT], g.stack[f + Aiming.ATTACKS]
    found = {}
    for foe in targets_left(g, f):
        _, chance = blow_aimed(g, f, foe)
        left = max(0.0, wounds_of(g, foe) - wounds_to_come(g, foe))
        each = worth_of_wound(g, unit, foe)
        wounds = (float(binomial(n, chance) @ np.minimum(np.arange(n + 1), left)) for n in range(attacks + 1))
        found[foe] = [each * mean for mean in wounds]
    return found
