"""A battle in characters: the board to scale, and a table of the units."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, cos, hypot, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import RECT, Array
from wh_env.render.backdrop import terrain
from wh_env.render.labels import Labels
from wh_env.render.last import Last, telling
from wh_env.render.panel import Panel, UnitRow, panel

COLUMNS = 90  # characters along the table
TALL = 2.0  # height of a character divided by its width
LETTERS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞΠΣΦΨΩ", "abcdefghijklmnopqrstuvwxyzγδθλξπσφψω")
PLAYER, BOLD, FAINT, SUBJECT, RESET = ("\x1b[34m", "\x1b[31m"), "\x1b[1m", "\x1b[2m", "\x1b[7m", "\x1b[0m"
GROUND, RAISED, WALL = "·", "░▒▓", "█"
GROUNDS = {"woods": "♣", "crater": "∘", "river": "~", "marsh": "≈", "road": "=", "forest": "♣"}
MARKERS = "①②③④⑤⑥⑦⑧⑨"
STOREY = 3.0  # grains of height for one shade of a surface on which models can stand

Cell = tuple[str, str]  # a character and the codes of its colour


def render_ansi(battle: BattleCore, color: bool = False, *, columns: int = COLUMNS, last: Last | None = None) -> str:
    """The battle in characters.

    The board is to scale: a character stands for ``length / columns`` along the table and twice as much across it.
    Models of player 0 are capital letters, those of player 1 small ones, one letter a unit; circled digits are
    objectives.

    Args:
        battle: the battle to show.
        color: with ANSI codes: blue and red for the players, inverse for the unit that the decision is about.
        columns: characters along the table.
        last: what the last action did; ``None``: what the events that the battle records say.
    """
    shown = panel(battle, telling(battle, last if last is not None else Last(battle.events)))
    letters = unit_letters(battle)
    lines = [
        *_head(shown, color),
        *_board(battle, letters, columns, color),
        *_legend(battle),
        *_units(shown, letters, color),
    ]
    return "\n".join(line.rstrip() for line in lines)


def unit_letters(battle: BattleCore) -> dict[int, str]:
    """The letter of each unit, by row."""
    return {
        unit: LETTERS[player][slot % len(LETTERS[player])]
        for player in (0, 1)
        for slot, unit in enumerate(battle.units_of(player))
    }


# ---- words round the board


def _painted(words: str, codes: str, color: bool) -> str:
    """``words`` in a colour, if ``color`` is on."""
    return f"{codes}{words}{RESET}" if color and codes and words else words


def _head(shown: Panel, color: bool) -> Iterator[str]:
    """Score, moment, decision, last event and last roll."""
    sides = []
    for player, seat in enumerate(shown.seats):
        command = f", {seat.command} CP" if seat.command >= 0 else ""
        sides.append(_painted(f"{seat.name} {seat.score} VP{command}", PLAYER[player] + BOLD, color))
    yield " against ".join(sides)
    yield " · ".join(part for part in (shown.moment, shown.asked) if part)
    if shown.words:
        yield f"last: {shown.words}"
    if shown.dice:
        dice = " ".join(f"[{die.value}]" + ("" if die.good is None else "+" if die.good else "-") for die in shown.dice)
        yield f"{shown.roll}: {dice}"


def _legend(battle: BattleCore) -> Iterator[str]:
    """The signs of the terrain that is on the table."""
    names = Labels(battle)
    kinds = {names.feature(int(feature["kind"])) for feature in terrain(battle)[2]}
    blocks = terrain(battle)[0]
    signs = [f"{WALL} wall"] if (blocks["solid"] * (1 - blocks["walkable"])).any() else []
    signs += [f"{RAISED} raised, by height"] if blocks["walkable"].any() else []
    signs += [f"{sign} {kind}" for kind, sign in GROUNDS.items() if kind in kinds]
    others = sorted(kinds - GROUNDS.keys())
    signs += [f"{GROUND} {', '.join(others)}"] if others else []
    yield "  ".join([*signs, f"{MARKERS[:3]}… objectives"])


def _units(shown: Panel, letters: dict[int, str], color: bool) -> Iterator[str]:
    """The table of units, one army below the other."""
    wide = max((len(row.name) for row in shown.units), default=4)
    for player, seat in enumerate(shown.seats):
        yield ""
        yield _painted(seat.name, PLAYER[player] + BOLD, color)
        yield f"     {'unit':{wide}}  models  wounds  state"
        for row in shown.units:
            if row.player == player:
                line = (
                    f"  {letters[row.unit]}  {row.name:{wide}}  "
                    f"{_share(row.alive, row.strength)}  {_share(row.wounds, row.most)}"
                )
                yield _painted(f"{line}  {_state(row)}", "" if row.alive else FAINT, color)


def _share(left: int, full: int) -> str:
    """``left`` of ``full`` with fixed width."""
    return f"{left:>3}/{full:<2}"


def _state(row: UnitRow) -> str:
    """Place and states of a unit in words."""
    place = [] if row.standing else [row.place]
    return ", ".join([*place, *row.states])


# ---- the board


class _Board:
    """The characters of the table; row 0 is its far side."""

    def __init__(self, battle: BattleCore, columns: int) -> None:
        """An empty board with ``columns`` characters along the table."""
        setup = battle.setup
        self.step = setup.length / columns
        self.columns = columns
        self.rows = max(1, ceil(setup.width / (self.step * TALL) - 1e-9))
        self.tall = setup.width / self.rows
        self.cells: list[list[Cell]] = [[(" ", "")] * columns for _ in range(self.rows)]

    def middle(self, column: int, row: int) -> tuple[float, float]:
        """The place on the table that a character stands for."""
        return (column + 0.5) * self.step, (self.rows - row - 0.5) * self.tall

    def at(self, x: float, y: float) -> tuple[int, int]:
        """Column and row of a place."""
        column = min(self.columns - 1, max(0, int(x / self.step)))
        return column, min(self.rows - 1, max(0, self.rows - 1 - int(y / self.tall)))

    def put(self, column: int, row: int, sign: str, codes: str = "") -> None:
        """Write a character."""
        self.cells[row][column] = (sign, codes)

    def near(self, x0: float, y0: float, x1: float, y1: float) -> Iterator[tuple[int, int, float, float]]:
        """Column, row and middle of the characters within a box."""
        left, low = self.at(x0, y0)
        right, high = self.at(x1, y1)
        for row in range(high, low + 1):
            for column in range(left, right + 1):
                yield column, row, *self.middle(column, row)


def _board(battle: BattleCore, letters: dict[int, str], columns: int, color: bool) -> Iterator[str]:
    """The lines of the board."""
    board = _Board(battle, columns)
    _draw_terrain(battle, board)
    _draw_markers(battle, board)
    _draw_models(battle, board, letters)
    names = Labels(battle)
    scale = f" a character is {names.length(board.step)} by {names.length(board.tall)} "
    yield "┌" + scale.center(columns, "─") + "┐"
    for row in board.cells:
        yield "│" + "".join(_painted(sign, codes, color) for sign, codes in row) + "│"
    yield "└" + "─" * columns + "┘"


def _inside(corners: Array, x: float, y: float) -> bool:
    """Whether a point lies in an outline: a ray from it crosses the outline an odd number of times."""
    x0, y0 = corners[:, 0], corners[:, 1]
    x1, y1 = np.roll(x0, -1), np.roll(y0, -1)
    spans = (y0 > y) != (y1 > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond = x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return bool(np.count_nonzero(spans & beyond) % 2)


def _draw_terrain(battle: BattleCore, board: _Board) -> None:
    """Write the signs of features, floors and walls."""
    blocks, corners, features = terrain(battle)
    names = Labels(battle)
    grain = max(battle.setup.length, battle.setup.width) / 60.0
    for feature in features:
        outline = corners[feature["first"] : feature["first"] + feature["count"]]
        sign = GROUNDS.get(names.feature(int(feature["kind"])), GROUND)
        for column, row, x, y in board.near(*outline.min(axis=0), *outline.max(axis=0)):
            if _inside(outline, x, y):
                board.put(column, row, sign, FAINT)
    for block in sorted(blocks, key=lambda b: b["z_high"]):
        if not block["solid"] and not block["walkable"]:
            continue
        outline = corners[block["first"] : block["first"] + block["count"]]
        if block["walkable"]:
            sign = RAISED[min(len(RAISED) - 1, int(block["z_high"] / (STOREY * grain) - 0.01))]
            for column, row, x, y in board.near(*outline.min(axis=0), *outline.max(axis=0)):
                if _inside(outline, x, y):
                    board.put(column, row, sign, FAINT)
    for block in blocks:
        if block["solid"] and not block["walkable"] and block["z_low"] < 0.5 * grain:
            _draw_wall(board, corners[block["first"] : block["first"] + block["count"]])


def _draw_wall(board: _Board, outline: Array) -> None:
    """Write a sign for each character that a thin outline meets, even if it does not cover the character's middle."""
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    for column, row, x, y in board.near(x0, y0, x1, y1):
        nearest = min(max(x, x0), x1), min(max(y, y0), y1)
        if _inside(outline, x, y) or (board.at(*nearest) == (column, row) and _touches(outline, *nearest)):
            board.put(column, row, WALL)


