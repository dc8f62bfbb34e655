"""What spells do that move units or bring models back."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance, set_block
from wh_env.rulesets.wap.basics.contacts import block_of, meet
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.ground import distance_to, features_of
from wh_env.rulesets.wap.basics.passage import ground_to_cross, is_rooted
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.battle.restoring import restore
from wh_env.rulesets.wap.codes import IMPASSABLE
from wh_env.rulesets.wap.magic.deeds import strike, strike_alone
from wh_env.rulesets.wap.magic.fate_of_hits import is_asked_about
from wh_env.rulesets.wap.magic.flights import fly_off, may_fly_off
from wh_env.rulesets.wap.magic.models import is_reached
from wh_env.rulesets.wap.magic.spells import Casting, Deed
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.movement.forced_moves import go_along
from wh_env.rulesets.wap.weapons.hit import Hit, Number

STEP = 0.1  # inches by which a block is moved to see what it comes nearer to
SLACK = 0.05  # inches beyond the usual distance at which a block stands before what has stopped it
NONE: Number = (0, 6, 0)


@dataclass(frozen=True)
class Restores(Deed):
    """A unit recovers Wounds' worth of models; characters and their mounts do not (wap.lore.life.regrowth, .order).

    Attributes:
        number: of Wounds, (dice, sides, plus).
    """

    number: Number

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        restore(g, unit, rolled_number(g, self.number), casting.spell.rule)


@dataclass(frozen=True)
class Pushes(Deed):
    """A unit is pushed straight away from the wizard, without turning. What it would run into stops it an inch away,
    and both take hits, which nobody takes for a lone character; what cannot move takes hits where it stands
    (wap.lore.heavens.wind-blast, .collision).

    Attributes:
        number: of inches, (dice, sides, plus). hits, strength: of a collision. stuck, stuck_strength: of a unit that
            cannot move.
    """

    number: Number
    hits: Number = NONE
    strength: int = 0
    stuck: Number = NONE
    stuck_strength: int = 0

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        far = rolled_number(g, self.number)
        if is_stuck(g, unit):
            self.roll(g, casting, unit, self.stuck)
            return
        direction = direction_from(g, casting.caster, unit)
        goes = go_along(g, unit, direction, far, casting.spell.rule)
        meet(g)
        if goes >= far - EPS:
            return
        other, gap = unit_before(g, unit, direction)
        if other < 0:
            gap = ground_before(g, unit, direction)
        if far - goes < gap - SLACK:  # it would not have come into contact
            return
        for struck in (unit, *([other] if other >= 0 else [])):
            self.roll(g, casting, struck, self.hits)

    def roll(self, g: BattleCore, casting: Casting, unit: int, hits: Number) -> None:
        """Roll the number of hits on a unit."""
        rolled = [g.roll(1, hits[1]) for _ in range(hits[0])]
        if not is_asked_about(g, casting, unit, rolled, hits[1], hits[2]):
            self.land(g, casting, unit, sum(rolled) + hits[2])

    def land(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        stuck = is_stuck(g, unit)
        hit = Hit(self.stuck_strength if stuck else self.strength)
        strike(g, casting, unit, number, hit, warned=stuck)

    def fall(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        strike_alone(g, casting, unit, number, Hit(self.stuck_strength))


def is_stuck(g: BattleCore, unit: int) -> bool:
    """Whether a unit cannot be pushed: it is in a building, is a machine that may only turn, or has no Movement."""
    return is_inside(g, unit) or is_rooted(g, unit) or movement_of(g, unit) <= 0.0


def direction_from(g: BattleCore, wizard: int, unit: int) -> float:
    """The direction, radians, from a wizard to the middle of a unit's block."""
    model, rows = model_of(g, wizard), [k for k in g.members(unit) if g.models.on_table[k]]
    x, y = (sum(column[k] for k in rows) / len(rows) for column in (g.models.x, g.models.y))
    if g.models.on_table[model]:
        return atan2(y - g.models.y[model], x - g.models.x[model])
    block = block_of(g, wizard)  # in a building
    return atan2(y - g.units.y[block], x - g.units.x[block])


def moved_on(g: BattleCore, unit: int, direction: float, inches: float) -> None:
    """Set a unit's block that much farther in a direction, to measure there."""
    u = g.units
    x, y = u.x[unit] + inches * cos(direction), u.y[unit] + inches * sin(direction)
    set_block(g, unit, x, y, u.facing[unit], u.files[unit])


def unit_before(g: BattleCore, unit: int, direction: float) -> tuple[int, float]:
    """The nearest unit that stops another one on its way in a direction, and the inches between them; -1: none does."""
    near = g.setup.rules["one_inch"] + SLACK
    others = (row for row in range(len(g.units.owner)) if row != unit and g.units.place[row] == ON_TABLE)
    gaps = {row: gap for row in others if not is_inside(g, row) and (gap := distance(g, unit, row)) <= near}
    moved_on(g, unit, direction, STEP)
    ahead = [(gap, row) for row, gap in gaps.items() if distance(g, unit, row) < gap - EPS]
    moved_on(g, unit, direction, -STEP)
    return (min(ahead)[1], min(ahead)[0]) if ahead else (-1, 0.0)


def ground_before(g: BattleCore, unit: int, direction: float) -> float:
    """The inches to the ground, impassable to it, that stops a unit on its way in a direction; infinite: none does."""
    near = g.setup.rules["one_inch"] + SLACK
    ground = ground_to_cross(g, unit)
    closed = {*ground["feature"][ground["passage"] == IMPASSABLE].tolist()}
    hard = [item for item in features_of(g) if item.row in closed]
    gaps = [(ground, gap) for ground in hard if (gap := distance_to(g, unit, ground)) <= near]
    moved_on(g, unit, direction, STEP)
    ahead = [gap for ground, gap in gaps if distance_to(g, unit, ground) < gap - EPS]
    moved_on(g, unit, direction, -STEP)
    return min(ahead, default=float("inf"))


@dataclass(frozen=True)
class Flies(Deed):
    """A character flies at once, if he does not fight: the one that was named, or the wizard himself
    (wap.lore.shadow.steed-of-shadows).

    Attributes:
        inches: how far at most.
    """

    inches: int

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if casting.model >= 0 and not is_reached(g, casting):
            return
        target = g.models.unit[casting.model] if casting.model >= 0 else casting.caster
        if may_fly_off(g, target, fighting=False):
            fly_off(g, target, self.inches, casting.spell.rule)
