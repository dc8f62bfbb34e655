"""Combat reforms of units that have won, drawn or held (wap.break.reform.*): the players' wishes, tests of beaten
units, the order of the sides, the reforms.

They come after all pursuits (wap.break.reform.after-pursuits). A player may still leave a unit as it is when its turn
to reform comes.
"""

from __future__ import annotations

from math import tau

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, player, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.sentences import counted
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.combined_unit import is_stupid
from wh_env.rulesets.wap.basics.contacts import apart_from, foes_of, forget, meet, sides_engaged
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.breaking.reform_places import Place, Reforming
from wh_env.rulesets.wap.challenges.duels import step_forward
from wh_env.rulesets.wap.codes import (
    ANSWERED,
    DREW,
    HELD,
    OVERRUNS,
    PURSUES,
    RANKS,
    TO_REFORM,
    UNASKED,
    WISHES,
    WON,
)
from wh_env.rulesets.wap.commands.follow_me import COMBAT_REFORM, FAILED, PASSED, UNTESTED, take_test
from wh_env.rulesets.wap.ways.poses import degrees

STAY, REFORM = 0, 1  # options of the wish
MINE, THEIRS = 0, 1  # options of the winner of the roll-off


def may_reform(g: BattleCore, unit: int) -> bool:
    """Whether a unit of the combat that is being fought may make a combat reform: it still fights enemies of that
    combat, at only one of its sides (wap.break.reform.winner, .loser, .several-sides), across no obstacle, and is not
    stupid (wap.special.stupidity.until-passed).
    """
    u = g.units
    if not u.fighting[unit] or u.place[unit] != ON_TABLE or u.fleeing[unit] or not u.fights[unit] or is_stupid(g, unit):
        return False
    if u.outcome[unit] not in (WON, DREW, HELD) or u.intent[unit] in (PURSUES, OVERRUNS):
        return False
    foes = foes_of(g, unit)
    return len(sides_engaged(g, unit)) == 1 and all(u.fighting[foe] and not apart_from(g, unit, foe) for foe in foes)


class CombatReforms(Procedure):
    """The combat reforms of one combat, after all pursuits."""

    class Step(Steps):
        WISH, TEST, TESTED, ORDER, FIRST, NEXT, FILES, FACING, PLACE = range(9)

    UNIT = integer(row_of("units"))
    RESULT = integer(between(UNTESTED, FAILED))
    LEADS = integer(player())  # the player who reforms first
    FORMED = integer(between(0, "numbers"))  # files of the reform
    ANGLE = integer(between(0, "angles"))
    asks = ("combat-reform", "combat-reform-place", "reform-first")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = CombatReforms.Step, g.stack
        step, unit = stack[f + STEP], stack[f + CombatReforms.UNIT]
        if step == Step.WISH:
            return self._wish(g, f)
        if step == Step.TEST:
            return self._test(g, f)
        if step == Step.TESTED:
            g.units.answered[unit] = TO_REFORM if stack[f + CombatReforms.RESULT] == PASSED else ANSWERED
            stack[f + CombatReforms.RESULT] = UNTESTED
            stack[f + STEP] = Step.TEST
            return GO
        if step == Step.ORDER:
            return self._order(g, f)
        if step == Step.FIRST:
            return g.ask(ReformFirst, stack[f + CombatReforms.LEADS])
        if step == Step.NEXT:
            return self._next(g, f)
        if step == Step.PLACE:
            return g.ask(CombatReformPlace, g.units.owner[unit], unit)
        return g.ask(CombatReform, g.units.owner[unit], unit)

    @staticmethod
    def _wish(g: BattleCore, f: int) -> int:
        """Ask about every unit that may reform, first those of the player whose turn it is."""
        u, turn = g.units, g.clock.turn[0]
        for owner in (turn, 1 - turn):
            for unit in g.units_of(owner):
                if u.answered[unit] != UNASKED or not may_reform(g, unit):
                    continue
                if Reforming(g, unit).any():
                    g.stack[f + CombatReforms.UNIT] = unit
                    return g.ask(CombatReform, owner, unit)
                u.answered[unit] = ANSWERED
        g.stack[f + STEP] = CombatReforms.Step.TEST
        return GO

    @staticmethod
    def _test(g: BattleCore, f: int) -> int:
        """Take the tests of beaten units, before any unit reforms (wap.break.reform.loser, .order)."""
        u, turn = g.units, g.clock.turn[0]
        for owner in (turn, 1 - turn):
            for unit in g.units_of(owner):
                if u.answered[unit] != WISHES:
                    continue
                g.stack[f + CombatReforms.UNIT] = unit
                g.stack[f + STEP] = CombatReforms.Step.TESTED
                penalty, steadfast = -u.penalty[unit], bool(u.steadfast[unit])
                rule = "wap.break.reform.loser"
                take_test(g, unit, COMBAT_REFORM, CombatReforms.RESULT, rule, penalty, unmodified=steadfast)
                return GO
        g.stack[f + STEP] = CombatReforms.Step.ORDER
        return GO

    @staticmethod
    def _order(g: BattleCore, f: int) -> int:
        """Settle which side reforms first: by a roll-off if both sides reform (wap.break.reform.order)."""
        u = g.units
        sides = [any(u.answered[unit] == TO_REFORM for unit in g.units_of(owner)) for owner in (0, 1)]
        if all(sides):
            g.stack[f + CombatReforms.LEADS] = roll_off(g, "wap.break.reform.order")
            g.stack[f + STEP] = CombatReforms.Step.FIRST
            return GO
        g.stack[f + CombatReforms.LEADS] = int(sides[1])
        g.stack[f + STEP] = CombatReforms.Step.NEXT
        return GO

    @staticmethod
    def _next(g: BattleCore, f: int) -> int:
        u, leads = g.units, g.stack[f + CombatReforms.LEADS]
        for owner in (leads, 1 - leads):
            for unit in g.units_of(owner):
                if u.answered[unit] != TO_REFORM:
                    continue
                u.answered[unit] = ANSWERED
                if may_reform(g, unit) and Reforming(g, unit).any():  # earlier reforms may have left it no room
                    g.stack[f + CombatReforms.UNIT] = unit
                    g.stack[f + STEP] = CombatReforms.Step.FILES
                    return GO
        u.rows["answered"] = UNASKED
        return g.pop()

    @staticmethod
    def unit(g: BattleCore, f: int) -> int:
        """The unit whose player is asked."""
        return int(g.stack[f + CombatReforms.UNIT])

    @staticmethod
    def wishes(g: BattleCore, f: int, wish: bool) -> None:
        """Record whether the unit is to reform. A beaten unit that wishes to has to test first."""
        unit, u = CombatReforms.unit(g, f), g.units
        u.answered[unit] = ANSWERED if not wish else WISHES if u.outcome[unit] == HELD else TO_REFORM

    @staticmethod
    def places(g: BattleCore, f: int) -> list[Place]:
        """The places where the unit can stand with the chosen files and facing, most models in contact first."""
        files, slot = g.stack[f + CombatReforms.FORMED], g.stack[f + CombatReforms.ANGLE]
        return Reforming(g, CombatReforms.unit(g, f)).places_in(files, slot)[: g.setup.space.numbers]

    @staticmethod
    def carry_out(g: BattleCore, f: int, place: Place) -> None:
        """Put the unit into its new formation."""
        unit, u = CombatReforms.unit(g, f), g.units
        g.stack[f + STEP] = CombatReforms.Step.NEXT
        forget(g, unit)
        u.shape[unit] = RANKS
        set_block(g, unit, place.x, place.y, place.facing, place.files)
        step_forward(g, unit)
        meet(g)
        if g.recorder is not None:
            told = {
                "files": place.files,
                "facing": degrees(place.facing),
                "place": (round(place.x, 2), round(place.y, 2)),
            }
            g.note("wap.break.reform.how", "reforms in combat", unit=unit, contacts=place.contacts, **told)


