"""Blocks of bases in ranks and files: where each base stands, the rectangles that they fill, and how far bases go when a block is laid out anew.

A block has one pose: ``x, y`` the middle of its front edge and ``facing``. Places within it are ``u`` inches ahead of that middle (so never above 0)
and ``v`` to its left. Bases are alike, half a depth ``a`` and half a width ``b``, ``spacing`` inches apart. Place ``k`` is file ``k % files`` of rank
``k // files``; files are counted from the right, and a short rear rank stands in the middle (core.unit.even-ranks).
"""

from __future__ import annotations

from math import cos, frexp, sin

import numpy as np

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

# columns of a row of a body: a rectangle of a block, its centre and halves in the frame of the block
U, V, HALF_A, HALF_B = 0, 1, 2, 3
BODY = 4  # so many rectangles a body holds at most, and so many columns

_BITS = 60  # of a word: an int64 never turns negative


# ---- places


@inner_kernel
def rank_count(count: int, files: int) -> int:
    """How many ranks ``count`` bases make, the short one included."""
    return (count + files - 1) // files


@inner_kernel
def span_of(bases: int, half: float, spacing: float) -> float:
    """Inches that so many bases take side by side (or one behind the other)."""
    return bases * 2.0 * half + max(0, bases - 1) * spacing


@inner_kernel
def place_in(count: int, files: int, a: float, b: float, spacing: float, k: int) -> tuple[float, float]:
    """Where the centre of the base at place ``k`` is, in the frame of the block."""
    j = k // files
    standing = min(files, count - j * files)
    return -a - j * (2.0 * a + spacing), 0.5 * (2.0 * b + spacing) * (2 * (k - j * files) - standing + 1)


@inner_kernel
def on_table_at(x: float, y: float, f: float, u: float, v: float) -> tuple[float, float]:
    """The point (u, v) of the frame of a block with this pose, on the table."""
    c = cos(f)
    s = sin(f)
    return x + c * u - s * v, y + s * u + c * v


@inner_kernel
def lay_out(
    count: int, files: int, a: float, b: float, spacing: float, x: float, y: float, f: float, places: Array
) -> None:
    """Fill ``places`` (float64, count x 2) with the centres of the bases of a block on the table."""
    for k in range(count):
        u, v = place_in(count, files, a, b, spacing, k)
        places[k, 0], places[k, 1] = on_table_at(x, y, f, u, v)


@inner_kernel
def front_at(count: int, files: int, a: float, spacing: float, cx: float, cy: float, f: float) -> tuple[float, float]:
    """The middle of the front edge of a block whose rectangle (its short rank taken as a whole one) has its centre at (cx, cy)."""
    return on_table_at(cx, cy, f, 0.5 * span_of(rank_count(count, files), a, spacing), 0.0)


@inner_kernel
def centre_at(count: int, files: int, a: float, spacing: float, x: float, y: float, f: float) -> tuple[float, float]:
    """The centre of the rectangle of a block (its short rank taken as a whole one)."""
    return on_table_at(x, y, f, -0.5 * span_of(rank_count(count, files), a, spacing), 0.0)


# ---- rectangles


@inner_kernel
def body_of(count: int, files: int, a: float, b: float, spacing: float, body: Array) -> int:
    """Fill ``body`` (float64, BODY x BODY, rows of ``U``, ``V``, ``HALF_A``, ``HALF_B``) with the rectangles of a block: its complete ranks and
    its short one, whichever it has; returns how many they are."""
    whole = count // files
    rest = count - whole * files
    rows = 0
    if whole > 0:
        body[rows, HALF_A] = 0.5 * span_of(whole, a, spacing)
        body[rows, HALF_B] = 0.5 * span_of(files, b, spacing)
        body[rows, U] = -body[rows, HALF_A]
        body[rows, V] = 0.0
        rows += 1
    if rest > 0:
        body[rows, U] = -a - whole * (2.0 * a + spacing)
        body[rows, V] = 0.0
        body[rows, HALF_A] = a
        body[rows, HALF_B] = 0.5 * span_of(rest, b, spacing)
        rows += 1
    return rows


# ---- laid out anew


