"""The Wizarding Hat, which makes a wizard of a lore that is drawn."""

from __future__ import annotations

import pytest
from heroes import hero
from wizards import TRIAL, known_names, offered_spells, pools, wizard

from wh_env import Battle, ContentError
from wh_env.content.wap.item_bound import EIGHT
from wh_env.content.wap.spells import load_lore
from wh_env.core.features import Veil
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.magic.wizards import dispellers, level_of
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE, HAT = "wap.item.enchanted.wizarding-hat", "Wizarding Hat"
LIFE = EIGHT.index("life")
NAMES = [row.name for row in sorted(load_lore("life").spells, key=lambda row: row.number)]


def mustering(owner: int, lot: int = LIFE, *, lists: str = "open", detail: str = "full") -> tuple[Battle, UnitHandle]:
    """A hero with the hat, who is no wizard without it, before anything is deployed; ``lot``: of the draw."""
    scene = RegimentScene(rules={"lists": lists})
    lord = scene.unit(owner, hero(), models=1, items=[HAT])
    scene.unit(owner, None, models=5)
    scene.unit(1 - owner, None, models=5)
    return scene.battle("deployment", dice=[lot], detail=detail), lord


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat")
def test_the_wearer_selects_two_spells_of_the_lore_that_is_drawn(owner: int) -> None:
    """Of spells 1 to 4 of the Lore of Life; he knows its signature spell too."""
    battle, lord = mustering(owner)
    assert told(battle, RULE) == [{"unit": lord.row, "name": "Lore of Life"}] and dice_left(battle) == 0
    assert battle.setup.ruleset.sentence(battle, next(event for event in battle.events if event.rule == RULE))
    assert level_of(battle, lord.row) == 2 and known_names(battle, lord) == NAMES[:1]
    assert kind(battle) == "learn-spell" and battle.decision is not None and battle.decision.player == owner
    assert list(words(battle).values()) == NAMES[1:5]
    assert not list(Validator(battle.setup).faults(battle))
    pick(battle, NAMES[4], kind="learn-spell")
    assert list(words(battle).values()) == NAMES[1:4]
    pick(battle, NAMES[2], kind="learn-spell")
    assert kind(battle) != "learn-spell" and known_names(battle, lord) == [NAMES[0], NAMES[2], NAMES[4]]
    told_of = battle.setup.ruleset.states(battle, lord.row)
    assert "wizard of level 2" in told_of and f"knows {NAMES[4]}" in told_of


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat")
@pytest.mark.parametrize("lot", range(8))
def test_each_of_the_eight_lores_may_be_drawn(owner: int, lot: int) -> None:
    battle, lord = mustering(owner, lot)
    lore = load_lore(EIGHT[lot])
    by_number = {row.number: row.name for row in lore.spells}
    assert told(battle, RULE)[0]["name"] == lore.name and known_names(battle, lord) == [by_number[0]]
    assert list(words(battle).values()) == [by_number[n] for n in range(1, 5)]
    copy = battle.clone()
    while copy.clock.round[0] == 0:
        copy.apply(copy.first_legal())
    assert len(known_names(copy, lord)) == 3 and not list(Validator(copy.setup).faults(copy))


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat")
def test_the_lore_is_drawn_anew_in_each_battle(owner: int) -> None:
    """Other seeds draw other lores; the battle that is stored has its own."""
    scene = RegimentScene()
    lord = scene.unit(owner, hero(), models=1, items=[HAT])
    scene.unit(1 - owner, None, models=5)
    drawn = {told(scene.battle("deployment", seed=seed), RULE)[0]["name"] for seed in range(40)}
    assert len(drawn) == 8
    battle = scene.battle("deployment", dice=[LIFE], detail="full")
    again = Battle(battle.setup, 7)
    again.copy_from(battle)
    assert known_names(again, lord) == NAMES[:1] and again.state_bytes() == battle.state_bytes()


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat")
def test_the_wearer_channels_casts_and_dispels_as_a_wizard_of_level_2(owner: int) -> None:
    """Two dice channel; he adds 1 and uses four dice at most."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if owner == 0 else -1
    lord = scene.unit(owner, hero(), (36, 36), models=1, items=[HAT])
    scene.unit(1 - owner, None, (36, 36 + sign * 12), models=20)
    fire = EIGHT.index("fire")
    battle = scene.battle("magic", player=owner, dice=[fire, 6, 6, 6, 1], detail="full")
    assert dice_left(battle) == 0 and pools(battle)[owner] == 13 and dispellers(battle, owner) == [lord.row]
    assert offered_spells(battle, lord) == ["Fireball"]
    choose(battle, "own", lord.number)
    assert kind(battle) == "spell-dice" and slots(battle, "number") == [0, 1, 2, 3]
    script(battle, [2, 2])
    choose(battle, "number", 1)
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 5 and kind(battle) == "dispel-by"


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat")
@pytest.mark.parametrize(("roll", "passed"), [([6, 6], False), ([1, 1], True)])
def test_the_wearer_is_stupid(owner: int, roll: list[int], passed: bool) -> None:
    """At the start of his turn he takes a test; who fails it casts nothing and channels not."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if owner == 0 else -1
    lord = scene.unit(owner, hero(), (36, 36), models=1, items=[HAT])
    scene.unit(1 - owner, None, (36, 36 + sign * 20), models=20)
    battle = scene.battle("movement", player=owner, dice=[EIGHT.index("fire"), *roll])
    (row,) = told(battle, "wap.special.stupidity.test")
    assert (row["unit"], row["passed"]) == (lord.row, passed) and bool(battle.units.stupid[lord]) != passed
    asked = set()
    while battle.clock.turn[0] == owner and not battle.over:
        asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert ("cast-by" in asked) == passed


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat")
def test_a_wizard_under_the_hat_is_one_of_level_2_of_the_lore_drawn(owner: int) -> None:
    """Whatever his own level and lore."""
    scene = RegimentScene()
    mage = scene.unit(owner, wizard(4, "metal"), models=1, items=[HAT])
    scene.unit(1 - owner, None, models=5)
    battle = scene.battle("deployment", dice=[LIFE], detail="full")
    assert level_of(battle, mage.row) == 2 and known_names(battle, mage) == NAMES[:1]
    assert list(words(battle).values()) == NAMES[1:5]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat", "wap.magic.spells.unique")
