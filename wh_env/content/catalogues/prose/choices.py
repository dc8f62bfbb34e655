"""Sentences that let players choose: units after attacks, moves at moments, uses once in a battle (10th edition)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from wh_env.content.catalogues.prose.attacks import RULES, clauses
from wh_env.content.catalogues.prose.words import (
    MODEL,
    UNIT,
    About,
    Play,
    Scope,
    both_keywords,
    keyword,
    keywords,
    merged,
)

Chosen = tuple[dict[str, Any], list[Play]]  # the choice, and the effects on units that are chosen
EVERYWHERE = 1000  # inches

_LASTS = {"phase": "phase", "turn": "turn"}
_UNTIL = (
    r"until (?:the end of the (?P<end>phase|turn)|the start of your next (?P<next>turn|command phase)"
    r"|the end of that (?P<that>phase|turn))"
)
_ONCE_EACH = re.compile(
    r"\. (?:the same enemy unit|each (?:enemy )?unit) can only be (?:affected by|selected for) this ability once per"
    r" (?:phase|turn)$"
)
_FOE = r"that (?:enemy )?unit"


def _lasts(match: re.Match[str]) -> str:
    return _LASTS.get(match["end"] or match["that"] or "", "command")


def _itself(words: str, about: About) -> bool:
    """Whether a sentence on these words is one on their whole unit."""
    return about.by_itself or not re.fullmatch(MODEL, words)


def _on_foe(words: str, about: About) -> list[Play] | None:
    """Effects on a chosen enemy unit, and on attacks of friends that target it; None: they cannot be said."""
    chosen: Play = {"chosen": "unit"}
    target: Play = {"chosen": "target", "range": EVERYWHERE}
    if re.fullmatch(rf"{_FOE} (?:cannot|does not) have the benefit of cover", words):
        return [{"effect": "Ignores Cover", **target}]
    if match := re.fullmatch(
        rf"each time (?:a model in )?{_FOE} makes an? (?P<kind>melee |ranged )?attack, subtract 1 from the hit roll",
        words,
    ):
        kind = {"weapons": match["kind"].strip()} if match["kind"] else {}
        return [{"effect": "hit rolls", "by": -1, **kind, **chosen}]
    if match := re.fullmatch(
        r"each time a (?:friendly (?:(?P<key>[a-z' -]+?) )?)?(?:model|unit)(?: from your army)? makes an?"
        rf" (?P<kind>melee |ranged )?attack that targets {_FOE}, (?P<then>.+)",
        words,
    ):
        named = both_keywords(match["key"], about) if match["key"] else ""
        if named is None:
            return None
        kind = {"weapons": match["kind"].strip()} if match["kind"] else {}
        base = merged(target, kind, {"keyword": named} if named else {})
        return None if base is None else clauses(match["then"], Scope(), about, base, True)
    return _slowed(words, chosen)


def _slowed(words: str, chosen: Play) -> list[Play] | None:
    """Effects on the moves of a chosen enemy unit; None: the words say something else."""
    found: list[Play] = []
    for part in re.split(r",? and (?=subtract|halve)|\. in addition, ", words):
        if match := re.fullmatch(
            rf"subtract (?P<n>[1-6])\"? from (?:(?:{_FOE}|its)(?:'s)?|the) move characteristic(?: of (?:models"
            rf" in )?{_FOE})?",
            part,
        ):
            found.append({"effect": f"-{match['n']} Move", **chosen})
        elif match := re.fullmatch(rf"subtract (?P<n>[12]) from (?:any )?charge rolls made for (?:it|{_FOE})", part):
            found.append({"effect": f"-{match['n']} to charge rolls", **chosen})
        else:
            return None
    return found or None


def _after(words: str, about: About) -> Chosen | None:
    """What befalls an enemy unit that was chosen; None: it cannot be said."""
    if re.fullmatch(rf"{_FOE} must (?:take|make) a battle-shock test", words):
        return {"lasts": "phase", "effect": "shock"}, []
    words = _ONCE_EACH.sub("", words)  # marks of one ability count once
    # marks of an ability count only while a bearer is on the battlefield
    if match := re.fullmatch(rf"{_UNTIL},(?: while (?:{MODEL}|{UNIT}) is on the battlefield,)? (?P<then>.+)", words):
        then = match["then"]
        if named := re.fullmatch(
            rf"{_FOE} is (?P<name>[\w-]+)\. while (?:an? (?:enemy )?|that )unit is (?P=name), (?P<rest>.+)", then
        ):
            then = named["rest"]
        plays = _on_foe(then, about)
        return None if plays is None else ({"lasts": _lasts(match)}, plays)
    return None


def _shot(match: re.Match[str], about: About) -> Chosen | None:
    then = _after(match["then"], about)
    if then is None or not _itself(match["who"], about):
        return None
    only: dict[str, Any] = {} if match["may"] else {"must": True}
    if match["key"]:
        only["keyword"] = keyword(match["key"], about)
    if but := match["but"] or match["without"]:
        only["without"] = keywords(but, about)
    if None in only.values():
        return None
    return {"when": "shot", "whom": "enemy", **only, **then[0]}, then[1]


def _fight(match: re.Match[str], about: About) -> Chosen | None:
    then = _after(match["then"], about)
    if then is None or not _itself(match["who"], about):
        return None
    near = {"reach": int(match["n"])} if match["n"] else {"engaged": True}
    return {"when": "fight", "whom": "enemy", **({} if match["may"] else {"must": True}), **near, **then[0]}, then[1]


def _heal(match: re.Match[str], about: About) -> Chosen | None:
    if about.largest != 1 or about.leads:
        return None
    effect = {"effect": "repair"} if match["n"] == "d3" else {"effect": "heal", "amount": int(match["n"])}
    when = "command" if match["whose"] == "your" else "any command"
    return {"when": when, "whom": "itself", "lasts": "phase", "must": True, **effect}, []


def _returns(match: re.Match[str], about: About) -> Chosen | None:
    """A Leader without a unit returns nothing, as no model of its own is destroyed while it lives."""
    if not about.leads or about.largest != 1:
        return None
    return _returned(match["n"]), []


def _returned(number: str) -> dict[str, Any]:
    """The choice to return so many models in the Command phase."""
    choice = {"when": "command", "whom": "itself", "lasts": "phase"}
    if number == "d3":
        return {**choice, "effect": "return D3"}
    return {**choice, "effect": "return", "amount": 1 if number == "one" else int(number)}


def _mended(match: re.Match[str], about: About) -> Chosen | None:
    """Models of its own unit are returned, none of which is a CHARACTER."""
    if about.leads or "CHARACTER" in about.own or about.largest == 1:
        return None
    return _returned(match["n"]), []


def _withdraw(match: re.Match[str], about: About) -> Chosen | None:
    if not _itself(match["who"], about):
        return None
    where: dict[str, Any] = {"beyond": int(match["n"])} if match["n"] else {"free": True}
    once = {"once": True} if match["once"] else {}
    return {
        "when": "turn end", "whom": "itself", "lasts": "phase", "declines": True, "effect": "withdraw", **where, **once
    }, []  # fmt: skip


def _reacts(match: re.Match[str], about: About) -> Chosen | None:
    if not _itself(match["who"], about):
        return None
    effect = {"effect": "move D6"} if match["d"] == "d6" else {"effect": "move", "amount": int(match["d"])}
    return {
        "when": "enemy moved", "whom": "itself", "lasts": "turn", "reach": int(match["n"]), "free": True, **effect
    }, []  # fmt: skip


def _moves_on(match: re.Match[str], about: About) -> Chosen | None:
    if not _itself(match["who"], about):
        return None
    choice = {"when": "shot", "whom": "itself", "lasts": "phase", "free": True}
    return {**choice, "effect": "move, no charge", "amount": int(match["n"])}, []


def _rams(match: re.Match[str], about: About) -> Chosen | None:
    if not _itself(match["who"], about):
        return None
    hurt = {"effect": "mortal D3"} if match["d"] == "d3" else {"effect": "mortal", "amount": int(match["d"])}
    may = {} if match["may"] else {"must": True}
    choice = {"when": "charged", "whom": "enemy", "engaged": True, "lasts": "phase", **may}
    return {**choice, "needs": int(match["needs"]), "fails": "none", **hurt}, []


def _points(match: re.Match[str], about: About) -> Chosen | None:
    needs = {"needs": int(match["needs"]), "fails": "none"} if match["needs"] else {}
    choice = {"when": "command", "whom": "itself", "lasts": "phase", "must": True, **needs}
    return {**choice, "effect": "cp", "amount": 1}, []


def _once(match: re.Match[str], about: About) -> Chosen | None:
    """A use once in a battle in the Fight phase, which changes the unit's attacks."""
    alone = about if about.by_itself else replace(about, leads=True)
    plays: list[Play] = []
    for sentence in re.split(r"\. |,? and (?=those weapons have|(?:melee )?weapons equipped)", match["then"]):
        words = re.sub(r"^those weapons have", f"melee weapons equipped by {match['who']} have", sentence)
        found = _strengthened(words, alone)
        if found is None:
            return None
        plays += [{**play, "chosen": "unit"} for play in found]
    return {"when": "fight", "whom": "itself", "lasts": "phase", "once": True}, plays


