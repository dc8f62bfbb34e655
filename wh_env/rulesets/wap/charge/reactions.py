"""Charge reactions: a charged unit holds, stands and shoots, or flees (wap.charge.reaction.*, .hold, .flee.*).

``shooting.Shoot`` resolves stand and shoot; after it the unit holds (wap.charge.stand-shoot.resolve).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.by_magic import is_hindered
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.declared_charges import charges_on, drop
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.breaking.break_tests import is_unbreakable
from wh_env.rulesets.wap.charge.terror import CHARGED, stands_firm
from wh_env.rulesets.wap.codes import FLED, FLEES, HOLDS, KEPT, REACTIONS, SHOOTS
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.fleeing.flight import Flight, start_to_flee
from wh_env.rulesets.wap.panic.directions import back_to
from wh_env.rulesets.wap.rule_book import ANIMATED_CONSTRUCT, FRENZY
from wh_env.rulesets.wap.shooting.aims import shooters_in
from wh_env.rulesets.wap.shooting.shooting import Shoot
from wh_env.rulesets.wap.shooting.shots import AS_REACTION, IN_FLIGHT, may_fire
from wh_env.rulesets.wap.special.light_troops import FEIGNS, FIRED, feint_of, is_fast_cavalry
from wh_env.rulesets.wap.troops.war_machines import is_machine
from wh_env.rulesets.wap.weapons.arms import outfit_of

CHOSEN = "wap.charge.reaction.list"
HOLD, SHOOT, FLEE, FIRE_AND_FLEE = HOLDS - HOLDS, SHOOTS - HOLDS, FLEES - HOLDS, 3  # options


def is_frenzied(g: BattleCore, unit: int) -> bool:
    """Whether a model of the unit is frenzied."""
    return has(g, unit, FRENZY)


def reactions_of(g: BattleCore, unit: int, charger: int) -> list[int]:
    """The options of a charged unit, in order (wap.charge.reaction.list).

    - An engaged unit holds (.hold.engaged), and so does a war machine (wap.machine.charge-reaction).
    - A unit that flees goes on fleeing (.flee.compulsory, .flee.persists).
    - Frenzied and Unbreakable units do not flee (wap.special.frenzy.charge-reaction, wap.special.unbreakable), but
      constructs may shoot and then flee (wap.special.animated-construct).
    - A garrison does not flee (wap.building.assault.reactions).
    - Fast cavalry may shoot and then flee (wap.special.fast-cavalry.fire-and-flee).
    """
    u = g.units
    if engaged(g, unit) or is_machine(g, unit):
        return [HOLD]
    if u.fleeing[unit]:
        return [FLEE]
    found = [HOLD]
    if may_stand_and_shoot(g, unit, charger):
        found.append(SHOOT)
    if is_frenzied(g, unit) or is_inside(g, unit):
        return found
    steady = is_unbreakable(g, unit)
    if not steady:
        found.append(FLEE)
    if SHOOT in found and is_fast_cavalry(g, unit) and (not steady or has(g, unit, ANIMATED_CONSTRUCT)):
        found.append(FIRE_AND_FLEE)
    return found


def may_stand_and_shoot(g: BattleCore, unit: int, charger: int) -> bool:
    """Whether the unit may shoot at its charger. It needs a missile weapon (wap.charge.stand-shoot.weapons) and must
    not have reacted so in this step (wap.charge.reaction.several-charges, wap.charge.stand-shoot.once). The charger
    must be farther away than its Movement, unless the weapon is quick to fire (wap.charge.stand-shoot.distance).
    """
    if any(g.charges.reaction[k] == SHOOTS for k in charges_on(g, unit)):
        return False
    armed = ((row, weapon) for row in shooters_in(g, unit) for weapon in outfit_of(g, row).missiles)
    return any(may_fire(g, row, charger, weapon, AS_REACTION) for row, weapon in armed)


def stand_and_shoot(g: BattleCore, unit: int, charger: int) -> None:
    """Push the shots of a unit that stands and shoots. A charger that panics from them flees from where it stands
    (wap.panic.heavy-casualties.charger).
    """
    if not is_hindered(g, unit):
        g.push(Shoot, unit, charger, AS_REACTION)


class React(Procedure):
    """A charged unit reacts to one charge, at once (wap.charge.reaction.timing)."""

    class Step(Steps):
        TERROR, ANSWER = range(2)

    ROW = integer(row_of("charges"))
    asks = ("charge-reaction",)

    def advance(self, g: BattleCore, f: int) -> int:
        row, c = g.stack[f + React.ROW], g.charges
        unit, charger = c.target[row], c.unit[row]
        gone = g.units.place[unit] != ON_TABLE or g.units.place[charger] != ON_TABLE or g.units.fleeing[charger]
        if gone:  # a unit may have left the table before it reacts
            drop(g, row)
            return g.pop()
        if g.stack[f + STEP] == React.Step.TERROR:
            g.stack[f + STEP] = React.Step.ANSWER
            if not stands_firm(g, unit, charger) and not waits(g, unit, TerrorWaits):
                React.quails(g, f)
            return GO
        return g.ask(ChargeReaction, g.units.owner[unit], unit)

    @staticmethod
    def quails(g: BattleCore, f: int) -> None:
        """The charged unit has failed its Terror test: it flees, or stays in its building with no other reaction."""
        row = g.stack[f + React.ROW]
        g.pop()
        if is_inside(g, g.charges.target[row]):
            react(g, row, HOLD, "wap.building.assault.terror")
        else:
            react(g, row, FLEE, CHARGED)


class TerrorWaits(TestWaits):
    """A charged unit that may roll its Terror test again; its reaction waits beneath."""

    advance = ask_again

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if not passed:
            React.quails(g, g.frame)


def react(g: BattleCore, row: int, option: int, rule: str = CHOSEN) -> None:
    """Carry out the reaction of a charged unit to the charge in a row: an ``option`` that its player has chosen or that
    ``rule`` forces on it. Shots and a flight are pushed.
    """
    c = g.charges
    unit, charger = c.target[row], c.unit[row]
    if option == FIRE_AND_FLEE:
        g.push(FireAndFlee, row)
        return
    c.reaction[row] = option + HOLDS
    g.note(rule, REACTIONS[option + HOLDS], unit=unit, target=charger)
    if option == SHOOT:
        stand_and_shoot(g, unit, charger)
    elif option == FLEE:
        chooses = rule == CHOSEN and not g.units.fleeing[unit]
        feint = feint_of(g, unit) if chooses else ""
        if feint:
            start_feint(g, unit, feint)
        flee_from(g, unit, charger)


class FireAndFlee(Procedure):
    """Fast cavalry shoots at its charger, counting as having moved, and then flees
    (wap.special.fast-cavalry.fire-and-flee).
    """

    class Step(Steps):
        FIRE, FLEE = range(2)

    ROW = integer(row_of("charges"))
    asks = ("shoot-way",)

    def advance(self, g: BattleCore, f: int) -> int:
        row, c, u = g.stack[f + FireAndFlee.ROW], g.charges, g.units
        unit, charger = c.target[row], c.unit[row]
        if g.stack[f + STEP] == FireAndFlee.Step.FIRE:
            g.stack[f + STEP] = FireAndFlee.Step.FLEE
            c.reaction[row] = FLEES
            g.note("wap.special.fast-cavalry.fire-and-flee", "fires and flees", unit=unit, target=charger)
            g.push(Shoot, unit, charger, IN_FLIGHT)
            return GO
        g.pop()
        if unit >= 0 and charger >= 0 and u.place[unit] == ON_TABLE and not u.fleeing[unit]:
            start_feint(g, unit, feint_of(g, unit))
            u.feigned[unit] = FIRED
            flee_from(g, unit, charger)
        return GO


def start_feint(g: BattleCore, unit: int, rule: str) -> None:
    """Mark the flight of light troops as their own choice (wap.special.fast-cavalry.feigned-flight,
    wap.special.skirmishers.feigned-flight).
    """
    g.units.feigned[unit] = FEIGNS
    g.note(rule, "feigns its flight", unit=unit)


def flee_from(g: BattleCore, unit: int, charger: int) -> None:
    """A charged unit turns away from its charger and flees, at most once a phase (wap.charge.flee.pivot,
    wap.charge.flee.move, wap.charge.flee.one-move). Every charge on it becomes one on a fleeing enemy.
    """
    c = g.charges
    for k in charges_on(g, unit):
        if c.reaction[k] != KEPT:
            c.reaction[k] = FLEES
    if g.units.did[unit] & FLED:
        return
    start_to_flee(g, unit, back_to(g, unit, charger), "wap.charge.flee.pivot")
    g.push(Flight, unit)


class ChargeReaction(DecisionKind):
    name = "charge-reaction"
    what = "What a unit does that is charged: it holds, stands and shoots, flees, or shoots and flees."
    keys = (
        "wap.charge.reaction.list",
        "wap.charge.reaction.several-charges",
        "wap.charge.reaction.timing",
        "wap.charge.hold",
        "wap.charge.hold.engaged",
        "wap.charge.flee.compulsory",
        "wap.charge.flee.persists",
        "wap.special.frenzy.charge-reaction",
        "wap.special.fast-cavalry.fire-and-flee",
        "wap.machine.charge-reaction",
        "wap.building.assault.reactions",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        row, option = g.stack[f + React.ROW], g.setup.space.option
        for n in reactions_of(g, g.charges.target[row], g.charges.unit[row]):
            mask[option + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        row = g.stack[f + React.ROW]
        g.pop()
        react(g, row, action - g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        row, names = g.stack[f + React.ROW], g.setup.names["units"]
        at = action - g.setup.space.option
        words = "fires and flees" if at == FIRE_AND_FLEE else REACTIONS[at + HOLDS]
        return f"{names[g.charges.target[row]]} {words}, charged by {names[g.charges.unit[row]]}"
