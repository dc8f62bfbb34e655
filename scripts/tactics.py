"""The tactics benchmark: frozen positions with known best values, and the regret of agents in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.intervals import z_of
from wh_env.agents.policies import UnknownPolicy, names, prepare
from wh_env.agents.programs import BAD_INPUT, INTERRUPTED, MOST_SEED, writable_folder
from wh_env.agents.programs import run as run_program
from wh_env.agents.tactics import Position, Score, Solution, load_positions, read_solutions, summary
from wh_env.agents.tactics.score import by_theme, score
from wh_env.agents.tactics.solution import write_solution
from wh_env.agents.tactics.solve import remeasure, solve
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.render.text import render_ansi

SEVERAL = ("--agents", "--theme", "--position")
APART = 4.0  # number of standard errors by which a check may differ


def main(
    agents: Annotated[
        list[str] | None,
        typer.Option(help=f"Policies: {', '.join(names())} or module:Class, each with ,key=value options."),
    ] = None,
    plays: Annotated[int, typer.Option(min=2, help="Plays of each agent in each position.")] = 100,
    theme: Annotated[list[str] | None, typer.Option(help="Only positions of these themes.")] = None,
    position: Annotated[list[str] | None, typer.Option(help="Only these positions.")] = None,
    ruleset: Annotated[str, typer.Option(help="Use the included positions of this ruleset.")] = DEFAULT_RULESET,
    folder: Annotated[Path | None, typer.Option(help="Folder of positions, instead of the included ones.")] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed from which all seeds of dice and agents follow.")
    ] = 0,
    level: Annotated[float, typer.Option(min=0.5, max=0.9999, help="Confidence level of the intervals.")] = 0.95,
    list_: Annotated[bool, typer.Option("--list", help="List the positions and what they test.")] = False,
    show: Annotated[str | None, typer.Option(help="Show this position: picture, choices and their values.")] = None,
    solve_: Annotated[bool, typer.Option("--solve", help="Compute the best values again and store them.")] = False,
    samples: Annotated[int, typer.Option(min=8, help="Dice futures for measuring (--solve, --check).")] = 800,
    tries: Annotated[int, typer.Option(min=8, help="Dice futures for each choice in the search.")] = 120,
    check: Annotated[int, typer.Option(min=0, help="Number of solved positions to measure again.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Score agents by regret: the value of best play minus the mean value of their own play, over many plays of each
    position.

    Regrets are also given as a share of the regret of random play (0: best play, 1: no better than random). Ctrl-C
    reports the finished positions (exit code 130); --solve stores each position as soon as it is solved.

    Example: tactics.py --agents random greedy tactician --plays 100 --seed 0
    """
    console = Console(emoji=False, markup=False, highlight=False)
    try:
        positions = load_positions(folder, theme or (), [*(position or ()), *([show] if show else ())], ruleset)
        for agent in agents or ():
            prepare(agent)
        if list_:
            tell_list(console, positions, json_)
        elif show is not None:
            known = next(p for p in positions if p.name == show)
            tell_position(console, known, read_solutions([known])[show], level)
        elif solve_:
            for place in {position.file.parent for position in positions}:
                writable_folder(place, "--folder")
            with_progress(positions, quiet or json_, lambda p, tell: solve_and_store(p, samples, tries, seed, tell))
        elif check:
            compare(console, positions, check, samples, tries, seed, quiet or json_, json_)
        else:
            run(console, positions, agents or ["random", "greedy"], plays, seed, level, quiet, json_)
    except (ContentError, UnknownPolicy) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error


# ---------------------------------------------------------------- with a progress bar


def with_progress(
    positions: Sequence[Position], quiet: bool, work: Callable[[Position, Callable[[str, float], None]], None]
) -> None:
    """Do something for each position, with a progress bar.

    Args:
        positions: the positions.
        quiet: show no bar.
        work: gets a position, and a function to report what it does and the share of it that is done.

    Raises:
        typer.Exit: Ctrl-C was pressed (exit code 130).
    """
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("compiling kernels (first time only)", total=len(positions))
        try:
            for number, position in enumerate(positions):

                def tell(what: str, share: float, number: int = number, name: str = position.name) -> None:
                    bar.update(task, completed=number + share, description=f"{name}: {what}")

                tell("begins", 0.0)
                work(position, tell)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None


def solve_and_store(
    position: Position, samples: int, tries: int, seed: int, tell: Callable[[str, float], None]
) -> None:
    """Solve a position and store the solution."""
    solution = solve(position, samples, tries, seed, tell)
    write_solution(position, solution)
    best, naive = solution.options[solution.best], solution.options[solution.naive]
    typer.echo(
        f"{position.name}: {solution.value:.3f} ± {solution.error:.3f} {position.worth.unit}, "
        f"random {solution.random:.3f}; "
        f"{best.words}: {best.value:.3f} ± {best.error:.3f}, {naive.words}: {naive.value:.3f} ± {naive.error:.3f}"
    )


