"""Decisions as players read them: a title, a question, and what it means to choose nothing.

They come from the kind's name and from what it says it asks (``DecisionKind.what``), where ``done`` and the level of
detail are told to programs. Where these words are no player's words, the ruleset has others (``Ruleset.questions``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wh_env.core.actions import Segment
from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind, Ruleset

DETAIL = "Squad detail: "
CLAUSE = re.compile(r" \(done[^)]*\)|[;:] done\b[^.;]*")
MEANING = re.compile(r"\bdone: ([^.);]+)")
ASKS = re.compile(r"(?:Which|Who) [^.;:]* next\.")  # others are no sentences with a question mark: "Where it goes."


class Asked(NamedTuple):
    """A decision in a player's words.

    Attributes:
        title: a few words. question: what is chosen. done: what choosing nothing means; empty if nobody says so.
    """

    title: str
    question: str
    done: str


def asked(ruleset: Ruleset, kind: DecisionKind) -> Asked:
    """A kind of decision in a player's words."""
    title, question = ruleset.questions.get(kind.name, ("", ""))
    meant = MEANING.search(kind.what)
    return Asked(
        title or kind.name.replace("-", " ").capitalize(),
        question or question_of(kind.what),
        meant[1].strip() if meant else "",
    )


def question_of(what: str) -> str:
    """What a kind asks, without the level of detail and without what ``done`` means."""
    words = CLAUSE.sub("", what.removeprefix(DETAIL))
    words = words[:1].upper() + words[1:]
    return words.removesuffix(".") + "?" if ASKS.fullmatch(words) else words


def option_words(g: BattleCore, action: int) -> str:
    """Words for an action as an answer to the waiting decision. Where they say no more than ``done`` or the number of a
    cell, what that means, or where it lies.
    """
    words, (segment, slot) = g.describe(action), g.setup.space.split(action)
    if words != g.default_words(action):
        return words
    if segment == Segment.CELL and g.pending().region is not None:
        xs, ys = g.pending().cells(g.setup.space.grid, middle(g, g.clock.subject[0]))
        return f"to {xs[slot]:.1f}, {ys[slot]:.1f}"
    ruleset = g.setup.ruleset
    meant = asked(ruleset, ruleset.kinds[g.clock.kind[0]]).done if segment == Segment.DONE else ""
    return meant or words


def middle(g: BattleCore, unit: int) -> tuple[float, float]:
    """The middle (x, y) of the models of a unit on the table; (0, 0) if there are none."""
    rows = list(g.members(unit)) if 0 <= unit < len(g.units.owner) else []
    m = g.models
    if not rows:
        return 0.0, 0.0
    return sum(m.x[k] for k in rows) / len(rows), sum(m.y[k] for k in rows) / len(rows)


def answer_words(g: BattleCore, action: int) -> str:
    """The waiting decision with an answer to it, on one line."""
    ruleset = g.setup.ruleset
    title, words = asked(ruleset, ruleset.kinds[g.clock.kind[0]]).title, option_words(g, action)
    return words if title.lower() in words.lower() else f"{title}: {words}"
