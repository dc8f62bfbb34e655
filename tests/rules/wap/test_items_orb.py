"""The Orb of Thunder, which keeps all flyers on the ground."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from marching import select
from wizards import cast, in_cast, knowing, let_be, offered_spells, pools, wizard

from wh_env import Battle
from wh_env.core.features import Veil
from wh_env.core.validation import Validator
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.dispelling import Dispel
from wh_env.rulesets.wap.magic.flights import may_fly_off
from wh_env.rulesets.wap.movement.distances import move_of
from wh_env.rulesets.wap.movement.going import ADVANCE, FLY, FLY_FAR, MARCH
from wh_env.rulesets.wap.rule_book import FLY as WINGS
from wh_env.rulesets.wap.special.flying import can_fly, flight_of, is_grounded
from wh_env.rulesets.wap.special.stride import charge_roll, ways_to_charge
from wh_env.rulesets.wap.view.audit import RegimentAudit
from wh_env.testing import choose, dice_left, kind, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE, ORB = "wap.item.enchanted.orb-of-thunder", "Orb of Thunder"


def pegasi(**values: Any) -> dict[str, Any]:
    """Winged knights of Movement 8 who fly 10 inches."""
    return square(**{"m": 8, "rules": ["Fly (10)"], **values})


def thundering(
    owner: int, *, joins: bool = False, lists: str = "open", detail: str = "full", foe: dict[str, Any] | None = None,
    against: int = 0, flyers: bool = True, spells: str = "",
) -> tuple[Battle, dict[str, UnitHandle]]:  # fmt: skip
    """A bearer whose player begins a Magic phase with 12 power dice; winged knights on both sides, those of the enemy
    with a friend 3 inches deep before them. ``against``: the level of an enemy wizard.
    """
    scene, far = RegimentScene(size=(72, 72), rules={"lists": lists}), 1 if owner == 0 else -1
    card = pegasi() if flyers else square()
    host = scene.unit(owner, None, (36, 36 - far * 20), models=10) if joins else None
    at: dict[str, Any] = {"inside": host} if host else {"at": (36, 36 - far * 20)}
    units = {"lord": scene.unit(owner, hero(), models=1, items=[ORB], **at)}
    units["own"] = scene.unit(owner, card, (12, 36 - far * 20), models=5)
    units["foe"] = scene.unit(1 - owner, {**card, **(foe or {})}, (60, 36 + far * 20), models=4, files=4)
    units["before"] = scene.unit(
        1 - owner, square(rules=["Immunity (Psychology)"]), (60, 36 + far * 13), models=12, files=4
    )
    if against:
        units["mage"] = scene.unit(1 - owner, wizard(against), (36, 36 + far * 30), models=1)
    battle = scene.battle(
        "magic", player=owner, dice=(6, 6, *[1] * against), detail=detail,
        set_state=knowing({units["mage"]: spells} if spells else {}),
    )  # fmt: skip
    return battle, units


def thunder(battle: Battle, lord: UnitHandle, dice: tuple[int, ...] = (4, 2)) -> None:
    """Cast the spell of the orb with one die of the pool and the free one, and let nobody dispel it."""
    script(battle, dice)
    cast(battle, lord, ORB, None, len(dice) - 1, free=True)
    let_be(battle)
    assert dice_left(battle) == 0


def to_turn(battle: Battle, player: int, phase: Phase, what: str) -> None:
    """Play on, doing as little as possible, until a player is asked something in a phase of his."""
    for _ in range(200):
        if kind(battle) == what and battle.clock.turn[0] == player and battle.clock.phase[0] == phase:
            return
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    raise AssertionError(what)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder")
@pytest.mark.parametrize("joins", [False, True])
def test_nobody_flies_while_the_orb_thunders(owner: int, joins: bool) -> None:
    """Cast with 6 against 4: the winged knights of both sides walk, 8 inches, as far as units before them let them, and
    charge on foot. They have Fly all the same.
    """
    battle, units = thundering(owner, joins=joins)
    assert offered_spells(battle, units["lord"]) == [ORB]
    flyers = units["own"], units["foe"]
    assert all(can_fly(battle, unit.row) for unit in flyers)
    script(battle, [4, 2])
    cast(battle, units["lord"], ORB, None, 1, free=True)
    (row,) = told(battle, "wap.magic.cast.value")
    assert (row["rolls"], row["needed"], row["amount"]) == ((4, 2), 4, 6) and pools(battle)[owner] == 11
    assert told(battle, RULE) == [{"unit": units["lord"].row, "name": ORB}]
    assert in_cast(battle, Cast.RESULT) == 6 and not is_grounded(battle)
    let_be(battle)
    assert is_grounded(battle) and not list(Validator(battle.setup).faults(battle))
    for unit in flyers:
        assert not can_fly(battle, unit.row) and flight_of(battle, unit.row) == 0.0
        assert models_have(battle, unit.row, WINGS) and ways_to_charge(battle, unit.row) == (False,)
        assert move_of(battle, unit.row) == 8.0
    to_turn(battle, 1 - owner, Phase.MOVEMENT, "select-to-move")
    assert RegimentAudit(battle).after() == []
    select(battle, units["foe"])
    offered = set(slots(battle, "option"))
    assert {ADVANCE, MARCH} <= offered and not offered & {FLY, FLY_FAR}
    script(battle, [4, 2])
    assert charge_roll(battle, units["foe"].row)[1] == 12.0


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder", "wap.magic.rip.dispel", "wap.magic.rip.dispel-value")
def test_dispelled_with_4_they_fly_again(owner: int) -> None:
    """In the enemy's own Magic phase; 3 is not enough."""
    for dice, flies in (((3,), False), ((4,), True)):
        battle, units = thundering(owner, against=1)
        thunder(battle, units["lord"])
        to_turn(battle, 1 - owner, Phase.MAGIC, "cast-by")
        battle.pools.dice[1 - owner] = 6
        at = next(action for action, text in words(battle).items() if ORB in text)
        battle.apply(at)
        script(battle, dice)
        if kind(battle) == "dispel-by":
            choose(battle, "option", 0)
        choose(battle, "number", 0)
        assert told(battle, "wap.magic.dispel.value")[-1]["needed"] == 4
        assert can_fly(battle, units["foe"].row) == flies and is_grounded(battle) != flies
        if flies:
            assert flight_of(battle, units["own"].row) == 10.0


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder")
def test_it_ends_with_its_bearer_and_when_he_ends_it(owner: int) -> None:
    battle, units = thundering(owner)
    thunder(battle, units["lord"])
    copy = battle.clone()
    slay(copy, units["lord"].model())
    assert not is_grounded(copy) and can_fly(copy, units["foe"].row)
    to_turn(battle, owner, Phase.MAGIC, "end-spell")
    assert is_grounded(battle)
    choose(battle, "option")
    assert not is_grounded(battle) and can_fly(battle, units["own"].row)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder")
