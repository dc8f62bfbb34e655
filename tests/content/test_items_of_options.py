"""Abilities that an option gives belong to the models that took the option: in catalogues, rosters and battles."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import rosters
from catalogues import ability, entry, group, gun, limit, link, model_line, written

from wh_env.content.catalogues import importing
from wh_env.content.catalogues.importing import ImportedFaction
from wh_env.content.catalogues.telling import Report
from wh_env.content.load import validate
from wh_env.content.rosters.selections import selection_of
from wh_env.content.w10.abilities import bears
from wh_env.content.w10.importing import IMPORTING
from wh_env.content.w10.importing.sheets import sheet_of
from wh_env.content.w10.importing.texts import Fitting, Headed, Line, Listed
from wh_env.content.w10.muster import write_out
from wh_env.content.w10.schema import ArmyUnit, Datasheet

import_factions = partial(importing.import_factions, (IMPORTING,))
ONE = [limit("min", 1), limit("max", 1)]
DRUM = entry("drum", "Drum", profiles=[ability("Drum", "Add 1 to Charge rolls made for the bearer's unit.")], points=5)
SHELL = entry("shell", "Shell", profiles=[ability("Shell", "The bearer has a 5+ invulnerable save.")])
ODD = entry("odd", "Odd", profiles=[ability("Odd", "The bearer sings on Tuesdays.")])
BOW = entry("bow", "Bow", profiles=[gun("Bow")])
HOOK = entry("hook", "Hook", profiles=[gun("Hook")])
SHARED = [DRUM, SHELL, ODD, BOW, HOOK]


def eels(**changes: Any) -> str:
    """A healer with an ability of its own, and up to nine eels with a bow or a hook, and a drum and a shell."""
    healer = entry(
        "healer",
        "Healer",
        "model",
        profiles=[model_line("Healer"), ability("Salve", "Models in this unit have the Feel No Pain 6+ ability.")],
        limits=ONE,
        links=[link("bow", "Bow", limits=ONE)],
    )
    eel = entry(
        "eel",
        "Eel",
        "model",
        profiles=[model_line("Eel", W="1")],
        limits=[limit("min", 4), limit("max", 9)],
        links=[link("drum", "Drum"), link("odd", "Odd")],
        groups=[
            group("arm", "Weapon", links=[link("bow", "Bow"), link("hook", "Hook")], limits=ONE),
            group("shield", "Shield", links=[link("shell", "Shell")], limits=[limit("max", 1)]),
        ],
    )
    parts = {"categories": ["Infantry", "Faction: Own"], "inside": [healer, eel], "points": 50}
    return entry("eels", "Eels", "unit", **{**parts, **changes})


def imported(folder: Path, *units: str) -> ImportedFaction:
    [found] = import_factions([written(folder, list(units), shared=SHARED)])
    return found


def sheet(folder: Path, **changes: Any) -> Datasheet:
    """The datasheet of the eels."""
    return validate(Datasheet, imported(folder, eels(**changes)).made.sheets["Eels"], "<test>")


def options(kind: Any) -> dict[str, tuple[list[str], list[str]]]:
    return {option.name: (sorted(option.weapons), sorted(option.wargear)) for option in kind.options}


def bearers(eel_sheet: Datasheet, name: str, **equipment: int) -> int:
    """How many models of a unit of five eels with this equipment have the ability of this name."""
    unit = validate(ArmyUnit, {"datasheet": "Eels", "models": 5, "equipment": {"Eel": equipment}}, "<test>")
    [one] = [ability for ability in eel_sheet.abilities.other if ability.name == name]
    return sum(bears(one, eel_sheet, model) for model in write_out(unit, eel_sheet))


def test_an_option_that_gives_an_understood_ability_is_an_option_of_the_models(tmp_path: Path) -> None:
    made = imported(tmp_path, eels()).made
    healer, eel = validate(Datasheet, made.sheets["Eels"], "<test>").models
    assert (healer.wargear, eel.wargear) == (("Salve",), ())
    assert options(healer) == {}
    assert options(eel) == {
        "Hook": (["Hook"], []),
        "Drum": (["Bow"], ["Drum"]),
        "Shell": (["Bow"], ["Shell"]),
        "Hook, Shell": (["Hook"], ["Shell"]),
        "Hook, Drum": (["Hook"], ["Drum"]),
        "Shell, Drum": (["Bow"], ["Drum", "Shell"]),
        "Hook, Shell, Drum": (["Hook"], ["Drum", "Shell"]),
    }
    assert {o.name: o.points for o in eel.options}["Drum"] == 5
    assert {row["name"]: row.get("wargear") for row in made.sheets["Eels"]["abilities"]["other"]} == {
        "Salve": "Salve",
        "Drum": "Drum",
        "Shell": "Shell",
        "Odd": None,
    }
    assert made.report.missed == ["Eels: Odd"]


def test_only_those_who_took_the_option_have_the_ability(tmp_path: Path) -> None:
    eel_sheet = sheet(tmp_path)
    assert bearers(eel_sheet, "Drum") == 0
    assert bearers(eel_sheet, "Drum", Drum=1) == 1
    assert bearers(eel_sheet, "Shell", **{"Hook, Shell": 2}) == 2
    assert bearers(eel_sheet, "Salve", Drum=1) == 1
    [shell] = [one for one in eel_sheet.abilities.other if one.name == "Shell"]
    [drum] = [one for one in eel_sheet.abilities.other if one.name == "Drum"]
    assert [play.own for play in shell.plays] == [True]  # of the bearer
    assert [play.own for play in drum.plays] == [False]  # of its unit


def test_an_ability_that_all_kinds_of_models_have_is_one_of_the_unit(tmp_path: Path) -> None:
    salve = ability("Salve", "Models in this unit have the Feel No Pain 6+ ability.")
    eel = entry("eel", "Eel", "model", profiles=[model_line("Eel"), salve], limits=[limit("min", 4), limit("max", 9)])
    healer = entry("healer", "Healer", "model", profiles=[model_line("Healer"), salve], limits=ONE)
    [one] = sheet(tmp_path, inside=[healer, eel]).abilities.other
    assert (one.name, one.active, one.wargear) == ("Salve", True, None)


def test_an_item_that_the_unit_has_is_borne_by_one_model(tmp_path: Path) -> None:
    eel = entry(
        "eel",
        "Eel",
        "model",
        profiles=[model_line("Eel")],
        limits=[limit("min", 5), limit("max", 9)],
        links=[link("bow", "Bow", limits=ONE)],
    )
    eel_sheet = sheet(tmp_path, inside=[eel], links=[link("drum", "Drum", limits=[limit("max", 1)])])
    [option] = eel_sheet.models[0].options
    assert (option.name, option.weapons, option.wargear, option.max) == ("Drum", ("Bow",), ("Drum",), 1)
    assert bearers(eel_sheet, "Drum", Drum=1) == 1


def test_an_ability_that_no_model_can_have_is_not_played(tmp_path: Path) -> None:
    """A choice that the unit must make as a whole is none of its models'."""
    eel = entry("eel", "Eel", "model", profiles=[model_line("Eel")], limits=[limit("min", 5), limit("max", 9)])
    marks = group("mark", "Mark", links=[link("drum", "Drum"), link("odd", "Odd")], limits=ONE)
    made = imported(tmp_path, eels(inside=[eel], groups=[marks])).made
    assert made.report.missed == ["Eels: Odd", "Eels: Drum"] and not made.report.understood
    assert [row["active"] for row in made.sheets["Eels"]["abilities"]["other"]] == [False, False]


