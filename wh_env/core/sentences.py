"""Sentences for events, from templates that name the fields of an event.

A template is text with fields in braces, ``{unit} [Advances/Advance]: a roll of {roll}``. A field is put in the words
of its kind (``Ruleset.event_fields``): a unit by its name, a path by its length, a flag as passed or failed. Of two
words in brackets the first stands if the name of the first unit or model of the sentence is singular, else the second.
``{amount|mortal wound}`` is a number with its noun.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE, Event, Value

FIELD = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")
NUMBERED = re.compile(r"\[([^/\]]*)/([^\]]*)\]")
LENGTH_UNITS = {"in": '"', "cm": " cm"}
IRREGULAR = {"die": "dice"}  # nouns with their plurals
IRREGULAR_VERBS = {
    "is": "are",
    "has": "have",
    "does": "do",
    "goes": "go",
    "passes": "pass",
}  # as for one, as for several
VERB = re.compile(r"(^| and )([a-z]+s)\b")
SINGULAR_ENDINGS = ("ss", "us", "is")  # of names that end in s and are not plural

Templates = Mapping[str, Sequence[str]]


def is_plural(name: str) -> bool:
    """Whether a name stands for several: it ends in s, as ``termagants`` does, or joins two units."""
    last = name.rstrip("0123456789 ")
    return " and " in name or (last.endswith("s") and not last.endswith(SINGULAR_ENDINGS))


def listed(words: Sequence[str]) -> str:
    """Words with commas, and the last with ``and``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted(number: float | str, what: str) -> str:
    """A number, or one in digits, with its noun: ``1 model``, ``3 inches``, ``2 dice``."""
    told = plain(number)
    several = IRREGULAR.get(what, what + ("es" if what.endswith("ch") else "s"))
    return f"{told} {what if told == '1' else several}"


def acting(number: float, what: str, does: str, do: str) -> str:
    """A number with its noun and a verb, that for one or that for several: ``1 model touches``, ``3 models touch``."""
    return f"{counted(number, what)} {does if plain(number) == '1' else do}"


def agreeing(number: float, words: str) -> str:
    """Words about several things as they are about so many: of ``wounds lost`` for 1 ``wound lost``, of ``saved`` for
    any number ``saved``.
    """
    if plain(number) != "1":
        return words
    return " ".join(word[:-1] if is_plural(word) else word for word in words.split(" "))


def of_several(verb: str) -> str:
    """A verb as it is for several: of ``loses`` it is ``lose``; words that do not end in s stay as they are."""
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb]
    return f"{verb[:-3]}y" if verb.endswith("ies") else verb.removesuffix("s")


def for_both(words: str) -> str:
    """Words about one with those about several in brackets: of ``loses its frenzy`` it is
    ``[loses/lose] [its/their] frenzy``. The verbs are the first word and words after ``and``.
    """
    verbs = VERB.sub(lambda match: f"{match[1]}[{match[2]}/{of_several(match[2])}]", words)
    return re.sub(r"\bitself\b", "[itself/themselves]", re.sub(r"\bits\b", "[its/their]", verbs))


def agreed(text: str, subject: str = "") -> str:
    """Text in which of two words in brackets the first stands if the subject is singular, else the second.

    Args:
        text: ``spearmen [loses/lose] 2 models``.
        subject: the name that the text is about; empty: what stands before the first brackets.
    """
    form = 2 if is_plural(subject or text.partition("[")[0].rstrip()) else 1
    return NUMBERED.sub(lambda match: str(match[form]), text)


def told(g: BattleCore, event: Event, templates: Templates) -> str | None:
    """The event by the first template of its kind whose fields it all has; None: there is none.

    Rows that stand for nobody, empty lists and fields that are missing count as not there.
    """
    for template in templates.get(event.kind, ()):
        if all(is_there(event.data.get(name)) for name, _ in FIELD.findall(template)):
            return filled(g, event.data, template)
    return None


def filled(g: BattleCore, data: Mapping[str, Any], template: str) -> str:
    """A template with the fields of an event."""
    subject = ""
    words: dict[str, str] = {}
    for name, noun in FIELD.findall(template):
        words[name] = counted(data[name], noun) if noun else in_words(g, name, data[name])
        if not subject and kind_of(g, name) in (Value.UNIT, Value.MODEL):
            subject = words[name]
    return FIELD.sub(lambda match: words[match[1]], agreed(template, subject or "nobody"))


def is_there(value: Any) -> bool:
    """Whether a field of an event says something."""
    return value is not None and value != NONE and value != "" and value != () and value != []


def kind_of(g: BattleCore, name: str) -> Value | None:
    """The kind of a field of events, as the ruleset declares it."""
    declared = g.setup.ruleset.event_fields.get(name)
    return declared.value if declared is not None else None


def in_words(g: BattleCore, name: str, value: Any) -> str:
    """The value of a field of an event in words."""
    kind = kind_of(g, name)
    words = WORDS.get(kind) if kind is not None else None
    if words is not None:
        return words(g, value)
    if name == "needed":
        return f"{value}+"
    return plain(value)


def plain(value: Any) -> str:
    """A number, a text or several in words."""
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    if isinstance(value, list | tuple):
        return listed([plain(part) for part in value])
    return str(value)


# ---------------------------------------------------------------- kinds of values


def unit(g: BattleCore, row: int) -> str:
    """The name of a unit, after that of the unit attached to it."""
    name = str(g.setup.names["units"][row])
    leaders = g.units.leader if "leader" in (g.units.rows.dtype.names or ()) else None
    return name if leaders is None or leaders[row] < 0 else f"{g.setup.names['units'][leaders[row]]} + {name}"


def player(g: BattleCore, row: int) -> str:
    """The name of a player's army; with the player's number if both armies have that name."""
    names = g.setup.names["players"]
    return f"{names[row]} (player {row})" if names[0] == names[1] else str(names[row])


def path(g: BattleCore, steps: Any) -> str:
    """How far a way leads from where it began."""
    x, y = steps[-1]
    return plain(round(float((x * x + y * y) ** 0.5), 1)) + LENGTH_UNITS.get(g.setup.ruleset.length_unit, "")


def flags(_: BattleCore, value: Any) -> str:
    """Passed or failed; of several, for each player."""
    return (
        plain(["passed" if one else "failed" for one in value])
        if isinstance(value, list | tuple)
        else ("passed" if value else "failed")
    )


WORDS: Mapping[Value, Callable[[BattleCore, Any], str]] = {
    Value.UNIT: unit,
    Value.UNITS: lambda g, rows: listed([unit(g, row) for row in rows]),
    Value.MODEL: lambda g, row: str(g.setup.names["models"][row]),
    Value.MODELS: lambda _, rows: counted(len(rows), "model"),
    Value.PLAYER: player,
    Value.MARKER: lambda _, row: f"marker {row + 1}",
    Value.PATH: path,
    Value.FLAG: flags,
}
