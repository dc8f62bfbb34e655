"""Links of a tournament's report open pages that step through games."""

from __future__ import annotations

import re

import pytest

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.agents.tournament import TournamentConfig
from wh_env.agents.tournament.pages import write_pages
from wh_env.agents.tournament.report import html
from wh_env.agents.tournament.results import Row
from wh_env.agents.tournament.standings import summarise
from wh_env.content.replay import Recorder

SKIRMISH = "w10/only-war-skirmish"


def row(key: str, replay: str) -> Row:
    return Row(
        key=key, round=0, battle=SKIRMISH, battlefield="", army0="A", army1="B", agent0="random", agent1="greedy", pair=0,
        seed=0, draw=None, how="played", winner=0, vp0=5, vp1=0, rounds=5, first_player=0, decisions=20, at_fault=None, fault="",
        final="", setup="", replay=replay,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A tournament's folder with two replays; a third is damaged."""
    battle = Battle.load(SKIRMISH, 5)
    recorder = Recorder(battle, 5)
    play_battle(battle, [make("random", 1), make("random", 2)], recorder=recorder, max_decisions=20)
    for name in ("one", "two"):
        recorder.replay(("random", "greedy")).write(tmp_path / "replays" / f"{name}.replay")
    (tmp_path / "replays" / "bad.replay").write_bytes(b"nothing")
    return tmp_path


def test_links_open_pages(folder):
    rows = [
        row("1", "replays/bad.replay"),
        row("2", "replays/one.replay"),
        row("3", ""),
        row("4", "replays/two.replay"),
    ]
    seen = []
    pages = write_pages(folder, rows, 2, lambda done, total: seen.append((done, total)))
    assert pages == {"replays/one.replay"} and seen == [(0, 2), (1, 2)]
    wanted = TournamentConfig(name="t", agents=("random", "greedy"), battles=(SKIRMISH,))
    text = html(wanted, summarise(wanted, rows), rows, {}, {}, pages)
    links = re.findall(r'<a href="([^"]*)"', text)
    assert links == ["replays/bad.replay", "replays/one.html", "replays/two.replay"]
    assert "<title>" in (folder / "replays" / "one.html").read_text(encoding="utf-8")


def test_pages_that_are_there_stay(folder):
    rows = [row("1", "replays/one.replay")]
    write_pages(folder, rows)
    page = folder / "replays" / "one.html"
    page.write_text("kept", encoding="utf-8")
    assert write_pages(folder, rows) == {"replays/one.replay"}
    assert page.read_text(encoding="utf-8") == "kept"