class CombatReform(DecisionKind):
    name = "combat-reform"
    what = (
        "Whether a unit reforms in combat; then in how many files (done: it stays as it is) and which way its front "
        "faces."
    )
    keys = (
        "wap.break.reform.winner",
        "wap.break.reform.how",
        "wap.break.reform.loser",
        "wap.break.reform.keep-contact",
        "wap.break.reform.no-new-arc",
        "wap.break.reform.front-in-contact",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        Step, step, space = CombatReforms.Step, g.stack[f + STEP], g.setup.space
        if step == Step.WISH:
            mask[space.option + STAY] = mask[space.option + REFORM] = True
            return
        search = Reforming(g, CombatReforms.unit(g, f))
        if step == Step.FILES:
            mask[0] = True
            for files in search.choices():
                mask[space.number + files - 1] = True
            return
        for slot in search.slots(g.stack[f + CombatReforms.FORMED]):
            mask[space.angle + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Step, stack, space = CombatReforms.Step, g.stack, g.setup.space
        if stack[f + STEP] == Step.WISH:
            CombatReforms.wishes(g, f, action == space.option + REFORM)
        elif action == 0:
            stack[f + STEP] = Step.NEXT
        elif stack[f + STEP] == Step.FILES:
            stack[f + CombatReforms.FORMED] = action - space.number + 1
            stack[f + STEP] = Step.FACING
        else:
            stack[f + CombatReforms.ANGLE] = action - space.angle
            stack[f + STEP] = Step.PLACE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space, unit = g.setup.space, CombatReforms.unit(g, f)
        name = g.setup.names["units"][unit]
        if action == 0 or action == space.option + STAY:
            return f"{name} stays as it is"
        if action == space.option + REFORM:
            return f"{name} tries to reform" if g.units.outcome[unit] == HELD else f"{name} reforms"
        if action >= space.number:
            return f"{name} reforms into {counted(action - space.number + 1, 'file')}"
        return f"{name} faces {degrees((action - space.angle) * tau / space.angles)} degrees"


class CombatReformPlace(DecisionKind):
    name = "combat-reform-place"
    what = "Where along the enemy the front of a unit stands that reforms in combat, by models in contact."
    policy = "Where most models of both sides are in contact, of such places the nearest."
    keys = ("wap.break.reform.how", "wap.break.reform.winner")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        for n in range(len(CombatReforms.places(g, f))):
            mask[number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        CombatReforms.carry_out(g, f, CombatReforms.places(g, f)[action - g.setup.space.number])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        n = action - g.setup.space.number
        place = CombatReforms.places(g, f)[n]
        name = g.setup.names["units"][CombatReforms.unit(g, f)]
        return f"{name} at place {n + 1} ({place.x:.2f}, {place.y:.2f}): {counted(place.contacts, 'model')} in contact"


class ReformFirst(DecisionKind):
    name = "reform-first"
    what = "Which side makes its combat reforms first."
    policy = "His own."
    keys = ("wap.break.reform.order",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option + MINE] = mask[option + THEIRS] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action - g.setup.space.option == THEIRS:
            g.stack[f + CombatReforms.LEADS] = 1 - g.stack[f + CombatReforms.LEADS]
        g.stack[f + STEP] = CombatReforms.Step.NEXT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "my units reform first" if action - g.setup.space.option == MINE else "the enemy's units reform first"
