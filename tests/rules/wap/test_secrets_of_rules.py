"""The special rules that magic items give are no more known to the enemy than the items are (wap.army.list.hidden)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.core.features import Veil
from wh_env.core.views import SeatView
from wh_env.rulesets.wap.basics.carried import show
from wh_env.rulesets.wap.basics.special_rules import line_has_itself, models_have
from wh_env.rulesets.wap.rule_book import FEAR, FLY, STUBBORN, SWIFTSTRIDE, TERROR, SpecialRule
from wh_env.rulesets.wap.special.flying import can_fly, flight_of, is_flyer
from wh_env.rulesets.wap.special.stride import farthest_way, is_swift
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])


def bearer(owner: int, *items: str, **card: Any) -> tuple[Battle, UnitHandle]:
    """A hero with items that the enemy does not know."""
    scene = RegimentScene(rules={"lists": "hidden"})
    own = scene.unit(owner, hero(**card), (24, 20 if owner == 0 else 28), models=1, items=items)
    scene.unit(1 - owner, square(), (24, 44 if owner == 0 else 4), models=5)
    return scene.battle("movement", player=1 - owner, run=False), own


@OWNERS
@pytest.mark.rule("wap.army.list.hidden", "wap.item.enchanted.carpet-of-araby")
@pytest.mark.parametrize("view", [Veil().over, SeatView().of])
def test_an_unknown_carpet_does_not_fly_in_the_enemy_s_eyes(owner: int, view: Any) -> None:
    battle, own = bearer(owner, "Carpet of Araby", "Talisman of Protection")
    for known in (False, True):
        seen = view(battle, 1 - owner)
        assert [can_fly(seen, own.row), is_flyer(seen, own.row), flight_of(seen, own.row) > 0.0] == [known] * 3
        assert (farthest_way(seen, own.row) == farthest_way(battle, own.row)) is known
        assert flight_of(battle, own.row) == flight_of(view(battle, owner), own.row) == 10.0
        show(battle, 0)  # the talisman is still a secret


@OWNERS
@pytest.mark.rule("wap.army.list.hidden", "wap.item.enchanted.flying-boots")
def test_unknown_boots_hurry_nobody_in_the_enemy_s_eyes(owner: int) -> None:
    battle, own = bearer(owner, "Flying Boots")
    assert is_swift(battle, own.row) and not is_swift(Veil().over(battle, 1 - owner), own.row)
    show(battle, 0)
    assert is_swift(Veil().over(battle, 1 - owner), own.row)


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
@pytest.mark.parametrize(
    ("item", "rule"),
    [
        ("Terrifying Mask of EEE!", TERROR),
        ("Carpet of Araby", FLY),
        ("Flying Boots", SWIFTSTRIDE),
        ("Crown of Command", STUBBORN),
    ],
)
def test_rules_of_unknown_items_are_unknown_and_those_of_the_card_are_not(
    owner: int, item: str, rule: SpecialRule
) -> None:
    battle, own = bearer(owner, item, rules=["Fear"])
    line = battle.units.first_line[own.row]
    for known in (False, True):
        seen = Veil().over(battle, 1 - owner)
        assert models_have(seen, own.row, rule) == line_has_itself(seen, line, rule) == known
        assert models_have(seen, own.row, FEAR) and models_have(battle, own.row, rule)
        show(battle, 0)
