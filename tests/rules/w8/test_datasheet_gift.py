"""Nurgle's Gift: enemies near Death Guard models around a Lord of Contagion (w8.datasheet.lord-of-contagion.nurgles-gift*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from classic import raw_sheet
from eighth_files import army, at, loaded, model_of, put, unit_of

from wh_env.content import ContentError, w8
from wh_env.content.battle import Battle
from wh_env.testing import choose, dice_left, kind, slots, told

SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
GIFT = "w8.datasheet.lord-of-contagion.nurgles-gift"
INCH = 25.4
LORD, MARINE, FOE = 25.0 / INCH, 16.0 / INCH, 16.0 / INCH  # half of their bases, in inches
LORDS = "Lord of Contagion"
Places = Sequence[tuple[float, float]]


def soldiers(name: str, models: int = 1, **model: Any) -> dict[str, Any]:
    """Enemies of one wound that nothing saves."""
    return raw_sheet(name, model={"min": models, "max": models, "W": 1, "Sv": "-", "Ld": 7, **model})


def begin(
    places: Mapping[str, Places], *, player: int = 0, active: int | None = None, detail: str = "squad", dice: Sequence[int] = (),
    marines: int = 0, lords: int = 1, foes: Sequence[dict[str, Any]] = (), **rules: Any,
) -> Battle:  # fmt: skip
    """The turn of ``active`` begins, that of the Death Guard's player where not given: models at these places by name of their unit."""
    units: list[Any] = [{"datasheet": LORDS, "id": f"Lord {n}"} for n in range(lords)]
    units += [{"datasheet": "Plague Marines", "id": f"Marines {n}", "models": 1} for n in range(min(marines, 1))]
    if marines > 1:
        units[-1]["models"] = marines + 4  # at least five
    battle = at(loaded(army(*units), army(*foes), player, detail), "movement", {}, active=player if active is None else active, dice=dice, **rules)
    return battle


def scene(places: Mapping[str, Places], player: int, foes: Sequence[dict[str, Any]], lords: int, marines: int, detail: str) -> Any:
    """A function that puts all models where they stand, before the turn begins."""


@pytest.mark.rule("w8.concepts.aura.self")
def test_placeholder():
    """Replaced below."""
