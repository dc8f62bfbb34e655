"""Shipped datasheets of the 10th edition: where their numbers are from, one dated list of points, and what armies may
not do with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from wh_env import ContentError
from wh_env.content.catalogues.comparing import accepted_list, origin
from wh_env.content.load import OWN, config_root, names, validate
from wh_env.content.w10.load import load_army, load_datasheet, load_datasheets, load_faction, muster_army
from wh_env.content.w10.muster import army_faults
from wh_env.content.w10.points import points_lists
from wh_env.content.w10.schema import Army, Datasheet

SHEETS = load_datasheets()
DATE = "2025-12-04"


def test_every_shipped_datasheet_says_where_its_numbers_are_from():
    assert len(SHEETS) == 45
    assert {(s.data_source, s.as_of) for s in SHEETS.values()} == {("BSData wh40k-10e", DATE)}
    assert origin(SHEETS["Captain"]) == f"BSData wh40k-10e as of {DATE}"
    assert SHEETS["Captain"].source == "configs/w10/datasheets/adeptus-astartes/captain.yaml"  # the file, for messages


def test_one_list_prices_all_of_them():
    (listed,) = points_lists("w10")
    assert listed.as_of == DATE and set(listed.points) == set(SHEETS)
    for path in (config_root() / "w10" / "datasheets").glob("*/*.yaml"):
        sheet = yaml.safe_load(path.read_text())
        assert "points" not in sheet, path
        assert SHEETS[sheet["name"]].points == listed.points[sheet["name"]]
    for name in names("factions", "w10"):
        for detachment in load_faction(name).detachments:
            assert {e.name: e.points for e in detachment.enhancements}.items() <= listed.enhancements.items()


def test_differences_that_stay_have_reasons():
    listed = accepted_list("w10")
    assert listed is not None and DATE in listed.against
    assert {one.sheet for one in listed.accepted} <= set(SHEETS)


def own_sheet(**changes: Any) -> dict[str, Any]:
    """A datasheet as a file of the user's has it."""
    model = {"name": "Man", "min": 1, "max": 5, "M": 6, "T": 4, "Sv": "3+", "W": 2, "Ld": "6+", "OC": 2, "weapons": []}
    return {
        "name": "Men",
        "faction": "Own",
        "faction_keywords": ["OWN"],
        "keywords": ["INFANTRY"],
        "models": [{**model, "base": {"circle_mm": 32}, "height_in": 1.5}],
        "weapons": {},
        **changes,
    }


@pytest.mark.parametrize("day", ["2025-13-01", "2025-12", "yesterday", 20251204, "2025-12-4"])
def test_as_of_is_a_date(day: object):
    with pytest.raises(ContentError, match=r"as_of.*a date such as 2025-12-04"):
        validate(Datasheet, own_sheet(as_of=day), "<sheet>")


