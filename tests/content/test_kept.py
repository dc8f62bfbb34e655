"""Shipped files are read once until they are edited, and nobody can change what is kept of them."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wh_env import Battle
from wh_env.content import load, reading
from wh_env.content.geometry import are_apart, overlap
from wh_env.content.kept import Same
from wh_env.content.w10 import points
from wh_env.content.w10.points import PricedDatasheets, points_lists, priced
from wh_env.content.w10.schema import Datasheet
from wh_env.content.wap.load import armour, machines, weapons

RANDOM = ("w10/random-skirmish", "w9/random-patrol", "w8/random-skirmish", "wap/random-patrol", "epic/random-patrol")


@pytest.mark.parametrize("name", RANDOM)
def test_a_second_draw_of_a_random_battle_reads_no_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Battle.load(f"{name}?seed=1", 0).setup.source
    read: list[Path] = []
    inner = reading.read_yaml

    def noted(path: Path, shown: str | None = None) -> object:
        read.append(path)
        return inner(path, shown)

    monkeypatch.setattr(reading, "read_yaml", noted)
    assert Battle.load(f"{name}?seed=1", 0).setup.source == before
    assert read == []


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file among the shipped ones."""
    monkeypatch.setattr(load, "config_root", lambda: tmp_path)
    path = tmp_path / "file.yaml"
    path.write_text("units: [a, b]\n", encoding="utf-8")
    return path


def test_an_edited_file_is_read_again(shipped: Path) -> None:
    assert load.read_yaml(shipped) == {"units": ["a", "b"]}
    shipped.write_text("units: [a, c]\n", encoding="utf-8")
    state = shipped.stat()
    os.utime(shipped, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert load.read_yaml(shipped) == {"units": ["a", "c"]}


def test_who_changes_what_was_read_changes_his_own_copy(shipped: Path) -> None:
    load.read_yaml(shipped)["units"].append("mine")
    assert load.read_yaml(shipped) == {"units": ["a", "b"]}


def test_a_shipped_file_that_is_gone_is_reported(shipped: Path) -> None:
    load.read_yaml(shipped)
    shipped.unlink()
    with pytest.raises(load.ContentError, match="a file that exists and can be read"):
        load.read_yaml(shipped)


def test_shared_tables_of_regiments_are_one_object_and_cannot_be_changed() -> None:
    for table in (weapons, armour, machines):
        assert table() is table()
        with pytest.raises(TypeError):
            table()["mine"] = None  # type: ignore[index]


def test_what_is_kept_of_an_object_is_not_that_of_an_equal_one() -> None:
    one, two = [1], [1]
    assert Same(one) == Same(one) and hash(Same(one)) == hash(Same(one))
    assert Same(one) != Same(two) and Same(one) != one


@given(st.integers(3, 8), st.integers(3, 8), st.floats(-6, 6), st.floats(-6, 6), st.floats(-1, 3))
def test_outlines_are_apart_by_what_overlap_says(first: int, second: int, x: float, y: float, gap: float) -> None:
    one, two = outline(first, 0.0, 0.0), outline(second, x, y)
    assert are_apart(one, two, gap) == (-overlap(one, two) >= gap)


def outline(corners: int, x: float, y: float) -> list[tuple[float, float]]:
    """A regular polygon of radius 2, counter-clockwise."""
    turns = (2 * math.pi * n / corners for n in range(corners))
    return [(x + 2 * math.cos(turn), y + 2 * math.sin(turn)) for turn in turns]


def test_an_edited_price_list_prices_a_kept_datasheet_anew() -> None:
    lists = points_lists("w10")
    sheet = next(sheet for sheet in PricedDatasheets("w10", Datasheet).all().values() if sheet.name in lists[0].points)
    bare = sheet.model_copy(update={"points": ()})
    assert priced(bare, "w10") is priced(bare, "w10")
    rows = lists[0].points[sheet.name]
    dearer = [row.model_copy(update={"points": row.points + 5}) for row in rows]
    edited = lists[0].model_copy(update={"points": {**lists[0].points, sheet.name: dearer}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(points, "points_lists", lambda ruleset: [edited])
        assert [row.points for row in priced(bare, "w10").points] == [row.points + 5 for row in rows]
    assert list(priced(bare, "w10").points) == list(rows)
