"""Scores of a round of close combat from a plain description of it, by pure functions (wap.result.*, wap.multi.break.*,
wap.break.steadfast.*).

All bonuses are read from one snapshot of the units, taken when all casualties are removed (wap.result.state).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wh_env.rulesets.wap.codes import DREW, FRONT, HELD, LEFT, NO_RESULT, REAR, RIGHT, WON

ARC_BONUS = {RIGHT: 1, LEFT: 1, REAR: 2}  # wap.result.flank, .rear
NOBODY = -1
MOST_OVERKILL = 3  # wap.result.overkill, wap.challenge.overkill


class Fighter(NamedTuple):
    """A unit of a combat.

    Attributes:
        unit: its row, or any other name. side: 0 or 1, its player. strength: Unit Strength. gone: it has no model left.
        wounds: that it has caused in this round.
        ranks: its rank bonus. ranked: it has at least one whole rank.
        charged: it charged this turn. standard: the number of its standards, with the army's, and what magic ones add.
        musician: it has one in
            its front rank.
        feared: Unit Strength of its models that cause Fear. stubborn: it is Stubborn. skirmishes: it skirmishes.
        overkill: Wounds beyond the last that its characters have caused in duels.
        height: of its fighting rank, or of the place from which it has charged in this turn.
    """

    unit: int
    side: int
    strength: int
    wounds: int = 0
    ranks: int = 0
    ranked: bool = False
    charged: bool = False
    standard: int = 0
    musician: bool = False
    feared: int = 0
    stubborn: bool = False
    skirmishes: bool = False
    gone: bool = False
    overkill: int = 0
    height: int = 0


class Blows(NamedTuple):
    """A unit and an enemy unit in contact with it.

    Attributes:
        side: of the enemy's block at which the unit stands. wounds: that the unit has caused to the enemy.
        frightens: the enemy fears the unit.
    """

    unit: int
    foe: int
    side: int
    wounds: int = 0
    frightens: bool = False


class Limits(NamedTuple):
    """The least Unit Strengths for the bonus of a flank or rear attack, to disorganise an enemy,
    and to be steadfast.
    """

    attack: int = 5
    disorganising: int = 10
    steadfast: int = 10


LIMITS = Limits()


@dataclass(frozen=True)
class Combat:
    """A round of close combat after its last blow.

    Attributes:
        blows: a row for each unit and each enemy in contact with it. by_unit: the fighters by their ``unit``.
        present: the fighters that still have an enemy; of the others only their wounds count (wap.multi.no-enemy-left).
    """

    fighters: Sequence[Fighter]
    blows: Sequence[Blows]
    limits: Limits = LIMITS
    by_unit: Mapping[int, Fighter] = field(init=False, repr=False)
    present: Sequence[Fighter] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_unit", {fighter.unit: fighter for fighter in self.fighters})
        met = {unit for b in self.blows for unit in (b.unit, b.foe)}
        object.__setattr__(self, "present", [f for f in self.fighters if f.unit in met and not f.gone])


class Bonuses(NamedTuple):
    """The parts of a combat result, as in the table of wap.result.sum."""

    wounds: int = 0
    charge: int = 0
    ranks: int = 0
    outnumber: int = 0
    standards: int = 0
    arcs: int = 0
    fear: int = 0
    musician: int = 0
    overkill: int = 0
    high: int = 0

    @property
    def total(self) -> int:
        """The combat result."""
        return sum(self)


class Standing(NamedTuple):
    """The result for one unit: its outcome, what it and its enemies in contact scored against each other, and by how
    much it lost.
    """

    outcome: int
    own: int = 0
    against: int = 0
    penalty: int = 0
    steadfast: bool = False
    disorganised: bool = False


@dataclass(frozen=True)
class Result:
    """The scores of both sides, the winner (``NOBODY``: a draw), the difference, and the standing of each unit."""

    sides: tuple[Bonuses, Bonuses]
    winner: int
    difference: int
    units: Mapping[int, Standing]
    annihilated: bool = False


def disorganised(combat: Combat, unit: int) -> bool:
    """Whether an enemy that is strong enough attacks the unit in flank or rear (wap.result.disorganised)."""
    least, units = combat.limits.disorganising, combat.by_unit
    return any(b.foe == unit and b.side != FRONT and units[b.unit].strength >= least for b in combat.blows)


def ranks_of(combat: Combat, unit: int) -> int:
    """The rank bonus of a unit; 0 while any enemy disorganises it (wap.multi.disorganised)."""
    return 0 if disorganised(combat, unit) else combat.by_unit[unit].ranks


def ranks_together(combat: Combat, group: Sequence[int]) -> int:
    """The rank bonuses of several units added up; of units at the same side of the same enemy only one counts
    (wap.result.ranks.several-units).

    The result is the best sum of units of which no two stand at the same side of the same enemy.
    """
    having = [unit for unit in group if ranks_of(combat, unit)]
    if not having:
        return 0
    places = {unit: {(b.foe, b.side) for b in combat.blows if b.unit == unit} for unit in having}
    first = having[0]
    beside = [unit for unit in having[1:] if places[unit] & places[first]]
    without = ranks_together(combat, having[1:]) if beside else 0
    apart = [unit for unit in having[1:] if unit not in beside]
    return max(without, ranks_of(combat, first) + ranks_together(combat, apart))


def arcs_of(combat: Combat, group: Sequence[int]) -> int:
    """Bonuses for flank and rear attacks by units that are strong enough; each side of each enemy counts once
    (wap.result.flank-rear.together).
    """
    least, units = combat.limits.attack, combat.by_unit
    found = {(b.foe, b.side) for b in combat.blows if b.unit in group and units[b.unit].strength >= least}
    return sum(ARC_BONUS.get(side, 0) for _, side in found)


def fear_of(combat: Combat, group: Sequence[int], against: int | None = None) -> int:
    """The Fear bonus of units: 1, or 2 if they are twice as strong as the enemies in contact with them
    (wap.special.fear.*).

    ``against``: only this enemy's fear counts; None: that of any enemy.
    """
    units = combat.by_unit
    if not any(b.frightens for b in combat.blows if b.unit in group and against in (None, b.foe)):
        return 0
    feared = [unit for unit in group if units[unit].feared]
    met = {b.foe for b in combat.blows if b.unit in feared}
    strong = sum(units[unit].feared for unit in feared) >= 2 * sum(units[foe].strength for foe in met)
    return 2 if met and strong else 1


def strengths(combat: Combat) -> tuple[int, int]:
    """Unit Strength of both sides, without units that have no enemy left (wap.result.outnumber)."""
    first, second = (sum(f.strength for f in combat.present if f.side == side) for side in (0, 1))
    return first, second


def score(combat: Combat, group: Sequence[int], wounds: int, musician: int = 0, against: int | None = None) -> Bonuses:
    """The combat result of units of one side together that have caused so many wounds (wap.result.sum); all zero for an
    empty group.
    """
    if not group:
        return Bonuses()
    units = [combat.by_unit[unit] for unit in group]
    side, both = units[0].side, strengths(combat)
    return Bonuses(
        wounds=wounds,
        charge=sum(unit.charged for unit in units),
        ranks=ranks_together(combat, group),
        outnumber=int(both[side] > both[1 - side]),
        standards=sum(unit.standard for unit in units),
        arcs=arcs_of(combat, group),
        fear=fear_of(combat, group, against),
        musician=musician,
        overkill=min(MOST_OVERKILL, sum(unit.overkill for unit in units)),
        high=int(stands_higher(combat, side)),
    )


def stands_higher(combat: Combat, side: int) -> bool:
    """Whether a side has the fighting rank that stands highest, or charged from there (wap.result.high-ground,
    .several).
    """
    heights = [max((f.height for f in combat.present if f.side == one), default=0) for one in (0, 1)]
    return heights[side] > heights[1 - side]


def tie_breaker(combat: Combat) -> int:
    """The side that has a musician in a front rank while the other has none; ``NOBODY`` if there is none
    (wap.command.musician.tie).
    """
    played = [any(f.musician for f in combat.present if f.side == side) for side in (0, 1)]
    return NOBODY if played[0] == played[1] else played.index(True)


def steadfast(combat: Combat, unit: int) -> bool:
    """Whether a beaten unit tests on its unmodified Leadership (wap.break.steadfast.conditions, .exclusions,
    wap.special.stubborn).

    In a multiple combat the strengths of both sides are compared, without those of disorganised units
    (wap.multi.steadfast).
    """
    own, fighters = combat.by_unit[unit], combat.fighters
    if own.stubborn:
        return True
    if disorganised(combat, unit) or own.skirmishes or not own.ranked or own.strength < combat.limits.steadfast:
        return False
    several = sum(f.side == 0 for f in fighters) > 1 or sum(f.side == 1 for f in fighters) > 1
    counted = [f for f in combat.present if not (several and disorganised(combat, f.unit))]
    friends = sum(f.strength for f in counted if f.side == own.side)
    return friends > sum(f.strength for f in counted if f.side != own.side)


def standing(combat: Combat, unit: int, winner: int, difference: int, broke_tie: bool) -> Standing:
    """What the result means for a unit (wap.multi.break.individual, .draw, .cap); a unit that is gone has no result."""
    fighter = combat.by_unit[unit]
    blows = [b for b in combat.blows if b.foe == unit and not combat.by_unit[b.unit].gone]
    extra = int(broke_tie)
    mine, theirs = extra * (fighter.side == winner), extra * (fighter.side != winner)
    own = score(combat, [unit], fighter.wounds, mine).total
    against = score(combat, [b.unit for b in blows], sum(b.wounds for b in blows), theirs, unit).total
    told = Standing(DREW, own, against, disorganised=disorganised(combat, unit))
    if fighter.gone:
        return Standing(NO_RESULT)
    if winner == fighter.side:
        return told._replace(outcome=WON)
    penalty = 0 if winner == NOBODY else min(against - own, difference)
    if penalty <= 0:
        return told
    return told._replace(outcome=HELD, penalty=penalty, steadfast=steadfast(combat, unit))


def resolve(combat: Combat) -> Result:
    """The result of a combat: first a total for each side (wap.multi.side-score), then each unit's own."""
    left = [any(f.side == side and not f.gone for f in combat.fighters) for side in (0, 1)]
    groups = [[f.unit for f in combat.present if f.side == side] for side in (0, 1)]
    caused = [sum(f.wounds for f in combat.fighters if f.side == side) for side in (0, 1)]
    beyond = [min(MOST_OVERKILL, sum(f.overkill for f in combat.fighters if f.side == side)) for side in (0, 1)]
    plain = [score(combat, groups[side], 0)._replace(wounds=caused[side], overkill=beyond[side]) for side in (0, 1)]
    annihilated = left[0] != left[1]  # wap.result.annihilation
    tied = plain[0].total == plain[1].total and not annihilated
    maker = tie_breaker(combat) if tied else NOBODY
    if maker != NOBODY:
        plain[maker] = plain[maker]._replace(musician=1)
    difference = abs(plain[0].total - plain[1].total)
    if annihilated:
        winner = 0 if left[0] else 1
    elif difference == 0 or not left[0]:
        winner = NOBODY
    else:
        winner = 0 if plain[0].total > plain[1].total else 1
    units = {f.unit: standing(combat, f.unit, winner, difference, maker != NOBODY) for f in combat.fighters}
    return Result((plain[0], plain[1]), winner, difference, units, annihilated)