def compare(
    console: Console,
    positions: list[Position],
    count: int,
    samples: int,
    tries: int,
    seed: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Measure ``count`` positions, chosen by the seed, again on other dice. Exits 1 if a value is far from the
    stored one.
    """
    chosen = sorted(positions, key=lambda p: (hash_of(p, seed), p.name))[:count]
    solutions = read_solutions(chosen)
    rows: list[dict[str, Any]] = []

    def remeasure_position(position: Position, tell: Callable[[str, float], None]) -> None:
        stored = solutions[position.name]
        value, error = remeasure(position, stored, samples, tries, seed + 1, tell)
        room = APART * max(1e-9, (error**2 + stored.error**2) ** 0.5)
        rows.append(
            {
                "position": position.name,
                "kept": stored.value,
                "kept_error": stored.error,
                "measured": value,
                "error": error,
                "agrees": abs(value - stored.value) <= room,
            }
        )

    with_progress(chosen, quiet, remeasure_position)
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
    else:
        table = Table("position", "kept", "measured again", "agrees")
        for row in rows:
            texts = [f"{row[v]:.3f} ± {row[e]:.3f}" for v, e in (("kept", "kept_error"), ("measured", "error"))]
            table.add_row(row["position"], *texts, "yes" if row["agrees"] else "NO")
        console.print(table)
    if not all(row["agrees"] for row in rows):
        raise typer.Exit(1)


def hash_of(position: Position, seed: int) -> int:
    """A number that orders positions at random, the same for the same seed."""
    return crc32(f"{seed}:{position.name}".encode())


# ---------------------------------------------------------------- output


def tell_list(console: Console, positions: Sequence[Position], as_json: bool) -> None:
    """Print names, themes and what each position tests."""
    if as_json:
        typer.echo(json.dumps([{"position": p.name, "theme": p.theme, "tests": p.tests} for p in positions], indent=1))
        return
    table = Table("theme", "position", "what it tests", show_lines=True)
    for p in positions:
        table.add_row(p.theme, p.name, p.tests)
    console.print(table)


def tell_position(console: Console, position: Position, solution: Solution, level: float) -> None:
    """Print a position as a picture and in words."""
    z, until, worth = z_of(level), position.until, position.worth
    console.print(f"{position.name} ({position.theme})\n\n{position.tests}\n")
    console.print(render_ansi(position.start, color=console.is_terminal), soft_wrap=True)
    counted = [
        f"{weight:g} for {what}"
        for weight, what in (
            (worth.vp, "each victory point of lead"),
            (worth.wounds, "each point of units taken, by wounds"),
            (worth.units, "each point of units destroyed"),
        )
        if weight
    ]
    console.print(
        f"Player {position.player} decides. It ends when the {until.phase} phase of player {until.turn} in round "
        f"{until.round} has begun. Counted: {'; '.join(counted)}, less the other side's.\n"
    )
    table = Table("choice", f"worth, {worth.unit}", "")
    for number, option in enumerate(solution.options):
        mark = "best" if number == solution.best else "naive" if number == solution.naive else ""
        table.add_row(option.words, f"{option.value:.2f} ± {z * option.error:.2f}", mark)
    console.print(table)
    console.print(
        f"Best play: {solution.value:.3f} ± {z * solution.error:.3f} {worth.unit} "
        f"({solution.samples} dice futures, {100 * level:g} %); random play: {solution.random:.3f}.\n\n{position.why}"
    )


def run(
    console: Console,
    positions: list[Position],
    agents: list[str],
    plays: int,
    seed: int,
    level: float,
    quiet: bool,
    as_json: bool,
) -> None:
    """Score the agents and print the result."""
    solutions = read_solutions(positions)
    scores: list[Score] = []
    interrupted = False

    def measure_position(position: Position, tell: Callable[[str, float], None]) -> None:
        done, own = 0, []
        for agent in agents:

            def played(agent: str = agent) -> None:
                nonlocal done
                done += 1
                tell(agent, done / (plays * len(agents)))

            own.append(score(position, solutions[position.name], agent, plays, seed, played))
        scores.extend(own)

    try:
        with_progress(positions, quiet or as_json, measure_position)
    except typer.Exit:
        interrupted = True
    if as_json:
        typer.echo(json.dumps(data(scores, agents, plays, seed, level), indent=1))
    else:
        tables(console, scores, agents, plays, seed, level)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def data(scores: list[Score], agents: list[str], plays: int, seed: int, level: float) -> dict[str, Any]:
    """Scores as plain data."""
    z = z_of(level)
    rows = [
        {
            **asdict(one),
            "regret": one.regret,
            "low": one.regret - z * one.error,
            "high": one.regret + z * one.error,
            "share": one.share,
            "share_low": one.share - z * one.share_error,
            "share_high": one.share + z * one.share_error,
        }
        for one in scores
    ]
    return {
        "plays": plays,
        "seed": seed,
        "level": level,
        "positions": rows,
        "themes": {agent: {t: asdict(s) for t, s in by_theme(agent, scores, level).items()} for agent in agents},
        "all": [asdict(summary(agent, scores, level)) for agent in agents],
    }


def tables(console: Console, scores: list[Score], agents: list[str], plays: int, seed: int, level: float) -> None:
    """Print scores as tables: by position, by theme and over all."""
    if not scores:
        console.print("No position was finished.")
        return
    z = z_of(level)
    by = {(one.position, one.agent): one for one in scores}
    table = Table(
        "position", "best", *agents, title=f"Regret, {plays} plays each, seed {seed}, {100 * level:g} % intervals"
    )
    for name in dict.fromkeys(one.position for one in scores):
        first = by[name, agents[0]]
        own = [f"{by[name, a].regret:.2f} ± {z * by[name, a].error:.2f}" for a in agents]
        table.add_row(name, f"{first.best:.2f} {first.unit}", *own)
    console.print(table)
    table = Table("theme", "positions", *agents, title="Regret as a share of that of random play")
    themes = {agent: by_theme(agent, scores, level) for agent in agents}
    for theme, theme_scores in themes[agents[0]].items():
        table.add_row(theme, str(theme_scores.positions), *(limits(themes[a][theme]) for a in agents))
    table.add_section()
    in_all = [summary(agent, scores, level) for agent in agents]
    table.add_row("all", str(in_all[0].positions), *map(limits, in_all))
    console.print(table)


def limits(score: Any) -> str:
    """A share with its limits."""
    return f"{score.share:.2f} ({score.low:.2f} – {score.high:.2f})"


if __name__ == "__main__":
    run_program(main, SEVERAL)
