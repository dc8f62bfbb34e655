"""Rally tests, and the reform of a unit that passes one (wap.compulsory.rally.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.by_magic import is_held
from wh_env.rulesets.wap.basics.changed_units import rally_bonus
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.traps import moves
from wh_env.rulesets.wap.codes import DRIVEN, FLED, MOVED, MUSICIAN, RALLIED, REFORMED
from wh_env.rulesets.wap.commands.follow_me import FAILED, PASSED, RALLY, UNTESTED, take_test
from wh_env.rulesets.wap.commands.roles import leads
from wh_env.rulesets.wap.fleeing.flight import Flight
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.movement.reform import ReformFacing, ReformFiles
from wh_env.rulesets.wap.movement.reform_choices import can_reform
from wh_env.rulesets.wap.special.light_troops import NO_FEINT
from wh_env.rulesets.wap.special.mixed_units import is_master

WHOLE = 100  # percent


def may_rally(g: BattleCore, unit: int) -> bool:
    """Whether a unit is still to take a rally test: it flees, did not begin to flee in this turn, and has not tested
    yet (wap.compulsory.rally.fled-this-turn).
    """
    u = g.units
    return bool(u.place[unit] == ON_TABLE and u.fleeing[unit] and not u.did[unit] & (FLED | RALLIED))


def is_reduced(g: BattleCore, unit: int) -> bool:
    """Whether so few models of a unit are left that it tests on half its Leadership (wap.compulsory.rally.quarter)."""
    u = g.units
    return bool(
        WHOLE * (u.alive[unit] + len([row for row in joined_to(g, unit) if not is_master(g, row)]))
        <= g.setup.rules["rally_quarter"] * u.strength[unit]
    )


class Rally(MoveFrame):
    """A fleeing unit tests. If it passes, it rallies and reforms at once; else it flees on (wap.compulsory.rally.test,
    .reform, wap.compulsory.rally.failed). A musician lets it test again (wap.command.musician.rally).
    """

    asks = ("reform-files", "reform-facing")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Rally.Step, g.stack
        unit, step = stack[f + Rally.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.HOW:
            return self._test(g, f, unit)
        if step == Step.FILES:
            return g.ask(ReformFiles, owner, unit)
        if step == Step.FACING:
            return g.ask(ReformFacing, owner, unit)
        reformed = bool(g.units.did[unit] & REFORMED)
        if g.units.did[unit] & DRIVEN:  # after a feigned flight the reform does not count as a move
            g.units.did[unit] &= ~(MOVED | REFORMED)
        g.pop()
        if reformed:
            moves(g, unit)
        return GO

    @staticmethod
    def without_test(g: BattleCore, unit: int) -> None:
        """A fleeing unit rallies of itself, and reforms as after a test that it passed."""
        g.push(Rally, unit)
        g.stack[g.frame + Rally.TESTED] = PASSED

    @staticmethod
    def _test(g: BattleCore, f: int, unit: int) -> int:
        u, result = g.units, g.stack[f + Rally.TESTED]
        if result == UNTESTED:
            if u.feigned[unit] and leads(g, unit, MUSICIAN):
                g.stack[f + Rally.TESTED] = PASSED
                g.note("wap.command.musician.feigned-flight", "rallies of itself", unit=unit)
                return GO
            reduced = is_reduced(g, unit)
            rule = "wap.compulsory.rally.quarter" if reduced else "wap.compulsory.rally.test"
            take_test(g, unit, RALLY, Rally.TESTED, rule, rally_bonus(g, unit), halved=reduced)
            return GO
        feigned, u.feigned[unit] = u.feigned[unit], NO_FEINT
        if result == FAILED:
            g.pop()
            if is_held(g, unit):
                u.did[unit] |= FLED
            else:
                g.push(Flight, unit)
            return GO
        u.fleeing[unit] = 0
        u.did[unit] |= DRIVEN if feigned else RALLIED  # light troops may still move, and shoot as if they had moved
        g.note("wap.compulsory.rally.reform", "rallies", unit=unit)
        g.stack[f + STEP] = Rally.Step.FILES if can_reform(g, unit) else Rally.Step.OVER
        return GO
