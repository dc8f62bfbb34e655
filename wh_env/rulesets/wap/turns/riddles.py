"""Characters near ground answer its riddles at the start of their player's turn (wap.building.arcane.sphinx)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.characteristic_tests import characteristic_test
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.basics.effects import Effect, On, Until, begin_effect, number_of
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.special_rules import gain
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.casualties.harm import harm_by
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.libraries import OF_RIDDLES, learn_all
from wh_env.rulesets.wap.morale.panic_causes import ground_source, is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import DEVASTATING_CHARGE, HEROIC_KILLING_BLOW
from wh_env.rulesets.wap.shooting.hits import lose_to_ground
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, ONE, Hit
from wh_env.rulesets.wap.weapons.saves import roll_saves

RULE = "wap.building.arcane.sphinx"
MOST = 128  # features of a table
BLOWS = Effect("riddles", On.MODELS, Until.BATTLE, (HEROIC_KILLING_BLOW.of(),))
CHARGE, SLAYS, LEARNS = 1, 2, 3  # half the result of a D6
EATEN = Hit(1, ignores_armour=True, nature=AUTOMATIC)


def may_answer(g: BattleCore, unit: int, ground: Ground) -> bool:
    """Whether a unit is a character near enough to ground that asks riddles."""
    if not is_character(g, unit) or not g.units.alive[unit]:
        return False
    block = block_of(g, unit)
    return g.units.place[block] == ON_TABLE and distance_to(g, block, ground) <= ground.traits.riddles + EPS


def answer_riddle(g: BattleCore, unit: int, feature: int) -> None:
    """A character takes an Initiative test: he loses a Wound, or a die gives him a special rule for the game.
    ``feature``: the number of the terrain feature that asks.
    """
    if not characteristic_test(g, g.units.first_line[unit], "i", RULE):
        harm = harm_by(g, unit, roll_saves(g, unit, 1, EATEN, FRONT), ONE)
        lose_to_ground(g, unit, harm, ground_source(g, feature))
        return
    die = g.d6()
    reward = part_of(die, 2)
    if g.recorder is not None:
        g.note(RULE, "is rewarded", unit=unit, die=die)
    if reward == CHARGE:
        gain(g, unit, DEVASTATING_CHARGE)
    elif reward == SLAYS:
        begin_effect(g, number_of(g, BLOWS), unit, g.units.owner[unit])
    elif g.setup.statics["spells"]:
        learn_all(g, unit, OF_RIDDLES, RULE)


class Riddles(OfPlayer):
    """The player whose turn it is may send one character to each feature that asks riddles."""

    AT = integer(between(0, MOST))  # features that are done
    asks = ("answer-riddle",)

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        features, stack = with_trait(g, "riddles"), g.stack
        while stack[f + Riddles.AT] < len(features):
            ground = features[stack[f + Riddles.AT]]
            if any(may_answer(g, unit, ground) for unit in g.units_of(stack[f + Riddles.PLAYER])):
                return g.ask(AnswerRiddle, stack[f + Riddles.PLAYER])
            stack[f + Riddles.AT] += 1
        return g.pop()


class AnswerRiddle(ChooseUnit):
    name = "answer-riddle"
    what = "Which character answers a riddle for a special rule, or loses a Wound; done: nobody does."
    policy = "Nobody does."
    keys = (RULE,)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_answer(g, unit, with_trait(g, "riddles")[g.stack[g.frame + Riddles.AT]])

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Riddles.AT] += 1

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        feature = with_trait(g, "riddles")[g.stack[f + Riddles.AT]].row
        g.stack[f + Riddles.AT] += 1
        answer_riddle(g, unit, feature)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody answers the riddle" if action == 0 else f"{g.default_words(action)} answers the riddle"
