"""Break tests of the side that has lost (wap.break.test, wap.multi.break.*).

A unit that drew its own fight takes none (wap.multi.break.draw). Units that need no dice come first: Unbreakable units
hold, Unstable units crumble. Then the others test one by one, all before any unit flees. The penalty applies to this
test and to the combat reform only (wap.break.modifier-scope).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.changed_units import has_failed, may_roll_again
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.unit_changes import BREAK, LEADERSHIP
from wh_env.rulesets.wap.breaking.crumbling import crumble
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.codes import ANSWERED, BROKEN, HELD, UNASKED
from wh_env.rulesets.wap.morale.army_leaders import holds_ground
from wh_env.rulesets.wap.morale.leadership import leadership_test, leadership_value, roll_again
from wh_env.rulesets.wap.rule_book import UNBREAKABLE, UNSTABLE
from wh_env.rulesets.wap.troops.war_machines import is_machine

HOLD_YOUR_GROUND = "wap.general.bsb.hold-your-ground"


def is_beaten(g: BattleCore, unit: int) -> bool:
    """Whether a unit of the combat that is being fought has lost and its break test is still to come. A unit that
    assaults a building takes none (wap.building.assault.attacker-no-break).
    """
    u = g.units
    return bool(
        u.fighting[unit]
        and u.storms[unit] < 0
        and u.place[unit] == ON_TABLE
        and u.outcome[unit] == HELD
        and u.answered[unit] == UNASKED
    )


def is_unstable(g: BattleCore, unit: int) -> bool:
    """Whether a beaten unit crumbles in place of a test (wap.special.unstable)."""
    return has(g, unit, UNSTABLE)


def is_unbreakable(g: BattleCore, unit: int) -> bool:
    """Whether a unit passes break tests without dice (wap.special.unbreakable)."""
    return has(g, unit, UNBREAKABLE) or is_unstable(g, unit)


def instability(g: BattleCore, unit: int) -> int:
    """Wounds that a beaten Unstable unit suffers: its penalty, or one less if it is steadfast
    (wap.special.unstable.steadfast, .multiple-combat).
    """
    return int(max(0, g.units.penalty[unit] - g.units.steadfast[unit]))


def break_test(g: BattleCore, unit: int) -> bool:
    """Take the break test of a beaten unit; returns whether it holds. It needs 2D6 of at most its Leadership less its
    penalty, or of its unmodified Leadership if it is steadfast (wap.break.test, .steadfast.effect). If the penalty
    leaves nothing of its Leadership, it breaks without dice (.automatic). A unit whose banner lets it roll again has
    not broken yet: its player is asked.
    """
    u = g.units
    steadfast, penalty = bool(u.steadfast[unit]), u.penalty[unit]
    value = leadership_value(g, unit, -penalty, steadfast=steadfast)
    rule = rule_of_test(g, unit, value)
    u.answered[unit] = ANSWERED
    again = HOLD_YOUR_GROUND if holds_ground(g, unit) else ""
    if leadership_test(g, unit, rule, -penalty, steadfast=steadfast, again=again):
        return True
    if not again and value > 0 and rule_of_second_roll(g, unit):
        g.push(BreakAgain, unit)
    else:
        breaks(g, unit, rule)
    return False


def rule_of_test(g: BattleCore, unit: int, value: int) -> str:
    """The rule by which a unit takes a break test on ``value``."""
    if g.units.steadfast[unit]:
        return "wap.break.steadfast.effect"
    return "wap.break.test" if value > 0 else "wap.break.automatic"


def rule_of_second_roll(g: BattleCore, unit: int) -> str:
    """The rule of the banner that lets a unit roll a failed break test again; empty: there is none."""
    return may_roll_again(g, unit, BREAK) or may_roll_again(g, unit, LEADERSHIP)


def breaks(g: BattleCore, unit: int, rule: str) -> None:
    """A unit has failed its break test by ``rule``. A war machine is destroyed (wap.machine.combat.loses)."""
    g.units.outcome[unit] = BROKEN
    g.note(rule, "broken", unit=unit, penalty=g.units.penalty[unit])
    if is_machine(g, unit):  # it would have to flee
        remove_unit(g, unit)
        g.note("wap.machine.forced-to-flee", "is destroyed", unit=unit)


class BreakAgain(Procedure):
    """A unit has failed a break test that it may roll again (wap.item.banner.banner-of-courage)."""

    UNIT = integer(row_of("units"))
    asks = ("break-again",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + BreakAgain.UNIT]
        return g.ask(RollBreakAgain, g.units.owner[unit], unit)


class RollBreakAgain(DecisionKind):
    name = "break-again"
    what = "Whether a failed break test is rolled again, both dice; done: the unit breaks."
    policy = "It is rolled again."
    keys = ("wap.item.banner.banner-of-courage", "wap.item.banner.gleaming-pennant")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, u = g.stack[f + BreakAgain.UNIT], g.units
        g.pop()
        value = leadership_value(g, unit, -u.penalty[unit], steadfast=bool(u.steadfast[unit]))
        rule = rule_of_second_roll(g, unit)
        has_failed(g, unit, uses=action > 0 and not may_roll_again(g, unit, BREAK))
        if not (action and roll_again(g, unit, value, rule)):
            breaks(g, unit, rule_of_test(g, unit, value))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + BreakAgain.UNIT]]
        return f"{name} rolls its break test again" if action else f"{name} leaves it at that"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)


def hold_without_test(g: BattleCore, unit: int) -> None:
    """An Unbreakable unit holds; an Unstable one holds and loses wounds without saves (wap.special.unstable)."""
    wounds = instability(g, unit) if is_unstable(g, unit) else 0
    g.units.answered[unit] = ANSWERED
    if g.recorder is not None:
        rule = "wap.special.unstable" if is_unstable(g, unit) else "wap.special.unbreakable"
        g.note(rule, "holds", unit=unit, amount=wounds)
    if wounds:
        crumble(g, unit, wounds)


class BreakTests(Procedure):
    """The break tests of one combat; the player whose turn it is orders them (wap.multi.break.order)."""

    asks = ("break-order",)

    def advance(self, g: BattleCore, f: int) -> int:
        beaten = [unit for unit in range(len(g.units.owner)) if is_beaten(g, unit)]
        if not beaten:
            g.units.rows["answered"] = UNASKED
            return g.pop()
        for unit in beaten:
            if is_unbreakable(g, unit):
                hold_without_test(g, unit)
                return GO
        if len(beaten) == 1:
            break_test(g, beaten[0])
            return GO
        return g.ask(BreakOrder, g.clock.turn[0])


def slot_of(g: BattleCore, player: int, unit: int) -> int:
    """The action of a unit, own or enemy, in the decisions of a player."""
    owner = g.units.owner[unit]
    at = g.setup.space.own if owner == player else g.setup.space.enemy
    return at + unit - g.players.first_unit[owner]


def unit_of(g: BattleCore, player: int, action: int) -> int:
    """The unit of an action of ``slot_of``."""
    space = g.setup.space
    if action >= space.enemy:
        return g.players.first_unit[1 - player] + action - space.enemy
    return g.players.first_unit[player] + action - space.own


class BreakOrder(DecisionKind):
    name = "break-order"
    what = "Which of several beaten units takes its break test next."
    policy = "The first of them."
    keys = ("wap.multi.break.order",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.clock.player[0]
        for unit in range(len(g.units.owner)):
            if is_beaten(g, unit):
                mask[slot_of(g, player, unit)] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        break_test(g, unit_of(g, g.clock.player[0], action))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = unit_of(g, g.clock.player[0], action)
        u = g.units
        how = "steadfast" if u.steadfast[unit] else f"at -{u.penalty[unit]}"
        return f"{g.setup.names['units'][unit]} tests, {how}"
