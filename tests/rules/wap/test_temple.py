"""The Temple of Skulls: characters and champions on it seek favour at the start of each player's turn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.heroes import hero
from wh_env import Battle
from wh_env.content.rulebook import catalogue
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import Effect, On, begin_effect, end_effect
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.profiles import characteristic, movement_of
from wh_env.rulesets.wap.battle.restoring import heal
from wh_env.rulesets.wap.battle.victory import share_of
from wh_env.rulesets.wap.casualties.harm import wounds_taken
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.turns.favours import seek
from wh_env.rulesets.wap.view.ledger import Ledger
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle

RULE = "wap.terrain.hill.temple-of-skulls"


def on_the_temple(
    *, player: int = 0, dice: tuple[int, ...] = (), aside: float = 0.0, effects: tuple[Effect, ...] = (), **values: Any
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A hero of ``player``, a unit of his with a champion, and a hero of the enemy on a temple; his turn begins."""
    scene = RegimentScene(effects=effects)
    scene.area("hill", 20, 20, 28, 28, example="temple of skulls")
    lord = scene.unit(player, hero(**values), (22 - aside, 22), models=1, facing=NORTH)
    unit = scene.unit(player, None, (25, 26), models=5, files=5, facing=NORTH, command=("champion",))
    foe = scene.unit(1 - player, hero(), (27, 21.5), models=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 40), models=5)
    return scene.battle("movement", player=player, dice=list(dice)), lord, unit, foe


def line_of(battle: Battle, unit: UnitHandle, n: int = 0) -> int:
    return int(battle.units.first_line[unit.row]) + n


def asked(battle: Battle) -> tuple[str, int, int]:
    """The decision, who makes it, and about which unit."""
    return kind(battle), int(battle.clock.player[0]), int(battle.clock.subject[0])


@pytest.mark.rule("wap.terrain.hill.temple-of-skulls")
@pytest.mark.parametrize("player", [0, 1])
def test_every_character_and_champion_on_it_may_seek_favour(player: int) -> None:
    """The models of the player whose turn it is come first; a hero beside the temple is not asked."""
    battle, lord, unit, foe = on_the_temple(player=player)
    for side, who in ((player, lord), (player, unit), (1 - player, foe)):
        assert asked(battle) == ("seek-favour", side, who.row)
        assert slots(battle, "option") == [0] and slots(battle, "done")
        choose(battle, "done")
    assert kind(battle) != "seek-favour" and told(battle, RULE) == []
    battle, _, unit, _ = on_the_temple(player=player, aside=2.1)
    assert asked(battle) == ("seek-favour", player, unit.row)


@pytest.mark.rule("wap.terrain.hill.temple-of-skulls")
@pytest.mark.parametrize("player", [0, 1])
def test_strength_grows_by_a_d3_for_good(player: int) -> None:
    """A 4; then 3 and 2 name Strength, of the second row the first; a 5 is a D3 of 3."""
    battle, lord, _, _ = on_the_temple(player=player, dice=(4, 3, 2, 5), s=4)
    choose(battle, "option", 0)
    assert characteristic(battle, line_of(battle, lord), "s") == 7
    (event,) = told(battle, RULE)
    assert (event["unit"], event["name"], event["amount"]) == (lord.row, "s", 3)
    while kind(battle) == "seek-favour":
        choose(battle, "done")
    assert characteristic(battle, line_of(battle, lord), "s") == 7


