"""TRANSPORTS: embarking and disembarking (transport.embark.*, transport.disembark.*).

See ``formations`` for units that start the battle embarked, ``losses`` for passengers of a destroyed TRANSPORT, and
``firing_deck`` for Firing Deck.
"""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, BEFORE_IT_MOVED, Deed, Moved, Selected
from wh_env.rulesets.w40k.deploy.beside import DISEMBARK, cells_beside
from wh_env.rulesets.w40k.deploy.embark_model import put_aboard
from wh_env.rulesets.w40k.deploy.formations import with_room
from wh_env.rulesets.w40k.deploy.setting_up import InFormation, finish_set_up, start_set_up
from wh_env.rulesets.w40k.deploy.zones import facing_of
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.hulls import embarked_in, hulls
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.transport.boarding import all_beside

EMBARKING_MOVES = (int(Moved.NORMAL), int(Moved.ADVANCE), int(Moved.FELL_BACK))


# ---------------------------------------------------------------- embarking


def carriers_beside(g: BattleCore, unit: int) -> list[int]:
    """TRANSPORTS that the unit, which has ended a move, can embark in (transport.embark, .not-after-disembark)."""
    u = g.units
    if u.place[unit] != ON_TABLE or u.moved[unit] not in EMBARKING_MOVES or edition(g).bars_embarking(g, unit):
        return []
    return carriers_near(g, unit)


def carriers_near(g: BattleCore, unit: int) -> list[int]:
    """TRANSPORTS that are near enough to the unit and have room for it."""
    u, owner = g.units, g.units.owner[unit]
    cargo = g.setup.statics["cargo"]
    carriers = [c for c in cargo if u.owner[c] == owner and u.place[c] == ON_TABLE and c != unit]
    if not carriers or (unit in cargo and embarked_in(g, unit)):
        return []
    engaged_too = edition(g).transports.embark_engaged
    return [c for c in carriers if hulls_beside(g, unit, c) and (engaged_too or not engaged(g, c))]


def hulls_beside(g: BattleCore, unit: int, carrier: int) -> list[int]:
    """Models of the TRANSPORT that have room for the unit and are near enough to all its models."""
    m, u, how = g.models, g.units, edition(g).transports
    near = [
        h
        for h in hulls(g, carrier)
        if m.on_table[h] and g.work.call(all_beside, m.rows, u.rows, unit, h, how.embark, how.embark_wholly)
    ]
    if not near:
        return []
    roomy = with_room(g, carrier, unit)
    return [hull for hull in near if hull in roomy]


def embark(g: BattleCore, unit: int, carrier: int) -> None:
    """The unit leaves the battlefield and embarks."""
    open_hulls = hulls_beside(g, unit, carrier)
    for k in list(g.members(unit)):
        g.models.on_table[k] = 0
    put_aboard(g, unit, carrier, open_hulls)
    edition(g).acts(g, unit, Deed.LEAVE)
    forget_targets(g)
    g.tell("transport.embark", "embarks", unit=unit, carrier=carrier)


class Embark(DecisionKind):
    name = "embark"
    what = "Which TRANSPORT the unit embarks in at the end of its move (done: none)."
    keys = (
        "transport.embark",
        "transport.embark.not-after-disembark",
        "transport.capacity",
        "transport.embark.out-of-phase",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.clock.subject[0]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[unit]]
        mask[0] = True
        for carrier in carriers_beside(g, unit):
            mask[at + carrier] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.clock.subject[0]
        if action:
            embark(g, unit, g.players.first_unit[g.units.owner[unit]] + action - g.setup.space.own)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"embark in {g.default_words(action)}" if action else "do not embark"


# ---------------------------------------------------------------- disembarking


def mark_aboard(g: BattleCore, player: int) -> None:
    """The player's Movement phase begins: mark the embarked units, which may disembark in it."""
    if g.setup.statics["cargo"] and EMBARKED in g.units.place:
        for unit in g.units_of(player):
            if g.units.place[unit] == EMBARKED:
                g.units.selected[unit] |= Selected.ABOARD


