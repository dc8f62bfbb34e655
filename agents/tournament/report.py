"""The report of a tournament: one HTML file that loads nothing else, with the look of the pages that show battles.
Pages of games are linked.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from math import isnan
from pathlib import Path

import yaml

from wh_env.content.load import rulesets
from wh_env.core.sealed import engine_version
from wh_env.core.tables import Array
from wh_env.render.reports import report_page, wide
from wh_env.render.theme import colour as colour_of

from ..not_played import in_words, not_played
from ..payoffs import Payoffs
from ..ratings import Estimate
from .config import TournamentConfig
from .pages import page_of
from .results import Row
from .standings import Standing, Summary

INK = colour_of("ink", "light")
LOW, MIDDLE, HIGH = (179, 88, 6), (247, 247, 247), (84, 39, 136)  # a colour scale that suits the colour-blind
SHORTEST_AXIS = 100.0  # rating points
PLOT = (150, 22)  # width and height of the plot of an interval, pixels
MOST_REPLAYS = 500


def html(
    config: TournamentConfig,
    summary: Summary,
    rows: Sequence[Row],
    timings: Mapping[str, tuple[float, float, float]],
    traces: Mapping[str, str],
    pages: Container[str] = (),
) -> str:
    """The report as HTML.

    Args:
        config: the tournament.
        summary: what the results show.
        rows: the games.
        timings: seconds of each game and of both agents, by key.
        traces: tracebacks of failed agents, by key.
        pages: the replays that have a page beside them.
    """
    ranking = [line.agent for line in summary.standings]
    parts = [
        section("Standings", standings_table(summary, thinking(rows, timings))),
        section("Who beats whom", heat_map(summary.payoffs, "agent", ranking) + payoff_words()),
        section("How sure is the order", sure_table(summary)),
        section("First turn", first_turn_table(summary)),
    ]
    if summary.armies is not None:
        parts.append(
            section(
                "Army against army", heat_map(summary.armies, "army", summary.armies.players) + army_ratings(summary)
            )
        )
    parts.append(section("Forfeits and games that do not count", faults(summary, traces, pages)))
    parts.append(section("Replays", replays(rows, pages)))
    if undone := not_played(map(str, config.battles), pairs_of(config)):
        parts.append(section("What is not played", f"<p>{escape(in_words(undone))}</p>"))
    parts.append(section("How this was made", method(config)))
    return report_page(config.name, under(config, summary), "\n".join(parts))


# ---------------------------------------------------------------- small parts


def section(title: str, content: str) -> str:
    """A heading and its content."""
    return f"<h2>{escape(title)}</h2>\n{content}"


def table(head: Sequence[str], lines: Iterable[Sequence[str]], names: int = 1) -> str:
    """A table.

    Args:
        head: cells of the head row, HTML.
        lines: cells of the other rows, HTML.
        names: number of columns that are aligned to the left.
    """

    def cells(tag: str, values: Sequence[str]) -> str:
        kind = (' class="name"' if at < names else "" for at in range(len(values)))
        return "".join(f"<{tag}{cls}>{value}</{tag}>" for cls, value in zip(kind, values, strict=True))

    body = "\n".join(f"<tr>{cells('td', line)}</tr>" for line in lines)
    return wide(f"<table><thead><tr>{cells('th', head)}</tr></thead>\n<tbody>{body}</tbody></table>")


def percent(value: float | None) -> str:
    """A share in percent; a dash if there is none."""
    return "–" if value is None or isnan(value) else f"{100 * value:.1f} %"


def between(low: float, high: float) -> str:
    """The limits of a share in small print."""
    return f"<small>{100 * low:.1f} – {100 * high:.1f}</small>"


def colour(share: float) -> str:
    """The style of a cell by the distance of its share from one half."""
    end = HIGH if share > 0.5 else LOW
    weight = min(1.0, abs(share - 0.5) * 2)
    red, green, blue = (round(m + (e - m) * weight) for m, e in zip(MIDDLE, end, strict=True))
    ink = "#ffffff" if weight > 0.55 else INK
    return f"background: rgb({red},{green},{blue}); color: {ink}"


def interval_plot(estimate: Estimate, lowest: float, highest: float) -> str:
    """An estimate with its interval as inline SVG, on an axis from ``lowest`` to ``highest``."""
    width, height = PLOT
    scale = (width - 12) / (highest - lowest)

    def place(value: float) -> float:
        return round(6 + (value - lowest) * scale, 1)

    low, high, at, zero = (place(value) for value in (estimate.low, estimate.high, estimate.value, 0.0))
    middle = height / 2
    words = f"{estimate.value:.0f}, {estimate.low:.0f} to {estimate.high:.0f}"
    return (
        f'<svg width="{width}" height="{height}" role="img" aria-label="{words}">'
        f'<line x1="{zero}" x2="{zero}" y1="0" y2="{height}" stroke="var(--neutral)"/>'
        f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="var(--p0)" stroke-width="3"/>'
        f'<circle cx="{at}" cy="{middle}" r="5" fill="var(--p0)"/></svg>'
    )


# ---------------------------------------------------------------- sections


def under(config: TournamentConfig, summary: Summary) -> str:
    """The size of the tournament, and whether it is finished."""
    agents, battles = len(config.agents), ", ".join(map(battle_words, config.battles))
    text = f"{agents} agents, {summary.games} games on {battles}; {config.format}, seed {config.seed}"
    missing = (
        f' <span class="alarm">Not finished: {summary.missing} games are missing.</span>' if summary.missing else ""
    )
    return f"{escape(text)}.{missing}"


def battle_words(name: str) -> str:
    """A battle in words: its game and the name of its file."""
    game, _, file = name.partition("?")[0].rpartition("/")
    words = Path(file).stem.replace("-", " ")
    return f"{words} ({game})" if game in rulesets() else words


def side_words(row: Row, seat: int) -> str:
    """A side of a game: the agent, and the army that it led."""
    agent, army = ((row.agent0, row.army0), (row.agent1, row.army1))[seat]
    return f"{agent} ({army})" if army else agent


def game_words(row: Row) -> str:
    """Both sides of a game."""
    return f"{side_words(row, 0)} against {side_words(row, 1)}"


def winner_words(row: Row) -> str:
    """Who won a game."""
    return "a draw" if row.winner is None else side_words(row, row.winner)


def thinking(rows: Iterable[Row], timings: Mapping[str, tuple[float, float, float]]) -> dict[str, float]:
    """Mean seconds that each agent used in a game."""
    spent: dict[str, list[float]] = {}
    for row in rows:
        if row.key in timings:
            _, one, other = timings[row.key]
            spent.setdefault(row.agent0, []).append(one)
            spent.setdefault(row.agent1, []).append(other)
    return {name: sum(seconds) / len(seconds) for name, seconds in spent.items()}


def standings_table(summary: Summary, seconds: Mapping[str, float]) -> str:
    """The table of standings with one row an agent; ``seconds`` is the mean thinking time of each agent in a
    game.
    """
    lines = summary.standings
    lowest = min([0.0, *(line.rating_low for line in lines)])
    highest = max([lowest + SHORTEST_AXIS, *(line.rating_high for line in lines)])
    head = [
        "", "agent", "rating", "95 % interval", "", "games", "won", "drawn", "lost", "points", "forfeits",
        "Nash average", "alpha-rank", "thinking a game",
    ]  # fmt: skip

    def cells(place: int, line: Standing) -> list[str]:
        rating = Estimate(line.rating, line.rating_low, line.rating_high)
        return [
            str(place),
            escape(line.agent),
            f"{line.rating:.0f}",
            f"{line.rating_low:.0f} – {line.rating_high:.0f}",
            interval_plot(rating, lowest, highest),
            str(line.games),
            str(line.wins),
            str(line.draws),
            str(line.losses),
            percent(line.share) + between(line.low, line.high),
            str(line.forfeits) if line.forfeits else "",
            percent(line.nash),
            percent(line.alpha_rank),
            f"{seconds.get(line.agent, 0.0):.3g} s",
        ]

    words = (
        "<p>Ratings are Bradley–Terry strengths with draws and first turn, fitted to all games at once: 400 points are "
        "odds of ten to one. Nash average: the weight of an agent in the equilibrium in which no side gains by "
        "choosing another agent; alpha-rank: how often it would dominate an evolving population. Both matter where "
        "agents beat each other in a circle.</p>"
    )
    return table(head, [cells(at + 1, line) for at, line in enumerate(lines)], names=2) + words


def payoff_words() -> str:
    """An explanation of the cells of the payoff table."""
    return "<p>Points that the agent of the row took from the agent of the column, draws half, with 95 % limits.</p>"


def heat_map(matrix: Payoffs, what: str, order: Sequence[str]) -> str:
    """A payoff matrix whose colours show the share of points of the row.

    Args:
        matrix: the payoffs.
        what: what a row is (``agent``, ``army``).
        order: order of rows and columns.
    """
    place = {name: row for row, name in enumerate(matrix.players)}
    low, high = matrix.interval()
    share = matrix.share
    head = "".join(f"<th>{escape(name)}</th>" for name in order)
    lines = []
    for name in order:
        cells = []
        for other in order:
            i, j = place[name], place[other]
            if matrix.games[i, j] == 0:
                cells.append('<td class="cell"></td>')
                continue
            words = f"{name} against {other}: {matrix.points[i, j]:g} points of {matrix.games[i, j]} games"
            limits = between(float(low[i, j]), float(high[i, j]))
            cells.append(
                f'<td class="cell" style="{colour(float(share[i, j]))}" title="{escape(words, quote=True)}">'
                f"{percent(float(share[i, j]))}{limits}</td>"
            )
        lines.append(f'<tr><th class="name">{escape(name)}</th>{"".join(cells)}</tr>')
    return wide(
        f'<table><thead><tr><th class="name">{what}</th>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    )


def sure_table(summary: Summary) -> str:
    """The table of how often each agent is rated above each other agent in resamples."""
    names = [line.agent for line in summary.standings]
    place = [summary.ratings.players.index(name) for name in names]
    sure: Array = summary.ratings.superior
    lines = [
        [escape(name), *("" if i == j else percent(float(sure[i, j])) for j in place)] for name, i in zip(names, place)
    ]
    words = (
        "<p>In how many resamples of the tournament the agent of the row is rated above the agent of the column.</p>"
    )
    return table(["agent", *map(escape, names)], lines) + words


def first_turn_table(summary: Summary) -> str:
    """The table of what the first turn is worth."""
    turn = summary.ratings.first_turn
    if turn is None:
        return "<p>No game that was played to its end had a first turn.</p>"
    lines = [
        [escape(battle_words(s.name)), str(s.games), percent(s.share) + between(s.low, s.high)]
        for s in summary.first_turns
    ]
    words = f"<p>Between equals it is worth {turn.value:.0f} rating points ({turn.low:.0f} – {turn.high:.0f}).</p>"
    return table(["battle", "games", "points of who went first"], lines) + words


def army_ratings(summary: Summary) -> str:
    """The table of ratings of the armies; empty if there is only one pair of armies."""
    ratings = summary.army_ratings
    if ratings is None:
        return ""
    order = sorted(zip(ratings.players, ratings.ratings, strict=True), key=lambda pair: -pair[1].value)
    lines = [[escape(name), f"{r.value:.0f}", f"{r.low:.0f} – {r.high:.0f}"] for name, r in order]
    words = "<p>Over all agents; both of a pair play both armies with the same dice. Forfeited games are left out.</p>"
    return words + table(["army", "rating", "95 % interval"], lines)


def faults(summary: Summary, traces: Mapping[str, str], pages: Container[str]) -> str:
    """The table of games that an agent forfeited, and of void games."""
    if not summary.faults and not summary.void:
        return "<p>None.</p>"
    lines = []
    for row in (*summary.faults, *summary.void):
        who = "nobody" if row.at_fault is None else side_words(row, row.at_fault)
        trace = traces.get(row.key)
        text = f"<details><summary>trace</summary><pre>{escape(trace)}</pre></details>" if trace else ""
        battle = escape(battle_words(row.battle))
        lines.append([escape(who), escape(row.fault) + text, escape(game_words(row)), battle, link(row, pages)])
    return table(["at fault", "why", "game", "battle", "replay"], lines, names=5)


def link(row: Row, pages: Container[str]) -> str:
    """A link to the page of a game, or to its replay if it has no page; empty if it has neither."""
    if not row.replay:
        return ""
    target, words = (page_of(row.replay), "watch") if row.replay in pages else (row.replay, "file")
    return f'<a href="{escape(target, quote=True)}" title="{escape(Path(target).name, quote=True)}">{words}</a>'


def replays(rows: Sequence[Row], pages: Container[str]) -> str:
    """The table of games with a replay file."""
    having = [row for row in rows if row.replay]
    if not having:
        return "<p>None were kept (<code>replays: all</code> keeps them).</p>"
    lines = []
    for row in having[:MOST_REPLAYS]:
        battle, score = escape(battle_words(row.battle)), f"{row.vp0} : {row.vp1}"
        lines.append([escape(game_words(row)), battle, score, escape(winner_words(row)), link(row, pages)])
    more = len(having) - MOST_REPLAYS
    rest = f"<p>And {more} more, named in results.csv.</p>" if more > 0 else ""
    words = (
        "<p>A page steps through its game; <code>scripts/replay.py show FILE</code> tells it in words, "
        "<code>render FILE --html PAGE</code> makes a page of one that has none.</p>"
    )
    return words + table(["game", "battle", "points", "winner", "replay"], lines, names=5) + rest


def pairs_of(config: TournamentConfig) -> list[tuple[str, ...]]:
    """The armies to check for rules that are not played: each army of the config once, or the battles' own."""
    return [(str(army), str(army)) for army in config.armies] or [()]


def method(config: TournamentConfig) -> str:
    """The config, and how the figures were computed."""
    text = yaml.safe_dump(config.model_dump(mode="json", exclude_defaults=True), sort_keys=False, allow_unicode=True)
    words = (
        "<p>Every pairing was played in mirrored pairs of games: both seats, the same seeds. Limits of shares are "
        f"Wilson's; limits of ratings come from {config.resamples} resamples of mirrored pairs. "
        f"wh_env {escape(engine_version())}.</p>"
    )
    return f"{words}<pre>{escape(text)}</pre>"
