"""The words of ability texts: plain text, whom a sentence is about, keywords, states and weapons that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Play = dict[str, Any]  # a mapping of the schema ``Play``

_MARKS = re.compile(r"[*^_\[\]■▪•➤]")
_SPACES = re.compile(r"\s+")
_NO_SPACE = re.compile(r",(?=[a-z])")
_NO_SPACE_AFTER = re.compile(r"(?<=[0-9])(?=from )")
_SIGNS = str.maketrans({"’": "'", "‘": "'", "‑": "-", "–": "-", "”": '"', "“": '"', "″": '"'})
_ONE_SYNONYM = (("''", '"'), (" inches", '"'), ("re-rolls", "re-roll"), ("reroll", "re-roll"))

MOST_WORDS = 8  # of several keywords that a unit needs
MODEL = r"(?:this model|the bearer|this transport)"
UNIT = r"(?:this unit|this model's unit|the bearer's unit|its unit)"
OTHER_WORDS = r"(?:(?!unit|model)[a-z'-]+ ){0,3}"
THAT = rf"that {OTHER_WORDS}(?:unit|model)"
WHO = rf"(?:(?:a |each |all |any )?models? in (?:{UNIT}|{THAT})|{UNIT}|{THAT}|{MODEL}|it)"  # of a sentence
COMMON = frozenset(
    [
        "INFANTRY",
        "MONSTER",
        "VEHICLE",
        "CHARACTER",
        "PSYKER",
        "MOUNTED",
        "FLY",
        "BEAST",
        "BEASTS",
        "SWARM",
        "TITANIC",
        "BATTLELINE",
        "AIRCRAFT",
        "CAVALRY",
        "BIKER",
        "WALKER",
        "CORE",
        "FORTIFICATION",
        "TERMINATOR",
    ]
)


@dataclass(frozen=True)
class About:
    """The unit that has an ability.

    Attributes:
        weapons: names of its weapons on the datasheet.
        keywords: the keywords of its catalogue, in capital letters.
        own: its own keywords, in capital letters.
        leads: whether it can lead other units.
        largest: the most models in it.
        whole: whether all its models have the ability. If not, those do that have an item.
        wounds: the Wounds characteristic that all its models have, 0: they differ.
        chooses: whether its edition asks players for choices of abilities.
    """

    weapons: tuple[str, ...] = ()
    keywords: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    leads: bool = False
    largest: int = 1
    whole: bool = True
    wounds: int = 0
    chooses: bool = True

    @property
    def by_itself(self) -> bool:
        """Whether what is said of "this model" holds for all models of its unit at any time."""
        return (self.whole or self.largest == 1) and not self.leads


@dataclass(frozen=True)
class Scope:
    """On which units a sentence works: the conditions at its beginning.

    Attributes:
        fields: the conditions as fields of the schema ``Play``.
        that: whether "that unit" is such a unit.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    that: bool = False


def plain(text: str) -> str:
    """A text in small letters, without marks, one kind of dash, quote and space, and without its last full stop."""
    words = _SPACES.sub(" ", _MARKS.sub("", text.translate(_SIGNS)).replace("\u00a0", " ")).lower()
    words = _NO_SPACE_AFTER.sub(" ", _NO_SPACE.sub(", ", words))
    for other, one in _ONE_SYNONYM:
        words = words.replace(other, one)
    return words.strip(" .'")


def keyword(words: str, about: About) -> str | None:
    """The one keyword that the words are; None: they are none, or could be several.

    A keyword is known if the rulebook or the catalogue has it.
    """
    name = words.strip(" <>").upper()
    return next((one for one in (name, name.removesuffix("S")) if one in COMMON or one in about.keywords), None)