def may_disembark(g: BattleCore, unit: int) -> bool:
    """Whether the unit can disembark now. There must be room for all its models (transport.disembark.when, .set-up,
    .not-after-advance).
    """
    u = g.units
    if u.place[unit] != EMBARKED or not u.selected[unit] & Selected.ABOARD:
        return False
    carrier = u.carrier[unit]
    if u.place[carrier] != ON_TABLE or edition(g).closed(g, unit):
        return False
    facing = facing_of(g, u.owner[unit])
    return cells_beside(g, unit, DISEMBARK, facing, g.work.cells, any_will_do=True) > 0


def passengers(g: BattleCore, player: int) -> list[int]:
    """Units of the player that can disembark now."""
    if not g.setup.statics["cargo"]:
        return []
    first = g.players.first_unit[player]
    places = g.units.place[first : first + g.players.units[player]]
    return [unit for unit, place in enumerate(places, first) if place == EMBARKED and may_disembark(g, unit)]


class Disembark(Procedure):
    """A unit leaves its TRANSPORT in its player's Movement phase."""

    class Step(Steps):
        BEGIN, SET_UP = range(2)

    UNIT = integer(row_of("units"))
    asks = ("disembark-at",)

    def advance(self, g: BattleCore, f: int) -> int:
        u, unit = g.units, g.stack[f + Disembark.UNIT]
        if g.stack[f + STEP] == Disembark.Step.BEGIN:
            g.stack[f + STEP] = Disembark.Step.SET_UP
            u.reserve[unit] = DISEMBARK
            return start_set_up(g, unit, DisembarkAt)
        g.pop()
        carrier = u.carrier[unit]
        leave(g, unit, AFTER_IT_MOVED if u.moved[carrier] in EMBARKING_MOVES else BEFORE_IT_MOVED)
        if g.recorder is not None:
            after = u.disembarked[unit] == AFTER_IT_MOVED
            rule = "transport.disembark.after-normal" if after else "transport.disembark.before-move"
            g.tell(rule, "disembarks", unit=unit, carrier=carrier)
        open_window(g, Moment.SET_UP, unit)
        return GO


def leave(g: BattleCore, unit: int, code: int) -> None:
    """The unit has disembarked and stands on the battlefield.

    If its TRANSPORT had moved, or was destroyed, the unit counts as having made a Normal move and is not selected to
    move.
    """
    u = g.units
    finish_set_up(g, unit)
    carrier = u.carrier[unit]
    u.carrier[unit], u.disembarked[unit] = -1, code
    if code != BEFORE_IT_MOVED:
        u.moved[unit] = Moved.NORMAL
        u.selected[unit] |= Selected.MOVE
    edition(g).left_transport(g, unit, carrier)
    forget_targets(g)


class DisembarkAt(InFormation):
    name = "disembark-at"
    what = (
        "Squad detail: where the unit is set up in formation, as a cell of the grid over the surroundings of its "
        "TRANSPORT."
    )
    full = False
    keys = (
        "transport.disembark.set-up",
        "transport.disembark.from-reserves",
        "transport.destroyed.disembark",
        "transport.emergency.distance",
    )


class ArrivedTransport(Procedure):
    """A TRANSPORT has been set up from Reserves: its passengers may disembark (transport.disembark.from-reserves)."""

    class Step(Steps):
        SELECT, END = range(2)

    CARRIER = integer(row_of("units"))
    asks = ("select-to-disembark",)

    def advance(self, g: BattleCore, f: int) -> int:
        carrier = g.stack[f + ArrivedTransport.CARRIER]
        if g.stack[f + STEP] == ArrivedTransport.Step.END or not any(
            may_disembark(g, unit) for unit in embarked_in(g, carrier)
        ):
            return g.pop()
        return g.ask(SelectToDisembark, g.units.owner[carrier], carrier)


class SelectToDisembark(DecisionKind):
    name = "select-to-disembark"
    what = "Which unit embarked in the TRANSPORT that has just arrived disembarks next, or no further one (done)."
    keys: ClassVar[tuple[str, ...]] = ("transport.disembark.from-reserves",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        carrier = g.stack[f + ArrivedTransport.CARRIER]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[carrier]]
        mask[0] = True
        for unit in embarked_in(g, carrier):
            if may_disembark(g, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        carrier = g.stack[f + ArrivedTransport.CARRIER]
        if action == 0:
            g.stack[f + STEP] = ArrivedTransport.Step.END
            return
        g.push(Disembark, g.players.first_unit[g.units.owner[carrier]] + action - g.setup.space.own)
