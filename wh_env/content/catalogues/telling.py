"""Names and numbers read from catalogues and rosters, and the report of guesses and of parts that are not played."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wh_env.content.errors import ContentError

MOST_NAME = 100
MOST_TEXT = 4000  # characters of a text that are read; int() takes no more than 4300 digits
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


def text_of(value: str) -> str:
    """A text as it is read: cut, and without empty lines and more than one space at once, which patterns of texts
    would try in all combinations.
    """
    return "\n".join(" ".join(line.split()) for line in value[:MOST_TEXT].splitlines() if line.strip())


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
    _guesses: set[str] = field(default_factory=set, repr=False)  # all that were ever added, as a report can be long
    _not_played: set[str] = field(default_factory=set, repr=False)

    def guess(self, line: str) -> None:
        """Add a guess."""
        if line not in self._guesses:
            self._guesses.add(line)
            self.guessed.append(line)

    def leave(self, line: str) -> None:
        """Add a part that is not played."""
        if line not in self._not_played:
            self._not_played.add(line)
            self.unplayed.append(line)

    def add(self, other: Report) -> None:
        """Add the lines of another report."""
        for line in other.guessed:
            self.guess(line)
        for line in other.unplayed:
            self.leave(line)
        self.taken += other.taken
        self.fields += other.fields
        self.understood += other.understood
        self.missed += other.missed


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
