"""The assault of a building, from the choice of the parties to the retreat or the entry of the attacker
(wap.building.assault.*).

It is one round. Only Wounds count in its result; the attacker takes no Break test and does not pursue.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.garrisons import (
    assailant_of,
    end_assault,
    garrison_in,
    goes_on,
    may_occupy,
    occupy,
    remember_assault,
)
from wh_env.rulesets.wap.basics.rows import rows_with
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.challenges.challenge import Challenges
from wh_env.rulesets.wap.codes import BROKEN
from wh_env.rulesets.wap.combat.assault_parties import Parties
from wh_env.rulesets.wap.combat.rivals import count_rivals
from wh_env.rulesets.wap.combat.rounds import begin_combat, end_combat, round_over
from wh_env.rulesets.wap.combat.strikes import Strikes
from wh_env.rulesets.wap.combat.weapon_choice import ChooseWeapons
from wh_env.rulesets.wap.fleeing.flight import flee, start_to_flee
from wh_env.rulesets.wap.morale.panic_causes import has_broken
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.rulesets.wap.special.stride import flight_roll
from wh_env.rulesets.wap.ways.poses import straight_on
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.ways import straight_limit

BACK = 1.0  # inches that a repulsed attacker is moved back


def attacker_at(g: BattleCore, feature: int) -> int:
    """The unit that assaults a building, even if nobody is left in it; -1: none is left."""
    found = [unit for unit in rows_with(g.units.storms, feature) if g.units.place[unit] == ON_TABLE]
    return found[0] if found else -1


def begin_assault(g: BattleCore, feature: int) -> None:
    """The units of an assault begin their round. It is no first one if they have fought at this building in the turn
    before (wap.building.assault.not-first-round).
    """
    u, garrison = g.units, garrison_in(g, feature)
    for unit in (garrison, assailant_of(g, garrison)):
        u.charging[unit] = 0
        u.rounds[unit] = int(goes_on(g, unit, feature))
        remember_assault(g, unit, feature)
    begin_combat(g, garrison)


def put_to_flight(g: BattleCore, feature: int) -> None:
    """A garrison that has broken is put outside, opposite the attacker, and flees
    (wap.building.assault.defender-flees).
    """
    garrison = garrison_in(g, feature)
    attacker = assailant_of(g, garrison) if garrison >= 0 else -1
    if attacker < 0 or g.units.outcome[garrison] != BROKEN:
        return
    far = flight_roll(g, garrison)
    start_to_flee(g, garrison, g.units.facing[attacker], "wap.building.assault.defender-flees")
    flee(g, garrison, far, "wap.building.assault.defender-flees")


def withdraw(g: BattleCore, unit: int) -> None:
    """An attacker is moved an inch straight back, as far as there is room (wap.building.assault.attacker-repulsed)."""
    u, setup = g.units, g.setup
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    size = setup.length, setup.width
    way = survey(g, unit, BACK)
    far = float(g.work.call(straight_limit, way, *pose, -1.0, 0.0, BACK, *size))
    end_assault(g, unit)
    if far > 0.0:
        set_block(g, unit, *straight_on(pose, -far), u.files[unit])
    if g.recorder is not None:
        g.note("wap.building.assault.attacker-repulsed", "falls back", unit=unit, far=round(far, 2))


class FightAssault(Procedure):
    """One assault of a building."""

    class Step(Steps):
        BEGIN, PARTIES, CHALLENGE, STRIKE, SCORE, BREAK, PANIC, FLEE, AFTER, TAKE, END = range(11)

    BUILDING = integer(row_of("features"))
    asks = ("take-building",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, step, feature = FightAssault.Step, g.stack[f + STEP], g.stack[f + FightAssault.BUILDING]
        g.stack[f + STEP] = step + 1
        if step == Step.BEGIN:
            begin_assault(g, feature)
            g.push(ChooseWeapons, True)
        elif step == Step.PARTIES:
            g.push(Parties, feature)
        elif step == Step.SCORE:
            score_combat(g)
        elif step == Step.PANIC:
            garrison = garrison_in(g, feature)
            if garrison >= 0 and g.units.outcome[garrison] == BROKEN:
                has_broken(g, garrison)
            g.push(Panic)
        elif step == Step.FLEE:
            put_to_flight(g, feature)
        elif step == Step.TAKE:
            attacker = attacker_at(g, feature)
            if (
                attacker >= 0
                and garrison_in(g, feature) < 0
                and may_occupy(g, attacker)
                and not g.units.fleeing[attacker]
            ):
                g.stack[f + STEP] = Step.TAKE
                return g.ask(TakeBuilding, g.units.owner[attacker], attacker)
        elif step == Step.END:
            finish(g, feature)
            return g.pop()
        else:
            if step == Step.CHALLENGE:
                count_rivals(g)
            g.push(PARTS_OF_ASSAULT[step])
        return GO


def finish(g: BattleCore, feature: int) -> None:
    """The assault is over: an attacker that has not entered falls back."""
    round_over(g)
    g.units.rows["party"] = 0
    attacker = attacker_at(g, feature)
    if attacker >= 0:
        withdraw(g, attacker)
    meet(g)
    end_combat(g)


PARTS_OF_ASSAULT: dict[int, type[Procedure]] = {
    FightAssault.Step.CHALLENGE: Challenges,
    FightAssault.Step.STRIKE: Strikes,
    FightAssault.Step.BREAK: BreakTests,
    FightAssault.Step.AFTER: Panic,
}


class TakeBuilding(DecisionKind):
    name = "take-building"
    what = "Whether an attacker that has driven out the garrison enters the building; done: it falls back an inch."
    keys = ("wap.building.assault.attacker-takes", "wap.building.assault.types")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        feature = g.stack[f + FightAssault.BUILDING]
        g.stack[f + STEP] = FightAssault.Step.END
        if action:
            occupy(g, attacker_at(g, feature), feature, "wap.building.assault.attacker-takes")

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = attacker_at(g, g.stack[f + FightAssault.BUILDING])
        return f"{g.setup.names['units'][unit]} {'enters the building' if action else 'falls back'}"
