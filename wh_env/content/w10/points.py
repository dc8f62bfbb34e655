"""Points of units: those of the datasheet, else those of the ruleset's dated list."""

from __future__ import annotations

from functools import lru_cache

from wh_env.content.errors import ContentError
from wh_env.content.kept import Same
from wh_env.content.load import content_roots, display, from_file, there
from wh_env.content.w10.schema import Datasheet, PointsList
from wh_env.content.w40k.datasheets import Datasheets

POINTS = "points.yaml"  # in the folder of the ruleset


def points_lists(ruleset: str) -> list[PointsList]:
    """The lists of points: the user's own before the shipped one."""
    paths = [root / ruleset / POINTS for root in content_roots()]
    return [from_file(PointsList, path) for path in paths if there(path)]


def priced(sheet: Datasheet, ruleset: str) -> Datasheet:
    """The datasheet with its points; points that it states itself are kept.

    Raises:
        ContentError: neither sheet nor list gives points, or the list gives those of sizes that the sheet does not
            allow.
    """
    if sheet.points:
        return sheet
    return _priced(Same(sheet), ruleset, tuple(map(Same, points_lists(ruleset))))


@lru_cache(maxsize=4096)
def _priced(same: Same[Datasheet], ruleset: str, lists: tuple[Same[PointsList], ...]) -> Datasheet:
    sheet = same.value
    for listed in (each.value for each in lists):
        rows = listed.points.get(sheet.name)
        if not rows:
            continue
        sizes = [row.models for row in rows]
        if not sheet.sizes_fit(sizes):
            expected = f"rising numbers of models within {sheet.smallest}-{sheet.largest}, as its datasheet says"
            raise ContentError(listed.source, f"points.{sheet.name}", sizes, expected, "are the sizes with points")
        return sheet.model_copy(update={"points": rows})
    expected = f"points here or in {display(content_roots()[-1] / ruleset / POINTS)}"
    raise ContentError(sheet.source, "points", None, expected, "are not given")


class PricedDatasheets(Datasheets[Datasheet]):
    """Datasheets with their points."""

    def finished(self, sheet: Datasheet) -> Datasheet:
        """The datasheet with its points (``priced``)."""
        return priced(sheet, self.ruleset)
