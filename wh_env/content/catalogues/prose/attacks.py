"""Sentences on attacks: changes of those that a unit makes or suffers, and abilities of its weapons."""

from __future__ import annotations

import re
from collections.abc import Callable

from wh_env.content.catalogues.prose.words import (
    MODEL,
    WHO,
    About,
    Play,
    Rules,
    Scope,
    condition,
    merged,
    subject,
    target,
)
from wh_env.content.catalogues.prose.words import weapon as weapons_named

Change = tuple[str, int]  # a name of ``granting.CHANGES``, and by how much
# the greatest amounts of changes: more does not fit into the circumstances of an attack
MOST = {"Strength": 7, "Attacks": 7, "AP": 3, "Damage": 3, "Sustained Hits": 3, "hit rolls": 2, "wound rolls": 2}
CHARACTERISTICS = {"strength": "Strength", "attacks": "Attacks", "armour penetration": "AP", "damage": "Damage"}
WEAPON_ABILITIES = {
    "lethal hits": ("Lethal Hits", 0),
    "devastating wounds": ("Devastating Wounds", 0),
    "ignores cover": ("Ignores Cover", 0),
    "precision": ("Precision", 0),
    "lance": ("Lance", 0),
    **{f"sustained hits {number}": ("Sustained Hits", number) for number in (1, 2, 3)},
}
_NAMES = "|".join(CHARACTERISTICS)


def _roll(match: re.Match[str]) -> list[Change]:
    by = int(match["by"]) * (1 if match["sign"] == "add" else -1)
    return [(f"{match['roll']} rolls", by)]


def _two_rolls(match: re.Match[str]) -> list[Change]:
    by = int(match["by"]) * (1 if match["sign"] == "add" else -1)
    return [("hit rolls", by), ("wound rolls", by)]


def _characteristics(match: re.Match[str]) -> list[Change]:
    """Changes of characteristics; to improve AP is to add to it."""
    worse = match["sign"] in ("subtract", "worsen", "reduce")
    names = re.split(r" and |, ", match["names"])
    return [(CHARACTERISTICS[name], -int(match["by"]) if worse else int(match["by"])) for name in names]


def abilities_named(words: str) -> list[Change] | None:
    """The weapon abilities in words such as "lethal hits and the sustained hits 1"; None: one is not known."""
    names = [re.sub(r"^the | abilit(?:y|ies)$", "", part.strip()) for part in re.split(r" and |, ", words)]
    known = [WEAPON_ABILITIES[name] for name in names if name in WEAPON_ABILITIES]
    return known if len(known) == len(names) else None


