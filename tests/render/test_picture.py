"""Pictures and the window: right in size, place and colour, without a display."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from wh_env.render.panel import panel
from wh_env.render.scene import build_scene
from wh_env.render.theme import colour, rgb
from wh_env.testing import Scene, pick, sheet

pygame = pytest.importorskip("pygame", reason="pygame (extra render) is not installed")

from wh_env.render import Window, render_rgb  # noqa: E402
from wh_env.render.picture import SMOOTH, Camera, Painter, _dashes  # noqa: E402


def spot(battle, width: int, x: float, y: float) -> tuple[int, int]:
    """Row and column of a place on the table in a picture."""
    painter = Painter()
    painter.paint(build_scene(battle), panel(battle), width)
    column, row = painter._at(x, y)
    return round(row / SMOOTH), round(column / SMOOTH)


def near(pixel: np.ndarray, code: str, slack: int = 6) -> bool:
    return bool(np.abs(pixel.astype(int) - rgb(code)).max() <= slack)


@pytest.mark.parametrize("width", [480, 1001])
def test_size_and_type(stage, width):
    picture = render_rgb(stage.battle(), width)
    height, found, channels = picture.shape
    assert picture.dtype == np.uint8 and channels == 3
    assert found == width - width % 2 and height % 2 == 0
    assert picture.flags.c_contiguous and picture.flags.owndata


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_bases_stand_where_they_stand_in_their_colours(stage, mode):
    battle = stage.battle()
    picture = render_rgb(battle, 1200, mode=mode)
    for model, player in ((0, 0), (4, 1)):
        x, y = battle.models.x[model], battle.models.y[model]
        # beside the mark of the facing, which runs along y
        row, column = spot(battle, 1200, x + 0.25, y)
        assert near(picture[row, column], colour(f"p{player}-base", mode))
    row, column = spot(battle, 1200, 56, 40)
    assert not near(picture[row, column], colour("felt", mode), 2)  # a deployment zone tints it
    row, column = spot(battle, 1200, 56, 25)
    assert near(picture[row, column], colour("felt", mode), 2)
    assert near(picture[2, 600], colour("card", mode), 2)


def test_a_hull_is_drawn_turned(stage):
    battle = stage.battle()
    picture = render_rgb(battle, 1200)
    base = colour("p1-base", "light")
    # 5" along its facing, which is -y, and 3" across
    for dx, dy, covered in ((1.2, 2.2, True), (-1.2, -2.2, True), (2.2, 1.2, False), (-2.2, -1.2, False)):
        row, column = spot(battle, 1200, 40 + dx, 30 + dy)
        assert near(picture[row, column], base) == covered


def test_the_last_roll_lies_below_the_table(stage):
    battle = stage.battle("shooting", dice=[6] * 12 + [1] * 6)
    quiet = render_rgb(battle, 800)
    pick(battle, "Guns")
    rolled = render_rgb(battle, 800)
    foot = rolled.shape[0] - 30  # the six saves that failed
    red = [
        np.abs(picture[foot:].astype(int) - rgb(colour("bad", "light"))).max(axis=2) < 40 for picture in (quiet, rolled)
    ]
    assert not red[0].any() and red[1].sum() > 100


def test_a_camera_takes_the_same_pictures(stage):
    battle = stage.battle("movement")
    camera = Camera()
    camera.take(battle, 600)
    battle.apply(battle.decision.options[0])
    again = pygame.surfarray.array3d(camera.take(battle, 600)).swapaxes(0, 1)
    assert (again == render_rgb(battle, 600)).all()


def test_tables_of_any_shape():
    scene = Scene(size=(30, 44))
    scene.unit(0, sheet("Guns"), at=(10, 5))
    scene.unit(1, sheet("Mob"), at=(10, 40))
    picture = render_rgb(scene.battle(), 500)
    assert picture.shape[0] > picture.shape[1]


def test_dashes_and_gaps_take_turns():
    pieces = _dashes([(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)], 2.0)
    assert pieces == [[(0.0, 0.0), (2.0, 0.0)], [(3.0, 1.0), (3.0, 3.0)]]


def test_no_display_is_needed():
    """Drawing neither asks for a display nor opens one, and drawing is imported only when somebody draws."""
    program = (
        "import sys, wh_env.render\n"
        "assert 'pygame' not in sys.modules and 'wh_env.render.scene' not in sys.modules\n"
        "from wh_env import Battle\n"
        "picture = wh_env.render.render_rgb(Battle.load('w10/only-war-skirmish', 1), 320)\n"
        "import pygame\n"
        "assert not pygame.display.get_init()\n"
        "print(picture.shape)"
    )
    without = {key: value for key, value in os.environ.items() if key not in ("SDL_VIDEODRIVER", "DISPLAY")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=without, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("(") and "320, 3)" in done.stdout  # and pygame says nothing


# ---- window


@pytest.fixture
def headless(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


@pytest.mark.usefixtures("headless")
def test_a_window_shows_what_a_picture_shows(stage):
    battle = stage.battle()
    window = Window(width=500)
    assert not pygame.display.get_init()
    window.show(battle)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert (shown == render_rgb(battle, 500)).all()
    battle.apply(battle.decision.options[0])
    window.show(battle)
    window.close()
    window.close()
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("headless")
def test_whoever_closes_the_window_is_not_disturbed_again(stage):
    battle = stage.battle()
    window = Window(width=400)
    window.show(battle)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(battle)
    assert window.closed
    window.show(battle)
    assert not pygame.display.get_init()
