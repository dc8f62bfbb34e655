"""Where charges end: flush along the charged side (wap.charge.align), with as many models of both sides in contact as
possible (wap.charge.move.maximise).

The way there is straight with one wheel (wap.charge.move.wheel; of single models too: wap.move.single.charge-wheel).
Only an obstacle may lessen the models in contact (wap.charge.move.no-reducing, wap.charge.unusual.avoid).

Places along the side are tried in the order of their worth: enemies touched, models in contact, no wheel, inches of the
side covered. The first with a clear way is taken. If the charger can turn flush nowhere, the target turns, if it can
(wap.charge.unusual.defender-aligns); a small target charged by a large unit always does
(wap.charge.align.small-target).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import cos, hypot, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import contact_pose
from wh_env.core.geometry.near import Way
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import TOUCH, meet, meet_across
from wh_env.rulesets.wap.basics.declared_charges import charges_aloft
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.leaving_by_charge import left_by
from wh_env.rulesets.wap.basics.obstacles import walls_of
from wh_env.rulesets.wap.basics.passage import (
    ground_to_cross,
    ground_to_end_off,
    ground_to_stand_in,
    passes_all_ground,
)
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.basics.traps import moves
from wh_env.rulesets.wap.casualties.crossings import (
    comes_across,
    forget,
    goes_straight,
    stands_here,
    test_for_all,
    wheels,
)
from wh_env.rulesets.wap.characters.charging_out import comes_out, is_clear_at
from wh_env.rulesets.wap.charge.barricades import burn_chargers
from wh_env.rulesets.wap.charge.charge_moves import (
    AT,
    BEFORE,
    BEHIND,
    CHARGER_TURNS,
    CLOSING,
    FINE_STEPS,
    OFFSET,
    SAME,
    STEPS,
    TARGET_TURNS,
    TURN,
    best_first,
    frame_side,
    gather_for_charge,
    models_in_contact,
    pose_on,
)
from wh_env.rulesets.wap.charge.reach import sides_of_charge
from wh_env.rulesets.wap.charge.way_search import first_way, turned_about
from wh_env.rulesets.wap.charge.wheel_tables import FRONT_HALF, OUT, SIDE_HALF, SIDE_X, SIDE_Y, F, X, Y
from wh_env.rulesets.wap.codes import CHARGED, FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.field.dangerous import How
from wh_env.rulesets.wap.ways.poses import degrees, front_width, straight_on, turned_in, wheeled_to
from wh_env.rulesets.wap.ways.through import on_the_way
from wh_env.rulesets.wap.ways.ways import ENDS_MARK, add_pieces

APART = 0.01  # inches kept from units that are not charged (wap.charge.unusual.no-undeclared-contact)
FINE = 0.1  # inches between places, once the best are out of reach
Charge = tuple[int, int]  # an enemy unit, and its side that is charged
Worth = tuple[float, float]  # worth of a place: enemies touched, models in contact
NOTHING: Worth = (0.0, 0.0)
ANY: Worth = (-1.0, 0.0)  # every place is worth more


class Place(NamedTuple):
    """Where a charge ends.

    Attributes:
        x, y, facing: pose of the charger: middle of its front edge in inches, facing in radians.
        contacts: models of both sides in contact.
        aligns: the target that turns to the charger, and its new pose (x, y, facing); None: the charger turns itself.
        way: inches before the wheel, the wheel (radians, to the left above 0), inches behind it, the last wheel of the
            charger or the target (radians).
        apart: inches to the targets, at an obstacle that one of them defends.
        across: by target, the number of the obstacle that it defends, counted from 1; 0: none.
    """

    x: float
    y: float
    facing: float
    contacts: int
    aligns: tuple[int, float, float, float] | None = None
    way: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    apart: float = 0.0
    across: tuple[tuple[int, int], ...] = ()


SOMEWHERE = Place(0.0, 0.0, 0.0, 0)  # stands for a place that is not worked out


# ---------------------------------------------------------------- searching


def best_place(
    g: BattleCore, unit: int, targets: Sequence[Charge], *, ignoring: Collection[int] = (), aloft: bool | None = None
) -> Place | None:  # fmt: skip
    """Where a successful charge ends: the place with most models of both sides in contact that has a clear way. None:
    there is none, the charge fails (wap.charge.unusual.fails).

    Args:
        targets: all enemies that are charged, each with its charged side. The place touches as many of them as
            possible, and no other unit. A single fleeing target is met at any side that can be reached.
        ignoring: units that count as gone.
        aloft: the unit flies over everything in its way (wap.special.fly.charge); None: as its charge was declared.
    """
    found = places_of(g, unit, targets, ignoring=ignoring, most=1, aloft=aloft)
    return found[0] if found else None


def places_of(
    g: BattleCore, unit: int, targets: Sequence[Charge], *, ignoring: Collection[int] = (), most: int = 16,
    aloft: bool | None = None,
) -> list[Place]:  # fmt: skip
    """The places worth offering (full detail), at most ``most``: those with as many models in contact as possible. The
    first is that of ``best_place``, which explains the arguments.
    """
    return searched(g, unit, targets, ignoring, most, exists=False, aloft=aloft)


def is_reached(
    g: BattleCore, unit: int, charge: Charge, *, ignoring: Collection[int] = (), aloft: bool | None = None
) -> bool:
    """Whether ``best_place`` finds a place for a charge on a single enemy."""
    return bool(searched(g, unit, (charge,), ignoring, 1, exists=True, aloft=aloft))


def searched(
    g: BattleCore,
    unit: int,
    targets: Sequence[Charge],
    ignoring: Collection[int],
    most: int,
    *,
    exists: bool,
    aloft: bool | None,
) -> list[Place]:
    """``places_of``. With ``exists`` the list only tells whether there is a place: its poses may be missing."""
    charges = [(target, side) for target, side in targets if g.units.place[target] == ON_TABLE]
    if not charges or g.units.place[unit] != ON_TABLE:
        return []
    if len(charges) == 1 and g.units.fleeing[charges[0][0]]:
        return fleeing_places(g, unit, charges[0][0], ignoring, most, exists=exists, aloft=aloft)
    small = len(charges) == 1 and aligns_itself(g, unit, charges[0][0])
    order: tuple[int, ...] = (TARGET_TURNS, CHARGER_TURNS) if small else (CHARGER_TURNS, TARGET_TURNS)
    if walls_of(g, charges)[0] > 0.0:  # nobody turns across an obstacle
        small, order = False, (CHARGER_TURNS,)
    for who in order:
        if who == TARGET_TURNS and not (len(charges) == 1 and may_turn(g, charges[0][0])):
            continue
        search = Search(g, unit, charges, ignoring, who, small, exists, aloft)
        found = search.run(most)
        if found:
            return found
    return []


def fleeing_places(
    g: BattleCore, unit: int, target: int, ignoring: Collection[int], most: int, *, exists: bool, aloft: bool | None
) -> list[Place]:  # fmt: skip
    """``searched`` for a single target that flees: at the side where the charger stands, else at any other side
    (wap.charge.fleeing.contact).
    """
    sides = list(sides_of_charge(g, unit, target))
    for side in sides + [side for side in (FRONT, LEFT, RIGHT, REAR) if side not in sides]:
        found = Search(g, unit, [(target, side)], ignoring, CHARGER_TURNS, False, exists, aloft).run(most)
        if found:
            return found
    return []


def may_turn(g: BattleCore, target: int) -> bool:
    """Whether a charged unit may turn to the charger itself: it neither flees nor is engaged, nor in a building."""
    return not g.units.fleeing[target] and not engaged(g, target) and not is_inside(g, target)


def aligns_itself(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a target aligns itself to the charger (wap.charge.align.small-target)."""
    rules = g.setup.rules
    return bool(
        may_turn(g, target)
        and unit_strength(g, target) <= rules["small_target"]
        and unit_strength(g, unit) >= rules["large_charger"]
    )


