"""A garrison leaves its building, as its move of this turn (wap.building.leave.*).

It is set up with a model of its rear rank at a wall, square to the wall. No model may then be farther from the building
than twice its Movement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.garrisons import SIDES, Building
from wh_env.rulesets.wap.basics.joined import holds_bases
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.casualties.crossings import stands_here
from wh_env.rulesets.wap.codes import MOVED, STAYED
from wh_env.rulesets.wap.field.outside import (
    ASIDE,
    LOOKS,
    farthest_model,
    go_out,
    has_room,
    pose_at,
    reaches_wall,
    usual_files,
    with_own_size,
)
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.movement.reform_choices import lawful
from wh_env.rulesets.wap.ways.poses import Pose, degrees

FAR = 2.0  # times its Movement that a model may be from the building
SLACK = 1e-4
VOLUNTARY = "wap.building.leave.placing"


class Exit(NamedTuple):
    """A place outside: the side of the building, how the block looks (``field.outside``), its files, inches along the
    wall, its pose.
    """

    side: int
    looks: int
    files: int
    aside: float
    pose: Pose


def files_of(g: BattleCore, unit: int) -> list[int]:
    """The files in which a unit may be set up, the usual ones first. Ask it within ``with_own_size``."""
    models, usual = g.units.block[unit], usual_files(g, unit)
    return sorted(
        (
            files
            for files in range(1, min(g.setup.space.numbers, models) + 1)
            if lawful(models, files) and holds_bases(g, unit, files)
        ),
        key=lambda files: (files != usual, files),
    )


def places_at(g: BattleCore, unit: int, building: Building, side: int, looks: int, files: int) -> Iterator[Exit]:
    """The places of a garrison with its rear rank at a wall, from the middle of the wall on. Ask it within
    ``with_own_size``.
    """
    most, inch = FAR * movement_of(g, unit) + SLACK, g.setup.rules["one_inch"]
    for aside in (0.0, *ASIDE):
        if not reaches_wall(g, unit, building, side, files, looks, aside):
            continue
        pose = pose_at(g, unit, building, side, files, looks, aside)
        if farthest_model(g, unit, building, files, pose) <= most and has_room(g, unit, files, pose, inch):
            yield Exit(side, looks, files, aside, pose)


def exits(g: BattleCore, unit: int, side: int, looks: int, files: int = 0) -> list[Exit]:
    """The first place for each number of files at a side, or all places in ``files`` files."""
    with with_own_size(g, unit) as building:
        if files:
            return list(places_at(g, unit, building, side, looks, files))[: g.setup.space.numbers]
        firsts = (next(places_at(g, unit, building, side, looks, wide), None) for wide in files_of(g, unit))
        return [place for place in firsts if place is not None]


def is_open(g: BattleCore, unit: int, side: int, looks: int) -> bool:
    """Whether a garrison has a place at a side of its building, looking that way."""
    with with_own_size(g, unit) as building:
        return any(
            True for files in files_of(g, unit) for _ in places_at(g, unit, building, side, looks, files)
        )  # fmt: skip


def leave(g: BattleCore, unit: int, place: Exit, rule: str) -> None:
    """A garrison is set up outside, and comes into the ground there. It makes no other move in this turn
    (wap.building.leave.placing).
    """
    go_out(g, unit, place.pose, place.files, rule)
    set_block(g, unit, *place.pose, place.files)
    stands_here(g, unit)
    g.units.did[unit] |= MOVED


class Leave(Procedure):
    """A garrison may leave its building; the frame below is that of its move."""

    UNIT = integer(row_of("units"))
    AT = integer(count_of("numbers"))  # side and look that were chosen, counted from 1; 0: none yet
    FILES = integer(count_of("numbers"))
    asks = ("leave-building", "leave-files", "leave-place")

    def advance(self, g: BattleCore, f: int) -> int:
        unit, stack = g.stack[f + Leave.UNIT], g.stack
        owner = g.units.owner[unit]
        if not stack[f + Leave.AT]:
            return g.ask(LeaveBuilding, owner, unit)
        return g.ask(LeavePlace if stack[f + Leave.FILES] else LeaveFiles, owner, unit)

    @staticmethod
    def chosen(g: BattleCore, f: int) -> tuple[int, int, int]:
        """(unit, side, look) of the frame."""
        at = g.stack[f + Leave.AT] - 1
        return g.stack[f + Leave.UNIT], at // len(LOOKS), at % len(LOOKS)


class LeaveBuilding(DecisionKind):
    name = "leave-building"
    what = "At which side of its building a garrison is set up outside, looking away or along the wall; done: it stays."
    keys = ("wap.building.leave.when", "wap.building.leave.placing")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, option = g.stack[f + Leave.UNIT], g.setup.space.option
        mask[0] = True
        for at in range(SIDES * len(LOOKS)):
            if is_open(g, unit, at // len(LOOKS), at % len(LOOKS)):
                mask[option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Leave.UNIT]
        if action:
            g.stack[f + Leave.AT] = action - g.setup.space.option + 1
            return
        g.pop()
        g.units.did[unit] |= STAYED
        MoveFrame.go_to(g, g.frame, MoveFrame.Step.OVER)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + Leave.UNIT], g.setup.names["units"]
        if action == 0:
            return f"{names[unit]} stays in its building"
        at = action - g.setup.space.option
        place = exits(g, unit, at // len(LOOKS), at % len(LOOKS))[0]
        return f"{names[unit]} leaves to {place.pose[0]:.1f}, {place.pose[1]:.1f}, facing {degrees(place.pose[2])}"


class LeaveFiles(DecisionKind):
    name = "leave-files"
    what = "In how many files a garrison that leaves its building is set up."
    policy = "Those of the army list, or the narrowest."
    keys = ("wap.building.leave.placing",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for place in exits(g, *Leave.chosen(g, f)):
            mask[g.setup.space.number + place.files - 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Leave.FILES] = action - g.setup.space.number + 1

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.number + exits(g, *Leave.chosen(g, f))[0].files - 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return (
            f"{g.setup.names['units'][g.stack[f + Leave.UNIT]]} in {counted(action - g.setup.space.number + 1, 'file')}"
        )


class LeavePlace(DecisionKind):
    name = "leave-place"
    what = "Where along the wall a garrison that leaves its building is set up: the place nearest its middle first."
    policy = "The first."
    keys = ("wap.building.leave.placing",)
    squad = False

    @staticmethod
    def places(g: BattleCore, f: int) -> list[Exit]:
        """The places offered."""
        return exits(g, *Leave.chosen(g, f), g.stack[f + Leave.FILES])

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for n in range(len(self.places(g, f))):
            mask[g.setup.space.number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, place = g.stack[f + Leave.UNIT], self.places(g, f)[action - g.setup.space.number]
        g.pop()
        leave(g, unit, place, VOLUNTARY)
        MoveFrame.go_to(g, g.frame, MoveFrame.Step.OVER)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        place = self.places(g, f)[action - g.setup.space.number]
        return f"{g.setup.names['units'][g.stack[f + Leave.UNIT]]} at {place.pose[0]:.1f}, {place.pose[1]:.1f}"
