"""Units embark in one model of a TRANSPORT unit. If several models have room, their player chooses (transport.embark,
.start-embarked).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import INT_HIGH, between, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import EMBARKED


def put_aboard(g: BattleCore, unit: int, carrier: int, open_hulls: Sequence[int]) -> None:
    """Embark the unit in the TRANSPORT, in the first of ``open_hulls`` (model rows). If there are several, push the
    choice.
    """
    g.units.place[unit], g.units.carrier[unit] = EMBARKED, carrier
    if len(g.hulls):
        g.hulls[unit] = open_hulls[0]
    if len(open_hulls) > 1:
        g.push(Boarding, unit, sum(1 << hull - g.units.first[carrier] for hull in open_hulls))


class Boarding(Procedure):
    """Asks in which model of the TRANSPORT unit the unit has embarked."""

    class Step(Steps):
        BEGIN, CHOSEN = range(2)

    UNIT = integer(row_of("units"))
    OPEN = integer(between(1, INT_HIGH))  # bits of the models of the TRANSPORT unit, by their place in it
    asks = ("embark-model",)

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == Boarding.Step.CHOSEN:
            return g.pop()
        g.stack[f + STEP] = Boarding.Step.CHOSEN
        unit = g.stack[f + Boarding.UNIT]
        return g.ask(EmbarkModel, g.units.owner[unit], unit)


class EmbarkModel(DecisionKind):
    name = "embark-model"
    what = "Which model of a TRANSPORT unit of several the unit embarks in."
    policy = (
        'Its policy: the first that has room for it (at the end of a move: and that all its models are within 3" of).'
    )
    keys = ("transport.embark", "transport.start-embarked")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in range(g.units.count[g.units.carrier[g.stack[f + Boarding.UNIT]]]):
            if g.stack[f + Boarding.OPEN] >> slot & 1:
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Boarding.UNIT]
        hull = g.hulls[unit] = g.units.first[g.units.carrier[unit]] + action - g.setup.space.model
        g.tell("transport.embark", "embarks in this model", unit=unit, model=hull)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        hull = g.units.first[g.units.carrier[g.stack[f + Boarding.UNIT]]] + action - g.setup.space.model
        return f"embark in {g.setup.names['models'][hull]}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        carrier = g.units.carrier[g.stack[f + Boarding.UNIT]]
        first = g.units.first[carrier]
        return Pending(slots=range(first, first + g.units.count[carrier]))
