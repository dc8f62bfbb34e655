"""The battle in characters."""

from __future__ import annotations

import re

import pytest

from wh_env import Battle
from wh_env.render import render_ansi
from wh_env.render.text import COLUMNS, LETTERS, unit_letters
from wh_env.testing import Scene, sheet

CODES = re.compile(r"\x1b\[\d+m")


def board(text: str) -> list[str]:
    """The characters between the frame's sides, from the far side of the table on."""
    return [line[1:-1] for line in text.splitlines() if line.startswith("│")]


def test_the_board_is_to_scale(stage):
    lines = board(render_ansi(stage.battle()))
    assert {len(line) for line in lines} == {COLUMNS}
    assert len(lines) == 33  # 44" at two characters' width a line
    # the Tank: a rectangle 3" by 5" about (40, 30) that faces down the table
    step, tall = 60 / COLUMNS, 44 / 33
    found = [(row, column) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign == "b"]
    rows, columns = zip(*found, strict=True)
    assert min(columns) * step == pytest.approx(40 - 1.5, abs=step)
    assert (max(columns) + 1) * step == pytest.approx(40 + 1.5, abs=step)
    assert 44 - min(rows) * tall == pytest.approx(30 + 2.5, abs=tall)
    assert 44 - (max(rows) + 1) * tall == pytest.approx(30 - 2.5, abs=tall)


def test_a_wider_board_is_finer(stage):
    lines = board(render_ansi(stage.battle(), columns=120))
    assert {len(line) for line in lines} == {120} and len(lines) == 44
    assert sum(line.count("b") for line in lines) == pytest.approx(15 / (0.5 * 1.0), rel=0.25)


def test_terrain_and_objectives_are_shown(stage):
    lines = board(render_ansi(stage.battle()))
    signs = "".join(lines)
    assert "①" in signs and "♣" in signs and "█" in signs and "░" in signs and "▒" in signs
    row, column = next((r, line.index("①")) for r, line in enumerate(lines) if "①" in line)
    assert column == int(30 / 60 * COLUMNS) and row == 33 - 1 - int(22 / 44 * 33)
    # woods 8" by 6" cover as many characters as they have room
    assert signs.count("♣") == pytest.approx(48 / (60 / COLUMNS * 44 / 33), rel=0.15)


def test_every_unit_has_a_letter_and_a_row(stage):
    battle = stage.battle(cp=(1, 0), vp=(4, 2), round=3)
    text = render_ansi(battle)
    assert unit_letters(battle) == {0: "A", 1: "B", 2: "a", 3: "b"}
    for line in (r"  A  Guns +3/3 +3/3", r"  B  Walker +1/1 +8/8", r"  a  Mob +2/2 +2/2", r"  b  Tank +1/1 +11/11"):
        assert re.search(line, text)
    assert text.splitlines()[0] == "player 0 4 VP, 1 CP against player 1 2 VP, 0 CP"
    assert text.splitlines()[1].startswith("Round 3 · player 0 · Movement · player 0 decides: ")


def test_a_lone_base_is_never_too_small_for_a_character():
    scene = Scene(size=(60, 44))
    scene.unit(0, sheet("Dot", base_mm=1), at=(7, 7))
    scene.unit(1, sheet("Mob"), at=(30, 30))
    assert "".join(board(render_ansi(scene.battle()))).count("A") == 1


def test_colours_are_codes_round_the_same_characters(stage):
    battle = stage.battle("movement")
    battle.apply(battle.decision.options[-1])
    plain, coloured = render_ansi(battle), render_ansi(battle, color=True)
    assert not CODES.search(plain)
    assert [line.rstrip() for line in CODES.sub("", coloured).splitlines()] == plain.splitlines()
    assert "\x1b[34m" in coloured and "\x1b[31m" in coloured
    subject = unit_letters(battle)[battle.decision.subject]
    assert f"\x1b[34m\x1b[7m{subject}\x1b[0m" in coloured


def test_letters_are_enough_for_the_largest_armies():
    battle = Battle.load("w10/only-war-skirmish", 0)
    for letters in LETTERS:
        assert len(set(letters)) == len(letters) >= battle.setup.space.units
    assert not set(LETTERS[0]) & set(LETTERS[1])


def test_a_finished_battle_tells_its_outcome(replay, outcome):
    *_, battle = replay.play()
    text = render_ansi(battle)
    assert f"The battle is over · {outcome}" in text
    assert f"Astartes Skirmish {replay.victory_points[0]} VP" in text
