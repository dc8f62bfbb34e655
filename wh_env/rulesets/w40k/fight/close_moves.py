"""Charge, Pile-in and Consolidation moves of whole units (charge.move.*, fight.pile-in.*, fight.consolidate.*)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.charge_moves import charge_apply, charge_possible
from wh_env.core.geometry.melee_checks import check_charge, check_consolidate, check_pile_in
from wh_env.core.geometry.melee_moves import consolidate_apply, fight_move_possible, pile_in_apply
from wh_env.core.geometry.paths import set_pose
from wh_env.core.tables import ON_TABLE, Array
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
BY_DISTANCE = np.zeros(0, np.int32)  # an empty order of models: the nearest models move first


def charge_unit(g: BattleCore, unit: int, roll: int) -> bool:
    """Make the Charge move if its conditions can be met and return True; else no model moves and the charge fails.

    For each of the unit's ways these ends are tried (``core.geometry.charge_moves``): with the whole roll and, against
    several targets, with moves shorter by 1, 2, 3 ... inches too.

    - For each target, the nearest model that can reach it moves first: to the first legal of 36 places round each enemy
      model, or as near as it gets to the closest. The others follow, nearest first, each in coherency with those before
      it.
    - Against several targets, the same after one model that engages them all.
    - The same with no follower in contact.
    - All models moved alike.

    For units of at most ``Charging.sought`` models, if all these fail, all places of all models are then searched
    together (``charge_ends``). For larger units no end is found that needs a place to be left for a later model.
    """
    ways = charge_ways(g, unit, float(roll)) if any_target_left(g) else ()
    for make in (charge_greedily, charge_sought):
        for way in ways:
            if make(g, unit, float(roll), way):
                charged(g, unit, way)
                return True
    return False


def any_target_left(g: BattleCore) -> bool:
    """Forget the targets of the charge that were destroyed after it was declared, as by their own weapons in Overwatch;
    returns whether any target is left (charge.condition.all-targets).
    """
    targets, place = g.charge_targets, g.units.place
    for enemy, target in enumerate(targets):
        if target and place[enemy] != ON_TABLE:
            targets[enemy] = 0
    return any(targets)


def charged(g: BattleCore, unit: int, way: Way) -> None:
    """Record for the edition's ground rules that the unit has made its Charge move on this way
    (charge.difficult-ground).
    """
    ground = edition(g).ground
    if ground is not None:
        ground.charged(g, unit, way)


def charge_greedily(g: BattleCore, unit: int, roll: float, way: Way) -> bool:
    """Make a Charge move in which each model in turn moves as near as it gets, and return True; else no model moves."""
    return bool(charge_apply(*_charge(g, unit, roll, way)))


def charge_succeeds(g: BattleCore, unit: int, roll: int) -> bool:
    """Whether ``charge_unit`` would make the Charge move. All models stand where they were afterwards."""
    if not any_target_left(g):
        return False
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
    """Make a Charge move of a small unit by the search over all places together (``charge_ends``) and return True; else
    no model moves.
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
    """The ways in which the unit may charge with this roll (``edition_parts.ways``), in the order in which they are
    tried.
    """
    ground = edition(g).ground
    ways = () if ground is None else ground.ways(g, unit, roll)
    return ways or (Way(g.setup.blocks, 0.0, 0, on_foot=False),)


def _charge(g: BattleCore, unit: int, roll: float, way: Way) -> Arguments:
    """All arguments of ``charge_apply`` and ``charge_possible`` for one way of the unit."""
    return (*_past(g, unit, roll, way), g.charge_targets_array, unit, max(0.0, roll - way.less), *_room(g))


def _past(g: BattleCore, unit: int, roll: float, way: Way) -> Arguments:
    """The leading arguments of the charge kernels for one way of the unit: tables, blocks and limits."""
    models, units, _, *rest = _tables(g, limits_for(g, unit, CHARGE, roll))
    return (models, units, way.blocks, *rest)


def close_reach(g: BattleCore, kind: str) -> float:
    """Inches of a Pile-in or Consolidation move (fight.pile-in, .consolidate)."""
    fighting = edition(g).fighting
    return fighting.pile_in if kind == PILE_IN else fighting.consolidate


