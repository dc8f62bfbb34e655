"""Sentences on units that both editions play: saves, moves, Charge rolls, Reinforcements."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wh_env.content.catalogues.prose.words import MODEL, WHO, About, Maker, Play, Rules, Scope, merged, subject

_ONE_OF_THEM = re.compile(r"a models? in ")  # that have or do something always, not each time
_KINDS = {"psychic attacks": " against Psychic Attacks", "mortal wounds": " against mortal wounds"}
_KIND = "(?:psychic attacks|mortal wounds)"


def on_units(match: Mapping[str, str] | re.Match[str], scope: Scope, about: About) -> Play | None:
    """The fields of an effect on the whole unit ``who``; None: the sentence is about some of its models."""
    who = subject(match["who"], scope, about)
    return None if who is None or who.get("own") else merged(scope.fields, who)


def each(effects: list[str], base: Play | None) -> list[Play] | None:
    """A play for each effect with the fields ``base``; None: there are none."""
    return None if base is None or not effects else [{"effect": effect, **base} for effect in effects]


def whole(effect: str) -> Maker:
    """A maker of an effect on the whole unit ``who``; other groups of the pattern may stand in it."""

    def make(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
        return each([effect.format(**match.groupdict())], on_units(match, scope, about))

    return make


def with_sign(effect: str, up: str = "add") -> Maker:
    """A maker of an effect that begins with a sign: plus where the pattern's ``sign`` is ``up``."""

    def make(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
        if _ONE_OF_THEM.match(match["who"]):
            return None
        sign = "+" if match["sign"] == up else "-"
        return each([f"{sign}{match['n']} {effect}"], on_units(match, scope, about))

    return make


def _guard(effect: str) -> Maker:
    """A maker of saves, which single models can have and which hold in any state."""

    def make(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
        if "when" in scope.fields or _ONE_OF_THEM.match(match["who"]):
            return None
        only = match.groupdict().get("only")
        kinds = [_KINDS[kind] for kind in re.split(r" and (?:against )?", only)] if only else [""]
        base = merged(scope.fields, subject(match["who"], scope, about))
        return each([effect.format(**match.groupdict()) + kind for kind in kinds], base)

    return make


def _freedoms(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    acts = [act for words, act in (("shoot", "shoot"), ("declare a charge", "charge")) if words in match["acts"]]
    turns = (("advanced", "Advancing"), ("fell back", "Falling Back"))
    after = [name for words, name in turns if words in match["after"]]
    return each([f"{act} after {name}" for act in acts for name in after], on_units(match, scope, about))


def _rerolled(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    names = {"advance": "Advance", "charge": "charge"}  # as effects write them
    rolls = [names[name] for name in match["rolls"].split(" and ")]
    return each([f"re-roll {name} rolls" for name in rolls], on_units(match, scope, about))


def _arrivals(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    if scope.fields or subject(match["who"], scope, about) is None:
        return None
    return [{"effect": "no Reinforcements within range", "range": int(match["n"]), "affects": "enemy"}]


RULES: Rules = (
    (
        re.compile(rf"(?P<who>{WHO}) (?:has|have) an? (?P<n>[2-6])\+ invulnerable save"),
        _guard("invulnerable save {n}+"),
    ),
    (
        re.compile(
            rf"(?P<who>{WHO}) (?:has|have) the feel no pain (?P<n>[2-6])\+(?: ability)?"
            rf"(?: against (?P<only>{_KIND}(?: and (?:against )?{_KIND})?))?"
        ),
        _guard("feel no pain {n}+"),
    ),
    (
        re.compile(
            rf"(?P<who>{WHO}) (?:is|are) (?:still )?eligible to (?P<acts>shoot|declare a charge|shoot and"
            rf" declare a charge)"
            r" in a turn (?:in )?which (?:it|they|that unit) (?P<after>(?:advanced|fell back)(?: or (?:advanced|fell"
            r" back))?)"
        ),
        _freedoms,
    ),
    (
        re.compile(
            r"you can re-roll (?P<rolls>(?:advance|charge)(?: and (?:advance|charge))?) rolls?"
            rf" made for (?P<who>{WHO})"
        ),
        _rerolled,
    ),
    (
        re.compile(rf"each time (?P<who>{WHO}) declares a charge, you can re-roll the (?P<rolls>charge) roll"),
        _rerolled,
    ),
    (
        re.compile(rf"(?P<sign>add|subtract) (?P<n>[1-6])\"? (?:to|from) the move characteristic of (?P<who>{WHO})"),
        with_sign("Move"),
    ),
    (
        re.compile(rf"(?P<sign>add|subtract) (?P<n>[1-6])\"? (?:to|from) (?P<who>{WHO})'s move characteristic"),
        with_sign("Move"),
    ),
    (
        re.compile(rf"(?P<sign>add|subtract) (?P<n>[12]) (?:to|from) charge rolls made for (?P<who>{WHO})"),
        with_sign("to charge rolls"),
    ),
    (
        re.compile(
            rf"each time (?:a charge roll is made for )?(?P<who>{WHO})(?: declares a charge)?, (?P<sign>add|subtract)"
            r" (?P<n>[12]) (?:to|from) (?:the|that) (?:charge )?roll"
        ),
        with_sign("to charge rolls"),
    ),
    (
        re.compile(
            r"enemy units (?:that are )?set up (?:on the battlefield )?(?:as|from) re(?:inforcements|serves) cannot be"
            r" set up within"
            rf" (?P<n>[0-9]+)\" (?:horizontally )?of (?P<who>{WHO})"
        ),
        _arrivals,
    ),
    (
        re.compile(
            rf"each time (?P<who>{WHO}) advances, do not make an advance roll(?: for it)?\. instead, until the end of"
            rf" the phase, add 6\" to the move characteristic of (?:{WHO}|models in (?:{MODEL})'s unit)"
        ),
        whole("Advances 6 inches without a roll"),
    ),
    (
        re.compile(
            rf"(?:when|each time) (?P<who>{WHO}) advances,? add 6\" to (?:its|their) move characteristic for that"
            r" movement phase instead of rolling a (?:dice|d6|die)"
        ),
        whole("Advances 6 inches without a roll"),
    ),
    (
        re.compile(rf"(?P<who>{WHO}) cannot lose more than (?P<n>[1-9]) wounds in (?:the same|each|any|a) phase"),
        _guard("wounds lost in a phase: at most {n}"),
    ),
)
