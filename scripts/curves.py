"""Draw the curves of training runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from wh_env.agents import programs
from wh_env.agents.programs import fail, writable
from wh_env.core.files import replacing

SMOOTH = 8  # number of updates whose games are combined
RESOLUTION = 90  # dots an inch


def main(
    run: Annotated[Path, typer.Argument(help="Folder of a run of train.py, or its history.json.")],
    out: Annotated[Path, typer.Option(help="File for the picture.")] = Path("out/curves.png"),
    json_: Annotated[bool, typer.Option("--json", help="Print the plotted values as JSON.")] = False,
) -> None:
    """Draw the strength of a run over its decisions: evaluations with 95 % intervals, and the games it learnt from.

    Example: curves.py out/training/w10-skirmish --out docs/images/w10-skirmish.png
    """
    file = run / "history.json" if run.is_dir() else run
    try:
        rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
        data = {"evaluations": evaluations(rows), "games": shares(rows), "cloned": cloned(rows)}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError, RecursionError) as error:
        fail(f"{file}: {type(error).__name__}: {error}; expected the history of a run of train.py")
    writable(out, "--out")
    draw(data, out)
    typer.echo(json.dumps(data, indent=1) if json_ else f"{out}: {len(rows)} rounds and updates")


def evaluations(rows: list[dict[str, Any]]) -> dict[str, list[list[float]]]:
    """By opponent: decisions, share of points and the limits of its interval at each evaluation."""
    lines: dict[str, list[list[float]]] = {}
    for row in rows:
        for opponent, (points, games, low, high) in row.get("scores", {}).items():
            lines.setdefault(opponent, []).append([row["decisions"], points / games, low, high])
    return lines


def shares(rows: list[dict[str, Any]]) -> dict[str, list[list[float]]]:
    """By opponent: decisions and share of points in games of training, combined over some updates."""
    updates = [row for row in rows if row["kind"] == "update"]
    lines: dict[str, list[list[float]]] = {}
    for first in range(0, len(updates), SMOOTH):
        some = updates[first : first + SMOOTH]
        sums: dict[str, list[float]] = {}
        for row in some:
            for opponent, (points, games) in row["games"].items():
                name = "snapshots" if opponent.startswith("snapshot-") else opponent
                met = sums.setdefault(name, [0.0, 0.0])
                met[0], met[1] = met[0] + points, met[1] + games
        for name, (points, games) in sums.items():
            lines.setdefault(name, []).append([some[-1]["decisions"], points / games])
    return lines


def cloned(rows: list[dict[str, Any]]) -> list[list[float]]:
    """Decisions, and how often the network agreed with its teacher before it learnt from the samples of a round."""
    return [[row["decisions"], row["told"]["clone/agreement"]] for row in rows if row["kind"] == "clone"]


def draw(data: dict[str, Any], out: Path) -> None:
    """Draw the curves and write the picture."""
    try:
        import matplotlib
    except ImportError:
        fail("curves.py needs matplotlib: pip install 'wh-env[render]'")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
    for opponent, points in data["evaluations"].items():
        at, share, low, high = zip(*points, strict=True)
        (line,) = left.plot(at, share, marker=".", label=opponent)
        left.fill_between(at, low, high, alpha=0.15, color=line.get_color())
    if data["cloned"]:
        at, share = zip(*data["cloned"], strict=True)
        left.plot(at, share, linestyle=":", color="grey", label="agrees with the teacher")
        for axes in (left, right):
            axes.axvline(at[-1], color="grey", linewidth=0.5)
    for opponent, points in sorted(data["games"].items()):
        at, share = zip(*points, strict=True)
        right.plot(at, share, label=opponent)
    left.set_title("evaluations, likeliest actions")
    right.set_title("games learnt from, drawn actions")
    left.set_ylabel("share of the points")
    for axes in (left, right):
        axes.set_xlabel("decisions of the learner")
        axes.axhline(0.5, color="grey", linewidth=0.5)
        axes.set_ylim(0.0, 1.0)
        axes.legend(loc="lower right", fontsize="small")
    with replacing(out) as draft:
        figure.savefig(draft, dpi=RESOLUTION)
    pyplot.close(figure)


if __name__ == "__main__":
    programs.run(main)
