"""Blocks of regiments in pictures: outlines, front edges, quarters of the one that is asked about."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from wh_env import Battle, Event
from wh_env.content.replay import Recorder
from wh_env.render.labels import Labels
from wh_env.render.last import Last, Standing
from wh_env.render.page import build_page
from wh_env.render.scene import build_scene
from wh_env.render.tape import record_tape
from wh_env.testing import choose
from wh_env.testing.wap import NORTH, RegimentScene


def drawn() -> Battle:
    """A block of 5, 5 and 2 that faces north with the middle of its front edge on (20, 10), and one that is asked about besides."""
    scene = RegimentScene()
    scene.unit(0, None, (20, 10), models=12, files=5, facing=NORTH)
    scene.unit(0, None, (40, 10), models=4, files=4, facing=0.25 * pi)
    scene.unit(1, None, (20, 30), models=5, fleeing=1)
    return scene.battle("movement")


def test_a_block_is_drawn_with_its_ranks_and_its_front() -> None:
    shapes = build_scene(drawn()).shapes
    assert shapes["body0.0"].points == pytest.approx((17.5, 10, 22.5, 10, 22.5, 8, 17.5, 8))
    assert shapes["body0.1"].points == pytest.approx((19, 8, 21, 8, 21, 7, 19, 7))
    assert shapes["front0"].points == pytest.approx((17.5, 10, 22.5, 10))
    assert [shapes[f"front{unit}"].style for unit in range(3)] == ["front-0", "front-0", "front-1"]
    assert "body1.1" not in shapes
    assert shapes["body2.0"].title.endswith("5 files, fleeing")


def test_quarters_are_shown_of_the_unit_that_is_asked_about() -> None:
    battle = drawn()
    assert not any(key.startswith("quarter") for key in build_scene(battle).shapes)
    choose(battle, "own", 0)
    scene = build_scene(battle)
    far = 6.0 * scene.grain / sqrt(2.0)
    for n, (x, y, right, up) in enumerate([(17.5, 10, -1, 1), (22.5, 10, 1, 1), (22.5, 7, 1, -1), (17.5, 7, -1, -1)]):
        expected = (x, y, x + right * far, y + up * far)
        assert scene.shapes[f"quarter0.{n}"].points == pytest.approx(expected)
    assert not any(key.startswith("quarter1") for key in scene.shapes)


def test_the_page_of_a_battle_shows_blocks() -> None:
    battle = Battle.load("wap/open-skirmish", 2, record=True)
    recorder = Recorder(battle, 2)
    for _ in range(25):
        action = int(np.flatnonzero(battle.legal())[-1])
        battle.apply(action)
        recorder.add(action)
    page = build_page(record_tape(recorder.replay()))
    assert "s-body-0" in page and "s-front-1" in page and "body0.0" in page


def test_the_fallen_are_crossed_where_they_stood() -> None:
    """Models of regiments have no place after they were removed."""
    battle = drawn()
    before, lost = Standing.of(battle), 2
    battle.models.rows["alive"][lost] = battle.models.rows["on_table"][lost] = 0
    battle.models.rows["x"][lost] = battle.models.rows["y"][lost] = 0.0
    shapes = build_scene(battle, Last([Event("wap.shoot.sequence", "wounds", {"unit": 2, "target": 0})], before)).shapes
    x0, y0, x1, y1 = shapes[f"x{lost}"].points
    assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((before.x[lost], before.y[lost]))


@pytest.mark.parametrize(("kind", "lines"), [("declares a charge", 1), ("holds", 0), ("joins", 0)])
def test_lines_go_only_to_what_a_unit_aims_at(kind, lines) -> None:
    battle = drawn()
    event = Event("wap.charge.reaction.list", kind, {"unit": 2, "target": 0})
    shapes = build_scene(battle, Last([event], Standing.of(battle))).shapes
    assert any(shape.style == "shot-1" for shape in shapes.values()) is bool(lines)


def test_a_move_that_is_being_decided_shows_where_it_has_led() -> None:
    battle, rng = Battle.load("wap/open-skirmish", 2), np.random.default_rng(2)
    u, unit = battle.units, battle.decision.subject
    while battle.decision.kind != "end-wheel" or u.px[unit] == u.x[unit]:
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        unit = battle.decision.subject
    x0, y0, x1, y1 = build_scene(battle).shapes[f"goes-front{unit}"].points
    assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((u.px[unit], u.py[unit]))


def test_a_heading_names_no_phase_before_the_first_one_of_a_turn() -> None:
    battle = drawn()
    battle.recorder = [Event("wap.battle.turn.alternate", "turn", {"player": 0, "round": 1})]
    assert Labels(battle).moment().count(" · ") == 1
    battle.recorder.append(Event("wap.battle.turn.alternate", "phase", {"player": 0, "phase": "Movement"}))
    assert Labels(battle).moment().endswith(" · Movement")
