"""Reforms: new files and a new facing about the centre (wap.move.reform, .manoeuvre.cap), and columns at narrow
passages.

The cap on how far a model goes holds for the assignment of places that keeps the greatest distance smallest. Command
models are exempt: they stand in the middle of the new front (wap.command.position.reform).

More ranks than files are offered only where the lane straight ahead, less an inch on either side, is narrower than the
narrowest lawful formation. The files must fit the lane, and the facing stays (wap.core.unit.rank-limit-exception).
``reform_choices`` answers which reforms there are.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.casualties.crossings import stands_here
from wh_env.rulesets.wap.codes import COLUMN, MOVED, RANKS, REFORMED, SKIRMISH
from wh_env.rulesets.wap.commands.places import choose_places
from wh_env.rulesets.wap.movement.going import FIRST_REFORM, NO_REFORM, MoveFrame, cap_of, offer
from wh_env.rulesets.wap.movement.plans import begin
from wh_env.rulesets.wap.movement.reform_choices import choices, facing_of, facings, lawful, way_for
from wh_env.rulesets.wap.special.light_troops import free_reform_of
from wh_env.rulesets.wap.ways.poses import block_at, degrees, depth_of, middle_of
from wh_env.rulesets.wap.ways.reform_ways import reform_cost


def reform(g: BattleCore, unit: int, files: int, facing: float, rule: str = "wap.move.reform") -> None:
    """Rearrange the unit about its centre into ``files`` files at ``facing``, and mark it as having reformed
    (wap.move.reform.cost). ``rule``: the rule by which it does so, for the event.
    """
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    x, y, _ = block_at(cx, cy, facing, depth_of(g, unit, files))
    ranked = SKIRMISH if u.spacing[unit] else RANKS
    u.shape[unit] = ranked if lawful(u.block[unit], files) else COLUMN
    set_block(g, unit, float(x), float(y), facing, files)
    for joined in joined_to(g, unit):
        u.cowers[joined] = 0
    derive(g, unit)
    u.did[unit] |= MOVED | REFORMED
    if g.recorder is not None:
        told = {"files": files, "facing": degrees(facing), "place": (round(float(x), 2), round(float(y), 2))}
        g.note(rule, "reforms", unit=unit, **told)


def make_reform(g: BattleCore, f: int, files: int, facing: float) -> None:
    """Make the reform of the frame, and set the next step. After a free reform before its move the unit may still move;
    what its models went counts against that move.
    """
    unit, room, first = MoveFrame.unit(g, f), g.work.ways, MoveFrame.free(g, f) == FIRST_REFORM
    cost = 0.0
    if first:
        cost = float(
            g.work.call(reform_cost, g.models.rows, g.units.rows, unit, files, facing, cap_of(g, f), room.reforming)
        )
    is_free = MoveFrame.free(g, f) != NO_REFORM
    reform(g, unit, files, facing, free_reform_of(g, unit) if is_free else "wap.move.reform")
    stands_here(g, unit)
    if not first:
        MoveFrame.go_to(g, f, MoveFrame.Step.OVER)
        return
    begin(g, unit)
    g.units.strayed[unit] = cost
    MoveFrame.note(g, f, MoveFrame.FREE, NO_REFORM)
    MoveFrame.note(g, f, MoveFrame.REFORMED, 1)
    MoveFrame.go_to(g, f, MoveFrame.Step.HOW)


class ReformFiles(DecisionKind):
    name = "reform-files"
    what = "In how many files the unit reforms."
    keys = (
        "wap.move.reform",
        "wap.move.manoeuvre.cap",
        "wap.core.unit.rank-limit-exception",
        "wap.move.manoeuvre.one-inch",
        "wap.compulsory.rally.reform",
        "wap.special.skirmishers.reform",
        "wap.special.fast-cavalry.reform",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        for files in choices(g, MoveFrame.unit(g, f), cap_of(g, f)):
            mask[number + files - 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        MoveFrame.note(g, f, MoveFrame.FILES, action - g.setup.space.number + 1)
        MoveFrame.go_to(g, f, MoveFrame.Step.FACING)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = MoveFrame.unit(g, f)
        return f"{g.setup.names['units'][unit]} reforms into {counted(action - g.setup.space.number + 1, 'file')}"


class ReformFacing(DecisionKind):
    name = "reform-facing"
    what = "Which way the unit faces after its reform; done: as it does."
    keys = (
        "wap.move.reform",
        "wap.move.manoeuvre.cap",
        "wap.move.manoeuvre.one-inch",
        "wap.move.reform.cost",
        "wap.compulsory.rally.reform",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = MoveFrame.unit(g, f)
        facings(g, unit, MoveFrame.files(g, f), way_for(g, unit), cap_of(g, f))
        offer(g, g.units.facing[unit], g.work.ways.facings, mask)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        space = g.setup.space
        unit = MoveFrame.unit(g, f)
        slot = space.angles if action == 0 else action - space.angle
        make_reform(g, f, MoveFrame.files(g, f), facing_of(g, unit, slot))
        choose_places(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, files = MoveFrame.unit(g, f), MoveFrame.files(g, f)
        name = g.setup.names["units"][unit]
        if action == 0:
            return f"{name} in {counted(files, 'file')}, facing as it does"
        turned = counted(degrees(facing_of(g, unit, action - g.setup.space.angle)), "degree")
        return f"{name} in {counted(files, 'file')}, facing {turned}"
