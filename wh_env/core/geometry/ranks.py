"""Blocks of bases in ranks and files: where each base stands, the rectangles that the bases fill, and how far bases go
when a block is rearranged.

A block has one pose: ``x, y``, the middle of its front edge, and its facing ``f``. A place in its frame is ``u`` inches
ahead of that middle (so never above 0) and ``v`` inches to its left. All its bases are alike: half a depth ``a``, half
a width ``b``, ``spacing`` inches apart. Place ``k`` is in file ``k % files`` of rank ``k // files``. Files are counted
from the right; an incomplete rear rank stands in the middle (core.unit.even-ranks).
"""

from __future__ import annotations

from math import cos, frexp, sin

import numpy as np

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

# a body: the rectangles of a block, a row each; its columns are the centre and half sides in the frame of the block
U, V, HALF_A, HALF_B = 0, 1, 2, 3
BODY = 4  # the most rectangles of a body, and the number of its columns

_BITS = 60  # places in a word, few enough that an int64 never turns negative


# ---- places


@inner_kernel
def rank_count(count: int, files: int) -> int:
    """The number of ranks that ``count`` bases form, including an incomplete one."""
    return (count + files - 1) // files


@inner_kernel
def span_of(bases: int, half: float, spacing: float) -> float:
    """Inches that ``bases`` bases of half width ``half`` take side by side (or one behind the other)."""
    return bases * 2.0 * half + max(0, bases - 1) * spacing


@inner_kernel
def place_in(count: int, files: int, a: float, b: float, spacing: float, k: int) -> tuple[float, float]:
    """Place ``k`` of a block of ``count`` bases: u and v of the centre of the base, in the frame of the block."""
    j = k // files
    standing = min(files, count - j * files)
    return -a - j * (2.0 * a + spacing), 0.5 * (2.0 * b + spacing) * (2 * (k - j * files) - standing + 1)


@inner_kernel
def on_table_at(x: float, y: float, f: float, u: float, v: float) -> tuple[float, float]:
    """The point on the table at (u, v) of the frame of a block with the pose (x, y, f)."""
    c = cos(f)
    s = sin(f)
    return x + c * u - s * v, y + s * u + c * v


@inner_kernel
def lay_out(
    count: int, files: int, a: float, b: float, spacing: float, x: float, y: float, f: float, places: Array
) -> None:
    """Fill ``places`` (float64, count x 2) with the centres of the bases of a block, on the table."""
    for k in range(count):
        u, v = place_in(count, files, a, b, spacing, k)
        places[k, 0], places[k, 1] = on_table_at(x, y, f, u, v)


@inner_kernel
def front_at(count: int, files: int, a: float, spacing: float, cx: float, cy: float, f: float) -> tuple[float, float]:
    """The middle of the front edge of a block whose rectangle has its centre at (cx, cy); an incomplete rank counts as
    a whole one.
    """
    return on_table_at(cx, cy, f, 0.5 * span_of(rank_count(count, files), a, spacing), 0.0)


@inner_kernel
def centre_at(count: int, files: int, a: float, spacing: float, x: float, y: float, f: float) -> tuple[float, float]:
    """The centre of the rectangle of a block whose front edge has its middle at (x, y); an incomplete rank counts as a
    whole one.
    """
    return on_table_at(x, y, f, -0.5 * span_of(rank_count(count, files), a, spacing), 0.0)


# ---- rectangles


