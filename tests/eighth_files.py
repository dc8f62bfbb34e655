"""Battles of the 8th edition between armies of datasheets, shipped ones by name or of the test's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from classic import in_phase, raw_army

from wh_env.content import w8
from wh_env.content.battle import Battle
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION

FIGHT = EIGHTH_EDITION.phases.index("Fight")
Spots = Mapping[str, Any]  # of units by name: a spot, or one for each model


def army(*units: str | Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """An army of no Faction: units by the name of their datasheet, by an entry of an army list, or by a datasheet of the test's own."""
    entries: list[Any] = []
    own = []
    for unit in units:
        if isinstance(unit, str):
            entries.append({"datasheet": unit})
        elif "datasheet" in unit:
            entries.append(dict(unit))
        else:
            own.append(unit)
            entries.append({"datasheet": unit["name"]})
    return {"name": "Test", "units": entries, "datasheets": own, **fields}


def loaded(mine: Mapping[str, Any], theirs: Mapping[str, Any], player: int = 0, detail: str = "squad") -> Any:
    """A small battle of the player's army against another, without terrain."""
    armies = [mine, theirs] if player == 0 else [theirs, mine]
    bare = {"name": "bare", "size": [48, 36], "objectives": [[17, 21.5], [31, 14.5], [8, 11.5], [40, 24.5]]}
    return w8.GAME.load("w8/only-war-skirmish", {"armies": armies, "detail": detail, "battlefield": bare})


def duel(
    mine: Sequence[dict[str, Any]], theirs: Sequence[dict[str, Any]], player: int = 0, detail: str = "squad"
) -> Any:
    """The same of datasheets of the test's own."""
    return loaded(raw_army(*mine), raw_army(*theirs), player, detail)


def at(battle: Any, phase: str, spots: Spots, **more: Any) -> Battle:
    """It in a phase; see ``classic.in_phase``."""
    return in_phase(battle, phase, spots, game=w8.GAME, **more)


def unit_of(battle: Battle, name: str) -> int:
    """The row of a unit."""
    return int(battle.setup.names["units"].index(name))


def model_of(battle: Battle, name: str) -> int:
    """The row of the first model of a unit."""
    return int(battle.units.first[unit_of(battle, name)])


def fight_out(battle: Battle) -> Battle:
    """The battle after its Fight phase."""
    while battle.decision is not None and battle.clock.phase[0] == FIGHT:
        battle.apply(battle.first_legal())
    return battle
