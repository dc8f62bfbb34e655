"""Changes of single attacks by abilities: an enumerated vocabulary, written into the circumstances
(``circumstances.Near``).

A change has a name and, if it is a number, an amount. It belongs to attacks that a unit makes or suffers. It may hold
only with some weapons, against some keywords, or in some ``states`` of the unit or its target. All changes of an attack
are put together once when attacks are declared, and by exact odds (``with_changes``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from wh_env.rulesets.w40k.attack.circumstances import AMOUNTS, Near

Change = tuple[str, int]  # a name of ``CHANGES``, and by how much

Bits = tuple[int, ...]  # bits of ``Near``, one for each time that an effect counts
MADE, SUFFERED = "attacks made: ", "attacks suffered: "  # before the name of a change in the effect of a ``Power``

FLAGS: Mapping[str, int] = MappingProxyType(
    {
        "re-roll hit rolls": int(Near.REROLL_HITS),
        "re-roll failed hit rolls": int(Near.REROLL_FAILED_HITS),
        "re-roll hit rolls of 1": int(Near.REROLL_HIT_ONES),
        "re-roll wound rolls": int(Near.REROLL_WOUNDS),
        "re-roll wound rolls of 1": int(Near.REROLL_WOUND_ONES),
        "re-roll damage rolls": int(Near.REROLL_DAMAGE),
        "re-roll damage rolls of 1": int(Near.REROLL_DAMAGE_ONES),
        "re-roll saving throws": int(Near.REROLL_SAVES),
        "re-roll saving throws of 1": int(Near.REROLL_SAVE_ONES),
        "re-roll invulnerable saving throws of 1": int(Near.REROLL_SAVES | Near.REROLL_SAVE_ONES),
        "Lethal Hits": int(Near.LETHAL_HITS),
        "Devastating Wounds": int(Near.DEVASTATING_WOUNDS),
        "Lance": int(Near.LANCE),
        "Ignores Cover": int(Near.IGNORES_COVER),
        "Precision": int(Near.PRECISION),
        "ignore modifiers": int(Near.IGNORES_MODIFIERS),
        "halve Damage": int(Near.DAMAGE_HALVED),
        "Critical Hits on 5+": int(Near.CRITICAL_HITS),
        "Critical Wounds on 5+": int(Near.CRITICAL_WOUNDS),
        "Benefit of Cover": int(Near.COVER),
        "Stealth": int(Near.STEALTH),
    }
)
# modifiers of rolls: bits of +1 and of -1, up to two each; opposite modifiers cancel each other out
STEPS: Mapping[str, tuple[Bits, Bits]] = MappingProxyType(
    {
        "hit rolls": (
            (int(Near.HIT_PLUS), int(Near.HIT_PLUS_2ND)),
            (int(Near.HIT_MINUS), int(Near.HIT_MINUS_2ND)),
        ),
        "wound rolls": (
            (int(Near.WOUND_PLUS), int(Near.WOUND_PLUS_2ND)),
            (int(Near.WOUND_MINUS), int(Near.WOUND_MINUS_2ND)),
        ),
        "saving throws": ((int(Near.SAVE_PLUS), int(Near.SAVE_PLUS_2ND)), ()),
    }
)
# characteristics of the weapon: the number in ``Near`` and its sign (a better AP is lower)
NUMBERS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "Strength": (int(Near.STRENGTH), 1),
        "Attacks": (int(Near.ATTACKS), 1),
        "AP": (int(Near.AP), -1),
        "Damage": (int(Near.DAMAGE), 1),
        "Sustained Hits": (int(Near.SUSTAINED_HITS), 1),
    }
)
CHANGES: tuple[str, ...] = (*FLAGS, *STEPS, *NUMBERS)
# re-rolls of saving throws; changes that only attacks suffered can have
SAVES_AGAIN = (
    "re-roll saving throws",
    "re-roll saving throws of 1",
    "re-roll invulnerable saving throws of 1",
)  # the first counts most
ONLY_SUFFERED = (*SAVES_AGAIN, "saving throws", "halve Damage", "Stealth")
LESS, IGNORES = int(Near.DAMAGE_LESS), int(Near.IGNORES_MODIFIERS)


def put(near: int, lowest: int, value: int) -> int:
    """``near`` with the number at bit ``lowest`` set to ``value``, limited to the bits that it has."""
    width, both = AMOUNTS[lowest]
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if both else (0, (1 << width) - 1)
    mask = (1 << width) - 1
    return near & ~(mask * lowest) | (max(least, min(most, value)) & mask) * lowest


def number_in(near: int, lowest: int) -> int:
    """The number in ``near`` at bit ``lowest``."""
    width, both = AMOUNTS[lowest]
    value = near // lowest & (1 << width) - 1
    return value - (1 << width) if both and value >> (width - 1) & 1 else value


def count_of(near: int, bits: Bits) -> int:
    """How many of the bits are set in ``near``."""
    return sum(1 for bit in bits if near & bit)


def with_changes(near: int, changes: Iterable[Change]) -> int:
    """``near`` with all these changes: numbers and modifiers are added up, of Sustained Hits the best counts."""
    return _put_together(near, tuple(changes))


@lru_cache(maxsize=4096)
def _put_together(near: int, changes: tuple[Change, ...]) -> int:
    """The function behind ``with_changes``, cached by its arguments."""
    better: Counter[str] = Counter()
    worse: Counter[str] = Counter()
    sustained = less = 0
    again = [name for name, _ in changes if name in SAVES_AGAIN]
    if again:
        near |= FLAGS[min(again, key=SAVES_AGAIN.index)]
    for name, by in changes:
        if name in FLAGS:
            near |= FLAGS[name] if name not in SAVES_AGAIN else 0
        elif name == "Sustained Hits":
            sustained = max(sustained, by)
        elif name == "Damage" and by < 0:
            less -= by
        elif by > 0:
            better[name] += by
        else:
            worse[name] -= by
    for name, (up, down) in STEPS.items():
        more, fewer = better[name] + count_of(near, up), worse[name] + count_of(near, down)
        if name == "hit rolls" and near & IGNORES:
            fewer = 0
        near &= ~sum({*up, *down})
        near |= sum(up[: max(0, more - fewer)]) | sum(down[: max(0, fewer - more)])
    for name, (lowest, sign) in NUMBERS.items():
        more = better[name] - worse[name]
        if more:
            near = put(near, lowest, number_in(near, lowest) + sign * more)
    if sustained:
        near = put(near, int(Near.SUSTAINED_HITS), max(sustained, number_in(near, int(Near.SUSTAINED_HITS))))
    if less:
        near = put(near, LESS, number_in(near, LESS) + less)
    return near
