"""What each kind of move allows, as rows of ``MOVE_LIMITS`` (move.*, charge.*, fight.pile-in, .consolidate)."""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.paths import ANYBODY, NOBODY, ONLY_TARGETS, OWN_MOVE, SAME_FOR_ALL, limits_row, new_limits
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.profiles import Keyword

BIG = int(Keyword.MONSTER | Keyword.VEHICLE)
AIRCRAFT = int(Keyword.AIRCRAFT)
FLY = int(Keyword.FLY)

NORMAL, ADVANCE, FALL_BACK, FALL_BACK_AROUND = "normal", "advance", "fall back", "fall back around"
CHARGE, PILE_IN, CONSOLIDATE, SCOUT = "charge", "pile in", "consolidate", "scout"
ONE_BY_ONE = (CHARGE, PILE_IN, CONSOLIDATE)  # in which each model moves by its own rules at both details

LOW_TERRAIN = 2.0  # inches up to which terrain is moved over as if it were not there (move.terrain.low)
ON_MARKER = 1.0  # inches above or below an objective marker at which a model stands on it
BESIDE_BARRIER = 1.0  # inches from a barrier at which a unit is charged across it (terrain.barricades.charge)
SCOUTS_KEEP_AWAY = 9.0  # inches that a Scouts move ends from every enemy model (deploy.scouts.distance)


def move_limits(edition: Edition, length: float, width: float, marker: float) -> dict[tuple[str, bool], Array]:
    """Limits by kind of move and whether the unit can FLY; ``extra`` is set by the move that uses them."""
    table: dict[tuple[str, bool], Array] = {}
    near, parts = edition.measures, edition.part_rules
    for kind in (NORMAL, ADVANCE, FALL_BACK, FALL_BACK_AROUND, CHARGE, PILE_IN, CONSOLIDATE, SCOUT):
        for fly in (False, True):
            limits = new_limits(
                length, width, low=LOW_TERRAIN, marker_z=ON_MARKER, barrier=BESIDE_BARRIER, over_friends=1
            )
            row = limits[0]
            row["engage"], row["engage_z"] = near.engagement, near.engagement_vertical
            row["coherency"], row["coherency_z"] = near.coherency, near.coherency_vertical
            row["coherency_big"] = near.large_unit
            row["big_keywords"] = BIG
            row["air_keywords"] = AIRCRAFT
            row["through_keywords"], row["through_kinds"] = parts.through, parts.through_parts
            row["floor_keywords"], row["floor_kinds"] = parts.floors, parts.floor_parts
            row["marker"] = marker
            row["keep_away"] = SCOUTS_KEEP_AWAY if kind == SCOUT else 0.0
            row["mode"] = OWN_MOVE if kind in (NORMAL, ADVANCE, FALL_BACK, FALL_BACK_AROUND) else SAME_FOR_ALL
            flying = fly and kind not in (PILE_IN, CONSOLIDATE)  # move.fly.other-moves
            row["through_air"] = flying
            row["over_big"] = flying
            row["air_end"] = fly and kind == CHARGE  # aircraft.charge.targets, aircraft.others.move-over
            row["air_goal"] = fly or kind == CHARGE  # aircraft.fight.ignored
            row["over_enemies"] = (flying and kind != FALL_BACK_AROUND) or kind == FALL_BACK
            if kind in (NORMAL, ADVANCE, SCOUT):
                row["engage_path"] = ANYBODY if flying else NOBODY
                row["engage_end"] = NOBODY
            elif kind in (FALL_BACK, FALL_BACK_AROUND):
                row["engage_path"], row["engage_end"] = ANYBODY, NOBODY
            elif kind == CHARGE:
                row["engage_path"] = row["engage_end"] = ONLY_TARGETS
            else:
                row["engage_path"] = row["engage_end"] = ANYBODY
            table[kind, fly] = limits
    return table


def immobile(g: BattleCore, unit: int) -> bool:
    """Whether the unit has a model with M "-", kept as 0: it cannot move (datasheet.move)."""
    if not g.setup.statics["immobile"]:
        return False
    move = g.models.move
    return any(move[k] == 0.0 for k in g.members(unit))


def limits_for(g: BattleCore, unit: int, kind: str, extra: float, model: int = -1) -> Array:
    """The limits of a move of ``unit``; moved as one it flies if each of its models does, ``model`` alone if it does.

    Where models move one by one and only some of them FLY there is a row for each row of models.
    """
    keywords = g.models.keywords
    mixed = False
    if model >= 0:
        fly = bool(keywords[model] & FLY)
    else:
        fly = bool(g.units.keywords[unit] & FLY)
        if fly and not all(keywords[k] & FLY for k in g.members(unit)):
            fly, mixed = False, kind in ONE_BY_ONE
    limits: Array = mixed_limits(g, kind) if mixed else g.work.limits[kind, fly]
    limits["extra"] = extra
    return limits


def mixed_limits(g: BattleCore, kind: str) -> Array:
    """Limits for each row of models, as it can FLY or not; units with FLY charge AIRCRAFT (aircraft.charge.targets)."""
    table = g.setup.statics["limits"]
    flying = (g.models.rows["keywords"] & np.uint64(FLY)) != 0
    limits: Array = np.concatenate([table[kind, False], table[kind, True]])[flying.astype(np.int64)]
    limits["air_end"] = table[kind, True]["air_end"]
    return limits


def own_limits(limits: Array, model: int) -> Array:
    """The row of these limits that holds for the model, as limits of its own."""
    row = int(limits_row(limits, model))
    return limits[row : row + 1]


def surroundings(g: BattleCore, unit: int) -> tuple[Any, ...]:
    """What the kernels that set up a unit are given first: the tables, the terrain, the limits, and the unit."""
    setup, work = g.setup, g.work
    return (
        g.models.rows, g.units.rows, setup.blocks, setup.corners, g.objectives.rows,
        work.limits[NORMAL, False], work.no_targets, unit,
    )  # fmt: skip