def test_points_of_a_list_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The user's list counts before the shipped one; a datasheet that says its points keeps them; without any there is
    a fault."""
    with pytest.raises(ContentError, match=r"points: .* are not given"):
        load_datasheet(own_sheet())
    (tmp_path / "w10").mkdir()
    rows = {"Men": [{"models": 5, "points": 60}], "Captain": [{"models": 1, "points": 99}]}
    text = {"source": "mine", "as_of": "2026-01-01", "points": rows}
    (tmp_path / "w10" / "points.yaml").write_text(yaml.safe_dump(text))
    monkeypatch.setenv(OWN, str(tmp_path))
    assert load_datasheet(own_sheet()).cost(3) == 60
    assert load_datasheet("Captain").cost(1) == 99 and load_datasheet("Librarian").cost(1) == 65
    assert load_datasheet(own_sheet(points=[{"models": 5, "points": 70}])).cost(5) == 70
    rows["Men"] = [{"models": 6, "points": 60}]
    (tmp_path / "w10" / "points.yaml").write_text(yaml.safe_dump(text))
    with pytest.raises(ContentError, match=r"points.Men.*rising numbers of models within 1-5"):
        load_datasheet(own_sheet())


# ---------------------------------------------------------------- what armies may not do


def faults(
    *units: dict[str, Any], faction: str = "Adeptus Astartes", detachment: str = "Gladius Task Force"
) -> list[str]:
    """What is wrong with an army of these units, the first of which is the Warlord."""
    units = tuple({**unit, "warlord": True} if at == 0 else unit for at, unit in enumerate(units))
    army = validate(Army, {"name": "A", "faction": faction, "detachment": detachment, "units": list(units)}, "<army>")
    return [str(fault) for fault in army_faults(army, SHEETS, load_faction(faction), 2000)]


CAPTAIN = {"datasheet": "Captain", "id": "captain"}


@pytest.mark.parametrize(
    ("carrier", "cargo", "may"),
    [
        ("Razorback", "Intercessor Squad", False),
        ("Razorback", "Infiltrator Squad", False),
        ("Razorback", "Scout Squad", True),
        ("Rhino", "Hellblaster Squad", False),
        ("Rhino", "Scout Squad", True),
        ("Impulsor", "Intercessor Squad", True),
        ("Impulsor", "Infiltrator Squad", True),
        ("Impulsor", "Scout Squad", False),
        ("Impulsor", "Terminator Squad", False),
        ("Stormraven Gunship", "Terminator Squad", True),
    ],
)
@pytest.mark.rule("w10.transport.capacity")
def test_who_is_carried(carrier: str, cargo: str, may: bool):
    found = faults(
        CAPTAIN,
        {"datasheet": carrier, "id": "hull", "hover": carrier == "Stormraven Gunship"},
        {"datasheet": cargo, "embarked_in": "hull"},
    )
    assert [f"cannot embark in {carrier}" in fault for fault in found] == ([] if may else [True])


@pytest.mark.parametrize(
    ("leader", "option", "unit", "may"),
    [
        ("Captain", "relic shield", "Bladeguard Veteran Squad", True),
        ("Captain", "power weapon", "Bladeguard Veteran Squad", False),
        ("Captain", "power fist", "Hellblaster Squad", True),
        ("Captain", None, "Hellblaster Squad", False),
        ("Captain", None, "Intercessor Squad", True),
        ("Librarian", None, "Bladeguard Veteran Squad", False),
        ("Librarian", None, "Hellblaster Squad", True),
        ("Techmarine", None, "Intercessor Squad", True),
    ],
)
@pytest.mark.rule("w10.deploy.leader.units")
def test_whom_leaders_lead(leader: str, option: str | None, unit: str, may: bool):
    equipment = {leader: {option: 1}} if option else {}
    found = faults({"datasheet": leader, "equipment": equipment, "leads": "led"}, {"datasheet": unit, "id": "led"})
    assert ["cannot be led by it" in fault for fault in found] == ([] if may else [True])


@pytest.mark.rule("w10.army.warlord")
def test_who_cannot_be_the_warlord():
    (found,) = faults({"datasheet": "Lieutenant with Combi-weapon"})
    assert "cannot be the Warlord" in found


@pytest.mark.rule("w10.army.enhancements.characters")
def test_an_enhancement_for_captains():
    assert not faults({**CAPTAIN, "enhancement": "Adept of the Codex"})
    (found,) = faults({"datasheet": "Librarian", "enhancement": "Adept of the Codex"})
    assert "is not open to Librarian; expected a model with CAPTAIN" in found


@pytest.mark.rule("w10.datasheet.wargear-options")
def test_options_that_are_counted_together():
    """One heavy weapon for five Terminators, whichever it is."""
    squad = {"datasheet": "Terminator Squad", "models": 5}
    assert not faults(CAPTAIN, {**squad, "equipment": {"Terminator": {"assault cannon": 1, "chainfist": 2}}})
    (found,) = faults(CAPTAIN, {**squad, "equipment": {"Terminator": {"assault cannon": 1, "heavy flamer": 1}}})
    assert "at most 1 with a heavy weapon" in found
    assert not faults(
        CAPTAIN, {**squad, "models": 10, "equipment": {"Terminator": {"assault cannon": 1, "heavy flamer": 1}}}
    )


@pytest.mark.parametrize("name", names("armies", "w10"))
def test_shipped_armies_say_what_they_cost(name: str):
    army = muster_army(load_army(name))
    text = (config_root() / "w10" / "armies" / f"{name.split('/')[1]}.yaml").read_text()
    assert f" {army.points} points" in text.splitlines()[0]