# what an attack that a unit makes may have
MADE: tuple[tuple[str, Callable[[re.Match[str]], list[Change] | None]], ...] = (
    (r"(?P<sign>add|subtract) (?P<by>[12]) (?:to|from) (?:the|that|that attack's|its) (?P<roll>hit|wound) roll", _roll),
    (r"(?P<sign>add|subtract) (?P<by>[12]) (?:to|from) the hit roll and (?:to |from )?the wound roll", _two_rolls),
    (r"(?:you can )?re-roll (?:the|that|that attack's) (?P<roll>hit|wound|damage) roll", lambda m: _again(m, "")),
    (
        r"(?:you can )?re-roll (?:the )?hit and wound rolls",
        lambda m: [("re-roll hit rolls", 0), ("re-roll wound rolls", 0)],
    ),
    (r"(?:you can )?re-roll (?:an? |any )?(?P<roll>hit|wound|damage) rolls? of 1", lambda m: _again(m, " of 1")),
    (
        rf"(?P<sign>improve) the (?P<names>(?:{_NAMES})(?: and (?:{_NAMES}))?) characteristics? of that attack"
        rf" by (?P<by>[1-7])",
        _characteristics,
    ),
    (
        r"(?P<sign>add) (?P<by>[1-7]) to the (?P<names>(?:strength|attacks|damage)(?: and"
        r" (?:strength|attacks|damage))?)"
        r" characteristics? of that attack",
        _characteristics,
    ),
    (
        r"(?P<sign>add) (?P<by>[1-7]) to that attack's (?P<names>strength|damage)(?: characteristic)?",
        _characteristics,
    ),
    (r"(?:that attack|it) has the (?P<names>.+)", lambda m: abilities_named(m["names"])),
    (
        r"(?:a successful |an )?unmodified hit rolls? of 5\+ (?:scores?|is|are) a critical hit",
        lambda m: [("Critical Hits on 5+", 0)],
    ),
    (
        r"a critical hit is scored on an unmodified hit roll of 5\+(?:, instead of only (?:on )?(?:a )?6)?",
        lambda m: [("Critical Hits on 5+", 0)],
    ),
    (
        r"(?:a successful |an )?unmodified wound rolls? of 5\+ (?:scores?|is|are) a critical wound",
        lambda m: [("Critical Wounds on 5+", 0)],
    ),
    (r"an unmodified hit roll of 6 automatically wounds the target", lambda m: [("Lethal Hits", 0)]),
    (
        r"an unmodified hit roll of 6 scores (?P<by>[1-3]) additional hits?",
        lambda m: [("Sustained Hits", int(m["by"]))],
    ),
    (
        r"you can ignore any or all modifiers to (?:that attack's (?:ballistic skill|weapon skill)"
        r"(?: (?:and/or|or|and) weapon skill)? characteristics? (?:and/or|and)"
        r" (?:(?:any or )?all modifiers )?(?:to )?)?"
        r"(?:the|that) hit rolls?",
        lambda m: [("ignore modifiers", 0)],
    ),
    (
        r"the target (?:does not|cannot|doesn't) (?:have|receive) the benefits? of (?:cover|light cover)",
        lambda m: [("Ignores Cover", 0)],
    ),
)  # fmt: skip


def _again(match: re.Match[str], of: str) -> list[Change]:
    return [(f"re-roll {match['roll']} rolls{of}", 0)]


# what an attack that a unit suffers may have
SUFFERED: tuple[tuple[str, Callable[[re.Match[str]], list[Change] | None]], ...] = (
    (r"(?P<sign>subtract) (?P<by>[12]) from (?:the|that|that attack's) (?P<roll>hit|wound) roll", _roll),
    (r"(?P<sign>subtract) (?P<by>[1-3]) from the (?P<names>damage) characteristic of that attack", _characteristics),
    (r"(?P<sign>subtract) (?P<by>[1-3]) from that attack's (?P<names>damage) characteristic", _characteristics),
    (r"(?P<sign>reduce) the (?P<names>damage) characteristic of that attack by (?P<by>[1-3])", _characteristics),
    (
        r"(?P<sign>worsen) the (?P<names>armour penetration) characteristic of that attack by (?P<by>[1-3])",
        _characteristics,
    ),
    (r"halve the damage characteristic of that attack", lambda m: [("halve Damage", 0)]),
    (r"(?:it|that model|that unit|they|this unit|this model|models in (?:it|that unit|this unit)) (?:has|have)"
    r" the benefit of cover", lambda m: [("Benefit of Cover", 0)]),
)  # fmt: skip

_BEGINS = (
    "if |add |subtract |you can |re-roll |improve |worsen |that attack has|it has the|an unmodified |a successful "
    "|a critical hit |the target |halve "
)
_CLAUSES = re.compile(rf"(?:,? and,? |, )(?={_BEGINS})")
_TAIL = re.compile(
    r" ?(?: against that attack| for that attack| when resolving that attack|\(to a minimum of 1\)| as well| also)$"
)


