"""Blocks of regiments in pictures: outlines, front edges, quarters of the one that is asked about."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.replay import Recorder
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
