"""List the abilities and rules that armies declare and the engine does not play, for reports of
battles, match-ups and tournaments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wh_env import Battle, ContentError


def not_played(battles: Iterable[str], armies: Sequence[Sequence[str]] = ((),)) -> list[str]:
    """Lines ``owner: ability`` for everything that is declared and not played.

    Args:
        battles: names of battles.
        armies: pairs of armies to play in each battle; an empty pair stands for the battle's own.
            Combinations that cannot be loaded are skipped.
    """
    names: dict[str, None] = {}
    for battle in battles:
        for pair in armies:
            try:
                overrides = {"armies": list(pair)} if pair else None
                setup = Battle.load(battle, 0, overrides=overrides).setup
            except ContentError:
                continue
            names.update(dict.fromkeys(setup.inactive))
    return list(names)


def in_words(lines: Sequence[str]) -> str:
    """The lines of ``not_played`` as one sentence that names each owner once; empty if there are no
    lines.
    """
    owners: dict[str, list[str]] = {}
    for line in lines:
        owner, _, ability = line.partition(": ")
        owners.setdefault(owner, []).append(ability)
    text = "; ".join(f"{owner}: {', '.join(names)}" for owner, names in owners.items())
    return f"Not played ({len(lines)}): {text}." if lines else ""
