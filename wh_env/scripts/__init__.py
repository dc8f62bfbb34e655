"""The programs, in a checkout in ``scripts/``; ``wh-env NAME`` runs one of them wherever wh_env is installed."""

from __future__ import annotations

import difflib
import importlib
import sys
from typing import Any

from wh_env.checkout import beside

__path__ = beside("scripts", __path__)

PROGRAMS = {
    "play": "Play a battle between two policies, tell what happened, write a replay.",
    "serve": "Open a page to play on: against a policy, against each other, or to watch.",
    "replay": "Verify a replay, show its battle, turn it into a page, a film or a picture.",
    "tournament": "Play a tournament between policies: ratings, payoffs, a report.",
    "matchup": "Measure one army list against another, and where the difference comes from.",
    "fairness": "Measure whether battles are fair, the same policy on both sides.",
    "suite": "Make a suite of random battles that are fair.",
    "import": "Make an army of a roster of a list builder.",
    "content": "Compare datasheets with public catalogues.",
    "schemas": "Write JSON Schemas of content for editors.",
    "odds": "What attacks can be expected to do.",
    "train": "Train an opponent in self-play.",
    "curves": "Draw the curves of training runs.",
    "tactics": "Measure policies on frozen positions.",
    "aliasing": "See which columns of the state observations do not show.",
    "calibrate": "See what positions are worth by how battles end.",
    "warm": "Compile the kernels of games beforehand.",
    "benchmark": "Measure decisions a second.",
    "soak": "Play random legal battles and check what must always hold.",
    "fuzz": "Feed damaged files and odd values to everything that reads them.",
}
MODULES = {"import": "import_roster"}  # of programs whose names no module can have
BAD_USE = 2


def main() -> None:
    """Run the program that the first argument names on the others."""
    name, *arguments = sys.argv[1:] or ["--help"]
    if name in ("--help", "-h"):
        print(usage())
        return
    if name == "--version":
        print(importlib.import_module("wh_env").__version__)
        return
    if name not in PROGRAMS:
        near = difflib.get_close_matches(name, PROGRAMS, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        print(f"error: {name!r} is no program; expected one of {', '.join(PROGRAMS)}{hint}", file=sys.stderr)
        raise SystemExit(BAD_USE)
    module: Any = importlib.import_module(f"{__name__}.{MODULES.get(name, name)}")
    run = importlib.import_module("wh_env.agents.programs").run
    sys.argv = [f"wh-env {name}", *arguments]
    run(module.app if hasattr(module, "app") else module.main, getattr(module, "SEVERAL", ()))


def usage() -> str:
    """What there is."""
    width = max(map(len, PROGRAMS))
    lines = "\n".join(f"  {name:{width}}  {words}" for name, words in PROGRAMS.items())
    return f"Usage: wh-env PROGRAM [OPTIONS]\n\nPrograms:\n{lines}\n\nwh-env PROGRAM --help tells what one takes."