def _strengthened(words: str, about: About) -> list[Play] | None:
    """The effects of a sentence on attacks; None: it is not understood."""
    for pattern, make in RULES:
        if match := pattern.fullmatch(words):
            return make(match, Scope(), about)
    return None


_MAY = r"(?P<may>you can )?"
_WHO = rf"(?P<who>{UNIT}|{MODEL})"
Choice = Callable[[re.Match[str], About], Chosen | None]
CHOICES: Iterable[tuple[re.Pattern[str], Choice]] = (
    (
        re.compile(
            rf"in your shooting phase, (?:just )?after {_WHO} has shot, {_MAY}select one (?:enemy"
            rf" )?(?P<key>[a-z' -]+? )?unit"
            r"(?: \(excluding (?P<but>[^)]+?)(?: units| models)?\))?"
            r" (?:(?:that was )?hit by one or more of those attacks|it scored one or more hits against this phase)"
            r"(?: \(excluding (?P<without>[^)]+?)(?: units| models)?\))?"
            r"(?:\. | and | to |; |: )(?P<then>.+)"
        ),
        _shot,
    ),
    (
        re.compile(
            rf"at the start of the fight phase, {_MAY}select one enemy unit within (?:engagement"
            rf" range|(?P<n>[0-9]+)\") of"
            rf" {_WHO}\. (?P<then>.+)"
        ),
        _fight,
    ),
    (
        re.compile(
            rf"(?:at the start of|in) (?P<whose>your|each player's) command phase, {_WHO} regains (?:up to )?"
            r"(?P<n>d3|[1-6]) lost wounds?"
        ),
        _heal,
    ),
    (
        re.compile(
            rf"while {MODEL} is leading a unit, in your command phase, you can return (?:up to"
            rf" )?(?P<n>d3|one|[1-6]) destroyed"
            r" (?:bodyguard models?|models? \(excluding character models\)) to that unit"
        ),
        _returns,
    ),
    (
        re.compile(
            rf"(?:at the start of|in) your command phase, (?:if {MODEL} is (?:not destroyed|on the battlefield), |if"
            rf" {UNIT} is below its starting strength, )?you can return (?:up to )?(?P<n>d3|one|[1-6]) destroyed"
            rf" models?(?: \(excluding characters?(?: models)?\))? to {UNIT}"
        ),
        _mended,
    ),
    (
        re.compile(
            rf"(?P<once>once per battle, )?at the end of your opponent's turn, if {_WHO} is (?:not within"
            rf" engagement range of"
            r" (?:one or more enemy units|any enemy (?:units|models))|more than (?P<n>[0-9]+)\" away from all enemy"
            r" (?:units|models)), you can remove (?:it|this unit|this model|that unit) from the battlefield and"
            r" place it into strategic reserves"
        ),
        _withdraw,
    ),
    (
        re.compile(
            r"once per turn, when an enemy unit ends a normal, advance or fall back move within (?P<n>[0-9]+)\" of"
            rf" {_WHO},(?: if (?:{UNIT}|{MODEL}|it) is not within engagement range of (?:one or more|any) enemy"
            rf" units,)? (?:it|{UNIT}|{MODEL}) can make a normal move of up to (?P<d>d6|[1-6])\""
        ),
        _reacts,
    ),
    (
        re.compile(
            rf"in your shooting phase, (?:after|each time) {_WHO} has shot, (?:if (?:it|{UNIT}|{MODEL}) is not within"
            rf" engagement range of (?:one or more|any) enemy (?:units|models), )?(?:it|that unit) can make a normal"
            r" move of up to (?P<n>[1-6])\"(?: as if it were your movement phase)?\. if it does,"
            rf" until the end of the turn, (?:{UNIT}|{MODEL}|that unit) is not eligible to declare a charge"
        ),
        _moves_on,
    ),
    (
        re.compile(
            rf"each time {_WHO} ends a charge move, {_MAY}select one enemy unit within engagement range of"
            rf" (?:it|{UNIT}|{MODEL}) and roll one d6: on a (?P<needs>[2-6])\+, {_FOE} suffers (?P<d>d3|[1-6])"
            rf" mortal wounds?"
        ),
        _rams,
    ),
    (
        re.compile(
            rf"at the start of your command phase, if {_WHO} is on the battlefield,"
            r" (?:roll one d6: on a (?P<needs>[2-6])\+, )?you gain 1cp"
        ),
        _points,
    ),
    (
        re.compile(
            rf"once per battle, at the start of the fight phase, {_WHO} can use this ability\. if it does, until"
            rf" the end of"
            r" the phase, (?P<then>.+)"
        ),
        _once,
    ),
)
