"""What ground does at the start of each player's turn to the units near it (wap.terrain.monument.sinister-statue)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.hit import Hit

RULE = "wap.terrain.monument.sinister-statue"


def middle_of(ground: Ground) -> tuple[float, float]:
    """The middle of the corners of a feature, inches."""
    xs, ys = zip(*ground.outline, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def is_gazed_at(g: BattleCore, unit: int, ground: Ground) -> bool:
    """Whether a unit on the table is near enough to a feature that harms those near it."""
    gaze = ground.traits.gaze
    return bool(
        gaze is not None and g.units.place[unit] == ON_TABLE and distance_to(g, unit, ground) <= gaze.inches + EPS
    )


def gaze_at(g: BattleCore, unit: int, ground: Ground) -> None:
    """Roll for a unit, which may take D6 hits from the side on which the feature lies."""
    gaze = ground.traits.gaze
    if gaze is None:
        return
    die = g.d6()
    hits = g.d6() if die <= gaze.most else 0
    if g.recorder is not None:
        g.note(RULE, "is gazed at", unit=unit, die=die, amount=hits)
    if hits:
        side = quarter_of(g, unit, *middle_of(ground))
        take_hits(g, unit, [(hits, Hit(gaze.strength))], side, NOBODY)


class Gazes(OfPlayer):
    """Features that harm those near them do so one after the other: to the units of the player whose turn it is first,
    then to the enemy's.
    """

    NEXT = integer(amount())  # pairs of a feature and a unit that have been looked at

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        player = g.stack[f + Gazes.PLAYER]
        units = [*g.units_of(player), *g.units_of(1 - player)]
        pairs = [(ground, unit) for ground in with_trait(g, "gaze") for unit in units]
        while g.stack[f + Gazes.NEXT] < len(pairs):
            ground, unit = pairs[g.stack[f + Gazes.NEXT]]
            g.stack[f + Gazes.NEXT] += 1
            if is_gazed_at(g, unit, ground):
                gaze_at(g, unit, ground)
                return GO
        return g.pop()
