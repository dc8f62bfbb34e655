"""What ground does to the units near it at the start of each player's turn, or at the end of each Shooting phase
(wap.terrain.monument.sinister-statue, wap.building.arcane.haunted-mansion).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.auras import is_of
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.basics.joined import characters_first
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.morale.panic_causes import ground_source, is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.hit import Hit

MOMENTS = ("turn", "shooting")
AT_START_OF_TURN, AFTER_SHOOTING = range(len(MOMENTS))  # integer ``Gazes.WHEN``


def gazing(g: BattleCore, when: int) -> list[Ground]:
    """The features that harm those near them at a moment."""
    return [item for item in with_trait(g, "gaze") if item.traits.gaze and item.traits.gaze.when == MOMENTS[when]]


def middle_of(ground: Ground) -> tuple[float, float]:
    """The middle of the corners of a feature, inches."""
    xs, ys = zip(*ground.outline, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def is_gazed_at(g: BattleCore, unit: int, ground: Ground) -> bool:
    """Whether a unit on the table is near enough to a feature that harms those near it, and is not spared."""
    gaze = ground.traits.gaze
    if gaze is None or g.units.place[unit] != ON_TABLE or (gaze.spares and is_of(g, unit, gaze.spares)):
        return False
    return distance_to(g, unit, ground) <= gaze.inches + EPS


def gaze_at(g: BattleCore, unit: int, ground: Ground) -> None:
    """A unit may take D6 hits from the side on which the feature lies."""
    gaze = ground.traits.gaze
    if gaze is None:
        return
    die = g.d6() if gaze.most < FACES else 0
    hits = g.d6() if die <= gaze.most else 0
    if g.recorder is not None:
        g.note(gaze.rule, "is gazed at", unit=unit, die=die, amount=hits)
    if hits:
        side = quarter_of(g, unit, *middle_of(ground))
        hit, source = Hit(gaze.strength, ignores_armour=gaze.no_armour), ground_source(g, ground.row)
        take_hits(g, unit, [(hits, hit)], side, source)


class Gazes(OfPlayer):
    """Features that harm those near them do so one after the other: to the units of the player whose turn it is first,
    then to the enemy's.
    """

    WHEN = integer(between(AT_START_OF_TURN, AFTER_SHOOTING))
    NEXT = integer(amount())  # pairs of a feature and a unit that have been looked at

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        player, when = g.stack[f + Gazes.PLAYER], g.stack[f + Gazes.WHEN]
        units = [unit for side in (player, 1 - player) for unit in characters_first(g, g.units_of(side))]
        pairs = [(ground, unit) for ground in gazing(g, when) for unit in units]
        while g.stack[f + Gazes.NEXT] < len(pairs):
            ground, unit = pairs[g.stack[f + Gazes.NEXT]]
            g.stack[f + Gazes.NEXT] += 1
            if is_gazed_at(g, unit, ground):
                gaze_at(g, unit, ground)
                return GO
        return g.pop()
