"""Datasheets, armies and battles of the editions whose models have WS, BS, S and A."""

from __future__ import annotations

from typing import Any

from wh_env.content import w9
from wh_env.content.battle import Battle
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.load import validate
from wh_env.core.setup import Setup

MODEL: dict[str, Any] = {
    "name": "Soldier", "min": 1, "max": 10, "M": 6, "WS": "3+", "BS": "4+", "S": 4, "T": 4, "W": 2, "A": 2, "Ld": 7, "Sv": "3+",
    "base": {"circle_mm": 32}, "height_in": 1.6, "weapons": ["gun", "blade"],
}  # fmt: skip
WEAPONS: dict[str, Any] = {
    "gun": {"range": 24, "type": "Rapid Fire 1", "S": 4, "AP": -1, "D": 1},
    "blade": {"range": "melee", "type": "Melee", "S": "+1", "AP": -2, "D": 2},
}
TABLE = [{"wounds": 6, "M": 8, "BS": "4+"}, {"wounds": 3, "M": 4, "BS": "5+", "A": "D3"}]


def raw_sheet(name: str = "Squad", *, weapons: Any = None, model: Any = None, **fields: Any) -> dict[str, Any]:
    """A datasheet as a file says it; ``model`` changes its one kind of model."""
    kind = {**MODEL, **(model or {})}
    return {
        "name": name, "faction": "Testers", "faction_keywords": ["TESTERS"], "keywords": ["INFANTRY"], "role": "Troops",
        "power": [{"models": kind["max"], "power": 4}], "points": 20, "models": [kind], "weapons": WEAPONS if weapons is None else weapons,
        **fields,
    }  # fmt: skip


def sheet(name: str = "Squad", **fields: Any) -> ClassicDatasheet:
    """The same, read."""
    return validate(ClassicDatasheet, raw_sheet(name, **fields), "<sheet>")


def tank(**fields: Any) -> dict[str, Any]:
    """A vehicle with a damage table."""
    model = {
        "name": "Tank",
        "max": 1,
        "M": 12,
        "BS": "3+",
        "W": 12,
        "T": 7,
        "A": 3,
        "damage": TABLE,
        "weapons": ["gun"],
    }
    return raw_sheet("Tank", keywords=["VEHICLE"], role="Heavy Support", model=model, **fields)


def raw_army(*sheets: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """An army of one unit of each datasheet, in no Detachment; the first is the WARLORD."""
    units = [{"datasheet": each["name"], "warlord": at == 0} for at, each in enumerate(sheets)]
    return {"name": "Test", "faction": "Testers", "units": units, "datasheets": list(sheets), **fields}


def setup_of(*sheets: dict[str, Any], detail: str = "squad", **rules: Any) -> Setup:
    """The Setup of a small battle between two such armies."""
    army = raw_army(*sheets)
    return w9.GAME.compile(w9.GAME.load("w9/only-war-patrol", {"armies": [army, army], "detail": detail}), rules, None)


def battle_of(setup: Setup, seed: int = 1) -> Battle:
    """A battle from its mission sequence on, waiting for the first decision."""
    battle = object.__new__(Battle)
    battle._bind(setup, setup.template.copy(), record=False)
    battle._seed(seed)
    setup.ruleset.start(battle)
    battle.run()
    return battle
