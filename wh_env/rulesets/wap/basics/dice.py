"""Dice as the rules write them: sums, halves, multiples, roll-offs, random choices (wap.core.dice.*, .roll-off,
.random-selection).

A D6 is ``g.d6()`` (wap.core.dice.d6), 2D6 and 3D6 are ``g.roll(n)`` (.sum), D6+2 is ``g.roll(1, plus=2)`` (.modifier).
"""

from __future__ import annotations

import re

from wh_env.core.battle import BattleCore

FACES = 6
NUMBER = re.compile(r"(?:([0-9]*)D([36]))?(?:\+?([0-9]+))?")
MULTIPLE = re.compile(r"1?D([36])x([1-9][0-9]?)")

# dice, their sides, what is added; of a multiple also by what the score is multiplied
Number = tuple[int, int, int] | tuple[int, int, int, int]


def number_of(words: str) -> Number:
    """Read a number such as ``D6+1`` as (dice, sides, plus): (1, 6, 1). A multiple such as ``D6x5`` has a fourth
    number: (1, 6, 0, 5).

    Raises:
        ValueError: ``words`` are no such number.
    """
    multiple = MULTIPLE.fullmatch(words)
    if multiple is not None:
        return 1, int(multiple[1]), 0, int(multiple[2])
    found = NUMBER.fullmatch(words)
    if found is None or not words:
        raise ValueError(f"{words!r}: expected a number such as 1, D6, D6+1 or D6x5")
    dice = int(found[1] or 1) if found[2] else 0
    return dice, int(found[2] or FACES), int(found[3] or 0)


def times_of(number: Number) -> int:
    """By what the score of a rolled number is multiplied; 1 if it is no multiple (wap.core.dice.multiply)."""
    return number[3] if len(number) == 4 else 1


def rolled_number(g: BattleCore, number: Number) -> int:
    """Roll a number given as (dice, sides, plus), or a multiple: one die, whose score is multiplied
    (wap.core.dice.multiply).
    """
    dice, sides, plus = number[:3]
    return g.roll(dice, sides, plus) * times_of(number) if dice else plus


def part_of(value: int, divisor: int, times: int = 1) -> int:
    """``value * times / divisor``, fractions rounded up: a half is ``part_of(7, 2)``, 10 % is ``part_of(51, 100, 10)``
    (wap.core.dice.rounding)."""
    return -(-value * times // divisor)


def roll_off(g: BattleCore, rule: str, bonus: tuple[int, int] = (0, 0)) -> int:
    """Both players roll a D6, ``clock.attacker`` first, until one total is higher. ``bonus``: added to each roll, by
    player. Returns the winner (wap.core.roll-off, wap.scenario.roll-off).
    """
    first = g.clock.attacker[0]
    while True:
        rolls = [0, 0]
        for player in (first, 1 - first):
            rolls[player] = g.d6()
        totals = (rolls[0] + bonus[0], rolls[1] + bonus[1])
        if g.recorder is not None:
            g.note(rule, "roll-off", rolls=tuple(rolls), totals=totals)
        if totals[0] != totals[1]:
            return 0 if totals[0] > totals[1] else 1


def chosen_at_random(g: BattleCore, count: int) -> int:
    """One of up to six options, 0 .. ``count`` - 1: a D6 picks it, rolled again if it shows more than ``count``
    (wap.core.random-selection).

    Raises:
        ValueError: ``count`` is not 1 to 6.
    """
    if not 1 <= count <= FACES:
        raise ValueError(f"chosen_at_random: {count} options; expected 1 to {FACES}")
    while True:
        die = g.d6()
        if die <= count:
            return die - 1


def one_at_random(g: BattleCore, count: int) -> int:
    """One of ``count`` options, 0 .. ``count`` - 1: by a D6 up to six, by a lot if there are more."""
    return chosen_at_random(g, count) if count <= FACES else g.draw(count)


def one_evenly(g: BattleCore, count: int) -> int:
    """One of ``count`` options, 0 .. ``count`` - 1, each with as many faces of a D6 as the others: of two the first on
    1-3, the second on 4-6. Faces that are left over are rolled again; more than six options are drawn by a lot.
    """
    while count <= FACES:
        die, faces = g.d6() - 1, FACES // count
        if die < faces * count:
            return die // faces
    return g.draw(count)
