"""The datasheets of a unit, as far as a seat may know them."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from wh_env.content.sheets import Sheet, sheets
from wh_env.core.procedures import Hidden
from wh_env.core.tables import ATTACHED
from wh_env.render.labels import column

from .messages import Refused
from .viewpoint import Viewpoint


def sheets_of_unit(view: Viewpoint, unit: int) -> dict[str, Any]:
    """The message with the datasheets of a unit and of the units attached to it. Notes, which name equipment, are left
    out while something that a unit carries is hidden.

    Args:
        view: what the seat sees.
        unit: row of the unit.

    Raises:
        Refused: there is no such unit, or it is hidden from the seat.
    """
    units, hidden = view.battle.units, view.hidden()
    if not 0 <= unit < len(units.owner) or any(_hides(view, unit, value) for value in hidden):
        raise Refused("nothing is known of that unit")
    bodyguard = column(units, "bodyguard")
    joined = [row for row, place in enumerate(units.place) if place == ATTACHED and bodyguard is not None]
    rows = [unit, *(row for row in joined if bodyguard[row] == unit)]
    known = [row for row in rows if not any(_hides(view, row, value) for value in hidden)]
    every = sheets(view.battle.setup)
    told = [_known(view, every[row], row, hidden) for row in known]
    return {"type": "sheet", "unit": unit, "sheets": [asdict(sheet) for sheet in told]}


def _hides(view: Viewpoint, unit: int, value: Hidden) -> bool:
    """Whether a hidden value covers a whole unit or its models."""
    units = view.battle.units
    if value.columns or value.table not in ("units", "models"):
        return False
    first = unit if value.table == "units" else units.first[unit]
    last = unit + 1 if value.table == "units" else first + units.count[unit]
    return value.first < last and first < value.last


def _known(view: Viewpoint, sheet: Sheet, unit: int, hidden: Any) -> Sheet:
    """The part of a sheet that is no secret."""
    secret = any(value.table == "items" for value in hidden) and view.battle.units.owner[unit] != view.seat
    return replace(sheet, notes=()) if secret else sheet
