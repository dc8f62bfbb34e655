"""The charge step: charges are declared one by one, each is answered at once, then they are carried out
(wap.charge.step).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Steps, integer
from wh_env.rulesets.wap.basics.declared_charges import all_charges, forget_charges
from wh_env.rulesets.wap.basics.garrisons import buildings_of
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.special_rules import is_known
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.characters.charging_out import end_charges_out
from wh_env.rulesets.wap.charge.assault_again import AssaultsAgain, somebody_may
from wh_env.rulesets.wap.charge.declare import (
    CHOOSES,
    FORCED,
    FREELY,
    Declare,
    first_targets,
    holds_back,
    is_restless,
    keep,
)
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.charge.forced_out import is_restless_inside, rush_out
from wh_env.rulesets.wap.charge.reactions import React
from wh_env.rulesets.wap.charge.redirect import Redirect, is_open, may_redirect
from wh_env.rulesets.wap.charge.resolve import ChargeOrder, chargers_left
from wh_env.rulesets.wap.charge.targets import has_target, known_reach, who_may_declare
from wh_env.rulesets.wap.codes import HELD_BACK, UNANSWERED
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.movement.lingering import Lingers, ask_to_linger, is_asked_to_linger
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import FRENZY


class Charges(OfPlayer):
    """All charges of a player's turn. The table ``charges`` holds what is still open. Order: reactions, then
    redirections, then the next declaration.
    """

    class Step(Steps):
        BEGIN, DECLARE, CARRY_OUT, AGAIN = range(4)

    OVER = integer(flag())  # the player declares no further charge
    asks = ("redirect", "declare-charge", "charge-order")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, step = Charges.Step, g.stack[f + STEP]
        player = g.stack[f + Charges.PLAYER]
        if step == Step.BEGIN:
            forget_charges(g)
            g.stack[f + STEP] = Step.DECLARE
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        if step < Step.CARRY_OUT:
            if all_charges(g):
                if self._goes_on(g, player):
                    return GO
                units = g.units_of(player)
                if any(may_redirect(g, unit) for unit in units):
                    return g.ask(Redirect, player)
                for unit in units:
                    if is_open(g, unit):  # the unit has no other target
                        keep(g, unit)
            if not g.stack[f + Charges.OVER] and any(True for _ in who_may_declare(g, player)):
                return g.ask(DeclareCharge, player)
            if self._frenzy(g, player):
                return GO
            step = g.stack[f + STEP] = Step.CARRY_OUT
        if chargers_left(g, player):
            return g.ask(ChargeOrder, player)
        end_charges_out(g, player)
        if step != Step.AGAIN and somebody_may(g, 1 - player):
            g.stack[f + STEP] = Step.AGAIN
            g.push(AssaultsAgain, 1 - player)
            return GO
        return g.pop()

    @staticmethod
    def _goes_on(g: BattleCore, player: int) -> bool:
        """Push what declarations have left open: a reaction, or a choice between two targets that flee. Returns whether
        it pushed anything.
        """
        row = next((k for k in all_charges(g) if g.charges.reaction[k] == UNANSWERED), -1)
        if row >= 0:
            g.push(React, row)
            return True
        for unit in g.units_of(player):
            if first_targets(g, unit) and is_open(g, unit):
                g.push(Declare, unit, CHOOSES)
                return True
        return False

    @staticmethod
    def _frenzy(g: BattleCore, player: int) -> bool:
        """Take the Leadership test of one frenzied unit that has not been told to charge; if it fails, it declares a
        charge. Returns whether there was such a unit.
        """
        if not is_known(g, FRENZY):  # as a rule
            return False
        unit = next((unit for unit in g.units_of(player) if is_restless(g, unit)), -1)
        if unit < 0:
            return Charges._frenzy_inside(g, player)
        if not holds_back(g, unit) and not waits(g, unit, ForcedWaits):
            g.push(Declare, unit, FORCED)
        return True

    @staticmethod
    def _frenzy_inside(g: BattleCore, player: int) -> bool:
        """Take the test of one frenzied garrison; if it fails, it leaves its building. Returns whether there was such
        a unit (wap.building.leave.forced-charge).
        """
        inside = (unit for unit in g.units_of(player) if is_restless_inside(g, unit)) if buildings_of(g) else iter(())
        unit = next(inside, -1)
        if unit < 0:
            return False
        if not holds_back(g, unit) and not waits(g, unit, RushWaits):
            rush_out(g, unit)
        return True


class ForcedWaits(TestWaits):
    """A frenzied unit that may roll its test again before it has to charge."""

    advance = ask_again

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if passed:
            g.units.did[unit] |= HELD_BACK
        else:
            g.push(Declare, unit, FORCED)


class RushWaits(TestWaits):
    """A frenzied garrison that may roll its test again before it has to leave its building."""

    advance = ask_again

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if passed:
            g.units.did[unit] |= HELD_BACK
        else:
            rush_out(g, unit)


class LingersToCharge(Lingers):
    """A unit near ground that keeps it is chosen to charge."""

    advance = ask_to_linger

    def goes_on(self, g: BattleCore, unit: int, leaves: bool) -> None:
        if leaves:
            g.push(Declare, unit, FREELY)


class DeclareCharge(ChooseUnit):
    name = "declare-charge"
    what = (
        "Which unit, or which character out of his unit, declares a charge; done: nobody else does, but for frenzied "
        "units, which test their Leadership then."
    )
    keys = (
        "wap.charge.step",
        "wap.charge.voluntary",
        "wap.charge.declare",
        "wap.charge.declare.barred",
        "wap.character.leave.charge",
        "wap.special.frenzy.must-charge",
    )
    declines = True

    def among(self, g: BattleCore, player: int) -> list[int]:
        return [unit for unit, near in known_reach(g, player).items() if near]

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_declare(g, unit) and has_target(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        if is_asked_to_linger(g, unit):
            g.push(LingersToCharge, unit)
        else:
            g.push(Declare, unit, FREELY)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Charges.OVER] = 1
        g.note("wap.charge.voluntary", "no further charge", player=g.stack[f + Charges.PLAYER])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no further charge"
        host = host_of(g, g.players.first_unit[g.clock.player[0]] + action - g.setup.space.own)
        out = "" if host < 0 else f" out of {g.setup.names['units'][host]}"
        return f"{g.default_words(action)} charges{out}"
