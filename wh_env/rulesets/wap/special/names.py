"""Names of the special rules of the game, and what may stand in brackets behind them (wap.special.general.none-by-default)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

DICE = r"([2-9]?D[36](\+[1-9])?|[1-9])"
SCORE = r"[2-6]\+( re-rolled)?"
NUMBER = "[1-9]"
ANYTHING = "[^()]+"
BREATH = "Breath Attack"
# its Strength, and what its hits are besides
FORM_OF_BREATH = r"S([1-9]|10)(, (Flaming Attacks|Ice Attacks|Lightning Attacks|Magical Attacks|Ignores Armour Saves))*"
# rules that say a number or a kind: the form of it, and an example; without brackets they would be nothing
BRACKETS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "Armour Piercing": (NUMBER, "1"),
        BREATH: (FORM_OF_BREATH, "S4"),
        "Dodge": (SCORE, "5+"),
        "Fly": (r"[1-9]|1[0-9]|20", "10"),
        "Fight in Extra Ranks": (NUMBER, "1"),
        "Immunity": (ANYTHING, "Panic"),
        "Impact Hits": (DICE, "D6"),
        "Loremaster": (ANYTHING, "Lore of Fire"),
        "Magic Resistance": (NUMBER, "1"),
        "Multiple Shots": (DICE, "2"),
        "Multiple Wounds": (DICE, "D3"),
        "Natural Armour": (r"[1-6]\+?", "5+"),
        "Parry": (SCORE, "5+"),
        "Random Attacks": (DICE, "D6"),
        "Random Movement": ("[23]?D6", "2D6"),
        "Regeneration": (SCORE, "4+"),
        "Strength Bonus": (NUMBER, "1"),
        "Strider": (ANYTHING, "Forest"),
        "Ward Save": (SCORE, "5+"),
    }
)
# rules that may say one
OPTIONAL = ("Hatred", "Large Target", "Stomp")
PLAIN = (
    "Always Strikes First", "Always Strikes Last", "Ambushers", "Animated Construct", "Aquatic", "Devastating Charge", "Ethereal",
    "Expendable", "Fast Cavalry", "Fear", "Flaming Attacks", "Flammable", "Frenzy", "Heroic Killing Blow", "Hidden", "Ice Attacks", "Ignores Armour Saves",
    "Ignores Cover", "Killing Blow", "Lightning Attacks", "Magical Attacks", "Mixed Unit", "Move or Fire", "Poisoned Attacks",
    "Quick to Fire", "Scouts", "Skirmishers", "Slow to Fire", "Sniper", "Stubborn", "Stupidity", "Swiftstride", "Terror", "Thunderstomp",
    "Unbreakable", "Unstable", "Vanguard", "Volley Fire",
)  # fmt: skip
KNOWN = (*BRACKETS, *OPTIONAL, *PLAIN)
FEELINGS = ("Panic", "Fear", "Terror", "Psychology")  # that Immunity may name beside special rules
FORM = re.compile(r"([^()]+?)(?: \(([^()]*)\))?")


def fault_of(rule: str) -> tuple[str, str, str] | None:
    """What is wrong with a special rule as somebody has written it: what is expected, what is the matter, and the name that is not known, else empty.
    None: nothing."""
    match = FORM.fullmatch(rule)
    if match is None:
        return "a rule such as Stubborn, or Impact Hits (D6)", "is not written so", ""
    name, told = match[1], match[2]
    if name not in KNOWN:
        return "", "is not known", name
    if name in PLAIN:
        return None if told is None else (f"{name} alone", "has brackets that the rule does not know", "")
    if name in OPTIONAL:
        return None
    form, example = BRACKETS[name]
    if told is None or not re.fullmatch(form, told):
        problem = (
            "names nothing"
            if form == ANYTHING
            else "says no Strength"
            if name == BREATH
            else "says no number"
            if name != "Random Movement"
            else "has no such dice"
        )
        return f"words such as {name} ({example})", problem, ""
    if name == "Immunity":
        for part in (part.strip() for part in told.replace("/", ",").split(",")):
            if part not in (*FEELINGS, *KNOWN):
                return "", "is not known", part
    return None
