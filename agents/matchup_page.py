"""Draw a match-up as a page: one HTML file that loads nothing else, with the look of the pages that show battles and
links to its games. matplotlib (extra ``render``) draws its plots.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, NamedTuple

import numpy as np

from wh_env.core.sealed import engine_version
from wh_env.render.picture import MissingExtra
from wh_env.render.reports import report_page, wide
from wh_env.render.theme import colour as colour_of

from .breakdown import Breakdown, ListPart, Mean
from .matchup import NAMES, MatchUp, Shown

COLOURS = colour_of("p0", "light"), colour_of("p1", "light")  # first list, other list
INK, GRID, WHITE = colour_of("ink", "light"), colour_of("rim", "light"), "#ffffff"
# what the plots are drawn with, by the names that the page gives it in light and in dark
NAMED = {COLOURS[0]: "p0", COLOURS[1]: "p1", INK: "ink", GRID: "rim"}


class Game(NamedTuple):
    """A game that can be watched, in words: both sides, who won, the points, and the file of its page."""

    sides: str
    winner: str
    points: str
    page: str


def game_of(shown: Shown, page: str) -> Game:
    """A game of the match-up with the file of its page. Sides are told apart by their armies, armies with one name by
    the list.
    """
    same = shown.armies[0] == shown.armies[1]
    told = [
        f"{army} ({NAMES[0 if seat == shown.first_list else 1]})" if same else army
        for seat, army in enumerate(shown.armies)
    ]
    winner = "a draw" if shown.winner is None else told[shown.winner]
    return Game(f"{told[0]} against {told[1]}", winner, f"{shown.vp[0]} : {shown.vp[1]}", page)


def matchup_page(
    summary: Sequence[str], matchup: MatchUp, level: float, undone: str = "", games: Sequence[Game] = ()
) -> str:
    """The page as HTML.

    Args:
        summary: the result in sentences.
        matchup: the match-up, with ``why``.
        level: confidence level of the intervals.
        undone: one line that names rules which were not played; empty if there are none.
        games: those that can be watched.

    Raises:
        MissingExtra: matplotlib is not installed.
        ValueError: the games of the match-up were not accounted for.
    """
    why = matchup.why
    if why is None:
        raise ValueError("the games of this match-up were not accounted for")
    with drawing():
        plots = [plot(why) for plot in (units_plot, kills_plot, rounds_plot)]
    title = f"{matchup.armies[0]} against {matchup.armies[1]}"
    limits = f"Means of a game over {2 * why.pairs} games in mirrored pairs, with {100 * level:g} % intervals."
    parts = [
        "".join(f"<p>{escape(line)}</p>" for line in summary),
        f"<h2>Points killed, unit by unit</h2><p>{limits} "
        "Each wound that a unit inflicts kills a share of the enemy unit's points.</p>",
        wide(plots[0]),
        *(f"<h3>{escape(part.army)}</h3>{wide(units_table(part))}" for part in why.lists),
        f"<p>{escape(trade_words(why))}</p>",
        "<h2>Who killed whom</h2><p>Mean points a game that the unit on the left took from the one below.</p>",
        wide(plots[1]),
        "<h2>Objectives, round by round</h2>",
        "<p>Victory points scored in each battle round, and markers held at its end.</p>",
        wide(plots[2]),
        wide(rounds_table(why)),
        games_table(games) if games else "",
        f"<h2>What was not played</h2><p>{escape(undone)}</p>" if undone else "",
    ]
    return report_page(title, f"wh_env {escape(engine_version())}", "".join(parts))


def games_table(games: Sequence[Game]) -> str:
    """The games that can be watched, with links to their pages."""
    lines = [
        f'<tr><td class="name">{escape(game.sides)}</td><td>{escape(game.points)}</td><td>{escape(game.winner)}</td>'
        f'<td><a href="{escape(game.page, quote=True)}">watch</a></td></tr>'
        for game in games
    ]
    table = f"<table>{heads('game', 'points', 'winner', 'replay')}<tbody>{''.join(lines)}</tbody></table>"
    return f"<h2>Games to watch</h2><p>The first games, move by move.</p>{wide(table)}"


def trade_words(why: Breakdown) -> str:
    """The sums of both lists in sentences."""
    one, other = why.lists
    return (
        f"{one.army} kills {one.killed.mean:.0f} points a game, {other.army} {other.killed.mean:.0f}: "
        f"a difference of {limits_of(why.trade)}. "
        f"Losses that no enemy caused (flight, tests, mishaps): {one.otherwise.mean:.0f} "
        f"and {other.otherwise.mean:.0f}."
    )


# ---------------------------------------------------------------- tables


def limits_of(mean: Mean, digits: int = 0) -> str:
    """A mean and its limits as text, with ``digits`` decimals."""
    text = number(mean.mean, digits)
    return (
        text
        if mean.low is None or mean.high is None
        else f"{text} ({number(mean.low, digits)} to {number(mean.high, digits)})"
    )


def number(value: float, digits: int = 0) -> str:
    """A number as text with ``digits`` decimals; never "-0"."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def cell(mean: Mean, digits: int = 0) -> str:
    """A mean as a table cell, with its limits in small print."""
    text, _, rest = limits_of(mean, digits).partition(" ")
    return f"<td>{text} <small>{rest}</small></td>"


