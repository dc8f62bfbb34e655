"""Reports as one HTML file that loads nothing else, with the look of the pages that show battles."""

from __future__ import annotations

from html import escape

from wh_env.render.page import asset, style_sheet

STYLES = ("base.css", "report.css")


def report_page(title: str, under: str, body: str) -> str:
    """A report.

    Args:
        title: of the page. under: what stands below it, HTML. body: the rest, HTML.
    """
    style = "\n".join([*map(asset, STYLES), style_sheet()])
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n'
        f"<style>\n{style}\n</style>\n<script>\n{asset('theme.js')}</script>\n"
        f'</head>\n<body class="report">\n<main>\n'
        f'<header><div><h1>{escape(title)}</h1><p class="under">{under}</p></div>'
        f'<button onclick="otherTheme()" title="Light or dark">◐</button></header>\n'
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def wide(part: str) -> str:
    """HTML that scrolls sideways on a narrow screen."""
    return f'<div class="wide">{part}</div>'
