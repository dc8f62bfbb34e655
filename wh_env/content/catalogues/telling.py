"""Names and numbers read from catalogues and rosters, and the report of guesses and of parts that are not played."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wh_env.content.errors import ContentError

MOST_NAME = 100
_MARKS = re.compile(r"^[^\w(\[]+")  # arrows before the profiles of one weapon
_SPACES = re.compile(r"\s+")
# bases (mm; hulls in inches) and heights by the first keyword that a unit has: guesses, told as such
GUESSES: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("AIRCRAFT", {"oval_mm": [120, 92]}, 5.0),
    ("TITANIC", {"oval_mm": [170, 109]}, 7.0),
    ("MONSTER", {"oval_mm": [105, 70]}, 4.0),
    ("VEHICLE", {"hull_in": [5.0, 3.5]}, 3.0),
    ("MOUNTED", {"oval_mm": [75, 42]}, 2.2),
    ("SWARM", {"circle_mm": 40}, 1.0),
    ("BEAST", {"circle_mm": 40}, 1.6),
    ("CHARACTER", {"circle_mm": 40}, 1.8),
    ("INFANTRY", {"circle_mm": 32}, 1.6),
)
ANY_BASE: tuple[dict[str, Any], float] = ({"circle_mm": 40}, 1.8)


def name_of(value: Any, fallback: str = "") -> str:
    """A name that content accepts: one line without leading marks, cut to the longest length."""
    text = _SPACES.sub(" ", value if isinstance(value, str) else "").strip()
    return "".join(c for c in _MARKS.sub("", text) if c.isprintable())[:MOST_NAME].strip() or fallback


@dataclass
class Report:
    """What was read, what was guessed and what is not played; each line once.

    Of the abilities of catalogues: ``fields`` became fields of a datasheet, ``understood`` effects, by their sentences;
    ``missed`` are not played.
    """

    taken: list[str] = field(default_factory=list)
    guessed: list[str] = field(default_factory=list)
    unplayed: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    understood: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def guess(self, line: str) -> None:
        """Add a guess."""
        if line not in self.guessed:
            self.guessed.append(line)

    def add(self, other: Report) -> None:
        """Add the lines of another report."""
        for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True):
            mine += theirs

    def leave(self, line: str) -> None:
        """Add a part that is not played."""
        if line not in self.unplayed:
            self.unplayed.append(line)


def number_in(text: str, file: str, place: str) -> int:
    """The first number of a characteristic such as ``6"`` or ``20+``; a dash is 0.

    Raises:
        ContentError: there is no number.
    """
    match = re.search(r"[0-9]+", text)
    if match is None and text.strip() not in ("-", "–", "N/A", ""):
        raise ContentError(file, place, text, "a number")
    return int(match[0]) if match else 0


def roll_in(text: str, file: str, place: str, default: str = "") -> str:
    """A roll such as 3+; ``default`` if there is none.

    Raises:
        ContentError: there is neither a roll nor a default.
    """
    match = re.search(r"[1-9][0-9]?\+", text)
    if match is None:
        if default:
            return default
        raise ContentError(file, place, text, "a roll such as 3+")
    return match[0]


def amount_in(text: str, file: str, place: str) -> str | int:
    """A number or dice such as ``2D6+1``."""
    plain = text.replace(" ", "").upper()
    if re.fullmatch(r"[0-9]*D[36](\+[0-9]+)?", plain):
        return plain
    return number_in(text, file, place)


def guessed_base(unit: str, keywords: Iterable[str], report: Report) -> tuple[dict[str, Any], float]:
    """Base and height (inches) of a unit's models, guessed from its keywords and reported as a guess."""
    have = set(keywords)
    base, height = next(((base, height) for word, base, height in GUESSES if word in have), ANY_BASE)
    told = ", ".join(f"{name} {value}" for name, value in base.items())
    report.guess(f'{unit}: base {told}, height {height}"')
    return dict(base), height
