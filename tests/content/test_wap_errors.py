"""What is wrong with battles, armies, sheets, battlefields and missions of regiments: one clean error each, with file, field, value and what would do."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from wh_env import Battle, ContentError

MISSING = object()
ARMY = ("armies", 0)
CARD = (*ARMY, "sheet", "cards", "spearmen")
ROCK = {"kind": "impassable", "polygon": [[0, 0], [20, 0], [20, 20]]}


def whole() -> dict[str, Any]:
    """A battle with all that its names refer to written out."""
    battle: dict[str, Any] = json.loads(Battle.load("wap/open-skirmish", 1).setup.source)["battle"]
    return battle


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The same with something else at one place."""
    battle = copy.deepcopy(whole())
    *way, last = path
    at: Any = battle
    for key in way:
        at = at[key]
    if value is MISSING:
        del at[last]
    else:
        at[last] = value
    return battle


def test_as_it_is_it_loads() -> None:
    assert Battle.load(whole(), 1).setup.rules["mission"]["victory"] == "points"


@pytest.mark.parametrize(("path", "value", "field", "expected"), [
    ((*CARD, "profile", "ws"), 11, "cards.spearmen.profile.ws", "at most 10"),
    ((*CARD, "profile", "ws"), -1, "cards.spearmen.profile.ws", "at least 0"),
    ((*CARD, "profile", "ws"), "x", "cards.spearmen.profile.ws", "a whole number"),
    ((*CARD, "profile", "ld"), MISSING, "cards.spearmen.profile.ld", "a value"),
    ((*CARD, "base_mm"), [0, 20], "cards.spearmen.base_mm[0]", "at least 1.0"),
    ((*CARD, "base_mm"), [20], "cards.spearmen.base_mm", "at least 2 items"),
    ((*CARD, "base_mm"), [20, 1e9], "cards.spearmen.base_mm[1]", "at most 500.0"),
    ((*CARD, "base_mm"), [10, 10], "cards.spearmen.base_mm", "mm, or larger"),
    ((*CARD, "rules"), ["Sturbborn"], "cards.spearmen.rules[0]", "did you mean 'Stubborn'?"),
    ((*CARD, "rules"), ["Impact Hits (99999)"], "cards.spearmen.rules[0]", "words such as Impact Hits (D6)"),
    ((*CARD, "rules"), ["Random Movement (9D6)"], "cards.spearmen.rules[0]", "words such as Random Movement (2D6)"),
    ((*CARD, "rules"), ["Stubborn"] * 17, "cards.spearmen.rules", "at most 16 items"),
    ((*CARD, "points"), 10**9, "cards.spearmen.points", "at most 100000"),
    ((*CARD, "type"), "dragon", "cards.spearmen.type", "war machine"),
    ((*CARD, "equipment"), ["lanse"], "cards.spearmen.equipment[0]", "did you mean 'lance'?"),
    ((*CARD, "equipment"), ["lance"], "cards.spearmen.equipment[0]", "a weapon for use on foot"),
    ((*CARD, "size"), [10, 5], "cards.spearmen.size", "least and most models"),
    ((*CARD, "size"), [0, 5], "cards.spearmen.size[0]", "at least 1"),
    ((*ARMY, "units", 0, "models"), 0, "units[0].models", "at least 1"),
    ((*ARMY, "units", 0, "models"), 9, "units[0].models", "10 to 60 models"),
    ((*ARMY, "units", 0, "models"), 10**6, "units[0].models", "at most 100"),
    ((*ARMY, "units", 0, "models"), 2.5, "units[0].models", "a whole number"),
    ((*ARMY, "units", 0, "files"), 33, "units[0].files", "at most 32"),
    ((*ARMY, "units", 0, "files"), 4, "units[0].files", "no more ranks than files"),
    ((*ARMY, "units", 0, "card"), "spearman", "units[0].card", "did you mean 'spearmen'?"),
    ((*ARMY, "units", 0, "command"), ["standard", "standard"], "units[0].command", "once"),
    ((*ARMY, "units", 0, "general"), "yes", "units[0].general", "true or false"),
    ((*ARMY, "units"), [], "units", "at least 1 items"),
    ((*ARMY, "units"), MISSING, "units", "a value"),
    ((*ARMY, "sheet"), "hill-hosts", "sheet", "did you mean 'hill-host'?"),
    (("battlefield", "size"), [48, 1e6], "size[1]", "at most 300.0"),
    (("battlefield", "size"), [float("nan"), 48], "battlefield.size[0]", "a finite number"),
    (("battlefield", "features"), [{**ROCK, "kind": "swamp"}], "features[0].kind", "one of building, dangerous, forest, hill, impassable"),
    (("battlefield", "features"), [{"polygon": [[0, 0], [1, 0]]}], "features[0].polygon", "at least 3 items"),
    (("battlefield", "features"), [{"polygon": [[0, 0], [5, 5], [5, 0], [0, 5]]}], "features[0].polygon", "a simple polygon with an area"),
    (("battlefield", "features"), [{"polygon": [[40, 40], [99, 40], [99, 44]]}], "features[0].polygon", "a place on the 48 x 48 table"),
    (("battlefield", "features"), [ROCK, ROCK], "features[1]", "features that do not overlap"),
    (("mission", "rounds"), 0, "rounds", "at least 1"),
    (("mission", "rounds"), 10**9, "rounds", "at most 20"),
    (("mission", "deployment", "beyond_centre"), 24.0, "deployment.beyond_centre", "less than half of the width, 24"),
    (("mission", "first_turn", "roll"), "me", "first_turn.roll", "one of deployed-first, fewer-units, finished-first"),
    (("mission", "victory"), None, "victory", "one of control, fortitude, points"),
    (("mission", "special_rules"), MISSING, "special_rules", "a value"),
    (("detail",), "some", "detail", "one of full, squad"),
    (("rules",), {"rouns": 3}, "rouns", "did you mean 'rounds'?"),
    (("rules",), {"victory": {"destroyed": 101}}, "victory.destroyed", "at most 100"),
    (("rules",), {"degrees": {"solid victory": 9}}, "degrees.solid victory", "at least 10"),
    (("rules",), {"degrees": {"massacre": 24}}, "degrees.massacre", "at least 25"),
    (("points",), 0, "points", "at least 1"),
    (("armies",), [], "armies", "at least"),
])  # fmt: skip
def test_bad_battles_of_regiments(path: tuple[Any, ...], value: Any, field: str, expected: str) -> None:
    with pytest.raises(ContentError) as caught:
        Battle.load(changed(path, value), 1)
    fault = caught.value
    assert fault.field == field and expected in fault.expected, str(fault)
    assert fault.file.startswith("<battle>") and len(str(fault).splitlines()) == 1 + len(fault.others)