class Search:
    """One search for the places of a charge, in the scratch memory of the battle (``work.charges``)."""

    def __init__(
        self,
        g: BattleCore,
        unit: int,
        charges: Sequence[Charge],
        ignoring: Collection[int],
        who: int,
        small: bool,
        exists: bool = False,
        aloft: bool | None = None,
    ) -> None:
        """Prepare a search for ``unit``.

        Args:
            charges: all enemies that are charged, each with its side.
            ignoring: units that count as gone.
            who: CHARGER_TURNS or TARGET_TURNS: which unit makes the last wheel.
            small: whether the target aligns itself (``aligns_itself``).
            exists: only tell whether there is a place.
            aloft: the unit flies; None: as its charge was declared.
        """
        self.g, self.unit, self.charges, self.who, self.small, self.exists = g, unit, charges, who, small, exists
        self.ignoring, self.left = frozenset(ignoring), left_by(g, unit)
        self.aloft = charges_aloft(g, unit) if aloft is None else aloft
        self.apart, self.across = walls_of(g, charges)
        self.room = g.work.charges
        # where the target turns, files cannot be chosen, so that a touch by a corner alone does not count
        self.slack = -TOUCH if who == TARGET_TURNS else TOUCH

    def run(self, most: int) -> list[Place]:
        """The best places over all charged sides, at most ``most``."""
        found: list[tuple[Worth, list[Place]]] = []
        for target, side in self.charges:
            worth, places = self.along(target, side, most)
            if places:
                found.append((worth, places))
        if not found:
            return []
        best = max(worth for worth, _ in found)
        return [place for worth, places in found if worth == best for place in places][:most]

    def along(self, target: int, side: int, most: int) -> tuple[Worth, list[Place]]:
        """The best places flush with one side of a target, at most ``most``, and their worth. If the best candidates
        are out of reach, places ``FINE`` inches apart are tried with finer wheels.
        """
        g, room = self.g, self.room
        g.work.call(frame_side, g.units.rows, self.unit, target, side, g.setup.length, g.setup.width, room.frame)
        way = self.obstacles(target)
        own = self.around_target(target)
        count, top = self.candidates(way, target, side, 0.0, ANY)
        worth, places = self.first(way, own, target, count, STEPS, most)
        if not places or (worth < top and not self.exists):
            count, _ = self.candidates(way, target, side, FINE, worth)
            finer, more = self.first(way, own, target, count, FINE_STEPS, most)
            if more:
                return finer, more
        return worth, places

    def at(self, target: int, side: int, place: float) -> Place | None:
        """The place with the middle of the front edge ``place`` inches along a side; None: it is not reached."""
        g, room = self.g, self.room
        g.work.call(frame_side, g.units.rows, self.unit, target, side, g.setup.length, g.setup.width, room.frame)
        way, there = self.obstacles(target), np.array([place])
        own = self.around_target(target)
        for steps in (STEPS, FINE_STEPS):
            if self.first_way(way, own, target, there, steps) == 0:
                found = self.place(target)
                return found if self.may_end_at(found) else None
        return None

    def obstacles(self, target: int) -> Way:
        """What the charge move may meet, as a ``Way``: the charger may touch its targets and no other enemy."""
        room, frame = self.g.work.ways, self.room.frame
        reach = hypot(frame[SIDE_X] - frame[X], frame[SIDE_Y] - frame[Y]) + frame[SIDE_HALF] + 6.0 * frame[FRONT_HALF]
        return self.gathered(self.unit, reach, self.ignoring | self.left, room.empty)

    def gathered(self, unit: int, reach: float, leaving_out: Collection[int], room: Way) -> Way:
        """What is within ``reach`` inches of a unit, with the inches to be kept from each (``gather_for_charge``), in
        the memory of ``room``.
        """
        g, gone = self.g, self.room.gone
        for k, other in enumerate(leaving_out):
            gone[k] = other
        self.name_targets()
        n, rows = g.work.call(
            gather_for_charge,
            g.troops,
            ground_to_cross(g, unit),
            g.setup.corners,
            unit,
            self.unit,
            reach,
            APART,
            self.room.targets,
            len(self.charges),
            gone,
            len(leaving_out),
            room,
        )
        if passes_all_ground(g, unit):
            pose, pieces = (g.units.x[unit], g.units.y[unit], g.units.facing[unit]), ground_to_end_off(g, unit)
            way = Way(room.near, room.points, n, room.body, rows)
            n = g.work.call(add_pieces, way, *pose, g.setup.corners, pieces, 0.0, ENDS_MARK)
        return Way(room.near, room.points, n, room.body, rows)

    def name_targets(self) -> None:
        """Write the rows of the enemies that are charged to the scratch memory."""
        for k, (enemy, _) in enumerate(self.charges):
            self.room.targets[k] = enemy

    def around_target(self, target: int) -> Way:
        """What the target may meet if it turns itself; nothing if the charger turns."""
        room = self.room
        if self.who != TARGET_TURNS:
            return room.empty  # type: ignore[no-any-return]
        reach = 2.0 * (room.frame[SIDE_HALF] + room.frame[FRONT_HALF])
        return self.gathered(target, reach, {*self.ignoring, self.unit}, room.empty)

    def candidates(self, way: Way, target: int, side: int, step: float, least: Worth) -> tuple[int, Worth]:
        """Fill the table of the room with the places worth more than ``least``, best first (``best_first``). Returns
        how many, and the worth of the best place of all.
        """
        room = self.room
        self.name_targets()
        count, met, models = self.g.work.call(
            best_first,
            self.g.units.rows,
            self.unit,
            target,
            side,
            room.frame,
            way,
            step,
            len(self.charges),
            self.slack,
            *least,
            room.ranking,
        )
        return count, (met, models)

    def first(self, way: Way, own: Way, target: int, count: int, steps: int, most: int) -> tuple[Worth, list[Place]]:
        """The first places of the table that have a clear way, as long as their worth is the same, at most ``most``;
        and that worth.
        """
        places: list[Place] = []
        table = self.room.table
        worth, at = NOTHING, 0
        while at < count and len(places) < most:
            hit = self.first_way(way, own, target, table[0, at:count], steps)
            if hit < 0:
                break
            at += hit
            place = self.place(target) if self.left or self.apart or not self.exists else SOMEWHERE
            if not self.may_end_at(place):
                at += 1
                continue
            here = (float(table[1, at]), float(table[2, at]))
            if places and here != worth:
                break
            worth = here
            places.append(place)
            at += 1
        return worth, places

    def may_end_at(self, place: Place) -> bool:
        """Whether the unit may stand at a place: out of the unit that it charges out of, and where an obstacle holds
        it, on nobody else.
        """
        g, pose = self.g, (place.x, place.y, place.facing)
        if self.left and not is_clear_at(g, self.unit, pose):
            return False
        if not self.apart:
            return True
        room = (ground_to_stand_in(g, self.unit), g.setup.corners, g.setup.length, g.setup.width)
        files, block = g.units.files[self.unit], g.work.block
        return bool(g.work.call(may_stand, g.troops, *room, self.unit, *pose, files, 0.0, block))

    def first_way(self, way: Way, own: Way, target: int, places: Array, steps: int) -> int:
        """Index of the first of ``places`` (inches along the side) that has a clear way, -1: none. The way is left in
        ``room.found``.
        """
        room, tables = self.room, self.room.tables
        return int(
            self.g.work.call(
                first_way,
                self.g.units.rows,
                target,
                room.frame,
                way,
                own,
                self.who,
                places,
                steps,
                tables.wheels[steps],
                tables.touches,
                room.found,
                on_the_way(way, aloft=self.aloft).n,
            )
        )

    def place(self, target: int) -> Place:
        """The place of the way in ``room.found``."""
        g, room = self.g, self.room
        frame, found = room.frame, room.found
        x, y, facing = g.work.call(pose_on, frame, found[AT])
        contacts, _ = g.work.call(
            models_in_contact, g.units.rows, self.unit, x, y, facing, room.targets, len(self.charges), TOUCH
        )
        way = tuple(float(found[k]) for k in (BEFORE, TURN, BEHIND, CLOSING))
        aligns = None
        if self.who == TARGET_TURNS and abs(found[CLOSING]) > SAME:
            touch = found[AT] - frame[FRONT_HALF] + found[OFFSET]
            px, py, _ = g.work.call(pose_on, frame, touch)
            u = g.units
            turned = turned_about(u.x[target], u.y[target], u.facing[target], px, py, -found[CLOSING])
            aligns = (target, float(turned[0]), float(turned[1]), turned_in(float(turned[2])))
            facing = frame[F] + found[TURN]
            x, y = contact_pose(
                frame[SIDE_X], frame[SIDE_Y], frame[OUT], frame[FRONT_HALF], facing, touch, found[OFFSET]
            )
        before, turn, behind, closing = way
        if self.apart:  # an obstacle holds it
            x, y = x - self.apart * cos(facing), y - self.apart * sin(facing)
            short = max(0.0, self.apart - behind)
            before, behind = max(0.0, before - short), max(0.0, behind - self.apart)
        return Place(
            float(x), float(y), turned_in(float(facing)), int(contacts), aligns, (before, turn, behind, closing),
            self.apart, self.met_at(float(x), float(y), facing),
        )  # fmt: skip

    def met_at(self, x: float, y: float, facing: float) -> tuple[tuple[int, int], ...]:
        """``across`` for the targets that the unit meets with the middle of its front edge ``apart`` inches before a
        pose.
        """
        ahead = straight_on((x, y, facing), self.apart)
        one = np.zeros(1, np.int64)
        found = []
        for target, wall in self.across:
            one[0] = target
            _, met = self.g.work.call(models_in_contact, self.g.units.rows, self.unit, *ahead, one, 1, TOUCH)
            found += [(target, wall)] if met else []
        return tuple(found)


