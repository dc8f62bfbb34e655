"""Pictures of a battle with pygame, drawn into memory: no display is needed."""

from __future__ import annotations

import os
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.render.last import Last, telling
from wh_env.render.panel import Panel, panel
from wh_env.render.scene import MARKERS, Artist, Scene
from wh_env.render.shapes import Point, Shape, pairs
from wh_env.render.theme import Mode, Style, colour, rgb, styles
from wh_env.render.words import Die

if TYPE_CHECKING:
    import pygame

WIDTH = 1000
SMOOTH = 2  # pictures are painted this many times larger and then shrunk
CORNERS = 40  # corners of a painted oval
SIDE, AROUND = 3.2, 2.6  # grains of space beside the table, and above and below it
HEAD, FOOT = 4.6, 4.4  # grains above and below for words
EM = 1.25  # size of the font divided by the height of its letters
PLAIN = str.maketrans({"→": "»", "▲": "^"})  # signs that pygame's own font lacks


class MissingExtra(ImportError):
    """A package of the extra ``render`` is not installed."""

    def __init__(self, package: str) -> None:
        """``package``: its name."""
        super().__init__(f"{package} is not installed: pip install 'wh-env[render]'")


def load_pygame() -> Any:
    """The module pygame, imported without its greeting, with fonts ready.

    Raises:
        MissingExtra: it is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
        import pygame.font
    except ImportError as error:
        raise MissingExtra("pygame") from error
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame


def render_rgb(battle: BattleCore, width: int = WIDTH, last: Last | None = None, *, mode: Mode = "light") -> Array:
    """A picture of the battle: the table to scale, the score, the waiting decision, the last action and its dice.

    Args:
        battle: the battle to show.
        width: of the picture in pixels; its height follows from the shape of the table.
        last: what the last action did (from a ``Follower``); ``None``: what the events that the battle records say.
        mode: ``light`` or ``dark``.

    Returns:
        uint8, shape (height, width, 3); height and width are even.

    Raises:
        MissingExtra: pygame is not installed.
    """
    return pixels(Camera(mode).take(battle, width, last))


def pixels(surface: pygame.Surface) -> Array:
    """A surface as uint8 of shape (height, width, 3)."""
    raw = np.frombuffer(load_pygame().image.tobytes(surface, "RGB"), np.uint8)
    return raw.reshape(surface.get_height(), surface.get_width(), 3).copy()


class Camera:
    """Takes pictures of battles; faster than ``render_rgb`` for many pictures of one battle."""

    def __init__(self, mode: Mode = "light") -> None:
        """``mode``: ``light`` or ``dark``."""
        self.artist = Artist()
        self.painter = Painter(mode)

    def take(self, battle: BattleCore, width: int = WIDTH, last: Last | None = None) -> pygame.Surface:
        """A picture as a pygame surface; arguments as in ``render_rgb``."""
        shown_last = telling(battle, last if last is not None else Last(battle.events))
        return self.painter.paint(self.artist.draw(battle, shown_last), panel(battle, shown_last), width)


class Painter:
    """Paints scenes in one mode. It keeps rendered letters and the last backdrop for later pictures."""

    def __init__(self, mode: Mode = "light") -> None:
        """``mode``: ``light`` or ``dark``."""
        self.pygame = load_pygame()
        self.mode: Mode = mode
        self.styles = styles(mode)
        self.scale = self.grain = 1.0  # pixels in a unit of length and in a grain
        self.left = self.base = 0.0  # pixel of the table's origin
        self.canvas: Any = None
        self._fonts: dict[int, Any] = {}
        self._words: dict[tuple[str, int, str, str], Any] = {}
        self._backdrop: tuple[Any, Any] = (None, None)

    def size(self, scene: Scene, width: int) -> tuple[int, int]:
        """The width and height of the picture in pixels, both even."""
        grains = scene.length / scene.grain + 2 * SIDE
        tall = scene.width / scene.grain + 2 * AROUND + HEAD + FOOT
        even = max(160, width - width % 2)
        return even, 2 * round(even * tall / grains / 2)

    def paint(self, scene: Scene, shown: Panel, width: int = WIDTH) -> pygame.Surface:
        """The whole picture: the scene, and the panel above and below it."""
        final = self.size(scene, width)
        w, h = final[0] * SMOOTH, final[1] * SMOOTH
        self.grain = w / (scene.length / scene.grain + 2 * SIDE)
        self.scale = self.grain / scene.grain
        self.left = SIDE * self.grain
        self.base = h - (FOOT + AROUND) * self.grain
        shapes = scene.ordered()
        below = [shape for shape in shapes if shape.layer < MARKERS]
        if self._backdrop[0] != (below, w, h):
            self.canvas = self.pygame.Surface((w, h))
            self.canvas.fill(rgb(colour("page", self.mode)))
            for shape in below:
                self._shape(shape)
            self._backdrop = (below, w, h), self.canvas
        self.canvas = self._backdrop[1].copy()
        for shape in shapes[len(below) :]:
            self._shape(shape)
        self._head(shown, w)
        self._foot(shown, w, h)
        picture: pygame.Surface = self.pygame.transform.smoothscale(self.canvas, final)
        return picture

    # ---- shapes

    def _at(self, x: float, y: float) -> Point:
        """The pixel of a place on the table."""
        return self.left + x * self.scale, self.base - y * self.scale

    def _shape(self, shape: Shape) -> None:
        """Draw one shape."""
        style = self.styles[shape.style]
        if shape.kind == "text":
            self._text(shape.text, self._at(shape.x, shape.y), shape.a * self.scale, style)
        elif shape.kind == "line":
            self._stroke([self._at(x, y) for x, y in pairs(shape.points)], style)
        elif shape.kind == "polygon":
            self._closed([self._at(x, y) for x, y in pairs(shape.points)], style)
        else:
            self._base(shape, style)

    def _base(self, shape: Shape, style: Style) -> None:
        """Draw an oval or a box, with the mark of its facing and the text on it."""
        if style.dash or style.fill_opacity < 1.0:
            self._closed(self._outline(shape, 0.0), style)
        else:
            rim = style.width * self.grain / self.scale / 2
            self.pygame.draw.polygon(self.canvas, rgb(style.line), self._outline(shape, rim))
            self.pygame.draw.polygon(self.canvas, rgb(style.fill), self._outline(shape, -rim))
        if shape.nose:
            x, y = self._at(shape.x, shape.y)
            a, c, s = shape.a * self.scale, cos(shape.turn), sin(shape.turn)
            self._stroke([(x + 0.55 * a * c, y - 0.55 * a * s), (x + a * c, y - a * s)], style)
        if shape.text:
            size = min(1.25 * shape.b, 1.3 * shape.a) * self.scale
            self._text(shape.text, self._at(shape.x, shape.y), size, self.styles["wounds"])

    def _outline(self, shape: Shape, wider: float) -> list[Point]:
        """Corners of an oval or a box in pixels, its half lengths longer by ``wider``."""
        c, s, a, b = cos(shape.turn), sin(shape.turn), max(0.0, shape.a + wider), max(0.0, shape.b + wider)
        around = BOX if shape.kind == "box" else OVAL
        return [self._at(shape.x + c * p * a - s * q * b, shape.y + s * p * a + c * q * b) for p, q in around]

    def _closed(self, points: list[Point], style: Style) -> None:
        """Draw a filled outline with its rim."""
        if style.fill and style.fill_opacity >= 1.0:
            self.pygame.draw.polygon(self.canvas, rgb(style.fill), points)
        elif style.fill:
            self._blended(points, style.fill_opacity, rgb(style.fill))
        if style.line:
            self._stroke([*points, points[0]], style)

    def _stroke(self, points: list[Point], style: Style) -> None:
        """Draw a line through the points, solid, dashed or see-through."""
        width = max(1, round(style.width * self.grain))
        if style.dash:
            for piece in _dashes(points, style.dash * self.grain):
                self._thick(self.canvas, rgb(style.line), piece, width)
        elif style.line_opacity < 1.0:
            self._blended(points, style.line_opacity, rgb(style.line), width)
        else:
            self._thick(self.canvas, rgb(style.line), points, width)

    def _thick(self, canvas: Any, hue: tuple[int, ...], points: list[Point], width: int) -> None:
        """Draw a line with round joints; pygame's own thick lines are ragged."""
        draw, half = self.pygame.draw, width / 2
        for (x0, y0), (x1, y1) in pairwise(points):
            way = hypot(x1 - x0, y1 - y0)
            if way > 0.0:
                nx, ny = -(y1 - y0) / way * half, (x1 - x0) / way * half
                sides = ((x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny))
                draw.polygon(canvas, hue, sides)
        if width > 2:
            for point in points[1:-1]:
                draw.circle(canvas, hue, point, half)

    def _blended(self, points: list[Point], opacity: float, hue: tuple[int, int, int], width: int = 0) -> None:
        """Draw see-through: a line of this ``width`` or, if it is 0, a filled outline, on a sheet that is laid over the
        picture.
        """
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        x0, y0 = max(0, int(min(xs)) - width - 1), max(0, int(min(ys)) - width - 1)
        x1 = min(self.canvas.get_width(), ceil(max(xs)) + width + 1)
        y1 = min(self.canvas.get_height(), ceil(max(ys)) + width + 1)
        if x1 <= x0 or y1 <= y0:
            return
        sheet = self.pygame.Surface((x1 - x0, y1 - y0), self.pygame.SRCALPHA)
        moved = [(x - x0, y - y0) for x, y in points]
        ink = (*hue, round(255 * opacity))
        if width:
            self._thick(sheet, ink, moved, width)
        else:
            self.pygame.draw.polygon(sheet, ink, moved)
        self.canvas.blit(sheet, (x0, y0))

    # ---- words

    def _font(self, size: float) -> Any:
        """The font for letters of this height in pixels."""
        pixel = max(6, round(EM * size))
        if pixel not in self._fonts:
            self._fonts[pixel] = self.pygame.font.Font(None, pixel)
        return self._fonts[pixel]

    def _text(self, words: str, at: Point, size: float, style: Style, anchor: float = 0.5) -> int:
        """Write ``words`` at a point (``anchor`` 0: beginning there, 0.5: centred, 1: ending there); returns the width
        in pixels.
        """
        key = (words, round(EM * size), style.fill, style.outline)
        if key not in self._words:
            self._words[key] = self._lettered(words, size, style)
        inked = self._words[key]
        self.canvas.blit(inked, (at[0] - anchor * inked.get_width(), at[1] - inked.get_height() / 2))
        return int(inked.get_width())

    def _lettered(self, words: str, size: float, style: Style) -> Any:
        """The rendered letters, with a rim if the style has an outline."""
        font, plain = self._font(size), words.translate(PLAIN)
        inked = font.render(plain, True, rgb(style.fill))
        if not style.outline:
            return inked
        r = max(1, round(0.12 * size))
        sheet = self.pygame.Surface((inked.get_width() + 2 * r, inked.get_height() + 2 * r), self.pygame.SRCALPHA)
        rim = font.render(plain, True, rgb(style.outline))
        for dx, dy in ((-r, 0), (r, 0), (0, -r), (0, r), (-r, -r), (r, r), (-r, r), (r, -r)):
            sheet.blit(rim, (r + dx, r + dy))
        sheet.blit(inked, (r, r))
        return sheet

    def _head(self, shown: Panel, w: int) -> None:
        """Draw the top: both armies with their points, the moment, the waiting decision."""
        g = self.grain
        self.pygame.draw.rect(self.canvas, rgb(colour("card", self.mode)), (0, 0, w, HEAD * g))
        for player, seat in enumerate(shown.seats):
            anchor, x = float(player), (w - 1.2 * g if player else 1.2 * g)
            own = self._ink(f"p{player}")
            self._text(seat.name, (x, 1.4 * g), 1.2 * g, own, anchor)
            points = f"{seat.score} VP" + (f" · {seat.command} CP" if seat.command >= 0 else "")
            self._text(points, (x, 3.2 * g), 1.5 * g, own, anchor)
        self._text(shown.moment, (w / 2, 1.4 * g), 1.15 * g, self._ink("ink"))
        self._text(shown.asked, (w / 2, 3.2 * g), 0.95 * g, self._ink("soft"))

    def _foot(self, shown: Panel, w: int, h: int) -> None:
        """Draw the bottom: the last event and the last roll."""
        g, top = self.grain, h - FOOT * self.grain
        self.pygame.draw.rect(self.canvas, rgb(colour("card", self.mode)), (0, top, w, FOOT * g))
        words = shown.words
        while words and self._font(g).size(words)[0] > w - 2.4 * g:
            words = words[:-2].rstrip("…") + "…"
        self._text(words, (1.2 * g, top + 1.2 * g), g, self._ink("ink"), 0.0)
        if not shown.dice:
            return
        x = 1.8 * g + self._text(shown.roll, (1.2 * g, top + 3.0 * g), 0.9 * g, self._ink("soft"), 0.0)
        for die in shown.dice[: int((w - x - 2 * g) / (1.9 * g))]:
            self._die(die, x, top + 2.2 * g, 1.6 * g)
            x += 1.9 * g

    def _ink(self, name: str) -> Style:
        """The style of letters in the colour ``name``."""
        return Style(colour(name, self.mode))

    def _die(self, die: Die, x: float, y: float, side: float) -> None:
        """Draw a die with its number, at (x, y) in pixels."""
        hue = "soft" if die.good is None else "good" if die.good else "bad"
        rect = self.pygame.Rect(round(x), round(y), round(side), round(side))
        edge = max(2, round(0.12 * side))
        self.pygame.draw.rect(self.canvas, rgb(colour(hue, self.mode)), rect, edge, border_radius=round(0.2 * side))
        self._text(str(die.value), rect.center, 0.65 * side, self._ink(hue))


BOX = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
OVAL = tuple((cos(2 * pi * k / CORNERS), sin(2 * pi * k / CORNERS)) for k in range(CORNERS))


def _dashes(points: list[Point], dash: float) -> list[list[Point]]:
    """A line cut into dashes of length ``dash`` with gaps of the same length."""
    pieces: list[list[Point]] = []
    drawn, left = True, dash
    piece = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        way = hypot(x1 - x0, y1 - y0)
        along = 0.0
        while way - along > left:
            along += left
            place = (x0 + (x1 - x0) * along / way, y0 + (y1 - y0) * along / way)
            if drawn:
                pieces.append([*piece, place])
            piece, drawn, left = [place], not drawn, dash
        left -= way - along
        if drawn:
            piece.append((x1, y1))
    if drawn and len(piece) > 1:
        pieces.append(piece)
    return pieces
