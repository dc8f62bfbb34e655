"""Sources of datasheets; points and Power: one dated list a ruleset, and armies that are legal by it."""

from __future__ import annotations

import pytest
import yaml
from classic import raw_army, raw_sheet

from wh_env import ContentError
from wh_env.content import epic, w8, w9
from wh_env.content.classic.prices import price_lists
from wh_env.content.load import OWN, config_root, names

EDITIONS = {"w9": w9, "w8": w8}
SHIPPED = [(edition, name) for edition, module in EDITIONS.items() for name in module.load_datasheets()]
BATTLES = [name for edition in EDITIONS for name in names("battles", edition) if "random" not in name]


@pytest.mark.parametrize(("edition", "name"), SHIPPED)
def test_shipped_datasheets_name_source_and_day_and_leave_prices_to_the_list(edition, name):
    sheet = EDITIONS[edition].load_datasheet(name)
    [listed] = price_lists(edition)
    assert sheet.data_source and sheet.as_of and listed.data_source and listed.as_of
    [path] = (config_root() / edition / "datasheets").rglob(f"{name.lower().replace(' ', '-')}.yaml")
    assert {"points", "power"}.isdisjoint(yaml.safe_load(path.read_text(encoding="utf-8")))
    assert sheet.power == listed.power[name]
    assert sheet.points == listed.points.get(name, 0) and (name in listed.points) == (edition == "w9")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_list_names_shipped_datasheets_alone(edition):
    [listed] = price_lists(edition)
    assert {*listed.points, *listed.power} == set(EDITIONS[edition].load_datasheets())


def test_sheets_of_formations_name_their_source():
    assert all(epic.load_sheet(name).data_source for name in names("factions", "epic"))


@pytest.mark.parametrize("name", BATTLES)
def test_armies_of_shipped_battles_are_legal_and_their_comments_true(name):
    edition = name.split("/")[0]
    loaded = EDITIONS[edition].load_battle(name)
    for file, army in zip(loaded.config.armies, loaded.armies, strict=True):
        text = (config_root() / edition / "armies" / f"{file}.yaml").read_text(encoding="utf-8").splitlines()[0]
        assert f"{army.power} Power" in text
        assert edition == "w8" or (f"{army.points} points" in text and army.battle_forged and army.points <= army.limit)


def no_price(**fields):
    """A datasheet that says neither points nor Power."""
    return {key: value for key, value in raw_sheet(**fields).items() if key not in ("points", "power")}


def mine(folder, monkeypatch, text):
    """A folder of one's own with this list of the 9th edition."""
    (folder / "w9").mkdir()
    (folder / "w9" / "points.yaml").write_text(f"source: mine\nas_of: 2024-02-29\n{text}", encoding="utf-8")
    monkeypatch.setenv(OWN, str(folder))


def test_a_list_of_one_s_own_prices_one_s_own_and_shipped_datasheets(tmp_path, monkeypatch):
    mine(tmp_path, monkeypatch, "points: {Squad: 21, Rhino: 3}\npower: {Squad: [{models: 10, power: 6}]}\n")
    sheet = w9.load_datasheet(no_price())
    assert (sheet.points, sheet.power_of(10)) == (21, 6)
    assert w9.load_datasheet(raw_sheet()).points == 20  # what it says itself counts
    rhino = w9.load_datasheet("Rhino")
    assert (rhino.points, rhino.power_of(1)) == (3, 4)
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": [raw_army(no_price())] * 2})
    assert loaded.armies[0].points == 21 * no_price()["models"][0]["min"]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("points: {Squad: 5}", "power", None),
        ("power: {Squad: [{models: 10, power: 6}]}", "points", None),
        ("points: {Squad: 5}\npower: {Squad: [{models: 11, power: 6}]}", "power.Squad", [11]),
        ("points: {Squad: 5}\npower: {Squad: [{models: 4, power: 6}]}", "power.Squad", [4]),
    ],
)
def test_prices_that_are_missing_or_do_not_fit_are_told(tmp_path, monkeypatch, text, field, value):
    mine(tmp_path, monkeypatch, text + "\n")
    with pytest.raises(ContentError) as caught:
        w9.load_datasheet(no_price())
    assert (caught.value.field, caught.value.value) == (field, value)


@pytest.mark.parametrize("day", ["2024-2-9", "2023-02-29", "20240101", 2024, "soon"])
def test_a_day_is_a_day(day):
    with pytest.raises(ContentError, match="a date such as"):
        w9.load_datasheet(raw_sheet(as_of=day))
