"""How each style of a shape looks, in light and in dark mode; one table for the painter of pictures and for the
page.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Mode = Literal["light", "dark"]
MODES: tuple[Mode, Mode] = ("light", "dark")


class Style(NamedTuple):
    """Colours as ``#rrggbb`` (empty: none), opacities 0 to 1, line width and dashes in grains (see ``scene.Scene``)."""

    fill: str = ""
    line: str = ""
    width: float = 0.0
    fill_opacity: float = 1.0
    line_opacity: float = 1.0
    dash: float = 0.0
    bold: bool = False
    outline: str = ""  # for letters: the colour of the rim round them


# names of colours, (light, dark)
COLOURS: dict[str, tuple[str, str]] = {
    "page": ("#f6f4ef", "#14171a"),
    "card": ("#ffffff", "#1d2226"),
    "rim": ("#d9d4c7", "#343b41"),
    "ink": ("#22262a", "#e8e6e1"),
    "soft": ("#6b6f73", "#9aa1a7"),
    "felt": ("#e9e4d6", "#262c2d"),
    "edge": ("#8d8675", "#59625f"),
    "grid": ("#d8d1bf", "#323a3a"),
    "p0": ("#2b62c9", "#6fa0ff"),
    "p1": ("#c4461a", "#ff8a5c"),
    "p0-deep": ("#17397a", "#dbe7ff"),
    "p1-deep": ("#7a2508", "#ffe3d6"),
    "p0-base": ("#5b8ae0", "#3763b5"),
    "p1-base": ("#e07a4f", "#b5502a"),
    "good": ("#1c7f4a", "#59c98b"),
    "bad": ("#a33030", "#e57373"),
    "gold": ("#b98900", "#ffd34d"),
    "mark": ("#ffe08a", "#ffd34d"),
    "neutral": ("#8b8b86", "#8f979c"),
    "wall": ("#3c3a36", "#d3cdc0"),
    "ground": ("#d3cbb8", "#343b3b"),
    "ground-woods": ("#b7cca3", "#2d4230"),
    "ground-crater": ("#d8bf9f", "#463a2c"),
    "ground-hill": ("#d9c79c", "#403c2e"),
    "ground-marsh": ("#b9c9b0", "#2b3f3c"),
    "ground-river": ("#a9c6dd", "#24405a"),
    "ground-road": ("#cfcac0", "#3b3e40"),
    "ground-cliff": ("#b3a692", "#4b453c"),
    "ground-forest": ("#b7cca3", "#2d4230"),
    "ground-obstacle": ("#9c8f74", "#6b6250"),
    "ground-monument": ("#a89fb8", "#4a4358"),
    "ground-building": ("#b0a08c", "#55493c"),
    "ground-line": ("#a79c82", "#566060"),
    "low": ("#cbc2ad", "#3d4646"),
    "high": ("#8c8471", "#78837f"),
}
GROUNDS = [name for name in COLOURS if name.startswith("ground-") and name != "ground-line"]  # kinds of terrain
LEVELS = 6  # shades of surfaces on which models can stand, by height


def colour(name: str, mode: Mode) -> str:
    """The colour ``name`` in this mode, as ``#rrggbb``."""
    return COLOURS[name][MODES.index(mode)]


def mixed(one: str, two: str, share: float) -> str:
    """The colour ``share`` of the way from ``one`` to ``two`` (``#rrggbb``)."""
    a, b = rgb(one), rgb(two)
    return "#" + "".join(f"{round(p + (q - p) * share):02x}" for p, q in zip(a, b, strict=True))


def rgb(code: str) -> tuple[int, int, int]:
    """``#rrggbb`` as three numbers."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def styles(mode: Mode) -> dict[str, Style]:
    """All styles by name, in this mode."""

    def c(name: str) -> str:
        return colour(name, mode)

    found = {
        "table": Style(c("felt"), c("edge"), 0.12),
        "grid": Style("", c("grid"), 0.04),
        "ruler": Style(c("soft")),
        "ground": Style(c("ground"), c("ground-line"), 0.05, 0.75, dash=0.35),
        "wall": Style(c("wall"), c("wall"), 0.04),
        "wall-high": Style(c("wall"), c("wall"), 0.03, 0.22, 0.5),
        "block": Style(c("high"), c("wall"), 0.08, 0.95),
        "feature": Style(c("soft"), outline=c("felt")),
        "height": Style(c("ink"), outline=c("felt")),
        "marker-range": Style("", c("neutral"), 0.06, line_opacity=0.8, dash=0.4),
        "marker-none": Style(c("card"), c("neutral"), 0.14, 0.95),
        "marker-word": Style(c("ink"), bold=True),
        "marker-word-held": Style("#ffffff", bold=True),
        "halo": Style(c("gold"), c("gold"), 0.12, 0.3),
        "choice": Style("", c("gold"), 0.1, dash=0.25),
        "quarter": Style("", c("soft"), 0.07, line_opacity=0.8, dash=0.3),
        "wounds": Style("#ffffff", bold=True),
        "star": Style("#ffffff", c("wall"), 0.05, 0.9),
        "storey": Style(c("ink"), bold=True, outline=c("felt")),
        "note": Style(c("ink"), bold=True, outline=c("felt")),
    }
    for kind in GROUNDS:
        found[kind] = Style(c(kind), c("ground-line"), 0.05, 0.9, dash=0.35)
    for level in range(LEVELS):
        shade = mixed(c("low"), c("high"), level / (LEVELS - 1))
        found[f"floor-{level}"] = Style(shade, c("wall"), 0.04, 0.92, 0.45)
    for player in (0, 1):
        own, deep, base = c(f"p{player}"), c(f"p{player}-deep"), c(f"p{player}-base")
        found |= {
            f"zone-{player}": Style(own, own, 0.06, 0.07, 0.5, dash=0.6),
            f"marker-{player}": Style(own, deep, 0.12, 0.95),
            f"marker-range-{player}": Style(own, own, 0.08, 0.1, 0.9, dash=0.4),
            f"model-{player}": Style(base, deep, 0.1),
            f"body-{player}": Style(own, deep, 0.08, 0.25),
            f"front-{player}": Style("", deep, 0.3),
            f"label-{player}": Style(deep, bold=True, outline=c("felt")),
            f"ghost-{player}": Style(own, own, 0.06, 0.12, 0.6, dash=0.2),
            f"goes-{player}": Style(own, deep, 0.1, 0.2, dash=0.3),
            f"trail-{player}": Style("", own, 0.09, line_opacity=0.75),
            f"shot-{player}": Style("", own, 0.11, line_opacity=0.8),
            f"reach-{player}": Style(own, own, 0.09, 0.03, 0.85, dash=0.5),
            f"fallen-{player}": Style("", own, 0.16, line_opacity=0.95),
        }
    return found
