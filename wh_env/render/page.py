"""A replay as one HTML file that needs no other file, no network and no server."""

from __future__ import annotations

import html
import json
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from wh_env.render.tape import DEFAULTS, DIGITS, Step, Tape
from wh_env.render.theme import COLOURS, MODES, Style, colour, styles

STYLES = ("base.css", "board.css", "viewer.css", "charts.css", "sheets.css", "phone.css")
SCRIPTS = ("theme.js", "board.js", "sheets.js", "charts.js", "viewer.js")
GRAIN = 20  # units of the viewer in one grain


def build_page(tape: Tape) -> str:
    """The page that shows a tape: table, timeline, events with their rules, units, score and dice."""
    numbers = {rule: number for number, rule in enumerate(tape.rules)}
    scene = tape.scene
    agents = " against ".join(agent for agent in tape.agents if agent)
    data = {
        "players": tape.players,
        "about": f"{agents + ', ' if agents else ''}seed {tape.seed}",
        "length": round(scene.length, DIGITS),
        "width": round(scene.width, DIGITS),
        "grain": scene.grain,
        "usual": DEFAULTS,
        "judged": tape.judged,
        "sheets": [asdict(sheet) for sheet in tape.sheets],
        "rules": [{"id": rule, **card} for rule, card in tape.rules.items()],
        "steps": [step_data(step, numbers) for step in tape.steps],
    }
    # In a script element only "<" could end the data.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "title": html.escape(tape.title),
        "style": "\n".join([*map(asset, STYLES), style_sheet()]),
        "script": "\n".join(map(asset, SCRIPTS)),
        "data": text,
    }
    page = asset("page.html")
    for name, part in parts.items():
        before, after = page.split(f"@{name}@")
        page = before + part + after
    return page


def step_data(step: Step, rules: dict[str, int]) -> dict[str, Any]:
    """A step as the viewer reads it; empty fields are left out."""
    data: dict[str, Any] = {"k": step.kind, "w": step.words}
    if step.rule:
        data["r"] = rules[step.rule]
    if step.player >= 0:
        data["p"] = step.player
    if step.dice:
        data["l"], data["d"] = step.roll, step.dice
    if step.own:
        data["o"] = 1
    if step.shapes:
        data["s"] = step.shapes
    if step.beside:
        data["b"] = step.beside
    return data


def asset(name: str) -> str:
    """The text of a file that is part of the page."""
    return (files("wh_env.render") / "html" / name).read_text(encoding="utf-8")


def style_sheet() -> str:
    """The colours and the styles of shapes as CSS, for light and dark."""
    lines = []
    for mode in MODES:
        root = f':root[data-theme="{mode}"]'
        names = "".join(f"--{name}:{colour(name, mode)};" for name in COLOURS)
        lines.append(f"{root}{{{names}}}")
        lines += [f"{root} .s-{name}{{{_rules(style)}}}" for name, style in styles(mode).items()]
    return "\n".join(lines)


def _rules(style: Style) -> str:
    """One style as CSS declarations."""
    declarations = [f"fill:{style.fill or 'none'}"]
    if style.outline:  # letters
        declarations += [
            f"stroke:{style.outline}",
            f"stroke-width:{_near(0.22)}",
            "paint-order:stroke",
            "stroke-linejoin:round",
        ]
    else:
        declarations.append(f"stroke:{style.line or 'none'}")
        if style.line:
            declarations += [f"stroke-width:{_near(style.width)}", "stroke-linejoin:round", "stroke-linecap:round"]
    if style.fill_opacity < 1.0:
        declarations.append(f"fill-opacity:{style.fill_opacity:g}")
    if style.line_opacity < 1.0:
        declarations.append(f"stroke-opacity:{style.line_opacity:g}")
    if style.dash:
        declarations += [f"stroke-dasharray:{_near(style.dash)}", "stroke-linecap:butt"]
    if style.bold:
        declarations.append("font-weight:700")
    return ";".join(declarations)


def _near(grains: float) -> str:
    """A length of lines that gets thinner, in units of the drawing, when the table comes near (``board.js``)."""
    return f"calc({grains * GRAIN:g}px*var(--near,1))"