def test_wizards_of_one_army_share_the_spells_of_the_lore(owner: int) -> None:
    """Another wizard of the Lore of Life selects first; the enemy's spells do not count."""
    scene = RegimentScene()
    lord = scene.unit(owner, hero(), models=1, items=[HAT])
    mage = scene.unit(owner, wizard(1, "life"), models=1)
    scene.unit(1 - owner, wizard(1, "life"), models=1)
    battle = scene.battle("deployment", dice=[LIFE], detail="full")
    while battle.decision is not None and battle.decision.player != owner:
        battle.apply(battle.first_legal())
    choose(battle, "own", mage.number)
    pick(battle, NAMES[1], kind="learn-spell")
    assert list(words(battle).values()) == NAMES[2:5]
    pick(battle, NAMES[2], kind="learn-spell")
    pick(battle, NAMES[3], kind="learn-spell")
    assert known_names(battle, lord) == [NAMES[n] for n in (0, 2, 3)]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.wizarding-hat", "wap.army.list.hidden")
def test_a_hat_is_known_once_its_lore_is_drawn(owner: int) -> None:
    battle, lord = mustering(owner, lists="hidden")
    assert battle.items.seen.tolist() == [1]
    for seat in (0, 1):
        told_of = battle.setup.ruleset.states(Veil().over(battle, seat), lord.row)
        assert f"has {HAT}" in told_of and f"knows {NAMES[0]}" in told_of and "wizard of level 2" in told_of


@OWNERS
def test_both_sides_may_have_a_hat_and_play_on(owner: int) -> None:
    """Four turns at random, with a gem that teaches spells of other lores."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if owner == 0 else -1
    lords = [
        scene.unit(side, wizard(1, "metal"), (36, 36 + (side - owner) * sign * 14), models=1, items=items)
        for side, items in ((owner, [HAT, "Gem of Tarante"]), (1 - owner, [HAT]))
    ]
    for side in (0, 1):
        scene.unit(side, square(), (12, 36 + (side - owner) * sign * 14), models=10)
    battle = scene.battle("movement", player=owner, dice=[0, 1])
    names = [row["name"] for row in told(battle, RULE)]
    assert names == ["Lore of Fire", "Lore of Metal"]
    for step in range(300):
        if battle.over:
            break
        legal = [action for action, is_legal in enumerate(battle.legal()) if is_legal]
        battle.apply(legal[(7 * step) % len(legal)])
        if step % 20 == 0:
            assert not list(Validator(battle.setup).faults(battle))
    assert [level_of(battle, lord.row) <= 2 for lord in lords] == [True, True]


def test_a_battle_with_more_than_eight_lores_has_no_hat() -> None:
    scene = RegimentScene()
    scene.unit(0, hero(), models=1, items=[HAT])
    scene.unit(1, wizard(1, TRIAL), models=1)
    with pytest.raises(ContentError, match="at most 8"):
        scene.battle("deployment")