def heads(*names: str) -> str:
    """The head row of a table; the first column holds names."""
    rest = "".join(f"<th>{escape(name)}</th>" for name in names[1:])
    return f"<thead><tr><th class='name'>{escape(names[0])}</th>{rest}</tr></thead>"


def units_table(part: ListPart) -> str:
    """The table of what each unit of a list killed and lost, in points per game."""
    lines = []
    for unit in part.units:
        share = f"{100 * unit.killed.mean / unit.points:.0f}" if unit.points else ""
        means = "".join(cell(mean) for mean in (unit.killed, unit.lost, unit.balance, unit.otherwise))
        lines.append(
            f"<tr><td class='name'>{escape(unit.name)}</td><td>{unit.points:.0f}</td>{means}<td>{share}</td></tr>"
        )
    whole = sum(unit.points for unit in part.units)
    sums = cell(part.killed) + cell(part.lost) + "<td></td>" + cell(part.otherwise) + "<td></td>"
    lines.append(f"<tr class='sum'><td class='name'>all</td><td>{whole:.0f}</td>{sums}</tr>")
    head = heads("unit", "points", "killed", "lost", "killed - lost", "of that to no enemy", "killed per 100 points")
    return f"<table>{head}<tbody>{''.join(lines)}</tbody></table>"


def rounds_table(why: Breakdown) -> str:
    """The table of battle rounds."""
    one, other = (part.army for part in why.lists)
    lines = []
    for part in why.rounds:
        vp = cell(part.vp[0], 1) + cell(part.vp[1], 1) + cell(part.lead, 1)
        held = cell(part.markers[0], 1) + cell(part.markers[1], 1) + cell(part.markers_lead, 1)
        lines.append(f"<tr><td class='name'>{part.number}</td>{vp}{held}</tr>")
    head = heads(
        "round", f"VP {one}", f"VP {other}", f"lead of {one}", f"markers {one}", f"markers {other}", "lead in markers"
    )
    return f"<table>{head}<tbody>{''.join(lines)}</tbody></table>"


# ---------------------------------------------------------------- plots


@contextmanager
def drawing() -> Iterator[None]:
    """A context in which matplotlib keeps text as text, takes names literally and draws the same file
    each time.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise MissingExtra("matplotlib") from error
    inks: tuple[Any, ...] = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    settings: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "wh_env", "text.parse_math": False}
    with rc_context({**settings, **dict.fromkeys(inks, INK)}):
        yield


def figure(width: float, height: float) -> Any:
    """An empty figure, ``width`` x ``height`` inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def inline(drawn: Any, words: str) -> str:
    """A figure as SVG for a page; ``words`` describe it to screen readers."""
    room = io.StringIO()
    drawn.savefig(
        room, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    text = room.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    for code, name in NAMED.items():  # so that the plots are dark where the page is
        text = text.replace(code, f"var(--{name})")
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(words, quote=True)}" ', 1)


def half(mean: Mean) -> float:
    """Half the width of an interval; 0 if there is none."""
    return 0.0 if mean.high is None else mean.high - mean.mean


