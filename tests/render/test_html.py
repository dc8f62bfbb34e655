"""The page: one file that needs nothing else, with everything that the viewer reads."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from wh_env.render.page import GRAIN, asset, build_page, step_data, style_sheet
from wh_env.render.scene import Scene
from wh_env.render.tape import DECISION, EVENT, Step, Tape
from wh_env.render.theme import COLOURS, MODES, styles


@pytest.fixture(scope="module")
def page(tape) -> str:
    return build_page(tape)


def data_of(page: str):
    return json.loads(re.search(r'<script type="application/json" id="replay">(.*?)</script>', page, re.DOTALL)[1])


class Tags(HTMLParser):
    """Tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_the_page_needs_nothing_else(page):
    tags = Tags()
    tags.feed(page)
    for tag, attributes in tags.found:
        assert "src" not in attributes
        assert attributes.get("href", "data:,") == "data:,"
        assert tag not in ("iframe", "object", "embed")
    for name in ("board", "viewer"):
        assert "url(" not in asset(f"{name}.css") and "@import" not in asset(f"{name}.css")
        assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|import)\s*\(", asset(f"{name}.js"))
    policy = next(a["content"] for t, a in tags.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


def test_the_page_is_small(page):
    assert len(page.encode()) < 2_000_000


def test_the_data_are_those_of_the_tape(page, tape):
    data = data_of(page)
    assert len(data["steps"]) == len(tape.steps)
    assert [step["w"] for step in data["steps"]] == [step.words for step in tape.steps]
    assert data["players"] == list(tape.players)
    assert (data["length"], data["width"]) == (44.0, 30.0)
    assert data["about"] == "greedy against random, seed 7"
    for shown, step in zip(data["steps"], tape.steps, strict=True):
        if step.rule:
            assert data["rules"][shown["r"]]["id"] == step.rule


def test_words_cannot_leave_their_place():
    evil = "</script><script>alert(1)</script>"
    scene = Scene(60.0, 44.0, 1.0, "in")
    steps = [Step(EVENT, evil, rule=evil, beside={"unit0": [evil]})]
    tape = Tape(evil, (evil, evil), ("", ""), 0, scene, steps, {evil: {"title": evil, "where": evil, "text": evil}})
    page = build_page(tape)
    tags = Tags()
    tags.feed(page)
    assert sum(tag == "script" for tag, _ in tags.found) == 2
    assert "<title>&lt;/script&gt;" in page
    data = data_of(page)
    assert data["steps"][0]["w"] == evil and data["rules"][0]["title"] == evil
    assert data["about"] == "seed 0"


def test_a_step_leaves_out_what_is_empty():
    assert step_data(Step(EVENT, "x"), {}) == {"k": EVENT, "w": "x"}
    full = Step(DECISION, "x", rule="a.b", player=0, roll="hit roll", dice=[(3, 1)], own=True, shapes={"m": None})
    assert step_data(full, {"a.b": 4}) == {
        "k": DECISION, "w": "x", "r": 4, "p": 0, "l": "hit roll", "d": [(3, 1)], "o": 1, "s": {"m": None},
    }  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_the_page_draws_in_the_styles_of_the_pictures(mode):
    sheet = style_sheet()
    root = f':root[data-theme="{mode}"]'
    for name, style in styles(mode).items():
        rule = re.search(re.escape(f"{root} .s-{name}{{") + "([^}]*)}", sheet)[1]
        told = dict(part.split(":") for part in rule.split(";"))
        assert told["fill"] == (style.fill or "none")
        assert told["stroke"] == (style.outline or style.line or "none")
        if style.line and not style.outline:
            assert told["stroke-width"] == f"calc({style.width * GRAIN:g}px*var(--near,1))"
    variables = re.search(re.escape(root) + r"\{(--[^}]*)\}", sheet)[1]
    assert {part.split(":")[0] for part in variables.rstrip(";").split(";")} == {f"--{name}" for name in COLOURS}


def test_the_viewer_names_the_styles_and_marks_that_there_are():
    used = set(re.findall(r"var\(--([\w-]+)\)", asset("board.css") + asset("viewer.css")))
    assert used <= COLOURS.keys()
    does = set(re.findall(r'data-do="([\w-]+)"', asset("page.html")))
    script = asset("viewer.js")
    table = script[script.index("const does = {") : script.index("const keeps")]
    assert does <= {name.strip('"') for name in re.findall(r'"[\w-]+"(?=:)|\b\w+(?=: \(\))|\bplay\b', table)}
    ids = set(re.findall(r'id="([\w-]+)"', asset("page.html")))
    assert set(re.findall(r'\$\("([\w-]+)"\)', script)) <= ids