def _close(g: BattleCore, unit: int, kind: str, *more: object) -> Arguments:
    """All arguments of a kernel for a Pile-in or Consolidation move; ``more`` come after the row of the unit."""
    tables = _tables(g, limits_for(g, unit, kind, close_reach(g, kind)))
    return (*tables, g.work.no_targets, unit, *more, *_room(g))


def _tables(g: BattleCore, limits: Array) -> Arguments:
    """The leading arguments of the melee kernels: the tables of the battle and ``limits``."""
    return g.models.rows, g.units.rows, g.setup.blocks, g.setup.corners, g.objectives.rows, limits


def _room(g: BattleCore) -> Arguments:
    """The scratch arrays that the melee kernels take last."""
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
    """Make a move that a player gives model by model and return ``LEGAL``; else return its ``Fault`` and move no model.

    ``kind``: kind of move, see ``limits_for``. ``goal``: ``TOWARDS_MARKER`` for a Consolidation towards an objective
    marker. ``reach``: inches. ``targets``: targets of a charge, by unit. ``order``: rows of the models that move.
    ``paths`` (models x points x 4) and ``counts``: their paths and the number of points of each.
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
    """Whether the unit makes no Pile-in or Consolidation moves: it is an AIRCRAFT (aircraft.fight.no-pile-in) or its M
    is "-".
    """
    return bool(g.units.keywords[unit] & AIRCRAFT) or immobile(g, unit)


def can_pile_in(g: BattleCore, unit: int) -> bool:
    """Whether the unit can make a Pile-in move that moves at least one model (fight.pile-in.condition)."""
    if stays(g, unit):
        return False
    return fight_move_possible(*_close(g, unit, PILE_IN, False, 0.0)) > 0


def pile_in(g: BattleCore, unit: int) -> int:
    """Make the Pile-in move. Returns the number of models moved."""
    return max(0, int(pile_in_apply(*_close(g, unit, PILE_IN, BY_DISTANCE))))


def intervenes(g: BattleCore, model: int) -> bool:
    """Whether the model moves when its unit makes a Heroic Intervention."""
    return not edition(g).intervening.of_models or bool(g.models.keywords[model] & CHARACTER)


def intervene(g: BattleCore, unit: int) -> int:
    """Move the unit as in a Heroic Intervention (charge.heroic-intervention.move). Returns how many models moved."""
    limits = limits_for(g, unit, PILE_IN, edition(g).intervening.move)
    if staying := [k for k in g.members(unit) if not intervenes(g, k)]:
        limits = np.resize(limits, len(g.models.rows))
        limits["extra"][staying] = 0.0
    tables = _tables(g, limits)
    given: Arguments = (*tables, g.work.no_targets, unit, BY_DISTANCE, *_room(g))
    return max(0, int(pile_in_apply(*given)))


def consolidation(g: BattleCore, unit: int) -> int:
    """The Consolidation that the unit can make: ``TOWARDS_ENEMY``, else ``TOWARDS_MARKER`` (the closest objective
    marker), else ``NOWHERE``.
    """
    if stays(g, unit):
        return NOWHERE
    towards_enemy = fight_move_possible(*_close(g, unit, CONSOLIDATE, False, 0.0))
    if towards_enemy > 0:
        return TOWARDS_ENEMY
    if towards_enemy == 0 or not edition(g).fighting.to_markers or not len(g.objectives.rows):
        return NOWHERE  # the unit may consolidate, but no model has a place to move to
    control = float(g.setup.rules["marker_range"])
    towards_marker = fight_move_possible(*_close(g, unit, CONSOLIDATE, True, control))
    return TOWARDS_MARKER if towards_marker > 0 else NOWHERE


def consolidate(g: BattleCore, unit: int, kind: int) -> int:
    """Make the Consolidation of this ``kind``. Returns the number of models moved."""
    control = float(g.setup.rules["marker_range"])
    return max(0, int(consolidate_apply(*_close(g, unit, CONSOLIDATE, kind == TOWARDS_MARKER, control, BY_DISTANCE))))