def changes(
    words: str, known: tuple[tuple[str, Callable[[re.Match[str]], list[Change] | None]], ...]
) -> list[Change] | None:
    """The changes that a clause names; None: it says something else, or more than an attack can have."""
    for pattern, make in known:
        if match := re.fullmatch(pattern, words):
            found = make(match)
            if found is None or any(abs(by) > MOST.get(name, 0) for name, by in found):
                return None
            return found
    return None


def clauses(
    words: str, scope: Scope, about: About, base: Play, aimed: bool, suffered: bool = False, only: Play | None = None
) -> list[Play] | None:
    """The plays of clauses such as "add 1 to the Hit roll and, if it charged, re-roll a Wound roll of 1".

    Args:
        base: fields of all plays.
        aimed: whether the sentence has named a target.
        suffered: whether the attacks are made at the unit.
        only: the condition of the first sentence, which stands before ``words``.

    Returns:
        None if a clause is not understood, or if a condition could be one of several clauses or of one alone.
    """
    found: list[Play] = []
    for number, sentence in enumerate(words.split(". ")):
        if number and not sentence.startswith("if "):
            return None
        told = _TAIL.sub("", sentence)
        instead = told.endswith(" instead")
        said = {} if number else only or {}
        more = _of_sentence(told.removesuffix(" instead"), scope, about, said, aimed, suffered)
        if more is None or (instead and not all(_replaces(play, found) for play in more)):
            return None
        plays = [merged(base, play) for play in more]
        if None in plays:
            return None
        found += [play for play in plays if play is not None]
    return found or None


def _replaces(play: Play, others: list[Play]) -> bool:
    """Whether an effect can stand in place of an earlier one: a re-roll of any result in place of one of 1."""
    return any(other["effect"] == f"{play['effect']} of 1" for other in others)


def _of_sentence(words: str, scope: Scope, about: About, only: Play, aimed: bool, suffered: bool) -> list[Play] | None:
    """The plays of the clauses of one sentence, without the fields that all plays have; None as ``clauses``.

    Args:
        only: the condition at its beginning.
    """
    found: list[Play] = []
    parts = [part.strip() for part in _CLAUSES.split(words)]
    if len(parts) > 1 and not only and all(" if " in part and not part.startswith("if ") for part in parts):
        by_part = [_of_sentence(part, scope, about, {}, aimed, suffered) for part in parts]
        return None if None in by_part else [play for plays in by_part for play in plays or ()]
    for at, part in enumerate(parts):
        told, _, after = part.partition("if ") if part.startswith("if ") else part.partition(" if ")
        if after:
            certain = len(parts) == 1 if told else at < len(parts) - 1
            if only or not certain:
                return None  # another condition, one that could be about other clauses, or one without a clause
            said = condition(after, scope, about, aimed)
            if said is None or (suffered and "when" not in said):
                return None
            only = said
        if not told:
            continue
        while _TAIL.search(told):
            told = _TAIL.sub("", told)
        names = changes(told, SUFFERED if suffered else MADE)
        if names is None:
            return None
        found += [{"effect": name, **({"by": by} if by else {}), **only} for name, by in names]
    return found


def _kind(words: str | None) -> Play:
    """The kind of the weapons of attacks."""
    return {"weapons": words.strip()} if words else {}


