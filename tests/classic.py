"""Datasheets, armies and battles of the editions whose models have WS, BS, S and A."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from wh_env.content import w8, w9
from wh_env.content.battle import Battle
from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.game import Game
from wh_env.content.load import validate
from wh_env.content.w8.compile import plan_of as plan_of_w8
from wh_env.content.w9.compile import plan_of as plan_of_w9
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.testing import script

MODEL: dict[str, Any] = {
    "name": "Soldier", "min": 1, "max": 10, "M": 6, "WS": "3+", "BS": "4+", "S": 4, "T": 4, "W": 2, "A": 2, "Ld": 7, "Sv": "3+",
    "base": {"circle_mm": 32}, "height_in": 1.6, "weapons": ["gun", "blade"],
}  # fmt: skip
WEAPONS: dict[str, Any] = {
    "gun": {"range": 24, "type": "Rapid Fire 1", "S": 4, "AP": -1, "D": 1},
    "blade": {"range": "melee", "type": "Melee", "S": "+1", "AP": -2, "D": 2},
}
SMALLEST = {w8.GAME.ruleset.id: "w8/only-war-skirmish", w9.GAME.ruleset.id: "w9/only-war-patrol"}
PLANS: dict[str, Any] = {w8.GAME.ruleset.id: plan_of_w8, w9.GAME.ruleset.id: plan_of_w9}
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


def setup_of(*sheets: dict[str, Any], detail: str = "squad", game: Game = w9.GAME, **rules: Any) -> Setup:
    """The Setup of a small battle between two such armies."""
    army = raw_army(*sheets)
    return game.compile(game.load(SMALLEST[game.ruleset.id], {"armies": [army, army], "detail": detail}), rules, None)


def battle_of(setup: Setup, seed: int = 1) -> Battle:
    """A battle from its mission sequence on, waiting for the first decision."""
    battle = object.__new__(Battle)
    battle._bind(setup, setup.template.copy(), record=False)
    battle._seed(seed)
    setup.ruleset.start(battle)
    battle.run()
    return battle


def stand(battle: Battle, unit: int, places: Sequence[tuple[float, float]]) -> None:
    """The models of a unit stand at these places, the others are gone."""
    models, units = battle.models, battle.units
    rows = range(units.first[unit], units.first[unit] + units.count[unit])
    for model in rows[len(places) :]:
        models.alive[model] = models.wounds[model] = 0
    units.alive[unit] = len(places)
    for model, (x, y) in zip(rows, places, strict=False):
        models.x[model], models.y[model], models.on_table[model] = x, y, 1


def in_phase(
    loaded: Any,
    phase: str,
    spots: Mapping[str, Any] | None,
    *,
    active: int = 0,
    round: int = 1,
    dice: Sequence[int] = (),
    game: Game = w9.GAME,
    **rules: Any,
) -> Battle:
    """A loaded battle in a phase of a battle round: units by name in rows along +x from their spots, all others in Reserves.
    In place of a spot a list has one for each model; those beyond it are gone. Without spots: as it begins."""
    plan_of = PLANS[game.ruleset.id]
    setup = compile_plan(replace(plan_of(game.ruleset, loaded, rules, {}), script=64))
    battle = object.__new__(Battle)
    battle._bind(setup, setup.template.copy(), record=True)
    battle._seed(1)
    script(battle, dice)
    units, models = battle.units, battle.models
    for unit, name in enumerate(setup.names["units"]) if spots is not None else ():
        units.place[unit] = ON_TABLE if name in spots else RESERVE
        if isinstance(spots.get(name), list):
            stand(battle, unit, spots[name])
            continue
        x, y = spots.get(name, (0.0, 0.0))
        for model in range(units.first[unit], units.first[unit] + units.count[unit]) if name in spots else ():
            models.x[model], models.y[model], models.on_table[model] = x, y, 1
            x += 2 * models.radius[model] + 0.2
    setup.ruleset.enter(battle, phase, active, round)
    battle.run()
    return battle
