"""Shipped files are read once until they are edited, and nobody can change what is kept of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wh_env import Battle
from wh_env.content import load, reading
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