def both_keywords(words: str, about: About) -> str | list[str] | None:
    """The keywords that a unit needs, all of them ("ADEPTUS ASTARTES INFANTRY"); None: the words are something else."""
    if one := keyword(words, about):
        return one
    parts = words.split()
    if len(parts) > MOST_WORDS:
        return None
    for at in range(1, len(parts)):
        first = keyword(" ".join(parts[:at]), about)
        second = both_keywords(" ".join(parts[at:]), about) if first is not None else None
        if first is not None and second is not None:
            return [first, *([second] if isinstance(second, str) else second)]
    return None


def keywords(words: str, about: About) -> list[str] | None:
    """The keywords of which a unit needs one ("MONSTER or VEHICLE"); None: the words say something else."""
    found = [keyword(re.sub(r"^(?:an?|enemy) | (?:unit|model)s?$", "", part), about) for part in _OR.split(words)]
    return None if None in found else [one for one in found if one is not None]


_OR = re.compile(r",? or |,? and |, ")


def weapon(words: str, about: About) -> list[str] | None:
    """The weapons of the datasheet with this name, singular or plural; None: there is none."""
    name = words.strip().removesuffix("s")
    found = [one for one in about.weapons if one.lower().removesuffix("s") == name]
    return found or None


OWN_STATES: Mapping[str, str] = {
    r"made a charge move (?:this|that) turn": "charged",
    r"remained stationary (?:this|during your|in your previous) (?:turn|movement phase)": "stationary",
    r"disembarked from a transport (?:this|during that|that) turn": "disembarked",
    r"(?:is|was) below (?:its )?starting strength": "below Starting Strength",
    r"(?:is|was) (?:at )?below half(?:-| )strength": "below Half-strength",
    r"(?:is|are) (?:an enemy unit )?(?:also )?within range of (?:an|one or more|any)"
    r" objective markers?": "near a marker",
    r"(?:is|are) within range of (?:an|one or more) objective markers? (?:that )?you control": (
        "near a marker it controls"
    ),
    r"(?:is|was) at (?:its )?(?:full )?starting strength": "at Starting Strength",
    r"is not below half(?:-| )strength": "at least Half-strength",
    r"is battle-shocked": "shocked",
}
FOE_STATES: Mapping[str, str] = MappingProxyType(
    {
        r"(?:is|are) within range of (?:an|one or more) objective markers? (?:that )?you do not control": (
            "near a marker that enemies do not control"
        ),
    }
)
OTHER_STATES = (
    "below Starting Strength",
    "below Half-strength",
    "at Starting Strength",
    "at least Half-strength",
    "near a marker",
    "shocked",
)
_OWN = re.compile(rf"(?P<who>{WHO}) (?P<rest>.+)")
_TARGET = re.compile(
    r"(?:(?:that|this) attack targets (?:an? )?(?:enemy )?unit(?: that)? (?P<a>.+)"
    r"|(?:the target of that attack|the target(?: unit)?|that enemy unit|that target) (?P<b>.+))"
)
_LACKS = re.compile(r"the target of that attack does not have the (?P<words>.+) keywords?")
_FOE = re.compile(r"that unit (?P<rest>.+)")
_THAT = re.compile(rf"(?:(?:a |each |all |any )?models? in )?that (?P<more>{OTHER_WORDS})(?:unit|model)|it")


def state(words: str) -> str | None:
    """The state of a unit that words such as "is below its Starting Strength" name; None: none."""
    if not re.match(r"(?:is|was|made|remained|disembarked)\b", words):
        words = f"is {words}"
    return next((name for pattern, name in OWN_STATES.items() if re.fullmatch(pattern, words)), None)


def state_of_foe(words: str) -> str | None:
    """The state of the other unit of an attack that words name; None: none."""
    told = words if re.match(r"(?:is|was)\b", words) else f"is {words}"
    found = next((name for pattern, name in FOE_STATES.items() if re.fullmatch(pattern, told)), None) or state(words)
    return found if found in (*OTHER_STATES, *FOE_STATES.values()) else None


