"""Ability texts of catalogues as effects: patterns of sentences; a text is understood whole or not at all.

No words of a text are kept: an ability that is understood becomes its effects, described in our own words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from wh_env.content.catalogues.prose.choices import CHOICES
from wh_env.content.catalogues.prose.words import About, Play, Rules, Scope, both_keywords, plain, state

__all__ = ["About", "Understood", "ability_of", "understood"]

MOST_TEXT = 2000  # characters; no sentence that is known is so long
_LEADING = re.compile(r"while (?:this model|the bearer|this unit) is leading a unit, (?P<rest>.+)")
_FRIENDS = re.compile(
    r"while (?:a friendly unit|(?:a friendly|an?) (?P<key>[a-z'<> -]+?) unit) is within (?P<n>[0-9]+)\" of"
    r" (?:this model|this unit|the bearer|this transport), (?P<rest>.+)"
)
_ENEMIES = re.compile(
    r"while an enemy unit is within (?P<n>[0-9]+)\" of (?:this model|this unit|the bearer), (?P<rest>.+)"
)
_STATE = re.compile(
    r"(?:while|if) (?:this model|this unit|the bearer|the bearer's unit) (?P<state>[^,]+), (?P<rest>.+)"
)
_LED = re.compile(r"while a (?:character|leader)(?: model| unit)? is leading this unit, (?P<rest>.+)")
_STOOD = re.compile(
    r"each time (?:this model|this unit|the bearer's unit) remains stationary, until the end of the turn, (?P<rest>.+)"
)
_CHARGED = re.compile(
    r"each time (?:this model|this unit|the bearer's unit) (?:ends|makes) a charge move, until the end of the turn,"
    r" (?P<rest>.+)"
)
_OF_BOTH = re.compile(r"while an? (?!friendly |enemy )")
_REMARK = re.compile(r"\. any wounds that would be lost after that point are not lost")  # says what is said already
_MORE = re.compile(r"^(?:in addition|furthermore), ")


@dataclass(frozen=True)
class Understood:
    """The effects of an ability: ``plays`` and ``chooses`` as in the schema ``OtherAbility``."""

    plays: tuple[Play, ...]
    chooses: dict[str, Any] | None = None


def scoped(sentence: str, about: About) -> tuple[Scope, str] | None:
    """The conditions at the beginning of a sentence, and the rest of it; None: one cannot be said."""
    if match := _LEADING.fullmatch(sentence):
        return (Scope({"leading": True}, True), match["rest"]) if about.leads else None
    if match := _ENEMIES.fullmatch(sentence):
        return Scope({"range": int(match["n"]), "affects": "enemy"}, True), match["rest"]
    if match := _FRIENDS.fullmatch(sentence):
        kept = both_keywords(match["key"], about) if match["key"] else []
        whom = {"keyword": kept} if kept else {}
        return None if kept is None else (Scope({"range": int(match["n"]), **whom}, True), match["rest"])
    for pattern, name in ((_CHARGED, "charged"), (_STOOD, "stationary"), (_LED, "led")):
        if match := pattern.fullmatch(sentence):
            return Scope({"when": [name]}), match["rest"]
    if match := _STATE.fullmatch(sentence):
        named = state(match["state"])
        return None if named is None else (Scope({"when": [named]}), match["rest"])
    return Scope(), sentence


def plays_of(sentence: str, about: About, rules: tuple[Rules, ...], before: Scope | None = None) -> list[Play] | None:
    """The effects of one sentence; None: it is not understood.

    Args:
        before: that of the sentence before it, if this one may speak of "that unit" of it.

    An Aura on units with a keyword, without the word "friendly", is one on the units of both players.
    """
    words = _MORE.sub("", sentence)
    plays = _plays_within(words, about, rules)
    if plays is None and before is not None and words != sentence:
        plays = _played(words, before, about, rules)
    if plays and "affects" not in plays[0] and "range" in plays[0] and _OF_BOTH.match(words):
        plays += [{**play, "affects": "enemy"} for play in plays]
    return plays


def _plays_within(words: str, about: About, rules: tuple[Rules, ...]) -> list[Play] | None:
    """The effects of one sentence on the units of its player; None: it is not understood."""
    scope, rest = scoped(words, about) or (Scope(), words)
    return _played(rest, scope, about, rules)


def _played(rest: str, scope: Scope, about: About, rules: tuple[Rules, ...]) -> list[Play] | None:
    """The effects of a sentence without the conditions at its beginning, which are ``scope``."""
    for pattern, make in (rule for group in rules for rule in group):
        if match := pattern.fullmatch(rest):
            plays = make(match, scope, about)
            if plays is not None:
                return plays
    parts = re.split(
        r",? and (?=you can |add |subtract |(?:a )?models? in |that unit |this unit |this model |each time |improve )",
        rest,
    )
    if len(parts) == 1:
        return None
    both: list[Play] = []
    for part in parts:
        one = next(
            (
                plays
                for group in rules
                for pattern, make in group
                if (match := pattern.fullmatch(part)) and (plays := make(match, scope, about)) is not None
            ),
            None,
        )
        if one is None:
            return None
        both += one
    return both


def understood(text: str, about: About, rules: tuple[Rules, ...]) -> Understood | None:
    """The effects of an ability's text; None: a part of it is not understood.

    Args:
        rules: the patterns of sentences of the edition.
    """
    if len(text) > MOST_TEXT:
        return None
    words = _REMARK.sub("", plain(text))
    for pattern, choose in CHOICES if about.chooses else ():
        if match := pattern.fullmatch(words):
            chosen = choose(match, about)
            return None if chosen is None else Understood(tuple(chosen[1]), chosen[0])
    plays = plays_of(words, about, rules)
    if plays is None and ". " in words:
        plays = []
        before: Scope | None = None
        for sentence in words.split(". "):
            more = plays_of(sentence, about, rules, before)
            if more is None:
                return None
            plays += more
            found = scoped(sentence, about)
            before = found[0] if found is not None and found[0].that else before
    return Understood(tuple(plays)) if plays else None


def ability_of(name: str, found: Understood, psychic: bool) -> dict[str, Any]:
    """An ability as a mapping of the schema ``OtherAbility``, described by the names of its effects."""
    told = [f"{play['effect']} {play['by']:+d}" if "by" in play else str(play["effect"]) for play in found.plays]
    if found.chooses is not None and "effect" in found.chooses:
        told.append(str(found.chooses["effect"]))
    row: dict[str, Any] = {"name": name, "effect": "; ".join(dict.fromkeys(told))[:100], "active": True}
    if psychic:
        row["psychic"] = True
    if found.chooses is not None:
        row["chooses"] = found.chooses
    if found.plays:
        row["plays"] = list(found.plays)
    return row
