"""Points and Power of datasheets: their own, else those of the ruleset's dated list."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeVar

from pydantic import Field

from wh_env.content.classic.schema import ClassicDatasheet, PowerRows
from wh_env.content.errors import ContentError
from wh_env.content.fields import Content, Count, Day, Name
from wh_env.content.kept import Same
from wh_env.content.load import content_roots, display, from_file, there
from wh_env.content.w40k.datasheets import Datasheets

PRICES = "points.yaml"  # in the folder of the ruleset


class PriceList(Content):
    """Points of models and Power Ratings of units, by datasheet: one dated list for all armies of the ruleset."""

    data_source: Name = Field(alias="source")
    as_of: Day
    points: Annotated[dict[Name, Count], Field(max_length=2000)] = Field(default_factory=dict)
    power: Annotated[dict[Name, PowerRows], Field(max_length=2000)] = Field(default_factory=dict)


S = TypeVar("S", bound=ClassicDatasheet)


def price_lists(ruleset: str) -> list[PriceList]:
    """The lists of points and Power: the user's own before the shipped one."""
    paths = [root / ruleset / PRICES for root in content_roots()]
    return [from_file(PriceList, path) for path in paths if there(path)]


def priced(sheet: S, ruleset: str) -> S:
    """The datasheet with its points and Power; values that the sheet states itself are kept.

    Raises:
        ContentError: neither sheet nor list gives its Power, or the points that its edition counts; or the list gives
            the Power of unit sizes that the sheet does not allow.
    """
    said = "points" in sheet.model_fields_set
    if sheet.power and (said or not sheet.counts_points):
        return sheet
    priced_sheet: S = _priced(Same(sheet), ruleset, tuple(map(Same, price_lists(ruleset))))
    return priced_sheet


@lru_cache(maxsize=4096)
def _priced(same: Same[Any], ruleset: str, lists: tuple[Same[PriceList], ...]) -> Any:
    sheet, more = same.value, dict[str, object]()
    said = "points" in sheet.model_fields_set
    for listed in (each.value for each in lists):
        rows = listed.power.get(sheet.name)
        if rows and not sheet.power and "power" not in more:
            sizes = [row.models for row in rows]
            if not sheet.sizes_fit(sizes):
                raise ContentError(
                    listed.source, f"power.{sheet.name}", sizes, sheet.sizes, "are the sizes with a Power Rating"
                )
            more["power"] = rows
        if sheet.name in listed.points and not said:
            more.setdefault("points", listed.points[sheet.name])
    lacking = [] if sheet.power else ["power"]
    lacking += ["points"] if sheet.counts_points and not said else []
    for field in lacking:
        if field not in more:
            expected = f"{field} here or in {display(content_roots()[-1] / ruleset / PRICES)}"
            raise ContentError(sheet.source, field, None, expected, "is not given")
    return sheet.model_copy(update=more)


class PricedDatasheets(Datasheets[S]):
    """Datasheets with their points and Power."""

    def finished(self, sheet: S) -> S:
        """The datasheet with its points and Power (``priced``)."""
        return priced(sheet, self.ruleset)
