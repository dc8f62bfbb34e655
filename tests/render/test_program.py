"""``scripts/replay.py render`` as it is called."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scripts import replay as program

pytest.importorskip("pygame", reason="pygame (extra render) is not installed")


@pytest.fixture(scope="module")
def file(beginning, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "battle.replay"
    beginning.write(path)
    return path


def call(*arguments: object, code: int = 0):
    done = CliRunner().invoke(program.app, ["render", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def test_everything_at_once(file, tmp_path):
    pytest.importorskip("PIL", reason="pillow (extra render) is not installed")
    pytest.importorskip("imageio_ffmpeg", reason="imageio-ffmpeg (extra render) is not installed")
    out = {kind: tmp_path / "out" / f"battle.{kind}" for kind in ("html", "gif", "mp4", "png")}
    options = [part for kind, path in out.items() for part in (f"--{kind}", path)]
    told = json.loads(call(file, *options, "--every", "turn", "--width", 400, "--json").stdout)
    assert [entry["kind"] for entry in told["written"]] == ["page", "GIF", "film", "picture"]
    for entry, path in zip(told["written"], out.values(), strict=True):
        assert entry["file"] == str(path) and entry["bytes"] == path.stat().st_size > 1000
    assert out["html"].read_text(encoding="utf-8").startswith("<!doctype html>")
    assert out["gif"].read_bytes()[:6] == b"GIF89a"
    assert out["mp4"].read_bytes()[4:8] == b"ftyp"
    assert out["png"].read_bytes()[:4] == b"\x89PNG"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(path.name for path in out.values())


def test_words_without_json(file, tmp_path):
    out = tmp_path / "one.png"
    assert call(file, "--png", out, "--at", 5).stdout == f"{out}: picture, 1 picture, {out.stat().st_size:,} bytes\n"
    assert call(file, "--png", out, "--at", 5, "--quiet").stdout == ""


def test_characters(file):
    early, late = call(file, "--ansi", "--at", 3).stdout, call(file, "--ansi").stdout
    assert "Before the battle" in early and "Round 1 · " in late
    assert "\x1b[" not in late and "\x1b[" in call(file, "--ansi", "--color").stdout


def test_faults_are_told(file, tmp_path):
    assert "nothing to do: expected --html, --gif" in call(file, code=2).output
    assert "--at 99999: expected at most" in call(file, "--ansi", "--at", 99999, code=2).output
    assert "cannot be read" in call(tmp_path / "none.replay", "--ansi", code=1).output
    assert "'month' is not one of" in call(file, "--gif", "x", "--every", "month", code=2).output
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, no folder", encoding="utf-8")
    told = call(file, "--png", blocked / "x.png", code=74).output
    assert str(blocked / "x.png") in told and "cannot be written" in told


def test_an_extra_that_is_missing_is_named(file, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    told = call(file, "--mp4", tmp_path / "x.mp4", code=1).output
    assert "imageio-ffmpeg is not installed: pip install 'wh-env[render]'" in told
    assert os.listdir(tmp_path) == []


def test_ctrl_c_leaves_what_is_finished(file, tmp_path, monkeypatch):
    def stopped(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "write_gif", stopped)
    page = tmp_path / "page.html"
    told = call(file, "--html", page, "--gif", tmp_path / "x.gif", code=130).output
    assert "x.gif: not written" in told
    assert page.exists() and os.listdir(tmp_path) == ["page.html"]