# ---------------------------------------------------------------- the move


def crosses(g: BattleCore, unit: int, place: Place) -> None:
    """Note the terrain that the models of a unit cross when it goes on foot to the end of its charge."""
    u, width = g.units, front_width(g, unit)
    before, turn, behind, _ = place.way
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    goes_straight(g, unit, pose, before)
    pose = straight_on(pose, before)
    if turn:
        side = 1.0 if turn > 0.0 else -1.0
        wheels(g, unit, pose, side, abs(turn), width)
        pose = wheeled_to(pose, width, side, abs(turn))
    goes_straight(g, unit, pose, behind)


def move_into_contact(g: BattleCore, unit: int, place: Place, rule: str, *, aloft: bool = False) -> None:
    """Make a charge move: move the blocks, bring contacts up to date, mark the unit as having charged. Models that
    cross dangerous ground test for it, so ``Casualties`` may be pushed.

    Args:
        rule: the rule id of the event.
        aloft: the unit comes through the air.
    """
    u = g.units
    before, turn, behind, _ = place.way
    half = 0.5 * front_width(g, unit)
    forget(g, unit)
    if aloft:
        stands_here(g, unit)
    else:
        crosses(g, unit, place)
        for wall in {wall for _, wall in place.across if wall}:
            comes_across(g, unit, wall - 1)
    set_block(g, unit, place.x, place.y, place.facing, u.files[unit])
    comes_out(g, unit)
    if place.aligns is not None:
        target, x, y, facing = place.aligns
        set_block(g, target, x, y, facing, u.files[target])
        if g.recorder is not None:
            g.note(
                "wap.charge.align.small-target",
                "turns to the charger",
                unit=target,
                target=unit,
                facing=degrees(facing),
            )
    u.did[unit] |= CHARGED
    u.charging[unit] = 1
    for target, wall in place.across:
        meet_across(g, unit, target, wall, place.apart)
    meet(g)
    if g.recorder is not None:
        told = {"place": (round(place.x, 2), round(place.y, 2)), "facing": degrees(place.facing)}
        far = round(before + abs(turn) * 2.0 * half + behind, 2)
        g.note(rule, "charges into contact", unit=unit, far=far, contacts=place.contacts, **told)
    if aloft:
        stands_here(g, unit)
    test_for_all(g, unit, How.ALOFT if aloft else How.FAST)
    moves(g, unit)
    burn_chargers(g, unit, [wall for _, wall in place.across])
