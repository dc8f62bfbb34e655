"""Breath attacks in close combat, made in place of a model's normal attacks (wap.special.breath.combat). Their hits
stand in ``blows`` of the step, so the wounds they cause count for the combat result like others
(wap.special.breath.result).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount
from wh_env.core.procedures import GO, STEP, DecisionKind, integer
from wh_env.rulesets.wap.basics.changed_dice import is_idle
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.touching import TRODDEN
from wh_env.rulesets.wap.combat.fighters import bits_ahead, enemies_of, groups_of, mark_struck
from wh_env.rulesets.wap.combat.wounds import aim
from wh_env.rulesets.wap.shooting.breathing import Breathing, ChooseBreath
from wh_env.rulesets.wap.special.breath import breather_of, breaths_of, is_ready, is_spared, may_breathe

DICE = 2  # D6 of hits


def can_breathe_now(g: BattleCore, line: int, behind: int) -> bool:
    """Whether the models of fighting profile ``line``, whose turn to strike has come, may breathe instead."""
    unit = g.lines.unit[line]
    if behind or breather_of(g, unit) != line or not may_breathe(g, unit) or is_idle(g, line):
        return False
    # a duellist who does not touch the rival has nobody to breathe on
    return bool(g.work.strikes.reach[next(iter(g.members(unit))), TRODDEN])


def within_breath(g: BattleCore, unit: int) -> list[int]:
    """The enemy units that the model of a unit touches, be it through their own models or through
    characters in them.
    """
    block = block_of(g, unit)
    groups_of(g, block, 0, again=True)
    touched = int(g.work.strikes.reach[next(iter(g.members(unit))), TRODDEN])
    found = [enemy for n, enemy in enumerate(enemies_of(g, block)) if touched >> n & 1]
    return list(dict.fromkeys(block_of(g, enemy) for enemy in found))


def shared_out(g: BattleCore, enemy: int, hits: int) -> dict[int, int]:
    """Hits of a breath by unit row, at most one for each model: first on models of the unit ``enemy``, then on
    characters in it that are not in a duel.
    """
    found = {enemy: min(hits, g.units.alive[enemy])}
    more = [row for row in joined_to(g, enemy) if g.units.duel[row] < 0]
    found.update(dict.fromkeys(more[: hits - found[enemy]], 1))
    return found


class BreathBlow(Breathing):
    """The player of a model whose turn to strike has come is asked whether it breathes."""

    KEY = integer(amount())  # the step at which it strikes
    asks = ("choose-breath", "breath-target")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, unit = BreathBlow.Step, g.stack[f + BreathBlow.UNIT]
        if g.stack[f + STEP] == Step.BEGIN:
            return g.ask(ChooseBreath, g.units.owner[unit], unit)
        if g.stack[f + STEP] == Step.CHOSEN and is_ready(g, unit, g.stack[f + BreathBlow.BREATH]):
            g.stack[f + STEP] = Step.READY
            foes = within_breath(g, unit)
            if len(foes) > 1:
                return g.ask(BreathTarget, g.units.owner[unit], unit)
            breathe_on(g, f, foes[0])
            return GO
        return g.pop()


def breathe_on(g: BattleCore, f: int, enemy: int) -> None:
    """Roll the hits of the frame's breath (2D6), aim them at the unit ``enemy``, and mark the model
    as having struck.
    """
    unit, number, key = (g.stack[f + at] for at in (BreathBlow.UNIT, BreathBlow.BREATH, BreathBlow.KEY))
    g.pop()
    line, block, breath = breather_of(g, unit), block_of(g, unit), breaths_of(g, unit)[number]
    rows, ahead = (g.models.rows, g.units.rows, g.lines.rows), bits_ahead(g, block)
    for own, behind, targets, _ in groups_of(g, block, 0):
        if own == line and not behind:
            mark_struck(*rows, line, behind, targets, ahead, g.work.strikes.reach)
    dice = [g.d6() for _ in range(DICE)]
    struck = shared_out(g, enemy, sum(dice))
    if g.recorder is not None:
        told = {"targets": (enemy,), "rolls": tuple(dice), "amount": sum(struck.values())}
        g.note("wap.special.breath.combat", "breathes", unit=unit, **told)
    for row, hits in struck.items():
        if hits and not is_spared(g, row, breath):
            aim(g, block, line, row, hits, key, breath=number + 1)


class BreathTarget(DecisionKind):
    name = "breath-target"
    what = "Which of the enemy units that a model touches it breathes on in close combat."
    keys = ("wap.special.breath.combat",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + BreathBlow.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in within_breath(g, unit):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + BreathBlow.UNIT]
        breathe_on(g, f, action - g.setup.space.enemy + g.players.first_unit[1 - g.units.owner[unit]])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + BreathBlow.UNIT]]} breathes on {g.default_words(action)}"
