"""A save that its bearer has failed, which he may roll again with an item: his player is asked when the dice of all
that falls on him at once are rolled, before he suffers (wap.item.talisman.luckstone).
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.carried import Moment, Use, is_carried, is_left, item_at, items_of, spend
from wh_env.rulesets.wap.basics.rerolls import is_hit
from wh_env.rulesets.wap.casualties.harm import Failed, Harm
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.weapons.saves import WORST_DIE

KINDS = ("armour save", "ward save")  # the options


@dataclass(frozen=True)
class RollsSaveAgain(Use):
    """Its bearer may roll a failed save again."""


def stone_of(g: BattleCore, unit: int) -> int:
    """The row of an item with which a unit may roll a failed save again; -1: it has none."""
    for k in range(len(g.items.unit)) if items_of(g) else ():
        if g.items.unit[k] == unit and isinstance(item_at(g, k).use_at(Moment.FAILED_SAVE), RollsSaveAgain):
            if is_left(g, k) and is_carried(g, k):
                return k
    return -1


def may_save_again(g: BattleCore, unit: int, harm: Harm) -> bool:
    """Whether a unit that is to suffer may roll a save again; the cheap questions first."""
    return bool(harm.lost and harm.failed.wounds and harm.failed.may) and stone_of(g, unit) >= 0


class SaveAgain(Procedure):
    """A unit has failed a save that it may roll again. Classes derived from it keep what goes on afterwards."""

    UNIT = integer(row_of("units"))
    LOST = integer(amount())  # Wounds that it loses if it does not
    UNSAVED = integer(amount())  # wounds not saved
    ARMOUR = integer(amount())  # the score that its armour save needs; more than 6: it may not be rolled again
    WARD = integer(amount())  # ... its ward save
    WOUNDS = integer(amount())  # that it does not lose if the save is passed
    asks = ("save-again",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit has an item for it, and a save to be rolled again."""
        return may_save_again(g, g.stack[f + SaveAgain.UNIT], SaveAgain.harm(g, f))

    def goes_on(self, g: BattleCore, unit: int, harm: Harm, f: int) -> None:
        """The unit suffers what is left. ``f``: the offset of the frame, which is gone."""
        raise NotImplementedError

    @staticmethod
    def harm(g: BattleCore, f: int) -> Harm:
        """What the unit is to suffer."""
        _, lost, unsaved, armour, ward, wounds = g.stack[f + SaveAgain.UNIT : f + SaveAgain.WOUNDS + 1].tolist()
        return Harm(lost, unsaved, Failed(armour, ward, wounds))

    @staticmethod
    def needed(g: BattleCore, f: int) -> tuple[int, int]:
        """The scores that the armour save and the ward save need."""
        return g.stack[f + SaveAgain.ARMOUR], g.stack[f + SaveAgain.WARD]


def ask_about_save(_: SaveAgain, g: BattleCore, f: int) -> int:
    """The ``advance`` of the procedures derived from ``SaveAgain``: the player is asked."""
    unit = g.stack[f + SaveAgain.UNIT]
    return g.ask(RollSaveAgain, g.units.owner[unit], unit)


class RollSaveAgain(DecisionKind):
    name = "save-again"
    what = "Whether a unit rolls a failed save again with an item, and which; done: it keeps the item."
    policy = "The likelier one, if that spares it a Wound."
    keys = ("wap.item.talisman.luckstone",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for n, needed in enumerate(SaveAgain.needed(g, f)):
            if needed <= WORST_DIE:
                mask[g.setup.space.option + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        procedure = g.setup.ruleset.procedures[g.stack[f]]
        unit, harm = g.stack[f + SaveAgain.UNIT], SaveAgain.harm(g, f)
        if action:
            harm = rolled_again(g, unit, harm, SaveAgain.needed(g, f)[action - g.setup.space.option])
        g.pop()
        procedure.goes_on(g, unit, harm._replace(failed=Failed()), f)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        harm, has = SaveAgain.harm(g, f), wounds_of(g, g.stack[f + SaveAgain.UNIT])
        if min(has, harm.lost - harm.failed.wounds) >= min(has, harm.lost):
            return 0
        needed = SaveAgain.needed(g, f)
        return int(g.setup.space.option + needed.index(min(needed)))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + SaveAgain.UNIT]
        name, item = g.setup.names["units"][unit], item_at(g, stone_of(g, unit)).name
        if action == 0:
            return f"{name} keeps {item}"
        n = action - g.setup.space.option
        return f"{name} uses {item} on its {KINDS[n]} ({SaveAgain.needed(g, f)[n]}+)"


def rolled_again(g: BattleCore, unit: int, harm: Harm, needed: int) -> Harm:
    """A unit rolls a failed save again, which needs ``needed``; returns what it suffers then."""
    k, die = stone_of(g, unit), g.d6()
    spend(g, k)
    saved = is_hit(die, needed)
    told = {"unit": unit, "name": item_at(g, k).name, "die": die, "needed": needed, "result": int(saved)}
    g.note(item_at(g, k).rule, "saves a wound", **told)
    return Harm(harm.lost - harm.failed.wounds, harm.unsaved - 1) if saved else harm
