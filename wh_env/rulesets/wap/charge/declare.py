"""The declaration of one charge: the target, on foot or through the air, and the test before it (wap.charge.declare,
.two-targets, .redirect, wap.special.frenzy.must-charge, wap.special.fly.charge).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, count_of, flag, row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.auras import is_restless_near
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.by_magic import is_held
from wh_env.rulesets.wap.basics.declared_charges import (
    charges_aloft,
    charges_of,
    dares_not,
    drop,
    enter,
    refuse,
    targets_of,
)
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.profiles import lines_there, wholly
from wh_env.rulesets.wap.basics.special_rules import line_has_itself
from wh_env.rulesets.wap.characters.charging_out import charge_out, far_from
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.charge.reach import side_charged
from wh_env.rulesets.wap.charge.reactions import is_frenzied
from wh_env.rulesets.wap.charge.targets import aims_at, has_target, possible_targets, ways_open
from wh_env.rulesets.wap.charge.terror import dares_to_charge
from wh_env.rulesets.wap.codes import FLEES, HELD_BACK, KEPT, QUARTERS, SHOT
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.commands.follow_me import FAILED, PASSED, REDIRECT, UNTESTED, take_test
from wh_env.rulesets.wap.morale.leadership import leadership_test, leadership_value, roll_again
from wh_env.rulesets.wap.shooting.shooting import Shoot
from wh_env.rulesets.wap.shooting.shots import ON_CHARGE, ways_of

# why a unit declares a charge: its player wants it; its frenzy makes it; its first target flees and it has passed the
# test to redirect; the second target flees too
FREELY, FORCED, REDIRECTS, CHOOSES = range(4)
FRENZY = "wap.special.frenzy.must-charge"


def is_restless(g: BattleCore, unit: int) -> bool:
    """Whether a frenzied unit must test or charge: it could declare a charge, and has neither done so nor passed the
    test not to. A character is never made to leave his unit.
    """
    return (
        host_of(g, unit) < 0
        and is_frenzied(g, unit)
        and not g.units.did[unit] & HELD_BACK
        and may_declare(g, unit)
        and has_target(g, unit, forced=True)
    )


class Declare(Procedure):
    """A unit declares a charge. It may first have to test to redirect; then its player names the target, and the way if
    two are open.
    """

    UNIT = integer(row_of("units"))
    WHY = integer(between(FREELY, CHOOSES))
    TESTED = integer(between(UNTESTED, FAILED))  # how the test to redirect has ended
    # the enemy that it charges on foot or through the air, plus 1; 0: none is named yet
    TARGET = integer(count_of("units"))
    asks = ("charge-target", "charge-how")

    def advance(self, g: BattleCore, f: int) -> int:
        unit, why, tested = (g.stack[f + at] for at in (Declare.UNIT, Declare.WHY, Declare.TESTED))
        if g.stack[f + Declare.TARGET]:
            return g.ask(ChargeHow, g.units.owner[unit], unit)
        if why == REDIRECTS and tested == UNTESTED:
            take_test(g, unit, REDIRECT, Declare.TESTED, "wap.charge.redirect")
            return GO
        if tested != FAILED and choices(g, unit, why):
            return g.ask(ChargeTarget, g.units.owner[unit], unit)
        g.pop()
        keep(g, unit)
        return GO


def choices(g: BattleCore, unit: int, why: int) -> list[int]:
    """The enemies that the unit may name, in the order of their rows. ``why``: FREELY .. CHOOSES. A unit that its
    frenzy forces may name only the nearest.
    """
    if why == CHOOSES:
        both = {*first_targets(g, unit), *targets_of(g, unit)}
        return sorted(target for target in both if g.units.place[target] == ON_TABLE)
    found = [target for target in possible_targets(g, unit, forced=why == FORCED) if target not in targets_of(g, unit)]
    if why == FORCED and found:
        least = min(distance(g, unit, target) for target in found)
        return [target for target in found if distance(g, unit, target) <= least + EPS]
    return found


def first_targets(g: BattleCore, unit: int) -> list[int]:
    """The enemies from which the charge of the unit was redirected, in the order of their rows."""
    return sorted({g.charges.first[k] for k in charges_of(g, unit)} - {-1})


def keep(g: BattleCore, unit: int) -> None:
    """Settle the charge of a unit on the enemies it is declared on, even if they flee: it can no longer be
    redirected.
    """
    c = g.charges
    for k in charges_of(g, unit):
        c.first[k] = -1
        if c.reaction[k] == FLEES:
            c.reaction[k] = KEPT


def declare(g: BattleCore, unit: int, target: int, why: int, aloft: bool) -> None:
    """Declare a charge on a target and on the enemies that the unit cannot avoid, in place of what it had declared
    before.
    """
    aims = aims_at(g, unit, target, aloft)
    if host_of(g, unit) >= 0:
        charge_out(g, unit)
    before = charges_of(g, unit)
    first = g.charges.target[before[0]] if before else -1
    for k in before:
        drop(g, k)
    rule = FRENZY if why == FORCED else "wap.charge.redirect" if why == REDIRECTS else "wap.charge.declare"
    for n, (enemy, _) in enumerate(aims):
        side = side_charged(g, unit, enemy)
        enter(g, unit, enemy, side, first=first, aloft=aloft)
        if g.recorder is not None:
            told = {"far": round(distance(g, unit, enemy), 2), "name": QUARTERS[side]}
            g.note("wap.charge.two-targets" if n else rule, "declares a charge", unit=unit, target=enemy, **told)
    if aloft and g.recorder is not None:
        g.note("wap.special.fly.charge", "charges through the air", unit=unit, target=target)


def name_target(g: BattleCore, unit: int, target: int, why: int, aloft: bool, dared: int = 0) -> None:
    """A unit names the enemy that it charges on foot or through the air. It declares the charge if it dares, and may
    then shoot. It takes a Terror test for each enemy that it would charge; if it fails one, nothing is declared
    (wap.special.terror.charging). ``dared``: how many of them it has dared already.
    """
    if not dared and why != REDIRECTS and is_held(g, unit):
        refuse(g, unit, target)
        return
    for n, (enemy, _) in enumerate(aims_at(g, unit, target, aloft)):
        if n >= dared and not dares_to_charge(g, unit, enemy):
            if not waits(g, unit, DareWaits, target, why, int(aloft), n):
                shrink_from(g, unit, enemy, why)
            return
    declare(g, unit, target, why, aloft)
    if not g.units.did[unit] & SHOT and ways_of(g, unit, target, ON_CHARGE):
        g.push(Shoot, unit, target, ON_CHARGE)


def shrink_from(g: BattleCore, unit: int, enemy: int, why: int) -> None:
    """A unit does not dare to charge an enemy. Another choice follows, unless ``why`` is FREELY."""
    refuse(g, unit, enemy)
    if why != FREELY:
        g.push(Declare, unit, why, PASSED)  # name another target, if there is one


class DareWaits(TestWaits):
    """A unit that may roll again its Terror test to charge."""

    advance = ask_again
    TARGET = integer(row_of("units"))
    WHY = integer(between(FREELY, CHOOSES))
    ALOFT = integer(flag())
    DARED = integer(count_of("units"))

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        target, why, aloft, dared = more[:4]
        if passed:
            name_target(g, unit, target, why, bool(aloft), dared + 1)
        else:
            shrink_from(g, unit, aims_at(g, unit, target, bool(aloft))[dared][0], why)

    def fits(self, g: BattleCore, f: int) -> bool:
        unit, target, aloft = (g.stack[f + at] for at in (DareWaits.UNIT, DareWaits.TARGET, DareWaits.ALOFT))
        foe = g.units.owner[target] != g.units.owner[unit] and g.units.place[target] == ON_TABLE
        return bool(foe and g.stack[f + DareWaits.DARED] < len(aims_at(g, unit, target, bool(aloft))))


class ChargeTarget(DecisionKind):
    name = "charge-target"
    what = (
        "Which enemy a unit charges; done: a frenzied unit tests its Leadership not to charge, one that dares not "
        "charge the second target keeps the first."
    )
    keys = (
        "wap.charge.declare",
        "wap.charge.declare.sight-and-arc",
        "wap.charge.declare.impossible",
        "wap.charge.declare.may-clear",
        "wap.charge.two-targets",
        "wap.charge.redirect",
        "wap.charge.redirect.second-flees",
        "wap.special.terror.charging",
        "wap.special.frenzy.must-charge",
        "wap.character.leave.charge",
        "wap.building.assault.one-unit",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, why = g.stack[f + Declare.UNIT], g.stack[f + Declare.WHY]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for target in choices(g, unit, why):
            mask[at + target] = True
        afraid = any(dares_not(g, unit, target) for target in g.units_of(1 - g.units.owner[unit]))
        mask[0] = (why == FREELY and is_restless(g, unit)) or (why == REDIRECTS and afraid)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, why = g.stack[f + Declare.UNIT], g.stack[f + Declare.WHY]
        if action == 0 and why == REDIRECTS:
            g.pop()
            keep(g, unit)
            return
        if action == 0:
            if holds_back(g, unit):
                g.pop()
            elif not waits(g, unit, FrenzyWaits):
                g.stack[f + Declare.WHY] = FORCED
            return
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        ways = ways_open(g, unit, target) if why != CHOOSES else []
        if len(ways) > 1:
            g.stack[f + Declare.TARGET] = target + 1
            return
        g.pop()
        if why == CHOOSES:
            choose(g, unit, target)
        else:
            name_target(g, unit, target, why, ways[0])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + Declare.UNIT], g.setup.names["units"]
        if action == 0:
            return f"{names[unit]} tests not to charge"
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        if g.stack[f + Declare.WHY] == CHOOSES:
            return f"{names[unit]} charges {names[target]}, which flees"
        aloft = ways_open(g, unit, target)[0]
        others = "".join(f" and {names[enemy]}" for enemy, _ in aims_at(g, unit, target, aloft)[1:])
        return f'{names[unit]} charges {names[target]}{others}, {far_from(g, unit, target):.1f}" away'


class ChargeHow(DecisionKind):
    name = "charge-how"
    what = "Whether a unit of flyers charges through the air or on foot: the way that reaches farther first."
    policy = "The first."
    keys = ("wap.special.fly.move", "wap.special.fly.charge")
    squad = False

    @staticmethod
    def about(g: BattleCore, f: int) -> tuple[int, int]:
        """(charging unit, its target)."""
        return g.stack[f + Declare.UNIT], g.stack[f + Declare.TARGET] - 1

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for at in range(len(ways_open(g, *self.about(g, f)))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        (unit, target), why = self.about(g, f), g.stack[f + Declare.WHY]
        aloft = ways_open(g, unit, target)[action - g.setup.space.option]
        g.pop()
        name_target(g, unit, target, why, aloft)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, target = self.about(g, f)
        aloft = ways_open(g, unit, target)[action - g.setup.space.option]
        return f"{g.setup.names['units'][unit]} charges {'through the air' if aloft else 'on foot'}"


def must_roll_again(g: BattleCore, unit: int) -> bool:
    """Whether a frenzied unit must re-roll a passed test not to charge: it is frenzied without the aura that it stands
    in (wap.terrain.monument.altar-of-khaine).
    """
    lines = (line for row in wholly(g, unit) for line in lines_there(g, row))
    return is_restless_near(g, unit) and any(line_has_itself(g, line, rule_book.FRENZY) for line in lines)


def holds_back(g: BattleCore, unit: int) -> bool:
    """Take the Leadership test of a frenzied unit not to charge; returns whether it passes. A unit that passes is not
    asked again in this turn.
    """
    passed = leadership_test(g, unit, FRENZY)
    if passed and must_roll_again(g, unit):
        passed = roll_again(g, unit, leadership_value(g, unit), "wap.terrain.monument.altar-of-khaine")
    if passed:
        g.units.did[unit] |= HELD_BACK
    return passed


class FrenzyWaits(TestWaits):
    """A frenzied unit that may roll its test again; its declaration waits beneath."""

    advance = ask_again

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if passed:
            g.units.did[unit] |= HELD_BACK
            g.pop()
        else:
            g.stack[g.frame + Declare.WHY] = FORCED


def choose(g: BattleCore, unit: int, target: int) -> None:
    """The unit charges ``target``, one of the two targets of a redirected charge that both flee
    (wap.charge.redirect.second-flees).
    """
    if target not in targets_of(g, unit):
        aloft = charges_aloft(g, unit)
        for k in charges_of(g, unit):
            drop(g, k)
        enter(g, unit, target, 0, KEPT, aloft=aloft)
    keep(g, unit)
    g.note("wap.charge.redirect.second-flees", "charges", unit=unit, target=target)