def _made(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    named: Play | None = {}
    if match["weapon"]:
        found = weapons_named(match["weapon"], about)
        named = {"weapon": found} if found else None
    aim = target(match["target"], about) if match["target"] else {}
    only = condition(match["only"], scope, about, bool(match["target"])) if match["only"] else {}
    base = merged(scope.fields, subject(match["who"], scope, about), _kind(match["kind"]), named, aim)
    if base is None or only is None:
        return None
    return clauses(match["then"], scope, about, base, bool(match["target"]), only=only)


def _suffered(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    who = subject(match["who"], scope, about)
    if who is None or who.get("own"):
        return None  # attacks at one model of a unit are not told apart from those at the others
    base = merged(scope.fields, _kind(match["kind"] or match["made"]), {"attacks": "suffered"})
    return None if base is None else clauses(match["then"], scope, about, base, False, suffered=True)


def _granted(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    base = merged(scope.fields, subject(match["who"], scope, about), _kind(match["kind"]))
    names = abilities_named(match["names"])
    if base is None or names is None:
        return None
    return [{"effect": name, **({"by": by} if by else {}), **base} for name, by in names]


def _stronger(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    named: Play | None = {}
    if match.groupdict().get("weapon"):
        found = weapons_named(match["weapon"], about)
        named = {"weapon": found} if found else None
    base = merged(scope.fields, subject(match["who"], scope, about), _kind(match["kind"]), named)
    found_changes = _characteristics(match)
    if base is None or any(abs(by) > MOST[name] for name, by in found_changes):
        return None
    return [{"effect": name, "by": by, **base} for name, by in found_changes]


_SOME = rf"(?P<names>(?:{_NAMES})(?: and (?:{_NAMES}))?)"
_NO_AP = r"(?P<names>(?:strength|attacks|damage)(?: and (?:strength|attacks|damage))?)"
_KIND = r"(?P<kind>melee |ranged )?"
RULES: Rules = (
    (
        re.compile(
            rf"each time (?P<who>{WHO}) makes? (?:an? )?{_KIND}attacks?"
            r"(?: with (?:its|their|an?|the bearer's) (?P<weapon>[^,]+?))?"
            r"(?:,? (?:that targets|targeting|against) (?P<target>[^,]+?))?(?:,? if (?P<only>[^,]+?))?"
            r"(?:, |(?<=attack) (?=you can|re-roll|add ))(?P<then>.+)"
        ),
        _made,
    ),
    (
        re.compile(
            rf"each time (?P<who>{WHO}) targets (?P<target>[^,]+?) with an? {_KIND}attack(?P<weapon>)(?P<only>),"
            rf" (?P<then>.+)"
        ),
        _made,
    ),
    (
        re.compile(
            rf"each time an? {_KIND}attack made by (?P<who>{WHO})(?P<weapon>)(?P<only>) is allocated to"
            rf" (?P<target>[^,]+?),"
            r" (?P<then>(?:you can )?re-roll .*damage roll.*)"
        ),
        _made,
    ),
    (
        re.compile(
            rf"each time an? (?:{_KIND}attack (?:is made against|targets|is allocated to)|model makes an? "
            rf"(?P<made>melee |ranged )?attack that targets) (?P<who>{WHO}), (?P<then>.+)"
        ),
        _suffered,
    ),
    (
        re.compile(rf"{_KIND}weapons equipped by (?P<who>{WHO}) (?:have|has|gain) (?P<names>.+)"),
        _granted,
    ),
    (
        re.compile(rf"(?P<who>{WHO})(?:'s|'s equipped) {_KIND}weapons (?:have|has|gain) the (?P<names>.+)"),
        _granted,
    ),
    (
        re.compile(
            rf"(?P<sign>improve) the {_SOME} characteristics? of {_KIND}weapons equipped by (?P<who>{WHO})"
            r" by (?P<by>[1-7])"
        ),
        _stronger,
    ),
    (
        re.compile(
            rf"(?P<sign>add) (?P<by>[1-7]) to the {_NO_AP} characteristics? of {_KIND}weapons equipped by"
            rf" (?P<who>{WHO})"
        ),
        _stronger,
    ),
    (
        re.compile(rf"(?P<sign>add) (?P<by>[1-7]) to the {_NO_AP} characteristics? of (?P<who>{WHO})'s {_KIND}weapons"),
        _stronger,
    ),
    (
        re.compile(
            rf"(?P<sign>add) (?P<by>[1-7]) to the {_NO_AP} characteristics? of (?P<who>{MODEL})'s"
            r" (?P<kind>)(?P<weapon>(?!melee|ranged).+?)(?: weapons?)?"
        ),
        _stronger,
    ),
)
