"""The owner of a unit with several ward saves chooses which of them it uses (wap.shoot.ward.choice)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.codes import FRONT, LEFT
from wh_env.rulesets.wap.weapons.saves import Ward, ward_choices, wards_against


def may_choose_ward(g: BattleCore, unit: int, strength: int, side: int, nature: int = 0) -> bool:
    """Whether the owner of a unit that is hit has different ward saves to choose from and is asked; ``nature``: bits of
    ``weapons.hit``.
    """
    return (
        not g.is_answered_by_default(WardChoice)
        and len(ward_choices(wards_against(g, unit, strength, side, nature))) > 1
    )


class ChooseWard(Procedure):
    """The owner of a unit chooses its ward save against the next wounds: hits of one Strength and nature from one side.
    ``unsaved`` uses it.
    """

    UNIT = integer(row_of("units"))
    STRENGTH = integer(amount())
    SIDE = integer(between(FRONT, LEFT))
    NATURE = integer(amount())
    asks = ("ward-choice",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + ChooseWard.UNIT]
        if len(ChooseWard.choices(g, f)) < 2 or g.units.ward[unit]:
            return g.pop()
        return g.ask(WardChoice, g.units.owner[unit], unit)

    @staticmethod
    def choices(g: BattleCore, f: int) -> list[Ward]:
        """The ward saves to choose from, the likeliest first."""
        unit, strength, side, nature = g.stack[f + ChooseWard.UNIT : f + ChooseWard.NATURE + 1]
        return ward_choices(wards_against(g, unit, strength, side, nature))


class WardChoice(DecisionKind):
    name = "ward-choice"
    what = "Which ward save a unit takes that can make several of those that it has."
    policy = "The one most likely to succeed."
    keys = ("wap.shoot.ward.choice",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for at in range(len(ChooseWard.choices(g, f))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.units.ward[g.stack[f + ChooseWard.UNIT]] = action - g.setup.space.option + 1
        g.pop()

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        ward = ChooseWard.choices(g, f)[action - g.setup.space.option]
        return f"{ward.save}+ re-rolled" if ward.again else f"{ward.save}+"