def test_a_miscast_destroys_the_orb_and_ends_its_spell(owner: int) -> None:
    """1, 1 and 2 reach 4."""
    battle, units = thundering(owner)
    thunder(battle, units["lord"], (1, 2, 1))
    assert told(battle, "wap.magic.bound.miscast-item") and battle.items.used.tolist() == [1]
    assert not is_grounded(battle) and not any(event.rule.startswith("wap.magic.miscast") for event in battle.events)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder")
def test_who_resists_magic_among_the_flyers_helps_to_dispel_it(owner: int) -> None:
    """The spell targets them: a hex."""
    for foe, more in (({"rules": ["Fly (10)", "Magic Resistance (2)"]}, 2), ({}, 0)):
        battle, units = thundering(owner, foe=foe)
        script(battle, [6, 5, 4])
        cast(battle, units["lord"], ORB, None, 1, free=True)
        assert kind(battle) == "dispel-by"
        f = battle.frame
        assert Dispel.targets(battle, f) == [units["foe"].row]
        assert Dispel.bonus(battle, f) == more


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder")
def test_without_flyers_there_is_nothing_to_cast_it_on(owner: int) -> None:
    battle, _ = thundering(owner, flyers=False)
    assert kind(battle) != "cast-by"


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder")
def test_magic_carries_nobody_through_the_air_meanwhile(owner: int) -> None:
    battle, units = thundering(owner, against=2)
    assert may_fly_off(battle, units["mage"].row, fighting=True)
    thunder(battle, units["lord"])
    assert not may_fly_off(battle, units["mage"].row, fighting=True)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.orb-of-thunder", "wap.army.list.hidden")
def test_observations_and_views_know_it(owner: int) -> None:
    battle, units = thundering(owner, lists="hidden")
    observer = Observer(battle.setup, "entities")

    def flies(seat: int, unit: UnitHandle) -> float:
        part = "own" if unit.player == seat else "enemy"
        return float(observer.observe(battle, seat)[part][unit.number, column_of("wap", part, "flies")])

    told_before = battle.setup.ruleset.states(Veil().over(battle, 1 - owner), units["lord"].row)
    assert not [word for word in told_before if "Orb" in word] and flies(owner, units["foe"]) == 0.5
    thunder(battle, units["lord"])
    told_of = battle.setup.ruleset.states(Veil().over(battle, 1 - owner), units["lord"].row)
    assert f"has {ORB}" in told_of and f"knows {ORB}" in told_of and ORB in told_of
    assert [flies(seat, units[name]) for seat in (0, 1) for name in ("own", "foe")] == [0.0] * 4