@pytest.mark.parametrize("within", ["model", "unit"])
def test_a_roster_has_the_items_that_it_chose(tmp_path: Path, within: str) -> None:
    eel_sheet = sheet(tmp_path)
    bow = rosters.chosen("Bow", number=4, profiles=[rosters.ranged("Bow", '24"', "1", "3+", "4", "0", "1")])
    drum = rosters.chosen("Drum")
    inner = [bow, drum] if within == "model" else [bow]
    models = [
        rosters.chosen("Healer", "model", profiles=[rosters.unit_line("Healer")], inside=[{**bow, "number": 1}]),
        rosters.chosen("Eel", "model", 4, profiles=[rosters.unit_line("Eel")], inside=inner),
    ]
    inside = models if within == "model" else [*models, drum]
    tree = rosters.chosen("Eels", "unit", profiles=[], categories=["Infantry"], inside=inside)
    unit = selection_of(tree, "<test>", "")
    known = {"Bow": unit.inside[0].inside[0].profiles_of("Ranged Weapons")}
    row = sheet_of(unit, "Eels", known, eel_sheet, "Own", [], 50, "<test>", Report())
    borne = {(model["name"], model["max"]): model.get("wargear") for model in row["models"]}
    if within == "model":
        assert borne == {("Healer", 1): ["Salve"], ("Eel", 1): ["Drum"], ("Eel (3)", 3): None}
    else:
        assert borne == {("Healer", 1): ["Drum", "Salve"], ("Eel", 4): None}


def test_a_list_as_text_names_items(tmp_path: Path) -> None:
    eel_sheet = sheet(tmp_path)
    lines = [Line(1, "Healer", 1), Line(4, "Eel", 1), Line(1, "Drum", 2), Line(1, "Gong", 2)]
    fitting = Fitting(Listed(5, "Eels", 50, "", lines), eel_sheet, Headed(), {})
    unit = fitting.selection()
    assert fitting.unknown == ["Gong"]
    assert [one.name for one in unit.inside[1].all()] == ["Eel", "Drum", "Bow"]