def _touches(outline: Array, x: float, y: float) -> bool:
    """Whether a point lies in an outline or on one of its corners."""
    return _inside(outline, x, y) or bool((abs(outline - (x, y)).max(axis=1) < 1e-6).any())


def _draw_markers(battle: BattleCore, board: _Board) -> None:
    """Write the digits of the objectives."""
    o = battle.objectives
    for k, placed in enumerate(o.placed):
        if placed:
            codes = BOLD + (PLAYER[o.holder[k]] if o.holder[k] >= 0 else "")
            board.put(*board.at(o.x[k], o.y[k]), MARKERS[k % len(MARKERS)], codes)


def _draw_models(battle: BattleCore, board: _Board, letters: dict[int, str]) -> None:
    """Write the letter of each model on all characters whose middle its base covers, at least on one."""
    m = battle.models
    subject = battle.clock.subject[0] if battle.clock.asking[0] else -1
    for k in sorted((k for k, on in enumerate(m.on_table) if on), key=lambda k: m.z[k]):
        unit = m.unit[k]
        codes = PLAYER[m.owner[k]] + (SUBJECT if unit == subject else "")
        x, y, r = m.x[k], m.y[k], m.radius[k]
        board.put(*board.at(x, y), letters[unit], codes)
        for column, row, px, py in board.near(x - r, y - r, x + r, y + r):
            if _covers(battle, k, px, py):
                board.put(column, row, letters[unit], codes)


def _covers(battle: BattleCore, model: int, x: float, y: float) -> bool:
    """Whether the base of a model covers a point."""
    m = battle.models
    dx, dy, c, s = x - m.x[model], y - m.y[model], cos(m.facing[model]), sin(m.facing[model])
    along, across = abs(c * dx + s * dy) / m.half_a[model], abs(c * dy - s * dx) / m.half_b[model]
    return max(along, across) <= 1.0 if m.shape[model] == RECT else hypot(along, across) <= 1.0
