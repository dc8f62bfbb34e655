"""AIRCRAFT with a damage table: both of their Move values are those of the row of their wounds (w9.aircraft.minimum-move, w9.concepts.damaged)."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest
from classic import in_phase, raw_army, raw_sheet

from wh_env import Battle
from wh_env.content import w9
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.casualties import heal, mortal_wounds
from wh_env.testing import choose, kind, pick, slots

TABLE = [{"wounds": 6, "M": "15-30"}, {"wounds": 3, "M": "10-20"}]
JET = {"name": "Jet", "max": 1, "M": "20-60", "W": 12, "damage": TABLE, "weapons": ["gun"]}


def flight(player: int, suffered: int, healed: int, **rules: Any) -> tuple[Battle, int]:
    """A Jet of M 20-60" that has suffered so many of its 12 wounds and was healed, selected to move at the end of a long battlefield."""
    jet = raw_sheet("Jet", keywords=["VEHICLE", "AIRCRAFT", "FLY"], role="Flyers", model=JET)
    armies = [raw_army(raw_sheet("Watch"), jet), raw_army(raw_sheet("Foe"))]
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": armies if player == 0 else armies[::-1]})
    battle = in_phase(loaded, "movement", {"Watch": (4, 2), "Jet": (4, 15), "Foe": (40, 28)}, active=player, **rules)
    unit = battle.players.first_unit[player] + 1
    assert kind(battle) == "select-to-move"
    battle.models.facing[battle.units.first[unit]] = 0.0
    if suffered:
        mortal_wounds(battle, unit, suffered)
        battle.run()
    if healed:
        heal(battle, unit, healed)
    pick(battle, "Jet", kind="select-to-move")
    return battle, unit


def offered(battle: Battle, unit: int) -> tuple[float, float]:
    """The shortest and the longest straight move."""
    choose(battle, "angle", 0)
    assert kind(battle) == "aircraft-distance"
    model, found = battle.units.first[unit], []
    x, y = battle.models.x[model], battle.models.y[model]
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        assert copy.units.place[unit] == ON_TABLE
        found.append(hypot(copy.models.x[model] - x, copy.models.y[model] - y))
    return min(found), max(found)


@pytest.mark.rule("w9.aircraft.minimum-move", "w9.concepts.damaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("suffered", "healed", "least", "most"),
    [(0, 0, 20, None), (5, 0, 20, None), (6, 0, 15, 30), (9, 0, 10, 20), (9, 1, 15, 30), (9, 4, 20, None)],
)
def test_both_values_are_those_of_the_row(
    player: int, suffered: int, healed: int, least: float, most: float | None
) -> None:
    """12 wounds: 20-60", from 6 on 15-30", from 3 on 10-20"; healed, the better row counts again."""
    battle, unit = flight(player, suffered, healed)
    pick(battle, "Normal move")
    shortest, longest = offered(battle, unit)
    assert shortest == pytest.approx(least)
    if most is not None:
        assert longest == pytest.approx(most)


@pytest.mark.rule("w9.aircraft.minimum-move")
def test_a_modifier_changes_both_values_of_the_row() -> None:
    """3 wounds left, -2" to its Move: 8-18"."""
    battle, unit = flight(0, 9, 0, moves_normally=({"unit": 1, "inches": -2.0},))
    pick(battle, "Normal move")
    assert offered(battle, unit) == pytest.approx((8, 18))
