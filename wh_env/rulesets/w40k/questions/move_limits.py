"""The limits of each kind of move, as rows of ``MOVE_LIMITS`` (move.*, charge.*, fight.pile-in, .consolidate)."""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.areas import models_engaged_across, units_engaged_across
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import OWN_MOVE, SAME_FOR_ALL, limits_row, new_limits
from wh_env.core.geometry.shapes import member, member_count, stands_in, within_reach
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import Edition, edition
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.engaging import engaged_anyhow

Arguments = tuple[Any, ...]  # of a kernel

AIRCRAFT = int(Keyword.AIRCRAFT)
FLY = int(Keyword.FLY)

NORMAL, ADVANCE, FALL_BACK, FALL_BACK_AROUND = "normal", "advance", "fall back", "fall back around"
CHARGE, PILE_IN, CONSOLIDATE, SCOUT = "charge", "pile in", "consolidate", "scout"
ONE_BY_ONE = (CHARGE, PILE_IN, CONSOLIDATE)  # in which each model moves by its own rules at both details
# rules of moves whose end the player chooses, for the unit as one or for each model
CHOSEN_MOVES = ("move.normal", "move.advance.move", "move.out-of-phase", "terrain.difficult-ground")
KINDS = (NORMAL, ADVANCE, FALL_BACK, FALL_BACK_AROUND, CHARGE, PILE_IN, CONSOLIDATE, SCOUT)

AS_THE_RULES_SAY = (  # columns of ``MOVE_LIMITS`` with the same names as fields of ``MoveRules``
    "engage_path",
    "engage_end",
    "over_enemies",
    "over_friends",
    "over_big",
    "through_air",
    "air_end",
    "air_goal",
    "keep_away",
    "need_contact",
    "need_closer",
    "end_engaged",
    "by_ends",
    "need_all",
)


def move_limits(
    own: Edition, length: float, width: float, marker: float, across: float = 0.0
) -> dict[tuple[str, bool], Array]:
    """Limits by kind of move and whether the unit can FLY. The move that uses them sets ``extra``.

    ``length``, ``width``: of the battlefield; ``marker``: the radius of a marker; ``across``: the longest Engagement
    Range across any area of the battlefield, 0 without any; all in inches.
    """
    table: dict[tuple[str, bool], Array] = {}
    near, parts = own.measures, own.part_rules
    for kind in KINDS:
        for fly in (False, True):
            limits, rules = new_limits(length, width), own.moves[kind, fly]
            row = limits[0]
            row["engage"], row["engage_z"] = near.engagement, near.engagement_vertical
            row["engage_across"] = across
            row["coherency"], row["coherency_z"] = near.coherency, near.coherency_vertical
            row["coherency_big"] = near.large_unit
            row["low"], row["marker_z"], row["barrier"] = near.low, near.on_marker, near.beside_barrier
            row["big_keywords"] = rules.big
            row["air_keywords"] = AIRCRAFT if own.aircraft.passed_over else 0
            row["through_keywords"], row["through_kinds"] = parts.through, parts.through_parts
            row["floor_keywords"], row["floor_kinds"] = parts.floors, parts.floor_parts
            row["marker"] = marker
            row["mode"] = OWN_MOVE if rules.own else SAME_FOR_ALL
            for column in AS_THE_RULES_SAY:
                row[column] = getattr(rules, column)
            table[kind, fly] = limits
    return table


def engaged(g: BattleCore, unit: int) -> bool:
    """Whether the unit is within Engagement Range of any enemy model (concepts.engagement-range)."""
    setup = g.setup
    tables = g.models.rows, g.units.rows, setup.blocks, setup.corners, setup.statics["fire_rules"]
    return bool(g.work.call(engaged_anyhow, *tables, unit))


def engaged_with(g: BattleCore, unit: int, enemy: int) -> bool:
    """Whether the two units are within Engagement Range of each other."""
    near, m, u, setup = edition(g).measures, g.models.rows, g.units.rows, g.setup
    if units_engaged(m, u, unit, enemy, near.engagement, near.engagement_vertical):
        return True
    return bool(
        setup.statics["engaged_across"]
        and units_engaged_across(m, u, setup.blocks, setup.corners, unit, enemy, near.engagement_vertical)
    )


def models_engaged(g: BattleCore, one: int, two: int) -> bool:
    """Whether two models are within Engagement Range of each other."""
    near, m, setup = edition(g).measures, g.models.rows, g.setup
    if within_reach(m, one, two, near.engagement, near.engagement_vertical):
        return True
    return bool(
        setup.statics["engaged_across"]
        and models_engaged_across(m, setup.blocks, setup.corners, one, two, near.engagement_vertical)
    )


def immobile(g: BattleCore, unit: int) -> bool:
    """Whether the unit has a model with M "-", kept as 0: it cannot move (datasheet.move)."""
    if not g.setup.statics["immobile"]:
        return False
    move = g.models.move
    return any(move[k] == 0.0 for k in g.members(unit))


@kernel
def all_have(models: Array, units: Array, u: int, keyword: int) -> bool:
    """Whether all models that stand in unit ``u`` have the keyword."""
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u) and int(models[k]["keywords"]) & keyword == 0:
            return False
    return True


def limits_for(g: BattleCore, unit: int, kind: str, extra: float, model: int = -1) -> Array:
    """The limits of a move of ``unit``, or of ``model`` alone (-1: the unit), with ``extra`` inches.

    A unit that moves as one flies if all its models FLY. If models move one by one and only some FLY, the result has a
    row for each row of models.
    """
    if kind == NORMAL:
        extra += edition(g).more_move(g, unit)
    mixed = False
    if model >= 0:
        fly = bool(g.models.keywords[model] & FLY)
    else:
        fly = bool(g.units.keywords[unit] & FLY)
        if fly and not g.work.call(all_have, g.models.rows, g.units.rows, unit, FLY):
            fly, mixed = False, kind in ONE_BY_ONE
    if mixed:
        limits = mixed_limits(g, kind)
        limits["extra"] = extra
        return limits
    work, key = g.work, (kind, fly)
    work.extras[key][0] = extra
    return work.limits[key]  # type: ignore[no-any-return]


def mixed_limits(g: BattleCore, kind: str) -> Array:
    """Limits for each row of models, by whether the model can FLY. Units with FLY charge AIRCRAFT
    (aircraft.charge.targets).
    """
    table = g.setup.statics["limits"]
    flying = (g.models.rows["keywords"] & np.uint64(FLY)) != 0
    limits: Array = np.concatenate([table[kind, False], table[kind, True]])[flying.astype(np.int64)]
    limits["air_end"] = table[kind, True]["air_end"]
    return limits


def own_limits(limits: Array, model: int) -> Array:
    """The one row of ``limits`` for the model, as an array."""
    row = int(limits_row(limits, model))
    return limits[row : row + 1]


def surroundings(g: BattleCore, unit: int, limits: Array | None = None, blocks: Array | None = None) -> Arguments:
    """The first arguments of the kernels that move or set up a unit: tables, terrain, limits, unit.

    ``limits``: None for a Normal move on foot. ``blocks``: terrain in place of the battlefield's.
    """
    setup, work = g.setup, g.work
    return (
        g.models.rows, g.units.rows, setup.blocks if blocks is None else blocks, setup.corners, g.objectives.rows,
        work.limits[NORMAL, False] if limits is None else limits, work.no_targets, unit,
    )  # fmt: skip
