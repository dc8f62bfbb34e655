"""What armies declare and the engine does not play, told wherever a battle, a match-up or a tournament is reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wh_env import Battle, ContentError


def not_played(battles: Iterable[str], armies: Sequence[Sequence[str]] = ((),)) -> list[str]:
    """Abilities and rules, each with whose it is, of battles with these armies in place of their own; what cannot be loaded adds nothing."""
    found: dict[str, None] = {}
    for battle in battles:
        for pair in armies:
            try:
                overrides = {"armies": list(pair)} if pair else None
                setup = Battle.load(battle, 0, overrides=overrides).setup
            except ContentError:
                continue
            found.update(dict.fromkeys(setup.inactive))
    return list(found)


def in_words(lines: Sequence[str]) -> str:
    """The same in a line, each owner once; nothing where everything is played."""
    owners: dict[str, list[str]] = {}
    for line in lines:
        owner, _, what = line.partition(": ")
        owners.setdefault(owner, []).append(what)
    told = "; ".join(f"{owner}: {', '.join(names)}" for owner, names in owners.items())
    return f"Not played ({len(lines)}): {told}." if lines else ""
