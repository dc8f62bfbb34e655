"""Dice of magic by counting all that can fall, in fractions. Shares no code with the engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

SIXTH = Fraction(1, 6)


def one_die():
    """{(sum, ones): chance} of a die of a casting or dispelling roll; a 6 brings a free die, which brings no other."""
    found = Counter({(face, int(face == 1)): SIXTH for face in range(1, 6)})
    for free in range(1, 7):
        found[6 + free, int(free == 1)] += SIXTH * SIXTH
    return found


def thrown(dice):
    """{(sum, ones): chance} of so many dice with their free ones."""
    found = Counter({(0, 0): Fraction(1)})
    for _ in range(dice):
        more = Counter()
        for (total, ones), chance in found.items():
            for (face, one), share in one_die().items():
                more[total + face, ones + one] += chance * share
        found = more
    return found


def sums(dice):
    """{sum: chance}."""
    found = Counter()
    for (total, _), chance in thrown(dice).items():
        found[total] += chance
    return found


def miscast(dice):
    """The chance of two or more 1s."""
    return sum(chance for (_, ones), chance in thrown(dice).items() if ones >= 2)


def reaches(dice, result):
    """The chance of a sum of at least ``result``; 1 and 2 are never enough."""
    return sum(chance for total, chance in sums(dice).items() if total >= max(3, result))


def cast_and_dispelled(dice, value, bonus, against, other):
    """The chance that a spell is cast, and the chance that a spell that is cast is dispelled: with ``against`` dice and
    a bonus of ``other``, which must reach the casting result."""
    cast = dispelled = Fraction(0)
    for total, chance in sums(dice).items():
        if total >= 3 and total + bonus >= value:
            cast += chance
            dispelled += chance * reaches(against, total + bonus - other)
    return cast, dispelled / cast


def channelled(levels, least):
    """{dice: chance} that wizards of these levels add to a pool: one for each of their dice that shows ``least``."""
    found, share = Counter({0: Fraction(1)}), Fraction(7 - least, 6)
    for _ in range(sum(levels)):
        more = Counter()
        for dice, chance in found.items():
            more[dice] += chance * (1 - share)
            more[dice + 1] += chance * share
        found = more
    return found


def pools(winds, own, enemy):
    """{(power dice, dispel dice): chance} of a player with wizards of levels ``own`` against ``enemy``: the sum of the
    winds, and of the higher half of them; 5 channels a power die, 6 a dispel die."""
    found = Counter()
    for rolled in product(range(1, 7), repeat=winds):
        best = sorted(rolled, reverse=True)[: winds // 2]
        for more, chance in channelled(own, 5).items():
            for less, share in channelled(enemy, 6).items():
                found[sum(rolled) + more, sum(best) + less] += chance * share * SIXTH**winds
    return found
