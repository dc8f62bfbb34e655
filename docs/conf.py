"""How the pages become a site (``make docs``). Nothing is fetched while it is built or read."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import wh_env  # noqa: E402

project = "wh_env"
copyright = "wh_env contributors. Unofficial: made without affiliation to any publisher of the games it plays."
version = release = wh_env.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4  # so that links to headings are checked

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
add_module_names = False
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes in a class's docstring; its properties have entries of their own
napoleon_use_rtype = False

html_theme = "pydata_sphinx_theme"
html_title = "wh_env"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "installing": []}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 8,
    "show_prev_next": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

FETCHED = re.compile(r"""(?:src=|<link[^>]*href=|url\(|@import\s)["'(]?\s*(?:https?:)?//[^"')\s]+""")


def look_for_what_is_fetched(app: Sphinx, error: Exception | None) -> None:
    """A page that asks the network for a script, a style, a font or a picture fails the build."""
    from sphinx.errors import ExtensionError

    files = [path for path in Path(app.outdir).rglob("*") if path.suffix in (".html", ".css")]
    for path in files if error is None else ():
        if found := FETCHED.search(path.read_text(encoding="utf-8")):
            raise ExtensionError(f"{path}: fetches {found[0]}; expected a site that reads without a network")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", look_for_what_is_fetched)
