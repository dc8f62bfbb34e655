"""The smallest edition: the 10th with three numbers, one phase and one answer changed."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, OfPlayer, Steps
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.classes import KINDS, PROCEDURES
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS, CHARGING, MEASURES, NUMBERS
from wh_env.rulesets.w10.ruleset import TenthEdition
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.charge import phase as charge
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase

ATTACKS = ATTACK_NUMBERS.copy()
ATTACKS["critical"] = 5


class ChargeRoll(charge.ChargeRoll):
    """The answer: Charge rolls are not made again for a Command point."""

    command = False


class Storm(OfPlayer):
    """The phase, after all others: the first unit of the player is struck by lightning on a 1."""

    class Step(Steps):
        BEGIN, END = range(2)

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == Storm.Step.END:
            end_phase(g)
            return g.pop()
        g.stack[f + STEP] = Storm.Step.END
        start_phase(g, self)
        struck = next((u for u in g.units_of(g.stack[f + Storm.PLAYER]) if g.units.place[u] == ON_TABLE), -1)
        if struck >= 0 and g.d6() == 1:
            mortal_wounds(g, struck, 1)
        return GO


class ToyEdition(TenthEdition):
    """Not a game that anybody sells."""

    id = "toy"
    phases = (*TenthEdition.phases, "Storm")
    turn = (*TenthEdition.turn, Storm)
    numbers = replace(
        NUMBERS,
        measures=replace(MEASURES, coherency=3.0),
        charging=replace(CHARGING, reach=9.0),
        attack_rules=ATTACKS,
    )
    by_players = MappingProxyType({})

    def __init__(self) -> None:
        classes = (ChargeRoll if cls is charge.ChargeRoll else cls for cls in PROCEDURES)
        super(TenthEdition, self).__init__((*classes, Storm), KINDS)
