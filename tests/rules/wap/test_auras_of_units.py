"""Auras of units: special rules that affect a kind of unit in range help friends of the same army alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.heroes import hero
from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.wap.schema_units import Card
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.morale.leadership import leadership_of
from wh_env.rulesets.wap.rule_book import FEAR, STUBBORN
from wh_env.testing import kind
from wh_env.testing.wap import EAST, RegimentScene, UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
IDOL: Mapping[str, Any] = {"auras": [{"inches": 6.0, "only": "goblins", "changes": {"ld": 1}}]}
BOOK = ("Orcs & Goblins", "destruction")
GOBLINS = (*BOOK, "goblins")


def around(player: int, aura: Mapping[str, Any] = IDOL, *, turn_of: int | None = None) -> Any:
    """A hero with an aura for goblins in the middle of the table. 4 inches from him flee goblins and orcs of his army,
    goblins of an allied army of the same book, and goblins of the enemy; other goblins of his army flee 7 inches away.
    """
    scene = RegimentScene((72, 48))
    for leader in ("", "a second player"):
        scene.army(player, *BOOK, leader=leader)
    units = {"hero": scene.unit(player, hero(ld=7, **aura), (36.5, 24), models=1, facing=EAST, book=BOOK)}
    # the middle of the front of two by two models that look east; the hero's base is one inch
    for name, side, at, army in (
        ("friends", player, (31.5, 24), 0),
        ("orcs", player, (36, 29), 0),
        ("allies", player, (42.5, 24), 1),
        ("enemies", 1 - player, (36, 18), 0),
        ("far", player, (28.5, 20), 0),
    ):
        book = BOOK if name == "orcs" else GOBLINS
        card = square(ld=5)
        units[name] = scene.unit(side, card, at, models=4, files=2, facing=EAST, fleeing=1, army=army, book=book)
    turn = player if turn_of is None else turn_of
    return scene.battle("movement", player=turn, dice=(3, 3) * 12, run=False), units


def rallied(battle: Battle, units: Mapping[str, UnitHandle], player: int) -> dict[str, tuple[int, bool]]:
    """The Leadership on which each unit of a player has tested to rally in this turn, and whether it has."""
    battle.run()
    while kind(battle) in ("compelled-next", "reform-files", "reform-facing"):
        battle.apply(int(battle.legal().nonzero()[0][0]))
    names = {unit.row: name for name, unit in units.items()}
    tests = [event.data for event in battle.events if event.kind == "leadership test"]
    return {
        names[test["unit"]]: (test["leadership"], test["passed"])
        for test in tests
        if battle.units.owner[test["unit"]] == player
    }


@pytest.mark.rule("wap.special.general.same-army")
@BOTH_PLAYERS
def test_goblins_of_the_same_army_alone_gain_leadership(player: int) -> None:
    """With a 6 on two dice they rally on a Leadership of 6, and the others flee on with one of 5."""
    battle, units = around(player)
    assert battle.units.contingent[units["friends"]] != battle.units.contingent[units["allies"]]
    found = rallied(battle, units, player)
    assert found.pop("friends") == (6, True)
    assert found == dict.fromkeys(("orcs", "allies", "far"), (5, False))


@pytest.mark.rule("wap.special.general.same-army")
@BOTH_PLAYERS
def test_goblins_of_the_enemy_gain_nothing(player: int) -> None:
    battle, units = around(player, turn_of=1 - player)
    assert rallied(battle, units, 1 - player) == {"enemies": (5, False)}


@pytest.mark.rule("wap.special.general.same-army")
@BOTH_PLAYERS
def test_special_rules_are_given_to_the_same_army_alone(player: int) -> None:
    battle, units = around(player, {"auras": [{"inches": 6.0, "only": "goblins", "grants": ["Stubborn"]}]})
    given = [name for name, unit in units.items() if has(battle, unit.row, STUBBORN)]
    assert given == ["friends"] and not models_have(battle, units["friends"].row, FEAR)


@BOTH_PLAYERS
def test_it_ends_with_its_bearer(player: int) -> None:
    battle, units = around(player)
    assert leadership_of(battle, units["friends"].row) == 6
    remove_unit(battle, units["hero"].row)
    assert leadership_of(battle, units["friends"].row) == 5


@BOTH_PLAYERS
def test_a_hero_carries_it_where_his_unit_is_and_two_act_once(player: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(player, square(ld=5), (24, 20), models=8, files=4, book=GOBLINS)
    bearer = scene.unit(player, hero(ld=4, **IDOL), inside=unit, models=1)
    near = scene.unit(player, square(ld=5), (24, 27), models=4, files=4, book=GOBLINS)
    scene.unit(player, hero(ld=4, **IDOL), (30, 27), models=1)
    scene.unit(1 - player, None, (44, 47), models=5)
    battle = scene.battle("movement", player=player)
    assert leadership_of(battle, unit.row) == leadership_of(battle, near.row) == 6
    remove_unit(battle, bearer.row)
    assert leadership_of(battle, near.row) == 6


def test_no_aura_of_a_unit_acts_inside_it() -> None:
    with pytest.raises(ContentError, match="inside"):
        validate(Card, square(auras=[{"inside": True, "grants": ["Stubborn"]}]), "<test>")
