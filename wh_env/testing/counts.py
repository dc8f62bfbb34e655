"""Counting the sequences of legal answers in a position, as chess engines count move sequences (perft).

    count(battle, 2)    # {("move-kind", "move-kind"): 3, ("move-kind", "move-to"): 394}

A count that differs says that a mask has changed, and the kinds say where. Dice that are scripted in the position are
the same in every branch.
"""

from __future__ import annotations

from collections import Counter

from wh_env.content.battle import Battle


def count(battle: Battle, depth: int) -> Counter[tuple[str, ...]]:
    """The number of legal sequences of ``depth`` answers from here on, by the kinds of the decisions answered.

    The battle itself is not changed. A battle that is over has no sequences.

    Raises:
        ValueError: ``depth`` is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth {depth}: at least one answer is counted")
    decision, found = battle.decision, Counter[tuple[str, ...]]()
    if decision is None:
        return found
    if depth == 1:
        found[decision.kind,] = len(decision.options)
        return found
    for action in decision.options:
        after = battle.clone()
        after.apply(action)
        for kinds, number in count(after, depth - 1).items():
            found[decision.kind, *kinds] += number
    return found
