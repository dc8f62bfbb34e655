"""Control of objective markers by the number of models, without AIRCRAFT and Fortifications (w9.objective.*).

Rules about Objective Secured are rows of ``rules["control"]``: mappings with ``effect`` (one of ``EFFECTS``) and
``keyword`` (of the units that have it; singular or plural), and optionally ``player`` and ``if_all`` (see
``army.whole``). An ability of another name that does the same is the same effect (w9.rare.objective-secured.similar).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, declared, flag, row_plus_one
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w9.army.whole import holds
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.rulesets.w40k.profiles import Keyword

GIVES, DENIES, DOUBLES = "Objective Secured", "no Objective Secured", "Objective Secured, twice: each model counts as 2"
EFFECTS = (GIVES, DENIES, DOUBLES)
TROOPS = "TROOPS"
NEVER_CONTROL = int(Keyword.AIRCRAFT | Keyword.FORTIFICATION)  # w9.objective.excluded

# by unit, as last determined: whether it has Objective Secured, and as how many each of its models counts
HOLDING, HOLDING_BOUNDS = declared([("secured", "i4", flag()), ("each", "i4", between(0, 2))])


def tables(units: int, models: int) -> tuple[TableSpec, ...]:
    """``holding``: see ``HOLDING``. ``counted_for``: for each model the row + 1 of the marker that it has counted for
    this turn, 0 if none.
    """
    return (
        TableSpec("holding", HOLDING, units, HOLDING_BOUNDS),
        TableSpec("counted_for", np.dtype("i4"), models, row_plus_one("objectives")),
    )


@inner_kernel
def far_off(models: Array, k: int, objectives: Array, o: int, horizontal: float) -> bool:
    """True if the marker is not placed, or if a model is certainly out of its range by a box test; False proves
    nothing. ``horizontal``: range in inches.
    """
    m = models[k]
    reach = horizontal + objectives[o]["radius"] + m["radius"] + 0.01
    return bool(
        abs(m["x"] - objectives[o]["x"]) > reach
        or abs(m["y"] - objectives[o]["y"]) > reach
        or objectives[o]["placed"] == 0
    )


@kernel
def in_reach(models: Array, k: int, objectives: Array, o: int, horizontal: float, vertical: float) -> float:
    """Horizontal inches between a model and a marker that it is in range of; -1 if it is out of range
    (w9.objective.range).
    """
    m = models[k]
    if far_off(models, k, objectives, o, horizontal):
        return -1.0
    x, y, r = objectives[o]["x"], objectives[o]["y"], objectives[o]["radius"]
    if abs(m["z"] - objectives[o]["z"]) > vertical + EPS:
        return -1.0
    gap = disc_gap_at(models, k, m["x"], m["y"], m["facing"], x, y, r)
    return gap if gap <= horizontal + EPS else -1.0


@kernel
def counts(models: Array, units: Array, k: int, never: int) -> bool:
    """Whether a model can control markers: it is on the table and its unit has no keyword of ``never``."""
    return bool(models[k]["on_table"] != 0 and units[models[k]["unit"]]["keywords"] & np.uint64(never) == np.uint64(0))


@inner_kernel
def secured_by_keyword(units: Array, holding: Array, troops: np.uint64, first: bool, second: bool) -> None:
    """Write into ``holding`` which units have Objective Secured by keyword alone: those with ``troops`` in a
    Battle-forged army. ``first``, ``second``: whether the armies of players 0 and 1 are Battle-forged.
    """
    for unit in range(len(units)):
        forged = second if units[unit]["owner"] == 1 else first
        holding[unit]["each"] = 1
        holding[unit]["secured"] = 1 if forged and units[unit]["keywords"] & troops != np.uint64(0) else 0


@kernel
def count_models(
    models: Array,
    units: Array,
    objectives: Array,
    holding: Array,
    counted_for: Array,
    never: int,
    horizontal: float,
    vertical: float,
    binding: bool,
) -> None:
    """Count the models of both players at every placed marker and set its holder (w9.objective.control, .secured).

    A model in range of several markers counts for the one in ``counted_for``, else for the nearest
    (w9.objective.one-marker). If ``binding``, the marker that it counts for now is written there. ``horizontal``,
    ``vertical``: range of markers, inches.
    """
    for o in range(len(objectives)):
        if objectives[o]["placed"] != 0:
            objectives[o]["level0"] = 0
            objectives[o]["level1"] = 0
            objectives[o]["holder"] = 0  # while counting: bits of the players with Objective Secured
    for k in range(len(models)):
        if not counts(models, units, k, never):
            continue
        goal = -1
        nearest = 0.0
        for o in range(len(objectives)):
            if far_off(models, k, objectives, o, horizontal):
                continue
            if counted_for[k] == 0 or counted_for[k] == o + 1:
                gap = in_reach(models, k, objectives, o, horizontal, vertical)
                if gap >= 0.0 and (goal < 0 or gap < nearest):
                    goal = o
                    nearest = gap
        if goal < 0:
            continue
        if binding:
            counted_for[k] = goal + 1
        unit = models[k]["unit"]
        if models[k]["owner"] == 0:
            objectives[goal]["level0"] += holding[unit]["each"]
        else:
            objectives[goal]["level1"] += holding[unit]["each"]
        if holding[unit]["secured"] != 0:
            objectives[goal]["holder"] |= 1 << models[k]["owner"]
    for o in range(len(objectives)):
        if objectives[o]["placed"] != 0:
            secured, mine, theirs = objectives[o]["holder"], objectives[o]["level0"], objectives[o]["level1"]
            if secured == 1 or secured == 2:
                objectives[o]["holder"] = secured - 1
            else:
                objectives[o]["holder"] = 0 if mine > theirs else (1 if theirs > mine else -1)


@kernel
def count_by_keyword(
    models: Array,
    units: Array,
    objectives: Array,
    holding: Array,
    counted_for: Array,
    binding: bool,
    never: int,
    horizontal: float,
    vertical: float,
    troops: np.uint64,
    first: bool,
    second: bool,
) -> None:
    """First ``secured_by_keyword``, then ``count_models``."""
    secured_by_keyword(units, holding, troops, first, second)
    count_models(models, units, objectives, holding, counted_for, never, horizontal, vertical, binding)


@kernel
def between_markers(
    models: Array, units: Array, objectives: Array, counted_for: Array, never: int, horizontal: float, vertical: float
) -> int:
    """The first model within range of two or more markers that has counted for none yet; -1 if there is none."""
    for k in range(len(models)):
        if counted_for[k] != 0 or not counts(models, units, k, never):
            continue
        found = 0
        for o in range(len(objectives)):
            if not far_off(models, k, objectives, o, horizontal):
                if in_reach(models, k, objectives, o, horizontal, vertical) >= 0.0:
                    found += 1
        if found > 1:
            return k
    return -1


def undecided(g: BattleCore) -> int:
    """The first model that is in range of several markers and has counted for none yet (w9.objective.one-marker); -1 if
    there is none.
    """
    near, far = g.setup.rules["marker_range"], g.setup.rules["marker_vertical"]
    tables = g.models.rows, g.units.rows, g.objectives.rows, g.counted_for_array
    return int(g.work.call(between_markers, *tables, NEVER_CONTROL, near, far))


def markers_near(g: BattleCore, model: int) -> list[int]:
    """Markers that a model is in range of."""
    near, far = g.setup.rules["marker_range"], g.setup.rules["marker_vertical"]
    rows = g.objectives.rows
    return [o for o in range(len(rows)) if in_reach(g.models.rows, model, rows, o, near, far) >= 0.0]


def troops_of(setup: Setup) -> np.uint64:
    """The bit of the keyword TROOPS; 0 if no unit of the battle has it."""
    return np.uint64(keyword_bit(setup.statics["keyword_bits"], TROOPS))


def numbers_of(setup: Setup) -> tuple[Any, ...]:
    """The arguments of ``count_by_keyword`` after ``binding``."""
    rules = setup.rules
    first, second = rules["battle_forged"]
    return NEVER_CONTROL, rules["marker_range"], rules["marker_vertical"], troops_of(setup), bool(first), bool(second)


def count_control(g: BattleCore, binding: bool = False) -> None:
    """Determine who controls each marker now. ``binding``: victory points depend on it, so that each model counts for
    one marker a turn.
    """
    setup, work = g.setup, g.work
    tables = g.models.rows, g.units.rows, g.objectives.rows, g.holding.rows, g.counted_for_array
    if not setup.rules["control"]:
        work.call(count_by_keyword, *tables, binding, *work.about(setup, numbers_of))
        return
    rules, troops = setup.rules, int(troops_of(setup))
    for unit in range(len(g.units.place)):
        g.holding.secured[unit], g.holding.each[unit] = secured_by(g, unit, troops)
    work.call(count_models, *tables, NEVER_CONTROL, rules["marker_range"], rules["marker_vertical"], binding)


def secured_by(g: BattleCore, unit: int, troops: int) -> tuple[int, int]:
    """Returns whether the unit has Objective Secured (w9.objective.secured) and as how many models each of its models
    counts. ``troops``: the bit of that keyword.

    A rule that loses or prevents Objective Secured prevails over any number of rules that give it
    (w9.rare.objective-secured.lost), and over the doubling of models (w9.rare.objective-secured.bonus-lost).
    """
    rules, owner, keywords = g.setup.rules, g.units.owner[unit], g.units.keywords[unit]
    bits = g.setup.statics["keyword_bits"]
    effects = [
        row["effect"]
        for number, row in enumerate(rules["control"])
        if row.get("player", owner) == owner
        and keywords & keyword_bit(bits, row["keyword"])
        and holds(g, number, row, owner)
    ]
    if DENIES in effects:
        return 0, 1
    gained = effects.count(GIVES) + bool(rules["battle_forged"][owner] and keywords & troops)
    each = 2 if DOUBLES in effects and gained else 1
    return int(gained > 0 or DOUBLES in effects), each