def plain(axis: Any, along: str = "x") -> None:
    """Draw grid lines of axis ``along`` behind the data, and no frame at the top and the right."""
    axis.grid(axis=along, color=GRID)
    axis.set_axisbelow(True)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def units_plot(why: Breakdown) -> str:
    """A bar chart for each list: points killed to the right, points lost to the left."""
    most = max(len(part.units) for part in why.lists)
    drawn = figure(11, 1.2 + 0.42 * most)
    for axis, part, colour in zip(drawn.subplots(1, 2), why.lists, COLOURS, strict=True):
        at = np.arange(len(part.units))
        killed, lost = ([getattr(unit, name) for unit in part.units] for name in ("killed", "lost"))
        error = {"ecolor": INK, "capsize": 2, "error_kw": {"lw": 1}}
        axis.barh(
            at, [m.mean for m in killed], 0.7, xerr=[half(m) for m in killed], color=colour, label="killed", **error
        )
        axis.barh(
            at,
            [-m.mean for m in lost],
            0.7,
            xerr=[half(m) for m in lost],
            color=colour,
            alpha=0.35,
            label="lost",
            **error,
        )
        axis.set_yticks(at, [f"{unit.name} ({unit.points:.0f})" for unit in part.units])
        axis.invert_yaxis()
        axis.axvline(0, color=INK, lw=1)
        axis.set_title(f"{part.army}: lost | killed", loc="left", fontsize=10)
        axis.set_xlabel("points a game")
        axis.xaxis.set_major_formatter(lambda value, _: f"{abs(value):.0f}")
        plain(axis)
    return inline(drawn, "Points killed and lost by unit")


def kills_plot(why: Breakdown) -> str:
    """Two coloured tables: points that each unit of a list took from each enemy unit."""
    one, other = why.lists
    rows = len(one.units) + len(other.units)
    drawn = figure(11, 2.4 + 0.42 * rows)
    top = max((max(row, default=0.0) for table in why.kills for row in table), default=0.0) or 1.0
    heights = [len(one.units), len(other.units)]
    for axis, killers, victims, table, shades in zip(
        drawn.subplots(2, 1, height_ratios=heights),
        why.lists,
        (other, one),
        why.kills,
        ("Blues", "Oranges"),
        strict=True,
    ):
        values = np.array(table)
        axis.imshow(values, cmap=shades, vmin=0, vmax=top, aspect="auto")
        for row, column in np.ndindex(*values.shape):
            value = values[row, column]
            ink = WHITE if value > 0.6 * top else "#000000"
            axis.text(
                column, row, f"{value:.0f}" if value >= 0.5 else "", ha="center", va="center", color=ink, fontsize=9
            )
        axis.set_yticks(range(len(killers.units)), [unit.name for unit in killers.units])
        axis.set_xticks(range(len(victims.units)), [unit.name for unit in victims.units], rotation=25, ha="right")
        axis.set_title(f"{killers.army} kills", loc="left", fontsize=10)
    return inline(drawn, "Who killed whom")


def rounds_plot(why: Breakdown) -> str:
    """Two charts over the rounds, with intervals: victory points and markers."""
    drawn = figure(11, 3.6)
    numbers = np.array([part.number for part in why.rounds])
    for axis, name, label in zip(
        drawn.subplots(1, 2), ("vp", "markers"), ("victory points scored", "markers held"), strict=True
    ):
        for side, (part, colour) in enumerate(zip(why.lists, COLOURS, strict=True)):
            means = [getattr(one, name)[side] for one in why.rounds]
            shift = 0.06 * (2 * side - 1)
            axis.errorbar(
                numbers + shift,
                [m.mean for m in means],
                [half(m) for m in means],
                fmt="o-",
                color=colour,
                capsize=3,
                label=part.army,
            )
        axis.set_xticks(numbers)
        axis.set_xlabel("battle round")
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
        plain(axis, "y")
        axis.legend(frameon=False)
    return inline(drawn, "Victory points and markers by battle round")


__all__ = ["Game", "MissingExtra", "drawing", "game_of", "matchup_page", "number", "trade_words"]