def condition(words: str, scope: Scope, about: About, aimed: bool) -> Play | None:
    """A condition as fields of the schema ``Play``; None: it cannot be said.

    Args:
        aimed: whether the sentence has named a target, which "that unit" is then.
    """
    found: str | None
    if match := _LACKS.fullmatch(words):
        without = keywords(match["words"], about)
        return {"unless": without} if without else None
    if match := _TARGET.fullmatch(words):
        found = state_of_foe(match["a"] or match["b"])
        return {"facing": [found]} if found is not None else None
    if aimed and (match := _FOE.fullmatch(words)):
        found = state_of_foe(match["rest"])
        return {"facing": [found]} if found is not None else None
    if match := _OWN.fullmatch(words):
        found = state(match["rest"])
        if found is None or subject(match["who"], scope, about) is None:
            return None
        return {"when": [found]}
    return None


def subject(words: str, scope: Scope, about: About) -> Play | None:
    """Whom a sentence is about, as fields of the schema ``Play``; None: it cannot be said.

    "This model" is ``own`` where its unit can have other models.
    """
    if match := _THAT.fullmatch(words):
        return {} if scope.that and _is_that(match["more"] or "", scope, about) else None
    if scope.that and scope.fields.get("range") is not None:
        return None  # an Aura that speaks of its bearer
    if re.fullmatch(MODEL, words):
        return {} if about.by_itself else {"own": True}
    return {}


def _is_that(more: str, scope: Scope, about: About) -> bool:
    """Whether the words before "unit" in "that Infantry unit" say nothing that the beginning of the sentence has not
    said.
    """
    side = "enemy" if scope.fields.get("affects") == "enemy" else "friendly"
    words = more.strip().removeprefix(side).strip()
    return not words or both_keywords(words, about) == scope.fields.get("keyword", "")


_TARGETS = re.compile(
    r"(?:an? |the |one or more )?(?:enemy )?(?P<words>.+?)(?: enemy)?(?: units?| models?)?"
    r"(?: \((?:excluding|that is not an?) (?P<but>[^)]+)\))?"
)


def target(words: str, about: About) -> Play | None:
    """The target of attacks, as fields of the schema ``Play``; None: it cannot be said."""
    if match := re.fullmatch(
        r"(?:an? )?(?:enemy )?units?(?: \(excluding (?P<but>[^)]+?)(?: units| models)?\))?", words
    ):
        if not match["but"]:
            return {}
        without = keywords(match["but"], about)
        return {"unless": without} if without else None
    if match := re.fullmatch(r"(?:an? )?(?:enemy )?units? (?:that (?:is|are|was) )?(?P<rest>.+)", words):
        if re.fullmatch(r"(?:that )?can fly", match["rest"]):
            return {"against": ["FLY"]}
        if re.fullmatch(r"(?:that )?cannot fly", match["rest"]):
            return {"unless": ["FLY"]}
        found = state_of_foe(match["rest"])
        return {"facing": [found]} if found is not None else None
    if match := _TARGETS.fullmatch(words):
        if match["words"] == "battle-shocked":
            return {"facing": ["shocked"]}
        found_keywords = keywords(match["words"], about)
        without = keywords(match["but"], about) if match["but"] else []
        if not found_keywords or without is None:
            return None
        return {"against": found_keywords, **({"unless": without} if without else {})}
    return None


def merged(*parts: Mapping[str, Any] | None) -> Play | None:
    """One mapping of several; lists of states are joined. None: a part is None, or two contradict each other."""
    found: Play = {}
    for part in parts:
        if part is None:
            return None
        for name, value in part.items():
            if name in ("when", "facing") and name in found:
                found[name] = [*found[name], *(one for one in value if one not in found[name])]
            elif name in found and found[name] != value:
                return None
            else:
                found[name] = value
    return found


Maker = Callable[[re.Match[str], Scope, About], list[Play] | None]
Rules = Iterable[tuple[re.Pattern[str], Maker]]
