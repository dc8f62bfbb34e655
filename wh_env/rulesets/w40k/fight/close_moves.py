"""Charge, Pile-in and Consolidation moves of whole units (charge.move.*, fight.pile-in.*, fight.consolidate.*)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.charge_moves import charge_apply, charge_possible
from wh_env.core.geometry.melee_moves import (
    check_charge,
    check_consolidate,
    check_pile_in,
    consolidate_apply,
    fight_move_possible,
    pile_in_apply,
)
from wh_env.core.geometry.paths import set_pose
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.ways import LEGAL, Way, first_legal
from wh_env.rulesets.w40k.fight.charge_ends import is_small, seek
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.move_limits import (
    AIRCRAFT,
    CHARGE,
    CONSOLIDATE,
    PILE_IN,
    Arguments,
    immobile,
    limits_for,
)

NOWHERE, TOWARDS_ENEMY, TOWARDS_MARKER = 0, 1, 2
CHARACTER = int(Keyword.CHARACTER)
BY_DISTANCE = np.zeros(0, np.int32)  # no order of the models is given: the nearest move first


def charge_unit(g: BattleCore, unit: int, roll: int) -> bool:
    """Make the Charge move if its conditions can be met; else nothing moves and the charge fails.

    Looked through, on each of the unit's ways, are these ends (``core.geometry.charge_moves``), with the whole roll and
    against several targets with an inch less after the other: for each target the nearest model that can goes there
    first, to the first place that will do of 36 round each enemy model or as near as it gets to the closest, and the
    others follow one after the other, nearest first, each in coherency with those before it; against several targets
    the same after one model that engages them all; the same with none of those who follow in contact; and all models
    moved alike. For units of at most ``Charging.sought`` models, where none of these will do, all places of all models
    together (``charge_ends``). So of larger units an end is not found where a place has to be left to a later model.
    """
    ways = charge_ways(g, unit, float(roll))
    for make in (charge_greedily, charge_sought):
        for way in ways:
            if make(g, unit, float(roll), way):
                charged(g, unit, way)
                return True
    return False


def charged(g: BattleCore, unit: int, way: Way) -> None:
    """The unit has made its Charge move that way (charge.difficult-ground)."""
    ground = edition(g).ground
    if ground is not None:
        ground.charged(g, unit, way)


def charge_greedily(g: BattleCore, unit: int, roll: float, way: Way) -> bool:
    """Make a Charge move whose models go one after the other as near as they get; else nothing moves."""
    return bool(charge_apply(*_charge(g, unit, roll, way)))


def charge_succeeds(g: BattleCore, unit: int, roll: int) -> bool:
    """Whether ``charge_unit`` would make the Charge move; nothing moves."""
    ways = charge_ways(g, unit, float(roll))
    if any(charge_possible(*_charge(g, unit, float(roll), way)) for way in ways):
        return True
    m = g.models
    starts = {k: (m.x[k], m.y[k], m.z[k], m.facing[k]) for k in g.members(unit)}
    found = any(charge_sought(g, unit, float(roll), way) for way in ways)
    for k, start in starts.items():
        set_pose(m.rows, k, *start)
    return found


def charge_sought(g: BattleCore, unit: int, roll: float, way: Way) -> bool:
    """Make a Charge move of a small unit that only looking through all places together finds (``charge_ends``); else
    nothing moves.
    """
    inches = max(0.0, roll - way.less)
    if inches <= 0.0 or not is_small(g, unit):
        return False

    def legal(order: Array, paths: Array, counts: Array) -> bool:
        past = _past(g, unit, roll, way)
        given: Arguments = (g.charge_targets_array, unit, inches, order, len(order), paths, counts, *_room(g))
        return check_charge(*past, *given)[0] == LEGAL

    return seek(g, unit, way, way.limits(limits_for(g, unit, CHARGE, roll)), inches, legal)


def charge_ways(g: BattleCore, unit: int, roll: float) -> tuple[Way, ...]:
    """The ways in which the unit may charge with this roll (``edition_parts.ways``), the first one first."""
    ground = edition(g).ground
    ways = () if ground is None else ground.ways(g, unit, roll)
    return ways or (Way(g.setup.blocks, 0.0, 0, on_foot=False),)


def _charge(g: BattleCore, unit: int, roll: float, way: Way) -> Arguments:
    return (*_past(g, unit, roll, way), g.charge_targets_array, unit, max(0.0, roll - way.less), *_room(g))


def _past(g: BattleCore, unit: int, roll: float, way: Way) -> Arguments:
    """What the kernels that charge are given first, on one of the ways of the unit."""
    models, units, _, *rest = _tables(g, limits_for(g, unit, CHARGE, roll))
    return (models, units, way.blocks, *rest)


def close_reach(g: BattleCore, kind: str) -> float:
    """Inches of a Pile-in or Consolidation move (fight.pile-in, .consolidate)."""
    fighting = edition(g).fighting
    return fighting.pile_in if kind == PILE_IN else fighting.consolidate


def _close(g: BattleCore, unit: int, kind: str, *more: object) -> Arguments:
    tables = _tables(g, limits_for(g, unit, kind, close_reach(g, kind)))
    return (*tables, g.work.no_targets, unit, *more, *_room(g))


def _tables(g: BattleCore, limits: Array) -> Arguments:
    return g.models.rows, g.units.rows, g.setup.blocks, g.setup.corners, g.objectives.rows, limits


def _room(g: BattleCore) -> Arguments:
    return g.work.scratch, g.work.marks


def judge(
    g: BattleCore,
    unit: int,
    kind: str,
    goal: int,
    reach: float,
    targets: Array,
    order: Array,
    paths: Array,
    counts: Array,
) -> int:
    """Make a move that is given model by model, or say what is wrong with it (``Fault``) and move nobody.

    ``kind``: of move, see ``limits``; ``goal``: towards whom a Consolidation goes; ``reach``: inches; ``order``: rows
    of the models that move; ``paths`` (models x points x 4) and ``counts``: their ways.
    """
    given: Arguments = (order, len(order), paths, counts, *_room(g))
    if kind == CHARGE:
        charges: list[Arguments] = [
            (*_past(g, unit, reach, way), targets, unit, max(0.0, reach - way.less), *given)
            for way in charge_ways(g, unit, reach)
        ]
        return first_legal(check_charge(*charge)[0] for charge in charges)
    tables: Arguments = (*_tables(g, limits_for(g, unit, kind, reach)), targets, unit)
    if goal == TOWARDS_MARKER:
        to_marker: Arguments = (*tables, True, float(g.setup.rules["marker_range"]), *given)
        return check_consolidate(*to_marker)[0]
    to_enemy: Arguments = (*tables, *given)
    return check_pile_in(*to_enemy)[0]


def stays(g: BattleCore, unit: int) -> bool:
    """Whether the unit makes no Pile-in or Consolidation moves: AIRCRAFT (aircraft.fight.no-pile-in), M "-"."""
    return bool(g.units.keywords[unit] & AIRCRAFT) or immobile(g, unit)


def can_pile_in(g: BattleCore, unit: int) -> bool:
    """Whether a Pile-in that moves anybody is possible (fight.pile-in.condition)."""
    if stays(g, unit):
        return False
    return fight_move_possible(*_close(g, unit, PILE_IN, False, 0.0)) > 0


def pile_in(g: BattleCore, unit: int) -> int:
    """Pile in; how many moved."""
    return max(0, int(pile_in_apply(*_close(g, unit, PILE_IN, BY_DISTANCE))))


def intervenes(g: BattleCore, model: int) -> bool:
    """Whether the model moves when its unit makes a Heroic Intervention."""
    return not edition(g).intervening.of_models or bool(g.models.keywords[model] & CHARACTER)


def intervene(g: BattleCore, unit: int) -> int:
    """Move the unit as in a Heroic Intervention (charge.heroic-intervention.move); how many moved."""
    limits = limits_for(g, unit, PILE_IN, edition(g).intervening.move)
    if staying := [k for k in g.members(unit) if not intervenes(g, k)]:
        limits = np.resize(limits, len(g.models.rows))
        limits["extra"][staying] = 0.0
    tables = _tables(g, limits)
    given: Arguments = (*tables, g.work.no_targets, unit, BY_DISTANCE, *_room(g))
    return max(0, int(pile_in_apply(*given)))


def consolidation(g: BattleCore, unit: int) -> int:
    """Which Consolidation is possible: towards the enemy, else towards the closest objective marker, else none."""
    if stays(g, unit):
        return NOWHERE
    towards_enemy = fight_move_possible(*_close(g, unit, CONSOLIDATE, False, 0.0))
    if towards_enemy > 0:
        return TOWARDS_ENEMY
    if towards_enemy == 0 or not edition(g).fighting.to_markers or not len(g.objectives.rows):
        return NOWHERE  # it is possible, but nobody has anywhere to go
    control = float(g.setup.rules["marker_range"])
    towards_marker = fight_move_possible(*_close(g, unit, CONSOLIDATE, True, control))
    return TOWARDS_MARKER if towards_marker > 0 else NOWHERE


def consolidate(g: BattleCore, unit: int, kind: int) -> int:
    """Consolidate; how many moved."""
    control = float(g.setup.rules["marker_range"])
    return max(0, int(consolidate_apply(*_close(g, unit, CONSOLIDATE, kind == TOWARDS_MARKER, control, BY_DISTANCE))))
