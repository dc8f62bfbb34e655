"""Sentences on units that only the 10th edition plays: tests, objective markers, Stratagems, TRANSPORTS."""

from __future__ import annotations

import re

from wh_env.content.catalogues.prose.units import each, on_units, whole, with_sign
from wh_env.content.catalogues.prose.words import MODEL, UNIT, WHO, About, Play, Rules, Scope, both_keywords

_TEST = "(?:battle-shock|leadership)"
_TESTS = {"battle-shock": "Battle-shock", "leadership": "Leadership"}


def _tests(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    sign = "+" if match["sign"] == "add" else "-"
    told = match["tests"] or match.groupdict().get("made")
    if told is None:
        return None
    tests = [_TESTS[name] for name in re.split(r" (?:or|and) ", told)]
    return each([f"{sign}1 to {name} tests" for name in tests], on_units(match, scope, about))


def _hurried(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    sign = "+" if match["sign"] == "add" else "-"
    names = ("Advance", "charge") if match["both"] else ("Advance",)
    return each([f"{sign}{match['n']} to {name} rolls" for name in names], on_units(match, scope, about))


def _stealth(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    base = on_units(match, scope, about)
    return None if base is None else [{"effect": match["what"].title(), "attacks": "suffered", **base}]


def _cover(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    base = on_units(match, scope, about)
    return None if base is None else [{"effect": "Benefit of Cover", "attacks": "suffered", **base}]


def _secures(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    named = {**match.groupdict(), "who": match["who"] or match["other"]}
    base = on_units(named, scope, about)
    return None if base != {} else [{"effect": "keeps control of markers"}]


def _cheaper(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    play: Play = {"effect": "one Stratagem in each battle round costs 1 CP less"}
    if match["near"]:
        named = both_keywords(match["near"], about)
        if named is None:
            return None
        play |= {"range": int(match["n"]), "keyword": named}
    return None if scope.fields else [play]


def _tougher(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    sign = "+" if match["sign"] == "add" else "-"
    return each([f"{sign}{match['n']} Toughness"], on_units(match, scope, about))


def _wounds(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    more = match.groupdict().get("more")
    number = about.wounds + int(more) if more else int(match["n"])
    if scope.fields or not 2 <= number <= MOST_WOUNDS or (more and not about.wounds):
        return None
    return [{"effect": f"Wounds {number}"}]


def _saves(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    return None if scope.fields else [{"effect": f"Save {match['n']}+"}]


def _alone(match: re.Match[str], scope: Scope, about: About) -> list[Play] | None:
    """Lone Operative near friends, of a unit of which all models have the ability."""
    named = both_keywords(match["key"], about)
    if named is None or scope.fields or not (about.whole or about.largest == 1):
        return None
    return [{"effect": "Lone Operative within 3 inches of friends", "keyword": named}]


MOST_WOUNDS = 12  # of which there is an effect
_STAYS = (
    r"(?:that objective marker|it) remains under your control(?:, even if you have no models (?:with)?in range"
    r" of it)?,?"
    r" until your opponent"
    r"(?: controls it(?: at (?:the )?(?:start or )?end of any (?:phase|turn))?"
    r"|'s level of control over that(?: objective marker)? is greater than yours at the end of a(?:ny)? phase)"
)
_AGAIN = (
    r"(?: and can do so)? even if you have already (?:used that stratagem on|targeted) a different unit"
    r"(?: with that stratagem)? (?:this|that) phase"
)
RULES: Rules = (
    (re.compile(rf"add (?P<more>[1-3]) to (?:{MODEL})'s wounds characteristic"), _wounds),
    (re.compile(rf"(?:{MODEL}) has a wounds characteristic of (?P<n>[0-9]+)"), _wounds),
    (re.compile(rf"(?:{MODEL}) has a save characteristic of (?P<n>[2-6])\+"), _saves),
    (
        re.compile(rf"(?P<sign>add|subtract) (?P<n>[1-4]) (?:to|from) (?P<who>{WHO})'s toughness characteristic"),
        _tougher,
    ),
    (
        re.compile(rf"(?P<sign>add|subtract) (?P<n>[1-4]) (?:to|from) the toughness characteristic of (?P<who>{WHO})"),
        _tougher,
    ),
    (
        re.compile(
            rf"while (?:{MODEL}|this unit) is within 3\" of one or more (?:other )?friendly (?P<key>[a-z' -]+?)"
            rf"(?: units?)?, (?:{MODEL}|this unit|it) has the lone operative ability"
        ),
        _alone,
    ),
    (
        re.compile(
            rf"each time (?:an? (?P<made>{_TEST}) test is taken for )?(?P<who>{WHO})(?: takes? an? "
            rf"(?P<tests>{_TEST}(?: (?:or|and) {_TEST})?) tests?)?,"
            r" (?P<sign>add|subtract) 1 (?:to|from) (?:that test|the result|that result|the roll|it)"
        ),
        _tests,
    ),
    (
        re.compile(
            rf"(?P<sign>add|subtract) 1 (?:to|from) (?:any )?(?P<tests>{_TEST}(?: (?:or|and) {_TEST})?) tests"
            rf" (?:made|taken)"
            rf" (?:for|by) (?P<who>{WHO})"
        ),
        _tests,
    ),
    (
        re.compile(rf"you can re-roll battle-shock tests (?:made|taken) for (?P<who>{WHO})"),
        whole("re-roll Battle-shock tests"),
    ),
    (
        re.compile(
            rf"each time (?:a battle-shock test is taken for )?(?P<who>{WHO})(?: takes a battle-shock test)?, you can"
            r" re-roll that test"
        ),
        whole("re-roll Battle-shock tests"),
    ),
    (
        re.compile(rf"(?P<sign>worsen|improve) the leadership characteristic of (?P<who>{WHO}) by (?P<n>[1-4])"),
        with_sign("Leadership", "worsen"),
    ),
    (
        re.compile(
            rf"(?P<sign>add|subtract) (?P<n>[12]) (?:to|from) advance(?P<both> and charge)? rolls made for"
            rf" (?P<who>{WHO})"
        ),
        _hurried,
    ),
    (
        re.compile(rf"add (?P<n>[1-3]) to the objective control characteristic of (?P<who>{WHO})"),
        whole("+{n} Objective Control"),
    ),
    (
        re.compile(rf"improve the objective control characteristic of (?P<who>{WHO}) by (?P<n>[1-3])"),
        whole("+{n} Objective Control"),
    ),
    (
        re.compile(rf"enemy units cannot use the fire overwatch stratagem to shoot at (?P<who>{WHO})"),
        whole("no Fire Overwatch at it"),
    ),
    (
        re.compile(rf"(?P<who>{WHO}) cannot be targeted with the fire overwatch stratagem"),
        whole("no Fire Overwatch at it"),
    ),
    (
        re.compile(
            r"each time a unit disembarks from (?P<who>this transport|this model) after it has made a normal"
            r" move, that unit"
            r" is still eligible to declare a charge (?:this|in the same) turn"
        ),
        whole("passengers may charge after its Normal move"),
    ),
    (re.compile(rf"(?P<who>{WHO}) (?:has|have) the (?P<what>stealth) ability"), _stealth),
    (re.compile(rf"(?P<who>{WHO}) (?:has|have) the benefit of cover"), _cover),
    (
        re.compile(
            rf"(?:at the end of your command phase, if (?P<who>{WHO}) is within range of an objective marker (?:that"
            rf" )?you control"
            rf"|if you control an objective marker at the end of your command phase and (?P<other>{UNIT}|this model)"
            rf" is within range of (?:it|that objective marker)), {_STAYS}"
        ),
        _secures,
    ),
    (
        re.compile(rf"you can target (?P<who>{WHO}) with the heroic intervention stratagem for 0cp,{_AGAIN}"),
        whole("Heroic Intervention costs 0 CP"),
    ),
    (
        re.compile(rf"you can target (?P<who>{WHO}) with the tank shock stratagem for 0cp,{_AGAIN}"),
        whole("Tank Shock costs 0 CP"),
    ),
    (
        re.compile(
            rf"each time you (?:target|select) (?P<who>{WHO}) (?:with|as the target of) a stratagem, roll one"
            rf" d6: on a (?P<n>[3-5])\+,"
            r" you gain 1cp"
        ),
        whole("1 CP for a Stratagem on it on {n}+"),
    ),
    (
        re.compile(
            r"once per battle round, one (?:unit|model) from your army with this ability can use it when"
            r" (?:its unit|(?:a friendly|one) (?P<near>[a-z' -]+) unit within (?P<n>[0-9]+)\" of that"
            r" (?:unit|model)) is"
            r" targeted with a stratagem(?:\. if it does|, and if it does), reduce the cp cost of"
            r" (?:that (?:use|usage) of )?that stratagem by 1cp"
        ),
        _cheaper,
    ),
    (
        re.compile(rf"each time (?P<who>{WHO}) destroys an enemy character (?:model|unit), you gain 1cp"),
        whole("1 CP for each CHARACTER that it destroys"),
    ),
    (
        re.compile(rf"ranged weapons equipped by (?P<who>{WHO}) have the assault ability"),
        whole("shoot after Advancing"),
    ),
    (
        re.compile(
            r"units can disembark from (?P<who>this transport|this model) after it has advanced\. units that do"
            r" so count as"
            r" having made a normal move(?: that phase)?,? and cannot declare a charge (?:in the same|that|this) turn"
            r"(?:, but can otherwise act normally(?: in the remainder of the turn)?)?"
        ),
        whole("passengers may disembark after its Advance"),
    ),
    (
        re.compile(
            r"(?:if|each time) a unit disembarks from (?P<who>this transport|this model) before it moves, until"
            r" the end of the"
            r" turn, that unit is eligible to (?:declare a )?charge in a turn in which it advanced"
        ),
        whole("passengers that leave before it moves may charge after Advancing"),
    ),
)