@pytest.mark.rule("wap.terrain.hill.temple-of-skulls")
@pytest.mark.parametrize("at", range(9))
def test_each_characteristic_may_grow(at: int) -> None:
    battle, lord, _, _ = on_the_temple(dice=(2, 2 * (at // 3) + 1, 2 * (at % 3) + 1, 1))
    name = CHARACTERISTICS[at]
    before = characteristic(battle, line_of(battle, lord), name)
    wounds = battle.models.wounds[lord.model()]
    choose(battle, "option", 0)
    assert characteristic(battle, line_of(battle, lord), name) == min(10, before + 1)
    assert battle.models.wounds[lord.model()] == wounds + (name == "w")
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.terrain.hill.temple-of-skulls")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("player", [0, 1])
def test_on_a_one_the_model_is_removed_whatever_saves_it_has(player: int, die: int) -> None:
    table = catalogue("wap")[RULE]["table"]
    assert [str(row["d6"]) for row in table] == ["1", "2-6"]
    battle, lord, unit, _ = on_the_temple(player=player, dice=(die, 3, 2, 5), w=3, rules=["Ward Save (2+)"])
    choose(battle, "option", 0)
    assert battle.units.alive[lord.row] == int(die > 1)
    if kind(battle) == "seek-favour" and battle.clock.subject[0] == unit.row:
        script(battle, [1])
        choose(battle, "option", 0)
        assert battle.units.alive[unit.row] == 4
        assert not battle.models.alive[unit.model()]


def test_what_has_grown_stays_when_an_effect_begins_and_ends() -> None:
    curse = Effect("curse", On.MODELS, changes=(("s", -2),))
    battle, lord, _, _ = on_the_temple(dice=(4, 3, 2, 5), effects=(curse,), s=4)
    choose(battle, "option", 0)
    begin_effect(battle, 0, lord.row, 1)
    assert characteristic(battle, line_of(battle, lord), "s") == 5
    end_effect(battle, 0)
    assert characteristic(battle, line_of(battle, lord), "s") == 7


# ---------------------------------------------------------------- Wounds that grow

THREE_WOUNDS = (4, 3, 5, 5)  # a favour: the second row, the third characteristic, a D3 of 3
THREE_INCHES = (4, 1, 1, 5)


@pytest.mark.rule("wap.terrain.hill.temple-of-skulls")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("w", "more"), [(2, 3), (9, 1), (10, 0)])
def test_wounds_grow_up_to_ten(player: int, w: int, more: int) -> None:
    """The ledger, which counts Wounds by the events, and the check of stored battles know the model's new Wounds."""
    battle, lord, _, _ = on_the_temple(player=player, dice=THREE_WOUNDS, w=w)
    ledger = Ledger(battle)
    choose(battle, "option", 0)
    model = lord.model()
    (event,) = told(battle, RULE)
    assert (event["name"], event["amount"]) == ("w", more)
    assert (battle.models.wounds[model], battle.models.max_wounds[model]) == (w + more, w + more)
    assert characteristic(battle, line_of(battle, lord), "w") == w + more
    assert ledger.faults() == []
    assert list(Validator(battle.setup).faults(battle)) == []
    battle.models.max_wounds[model] += 1
    assert [fault.where for fault in Validator(battle.setup).faults(battle)] == [f"models[{model}].max_wounds"]


def test_a_battle_is_stored_with_the_wounds_that_have_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = Battle.load("wap/open-heroes", 3)
    model = next(k for k in range(len(battle.models.owner)) if is_character(battle, battle.models.unit[k]))
    before, dice = battle.models.max_wounds[model], list(THREE_WOUNDS)
    monkeypatch.setattr(battle, "d6", lambda: dice.pop(0))
    seek(battle, model)
    twin = Battle.from_bytes(battle.to_bytes())
    assert twin.models.wounds[model] == twin.models.max_wounds[model] == before + 3


@pytest.mark.parametrize(("lost", "rule"), [(2, ""), (3, "wap.victory.wounded")])
def test_half_of_the_wounds_that_have_grown_counts_for_victory(lost: int, rule: str) -> None:
    battle, lord, _, _ = on_the_temple(dice=THREE_WOUNDS, w=2)
    choose(battle, "option", 0)
    suffer(battle, lord.row, lost)
    assert share_of(battle, lord.row)[0] == rule


@pytest.mark.parametrize("player", [0, 1])
def test_only_the_champion_has_more_wounds(player: int) -> None:
    """A hit of D3 Wounds takes one of each of his comrades, and up to four of him; healing the unit leaves him his."""
    battle, _, unit, _ = on_the_temple(player=player)
    script(battle, THREE_WOUNDS)
    seek(battle, unit.model())
    assert [battle.models.wounds[unit.model(n)] for n in range(5)] == [4, 1, 1, 1, 1]
    script(battle, [6, 6])
    assert sum(wounds_taken(battle, unit.row, 2, (1, 3, 0))) == 2
    assert heal(battle, unit.row, 3) == 0
    assert battle.models.wounds[unit.model()] == 4
    suffer(battle, unit.row, 4)
    script(battle, [6, 6])
    assert sum(wounds_taken(battle, unit.row, 2, (1, 3, 0))) == 6


@pytest.mark.parametrize("player", [0, 1])
def test_a_champion_who_is_faster_makes_nobody_else_faster(player: int) -> None:
    """A hero of Movement 3 holds up the unit that he has joined, whatever its champion has become."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (25, 26), models=9, files=5, facing=NORTH, command=("champion",))
    scene.unit(player, hero(m=3), models=1, inside=unit)
    scene.unit(1 - player, None, (4, 40), models=5)
    battle = scene.battle("movement", player=player, run=False)
    assert movement_of(battle, unit.row) == 3.0
    script(battle, THREE_INCHES)
    seek(battle, unit.model())
    assert movement_of(battle, unit.row) == 3.0
