"""How a unit is set up in deployment: its files, its facing, its place (wap.battle.deploy.*,
wap.core.unit.formation).
"""

from __future__ import annotations

from math import tau

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.commands.places import choose_places
from wh_env.rulesets.wap.deployment.divisions import ahead_of
from wh_env.rulesets.wap.deployment.inside import DeployInside, buildings_for
from wh_env.rulesets.wap.deployment.setting_up import (
    angle_of,
    cells_for,
    has_room,
    lawful_files,
    place_of,
    region,
    set_up,
    usual,
)


class Drop(Procedure):
    """One unit is set up: its files, its facing, its place."""

    class Step(Steps):
        BEGIN, FILES, FACING, WHERE, REFINE, DONE, INSIDE = range(7)

    UNIT = integer(row_of("units"))
    FILES = integer(between(0, "numbers"))
    ANGLE = integer(between(0, "angles", -1))
    TURNED = integer(flag())  # it faces as the player said, not towards the enemy
    CELL = integer(row_of("cells"))
    asks = ("deploy-inside", "deploy-files", "deploy-facing", "deploy-to", "deploy-refine")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Drop.Step
        stack, step = g.stack, g.stack[f + STEP]
        unit = stack[f + Drop.UNIT]
        if step == Step.DONE:
            g.pop()
            choose_places(g, unit)
            return GO
        owner = g.units.owner[unit]
        if step == Step.BEGIN and buildings_for(g, unit):
            stack[f + STEP] = Step.INSIDE
            return g.ask(DeployInside, owner, unit)
        if step == Step.INSIDE and is_inside(g, unit):
            return g.pop()
        if step in (Step.BEGIN, Step.INSIDE):
            stack[f + Drop.FILES] = usual(g, unit)[1]
            if not stack[f + Drop.FILES]:
                remove_unit(g, unit)  # the zone has no room for it: it stays away, and counts as lost
                return g.pop()
            step = stack[f + STEP] = Step.FILES if g.setup.rules["detail"] == "full" else Step.WHERE
        if step == Step.FILES:
            return g.ask(DeployFiles, owner, unit)
        if step == Step.FACING:
            return g.ask(DeployFacing, owner, unit)
        if step == Step.WHERE:
            return g.ask(DeployTo, owner, unit)
        return g.ask(DeployRefine, owner, unit)


def facing_of(g: BattleCore, f: int) -> float:
    """The facing of the unit that is being set up, radians."""
    stack = g.stack
    if stack[f + Drop.TURNED]:
        return angle_of(g, stack[f + Drop.ANGLE])
    return usual_facing(g, stack[f + Drop.UNIT])


def usual_facing(g: BattleCore, unit: int) -> float:
    """The facing of a unit towards the other side, radians."""
    return ahead_of(g, g.units.owner[unit])


class DeployFiles(DecisionKind):
    name = "deploy-files"
    what = "In how many files the unit is set up."
    instead = "It is set up as its army list says."
    keys = ("wap.core.unit.formation", "wap.core.unit.rank-limit")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + Drop.UNIT], g.setup.space
        facing = usual_facing(g, unit)
        for files in range(1, space.numbers + 1):
            mask[space.number + files - 1] = lawful_files(g, unit, files) and has_room(g, unit, facing, files)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Drop.FILES] = action - g.setup.space.number + 1
        g.stack[f + STEP] = Drop.Step.FACING

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return (
            f"{g.setup.names['units'][g.stack[f + Drop.UNIT]]} in {counted(action - g.setup.space.number + 1, 'file')}"
        )

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.number + usual(g, g.stack[f + Drop.UNIT])[1] - 1


class DeployFacing(DecisionKind):
    name = "deploy-facing"
    what = "Which way the unit faces."
    instead = "It faces the other side of the table."
    keys = ("wap.core.unit.formation",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space, files = g.stack[f + Drop.UNIT], g.setup.space, g.stack[f + Drop.FILES]
        for slot in range(space.angles):
            mask[space.angle + slot] = has_room(g, unit, angle_of(g, slot), files)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Drop.ANGLE] = action - g.setup.space.angle
        g.stack[f + Drop.TURNED] = 1
        g.stack[f + STEP] = Drop.Step.WHERE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        slot = action - g.setup.space.angle
        return f"{g.setup.names['units'][g.stack[f + Drop.UNIT]]} faces {slot * 360 // g.setup.space.angles} degrees"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        space = g.setup.space
        wanted = usual_facing(g, g.stack[f + Drop.UNIT]) % tau * space.angles / tau
        slots = [slot for slot in range(space.angles) if mask[space.angle + slot]]
        nearest = min(slots, key=lambda slot: min(abs(slot - wanted), space.angles - abs(slot - wanted)))
        return space.angle + nearest


class DeployTo(DecisionKind):
    name = "deploy-to"
    what = "Where the middle of the unit's front edge is: a cell of a grid over the deployment zone."
    keys = (
        "wap.scenario.battleline.deployment",
        "wap.battle.deploy.spacing",
        "wap.battle.deploy.edges",
        "wap.scenario.dawn-attack.scouts",
        "wap.scenario.dawn-attack.table",
        "wap.scenario.pass.deployment",
        "wap.scenario.blood-and-glory.zone",
        "wap.scenario.meeting-engagement.zone",
        "wap.scenario.watchtower.deployment",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + Drop.UNIT], g.setup.space
        cells_for(g, unit, facing_of(g, f), g.stack[f + Drop.FILES], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, cell = g.stack, action - g.setup.space.cell
        unit = stack[f + Drop.UNIT]
        if g.setup.rules["detail"] == "full":
            stack[f + Drop.CELL], stack[f + STEP] = cell, Drop.Step.REFINE
            return
        set_up(g, unit, *place_of(g, unit, cell), facing_of(g, f), stack[f + Drop.FILES])
        stack[f + STEP] = Drop.Step.DONE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Drop.UNIT]
        x, y = place_of(g, unit, action - g.setup.space.cell)
        return f'{g.setup.names["units"][unit]} at {x:.1f}, {y:.1f}"'

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(region(g, g.stack[f + Drop.UNIT]))


class DeployRefine(DecisionKind):
    name = "deploy-refine"
    what = "Where exactly: a cell of the second grid over the chosen one."
    instead = "The middle of the chosen cell."
    keys = ("wap.scenario.battleline.deployment", "wap.battle.deploy.spacing")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        cells_for(
            g, stack[f + Drop.UNIT], facing_of(g, f), stack[f + Drop.FILES], g.mask[space.cell : space.angle],
            stack[f + Drop.CELL],
        )  # fmt: skip

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit, fine = stack[f + Drop.UNIT], action - g.setup.space.cell
        place = place_of(g, unit, stack[f + Drop.CELL], fine)
        set_up(g, unit, *place, facing_of(g, f), stack[f + Drop.FILES])
        stack[f + STEP] = Drop.Step.DONE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Drop.UNIT]
        x, y = place_of(g, unit, g.stack[f + Drop.CELL], action - g.setup.space.cell)
        return f'{g.setup.names["units"][unit]} at {x:.2f}, {y:.2f}"'

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(region(g, g.stack[f + Drop.UNIT], g.stack[f + Drop.CELL]))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        middle = g.setup.space.cell + g.setup.space.grid**2 // 2
        return int(middle) if mask[middle] else g.first_legal()
