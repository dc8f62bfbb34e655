"""Dice: a random generator that is part of the state, with a queue of scripted results for tests.

The *n*-th number of a battle depends on its seed and on *n* alone. So a copy with another seed has another future, and
two battles with one seed roll the same dice. All products fit 64 bits, so that compiled code and plain Python give the
same numbers.
"""

from __future__ import annotations

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

MASK = 0xFFFFFFFF


@inner_kernel
def scramble(value: int) -> int:
    """Mix the lowest 32 bits of ``value``; different 32-bit inputs give different 32-bit results."""
    value = value & 0xFFFFFFFF
    value = ((value >> 16) ^ value) * 0x45D9F3B & 0xFFFFFFFF
    value = ((value >> 15) ^ value) * 0x2C1B3C6D & 0xFFFFFFFF
    value = ((value >> 12) ^ value) * 0x297A2D39 & 0xFFFFFFFF
    return (value >> 15) ^ value


@inner_kernel
def random32(dice: Array) -> int:
    """The next 32 random bits, 0 to 2^32 - 1, of the generator in row 0 of ``dice`` (rows of ``DICE``); advances its
    counter.
    """
    counter = dice[0]["counter"]
    dice[0]["counter"] = counter + 1
    word = scramble(scramble(counter + dice[0]["seed_low"]) + dice[0]["seed_high"])
    return scramble(word + 0x3C6EF372 * (counter & 0xFF))


@kernel
def roll_d6(dice: Array, script: Array) -> int:
    """Roll one D6: the next scripted result if one is queued, else random.

    Args:
        dice: rows of ``DICE``, of which row 0 is used. script: the queued results (whole numbers).
    """
    at = dice[0]["script_at"]
    if at < dice[0]["script_end"]:
        dice[0]["script_at"] = at + 1
        return int(script[at])
    return (random32(dice) * 6 >> 32) + 1


@kernel
def roll_sum(dice: Array, script: Array, count: int, sides: int, plus: int) -> int:
    """The sum of ``count`` dice with ``sides`` sides, plus ``plus``. ``sides`` 3: a D6 halved, rounded up; any other
    value: a D6.
    """
    total = plus
    for _ in range(count):
        d6 = roll_d6(dice, script)
        total += (d6 + 1) // 2 if sides == 3 else d6
    return total


@kernel
def draw_lot(dice: Array, script: Array, count: int) -> int:
    """Draw one of ``count`` equally likely lots, 0 to ``count - 1``.

    A queued scripted result comes first: it is the number of the lot, or the last lot if it is too high.
    """
    at = dice[0]["script_at"]
    if at < dice[0]["script_end"]:
        dice[0]["script_at"] = at + 1
        return min(int(script[at]), count - 1)
    return random32(dice) * count >> 32
