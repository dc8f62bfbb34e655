"""Sentences on units that only the 9th edition plays."""

from __future__ import annotations

import re

from wh_env.content.catalogues.prose.units import whole, with_sign
from wh_env.content.catalogues.prose.words import WHO, Rules

RULES: Rules = (
    (
        re.compile(
            r"each time an attack with an armour penetration(?: characteristic)? of -1 is (?:allocated to|made against)"
            rf" (?P<who>{WHO}), that attack has an armour penetration(?: characteristic)? of 0 instead"
        ),
        whole("attacks at it: AP -1 is AP 0"),
    ),
    (
        re.compile(
            rf"each time an attack is made against (?P<who>{WHO}), an unmodified wound roll of 1(?:-3|, 2 or 3|-2 or 3)"
            r"(?: for that attack)? (?:always )?fails,? irrespective of any abilities that the weapon or (?:(?:the"
            r" )?model making (?:the|that) attack|the attacker) may have"
        ),
        whole("attacks at it: unmodified wound rolls of 1 to 3 fail"),
    ),
    (
        re.compile(rf"(?P<sign>add|subtract) (?P<n>[1-4]) (?:to|from) the leadership characteristic of (?P<who>{WHO})"),
        with_sign("Leadership"),
    ),
    (re.compile(rf"(?P<who>{WHO}) automatically pass(?:es)? morale tests"), whole("passes Morale tests")),
)
