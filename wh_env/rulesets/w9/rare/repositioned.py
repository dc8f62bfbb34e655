"""Units that are removed from the battlefield and set up again (w9.rare.repositioned.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w40k.codes import Deed, Moved, Selected
from wh_env.rulesets.w40k.deploy.places import DEEP_STRIKE, finds_room
from wh_env.rulesets.w40k.deploy.setting_up import InFormation, finish_set_up, start_set_up
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.reaction.windows import open_window


def reposition(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: the unit is set up again more than 9" from enemies. If ``unit`` is -1, its owner selects
    one.
    """
    if unit < 0:
        g.push(RepositionOne, owner)
    elif has_room(g, unit):
        g.push(Reposition, unit)


def has_room(g: BattleCore, unit: int) -> bool:
    """Whether the unit could be set up again, its present places being free."""
    m, rows = g.models, list(g.members(unit))
    for k in rows:
        m.on_table[k] = 0
    room = finds_room(g, unit, DEEP_STRIKE)
    for k in rows:
        m.on_table[k] = 1
    return room


class RepositionOne(OfPlayer):
    """The player selects one of its units; what the unit did in this phase does not matter
    (w9.rare.repositioned.movement-phase).
    """

    class Step(Steps):
        SELECT, END = range(2)

    asks = ("reposition",)

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == RepositionOne.Step.END:
            return g.pop()
        g.stack[f + STEP] = RepositionOne.Step.END
        return g.ask(SelectToReposition, g.stack[f + RepositionOne.PLAYER])


class SelectToReposition(ChooseUnit):
    name = "reposition"
    what = "Which unit is removed from the battlefield and set up again (done: none)."
    keys = ("w9.rare.repositioned.movement-phase",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return (g.units.place[unit] == ON_TABLE) and has_room(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        """No unit is repositioned."""

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.push(Reposition, unit)


class Reposition(Procedure):
    """One unit, for which there is room, is set up again. Lost models, wounds and what it did this turn stay as they
    are (w9.rare.repositioned.only).
    """

    class Step(Steps):
        BEGIN, SET_UP = range(2)

    UNIT = integer(row_of("units"))
    asks = ("reposition-at",)

    def advance(self, g: BattleCore, f: int) -> int:
        u, unit = g.units, g.stack[f + Reposition.UNIT]
        if g.stack[f + STEP] == Reposition.Step.BEGIN:
            g.stack[f + STEP] = Reposition.Step.SET_UP
            edition(g).acts(g, unit, Deed.LEAVE)
            for k in list(g.members(unit)):
                g.models.on_table[k] = 0
            u.place[unit], u.reserve[unit] = RESERVE, DEEP_STRIKE
            forget_targets(g)
            return start_set_up(g, unit, RepositionAt)
        g.pop()
        finish_set_up(g, unit)
        if u.moved[unit] not in (Moved.ADVANCE, Moved.FELL_BACK):
            u.moved[unit] = Moved.NORMAL
        u.arrived[unit] = 1
        u.selected[unit] |= Selected.MOVE
        g.note("w9.rare.repositioned.both", "set up again", unit=unit)
        open_window(g, Moment.SET_UP, unit)
        return GO


class RepositionAt(InFormation):
    name = "reposition-at"
    what = "Squad detail: where the unit is set up again in formation, as a cell of the grid over the table."
    full = False
    keys = ("w9.rare.repositioned.both",)
