"""What a state of a battle of regiments must be like so that it can be played on; see ``core.validation``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.core.validation import Fault, row_faults
from wh_env.rulesets.wap.basics.blocks import derive_all


def contradictions(g: BattleCore) -> Iterator[Fault]:
    """Who belongs to which unit, and that places are those of the blocks."""
    setup, models, units = g.setup, g.models.rows, g.units.rows
    template = setup.layout.view(setup.template, "models")
    yield from row_faults("models", "unit", models["unit"], models["unit"] != template["unit"], "the unit it is of")
    there = units["place"] == ON_TABLE
    few = there & ((units["files"] < 1) | (units["files"] > units["alive"]))
    yield from row_faults(
        "units", "files", units["files"], few, "1 file or more, and no more than models, on the table"
    )
    dead = there & (units["alive"] == 0)
    yield from row_faults("units", "place", units["place"], dead, f"{DESTROYED} for a unit without models")
    held = np.array([len(outfit.weapons) for outfit in setup.statics["outfits"]])
    yield from row_faults("units", "weapon", units["weapon"], units["weapon"] > held, "one of the weapons that it has")
    if not few.any():
        yield from underived(g)


def underived(g: BattleCore) -> Iterator[Fault]:
    """Places, parts and Unit Strengths that are not those of the blocks."""
    tables = {name: getattr(g, name).rows for name in ("models", "units", "parts")}
    known = {name: rows.copy() for name, rows in tables.items()}
    derive_all(known["models"], known["units"], known["parts"])
    for name, rows in tables.items():
        for column in rows.dtype.names or ():
            wrong = rows[column] != known[name][column]
            yield from row_faults(name, column, rows[column], wrong, "what follows from the block of its unit")
