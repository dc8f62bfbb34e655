"""What magic items give to movement is gone while their bearer is a toad, and is back with his own form
(wap.item.arcane.sivejirs-hex-scroll).
"""

from __future__ import annotations

from typing import Any

import pytest
from wizards import wizard

from wh_env import Battle
from wh_env.rulesets.wap.basics.effects import Bares, begin_effect, effects_of, end_effect, rows_in_use
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.magic.may_cast import is_caster
from wh_env.rulesets.wap.special.flying import can_fly, flight_of, is_flyer
from wh_env.rulesets.wap.special.stride import farthest_way, is_swift
from wh_env.rulesets.wap.validity import contradictions
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE = "wap.item.arcane.sivejirs-hex-scroll"


def bearer_of(
    owner: int, items: list[str], *, card: dict[str, Any] | None = None, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A wizard with items in a marsh; an enemy far away has the scroll."""
    scene = RegimentScene()
    own = scene.unit(owner, wizard(m=6, **(card or {})), (24, 24), models=1, files=1, items=items, **fields)
    scene.unit(1 - owner, wizard(), (4, 44 if owner == 0 else 4), models=1, items=["Sivejir's Hex Scroll"])
    scene.unit(1 - owner, square(), (44, 44 if owner == 0 else 4), models=5)
    scene.area("marsh", 20, 20, 28, 28)
    return scene.battle("movement", player=owner, run=False), own


def hex_on(battle: Battle, unit: UnitHandle) -> None:
    """The unit becomes a toad by the enemy's scroll."""
    toad = next(n for n, effect in enumerate(effects_of(battle)) if any(isinstance(p, Bares) for p in effect.powers))
    begin_effect(battle, toad, unit.row, 1 - unit.player, battle.players.first_unit[1 - unit.player])


def free_of_hex(battle: Battle, unit: UnitHandle) -> None:
    """The toad is itself again."""
    powers = {k: effects_of(battle)[battle.effects.effect[k]].powers for k in rows_in_use(battle)}
    end_effect(battle, next(k for k, found in powers.items() if any(isinstance(power, Bares) for power in found)))


def sound(battle: Battle) -> bool:
    """Whether the tables of the battle agree."""
    assert [str(fault) for fault in contradictions(battle)] == []
    return True


@OWNERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll", "wap.item.enchanted.carpet-of-araby")
def test_a_toad_flies_on_no_carpet(owner: int) -> None:
    battle, own = bearer_of(owner, ["Carpet of Araby"])
    assert can_fly(battle, own.row) and flight_of(battle, own.row) == 9.0
    hex_on(battle, own)
    assert not can_fly(battle, own.row) and not is_flyer(battle, own.row) and farthest_way(battle, own.row) < 9.0
    assert not is_caster(battle, own.row) and sound(battle)
    free_of_hex(battle, own)
    assert can_fly(battle, own.row) and is_flyer(battle, own.row) and sound(battle)


@OWNERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll", "wap.special.fly.move")
def test_a_toad_whose_card_flies_flies_on(owner: int) -> None:
    battle, own = bearer_of(owner, [], card={"rules": ["Fly (8)"]})
    hex_on(battle, own)
    assert can_fly(battle, own.row) and is_flyer(battle, own.row)


@OWNERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll", "wap.item.enchanted.flying-boots")
def test_the_boots_of_a_toad_neither_hurry_it_nor_carry_it_over_a_marsh(owner: int) -> None:
    battle, own = bearer_of(owner, ["Flying Boots"])
    assert is_swift(battle, own.row) and movement_of(battle, own.row) == 10.0
    hex_on(battle, own)
    assert not is_swift(battle, own.row) and movement_of(battle, own.row) == 0.0 and sound(battle)
    free_of_hex(battle, own)
    assert is_swift(battle, own.row) and movement_of(battle, own.row) == 10.0 and sound(battle)