@inner_kernel
def body_of(count: int, files: int, a: float, b: float, spacing: float, body: Array) -> int:
    """Fill ``body`` (float64, BODY x BODY) with the rectangles of a block: one for its complete ranks, one for its
    incomplete rank. Returns how many it has.
    """
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
    """Room for ``can_rearrange`` of at most ``most`` bases: its ``links`` and ``work``."""
    return np.zeros((most + 2, most // _BITS + 1), np.int64), np.zeros((4, most), np.int64)


@inner_kernel
def _lowest_bit(word: int) -> int:
    """The number of the lowest bit that is set in ``word``."""
    return int(frexp(float(word & -word))[1]) - 1


@inner_kernel
def _fits_in_order(old: Array, new: Array, count: int, most2: float, turned: bool) -> bool:
    """Whether every base can take the new place of its own number within the distance; with ``turned``, of its number
    counted from the end. ``most2``: square of the inches.
    """
    for k in range(count):
        j = count - 1 - k if turned else k
        dx = new[j, 0] - old[k, 0]
        dy = new[j, 1] - old[k, 1]
        if dx * dx + dy * dy > most2:
            return False
    return True


@inner_kernel
def _mark_reachable(old: Array, new: Array, count: int, words: int, most2: float, links: Array) -> bool:
    """Set in row ``k`` of ``links`` the bits of the new places within reach of old place ``k``. Returns False if a base
    reaches no place, or a place is reached by no base.

    ``words``: words in a row. ``most2``: square of the inches.
    """
    for w in range(words):
        links[count, w] = 0
    for k in range(count):
        any_place = 0
        for w in range(words):
            word = 0
            for j in range(w * _BITS, min(count, (w + 1) * _BITS)):
                dx = new[j, 0] - old[k, 0]
                dy = new[j, 1] - old[k, 1]
                if dx * dx + dy * dy <= most2:
                    word |= 1 << (j - w * _BITS)
            links[k, w] = word
            links[count, w] |= word
            any_place |= word
        if any_place == 0:
            return False
    for w in range(words):
        if links[count, w] != (1 << (min(count, (w + 1) * _BITS) - w * _BITS)) - 1:
            return False
    return True


@inner_kernel
def _has_full_matching(count: int, words: int, links: Array, work: Array) -> bool:
    """Whether each of the ``count`` rows of ``links`` can have one of its places to itself (augmenting paths, breadth
    first).
    """
    seen = links[count]
    free = links[count + 1]
    held, owner, reached_from, queue = work[0], work[1], work[2], work[3]
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
                    found = w * _BITS + _lowest_bit(fresh & free[w])
                    reached_from[found] = k
                    break
                seen[w] |= fresh
                while fresh != 0:
                    j = w * _BITS + _lowest_bit(fresh)
                    fresh &= fresh - 1
                    reached_from[j] = k
                    queue[tail] = owner[j]
                    tail += 1
        if found < 0:
            return False
        free[found // _BITS] &= ~(1 << (found % _BITS))
        j = found
        while True:
            k = reached_from[j]
            before = held[k]
            held[k] = j
            owner[j] = k
            if k == start:
                break
            j = before
    return True


@inner_kernel
def can_rearrange(old: Array, new: Array, count: int, most: float, links: Array, work: Array) -> bool:
    """Whether ``count`` bases can go from the places ``old`` to the places ``new`` (float64, count x 2), one base to
    each, with no base going farther than ``most`` inches (move.manoeuvre.cap).

    ``links``, ``work``: room from ``rearranging_room``.
    """
    most2 = (most + EPS) * (most + EPS)
    if _fits_in_order(old, new, count, most2, False) or _fits_in_order(old, new, count, most2, True):
        return True
    words = (count + _BITS - 1) // _BITS
    return _mark_reachable(old, new, count, words, most2, links) and _has_full_matching(count, words, links, work)


@inner_kernel
def _order_keeps(count: int, kept: Array, held: Array, turned: bool) -> bool:
    """Whether every base with ``kept`` comes to a place with ``held`` if each takes the place of its own number; with
    ``turned``, of its number counted from the end.
    """
    for k in range(count):
        if kept[k] != 0 and held[count - 1 - k if turned else k] == 0:
            return False
    return True


@inner_kernel
def can_rearrange_keeping(
    old: Array, new: Array, count: int, most: float, kept: Array, held: Array, links: Array, work: Array
) -> bool:
    """``can_rearrange`` where each base with ``kept`` (by old place, not 0) must come to a place with ``held`` (by new
    place, not 0).
    """
    most2 = (most + EPS) * (most + EPS)
    for turned in (False, True):
        if _order_keeps(count, kept, held, turned) and _fits_in_order(old, new, count, most2, turned):
            return True
    words = (count + _BITS - 1) // _BITS
    if not _mark_reachable(old, new, count, words, most2, links):
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
        any_place = 0
        for w in range(words):
            links[k, w] &= links[count + 1, w]
            any_place |= links[k, w]
        if any_place == 0:
            return False
    return _has_full_matching(count, words, links, work)
