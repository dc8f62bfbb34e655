"""Pictures of battles: as text, as an image, in a window, and whole replays as a page, a GIF or a film.

    from wh_env.render import Window, render_ansi, render_rgb

    print(render_ansi(battle))              # board and unit table in characters
    image = render_rgb(battle, width=1200)  # uint8, shape (H, W, 3); extra `render`
    window = Window(); window.show(battle)  # extra `render`

Nothing here knows a ruleset: rows come from the core's tables, words from ``Setup.names`` and from the battle itself.
Large packages are imported when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wh_env.render.last import Follower, Last
    from wh_env.render.picture import render_rgb
    from wh_env.render.text import render_ansi
    from wh_env.render.window import Window

__all__ = ["Follower", "Last", "Window", "render_ansi", "render_rgb"]

HOMES = {"Follower": "last", "Last": "last", "Window": "window", "render_ansi": "text", "render_rgb": "picture"}


def __getattr__(name: str) -> Any:
    """Import the module of a public name when it is first used."""
    if name in HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