def rearranging_room(most: int) -> tuple[Array, Array]:
    """``links`` and ``work`` for ``can_rearrange`` of up to so many bases."""
    return np.zeros((most + 2, most // _BITS + 1), np.int64), np.zeros((4, most), np.int64)


@inner_kernel
def _lowest(word: int) -> int:
    """The number of the lowest bit that is set."""
    return int(frexp(float(word & -word))[1]) - 1


@inner_kernel
def _paired(old: Array, new: Array, count: int, most2: float, turned: bool) -> bool:
    """True if every base may go to the place of its own number, or (``turned``) of that counted from the end."""
    for k in range(count):
        j = count - 1 - k if turned else k
        dx = new[j, 0] - old[k, 0]
        dy = new[j, 1] - old[k, 1]
        if dx * dx + dy * dy > most2:
            return False
    return True


@inner_kernel
def _link(old: Array, new: Array, count: int, words: int, most2: float, links: Array) -> bool:
    """Mark in row ``k`` of ``links`` the new places within reach of old place ``k``; False if one has none, or none reaches a new one."""
    for w in range(words):
        links[count, w] = 0
    for k in range(count):
        some = 0
        for w in range(words):
            word = 0
            for j in range(w * _BITS, min(count, (w + 1) * _BITS)):
                dx = new[j, 0] - old[k, 0]
                dy = new[j, 1] - old[k, 1]
                if dx * dx + dy * dy <= most2:
                    word |= 1 << (j - w * _BITS)
            links[k, w] = word
            links[count, w] |= word
            some |= word
        if some == 0:
            return False
    for w in range(words):
        if links[count, w] != (1 << (min(count, (w + 1) * _BITS) - w * _BITS)) - 1:
            return False
    return True


@inner_kernel
def _match(count: int, words: int, links: Array, work: Array) -> bool:
    """True if each row of ``links`` can have a place of its own (augmenting paths, breadth first)."""
    seen = links[count]
    free = links[count + 1]
    held, owner, came, queue = work[0], work[1], work[2], work[3]
    for w in range(words):
        free[w] = (1 << (min(count, (w + 1) * _BITS) - w * _BITS)) - 1
    for start in range(count):
        for w in range(words):
            seen[w] = 0
        queue[0] = start
        head = 0
        tail = 1
        found = -1
        while head < tail and found < 0:
            k = queue[head]
            head += 1
            for w in range(words):
                fresh = links[k, w] & ~seen[w]
                if fresh & free[w] != 0:
                    found = w * _BITS + _lowest(fresh & free[w])
                    came[found] = k
                    break
                seen[w] |= fresh
                while fresh != 0:
                    j = w * _BITS + _lowest(fresh)
                    fresh &= fresh - 1
                    came[j] = k
                    queue[tail] = owner[j]
                    tail += 1
        if found < 0:
            return False
        free[found // _BITS] &= ~(1 << (found % _BITS))
        j = found
        while True:
            k = came[j]
            before = held[k]
            held[k] = j
            owner[j] = k
            if k == start:
                break
            j = before
    return True


@inner_kernel
def can_rearrange(old: Array, new: Array, count: int, most: float, links: Array, work: Array) -> bool:
    """True if ``count`` bases can go from their old places to the new ones (float64, count x 2) with none displaced by more than ``most`` inches,
    whoever goes where (move.manoeuvre.cap).

    ``links`` and ``work``: room as ``rearranging_room`` makes it.
    """
    most2 = (most + EPS) * (most + EPS)
    if _paired(old, new, count, most2, False) or _paired(old, new, count, most2, True):
        return True
    words = (count + _BITS - 1) // _BITS
    return _link(old, new, count, words, most2, links) and _match(count, words, links, work)


@inner_kernel
def _keeps(count: int, kept: Array, held: Array, turned: bool) -> bool:
    """True if every base that is ``kept`` comes to a place that is ``held`` when each takes the place of its own number, or that from the end."""
    for k in range(count):
        if kept[k] != 0 and held[count - 1 - k if turned else k] == 0:
            return False
    return True


@inner_kernel
def can_rearrange_keeping(
    old: Array, new: Array, count: int, most: float, kept: Array, held: Array, links: Array, work: Array
) -> bool:
    """The same where each base that is ``kept`` (not 0, by old place) must come to a place that is ``held`` (by new place)."""
    most2 = (most + EPS) * (most + EPS)
    for turned in (False, True):
        if _keeps(count, kept, held, turned) and _paired(old, new, count, most2, turned):
            return True
    words = (count + _BITS - 1) // _BITS
    if not _link(old, new, count, words, most2, links):
        return False
    for w in range(words):
        word = 0
        for j in range(w * _BITS, min(count, (w + 1) * _BITS)):
            if held[j] != 0:
                word |= 1 << (j - w * _BITS)
        links[count + 1, w] = word
    for k in range(count):
        if kept[k] == 0:
            continue
        some = 0
        for w in range(words):
            links[k, w] &= links[count + 1, w]
            some |= links[k, w]
        if some == 0:
            return False
    return _match(count, words, links, work)
