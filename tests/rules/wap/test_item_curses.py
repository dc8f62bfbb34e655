"""Magic weapons that count enemy characters, or curse those whom they wound."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import duel
from heroes import HORSE, hero, rider
from houses import house

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import Effect, On, Until, begin_effect, rows_in_use
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.combat.rounds import round_over
from wh_env.rulesets.wap.rule_book import STUPIDITY
from wh_env.testing import choose, dice_left, kind, script, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, fight, fight_again, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
NUMBER, HIT, WOUND = "wap.combat.attacks.number", "wap.combat.hit.roll", "wap.combat.wound.roll"
STILL: dict[str, Any] = {"a": 0}  # who does not strike


def attacks(battle: Battle, unit: UnitHandle) -> list[int]:
    """The attacks of a unit and of characters in it that were told, group by group."""
    return [row["amount"] for row in told(battle, NUMBER) if row["unit"] == unit.row]


def values(battle: Battle, unit: UnitHandle, name: str) -> list[int]:
    """A characteristic of all fighting profiles of a unit but the champion's, the mount's last."""
    own, *others = list(lines_of(battle, unit.row))
    return [getattr(battle.lines, name)[line] for line in (own, *others[1:])]


def faults(battle: Battle) -> list[Any]:
    """What no legal battle has."""
    return list(Validator(battle.setup).faults(battle))


# ---------------------------------------------------------------- Sword of Anti-Heroes


def against_heroes(owner: int, *posts: int, **fields: Any) -> tuple[RegimentScene, UnitHandle, UnitHandle, list[Any]]:
    """A bearer of the Sword of Anti-Heroes of Strength 4 with 3 Attacks, in the middle of a unit five wide, against a
    unit with heroes of one Wound at ``posts`` of its front rank. ``fields``: of these.
    """
    scene = RegimentScene()
    host = scene.unit(owner, square(**STILL), (24, 24), models=8, files=5)
    own = scene.unit(owner, hero(s=4, i=4), inside=host, models=1, post=2, items=["Sword of Anti-Heroes"])
    foe = scene.beside(host, 1 - owner, square(**STILL), models=18, files=5)
    heroes = [scene.unit(1 - owner, hero(a=0, w=1), inside=foe, models=1, post=post, **fields) for post in posts]
    return scene, host, own, heroes


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.sword-of-anti-heroes")
def test_the_sword_of_anti_heroes_counts_at_the_start_of_the_round(owner: int, detail: str) -> None:
    """Two characters touch his unit; none touches him. A comrade slays one before he strikes: 5 attacks of Strength 6.
    In the next round 4 of Strength 5, and when it is over he is as he was.
    """
    scene, host, own, heroes = against_heroes(owner, 0, 4)
    scene.unit(owner, hero(a=1, i=9, s=10), inside=host, models=1, post=0)
    battle = scene.battle("combat", player=owner, run=False, detail=detail)
    script(battle, [4, 2, 4, 1, 1, 1, 1, 2])
    fight(battle, host)
    assert kind(battle) == "strike-target" and values(battle, own, "s") == [6] and faults(battle) == []
    choose(battle, "enemy", heroes[1].number)
    assert not battle.units.alive[heroes[1]] and attacks(battle, host) == [1, 5] and dice_left(battle) == 0
    assert [row["needed"] for row in told(battle, WOUND)] == [2, 2] and values(battle, own, "a") == [5]
    round_over(battle)
    assert values(battle, own, "s") == [4] and values(battle, own, "a") == [3] and faults(battle) == []
    fight_again(battle, host, [1, 4, 1, 1, 1, 2])
    assert attacks(battle, host)[-1] == 4 and values(battle, own, "s") == [5] and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.sword-of-anti-heroes")
@pytest.mark.parametrize(("posts", "fields"), [((), {}), ((0,), {"cowers": 1})])
def test_who_does_not_touch_the_unit_does_not_count(owner: int, posts: tuple[int, ...], fields: dict[str, Any]) -> None:
    scene, host, own, _ = against_heroes(owner, *posts, **fields)
    battle = fight(scene.battle("combat", player=owner, dice=[1] * 3, run=False), host)
    assert attacks(battle, host) == [3] and values(battle, own, "s") == [4]


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.sword-of-anti-heroes")
def test_the_sword_counts_as_the_combat_is_played(owner: int, detail: str) -> None:
    """From the choice of the combat on; everything is declined. After the phase he is as he was."""
    scene, host, own, _ = against_heroes(owner, 0, 4)
    battle = scene.battle("combat", player=owner, detail=detail)
    while not attacks(battle, host):
        assert battle.decision is not None
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert attacks(battle, host) == [5]
    while battle.clock.turn[0] == owner and not battle.over:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert values(battle, own, "s") == [4] and values(battle, own, "a") == [3] and faults(battle) == []


@OWNERS
@pytest.mark.rule("wap.item.weapon.sword-of-anti-heroes")
def test_a_lone_bearer_against_a_lone_hero(owner: int) -> None:
    """His horse has nothing of it. If he is slain, nothing is left of it."""
    card = rider(s=4, i=4, mount={**HORSE, "a": 1, "i": 2})
    battle, own, _ = duel(owner, ["Sword of Anti-Heroes"], bearer=card, foe=hero(a=0), foes=1)
    script(battle, [1] * 5)
    fight(battle, own)
    assert attacks(battle, own) == [4, 1]
    assert values(battle, own, "s") == [5, 3] and values(battle, own, "a") == [4, 1]
    slay(battle, own.model())
    assert list(rows_in_use(battle)) == [] and faults(battle) == []


@OWNERS
@pytest.mark.rule("wap.item.weapon.sword-of-anti-heroes")
@pytest.mark.parametrize("heroes", [0, 2])
def test_in_an_assault_the_characters_of_the_enemy_s_party_count(owner: int, heroes: int) -> None:
    scene = RegimentScene()
    house(scene)
    host = scene.unit(owner, square(**STILL), (22.5, 20), facing=NORTH, models=5, storms=0)
    scene.unit(owner, hero(i=4), inside=host, models=1, items=["Sword of Anti-Heroes"])
    foe = scene.unit(1 - owner, square(**STILL), models=5, garrison=0)
    for _ in range(heroes):
        scene.unit(1 - owner, hero(a=0), inside=foe, models=1)
    battle = scene.battle("combat", player=owner)
    while not attacks(battle, host):
        assert battle.decision is not None
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert sum(attacks(battle, host)) == 3 + heroes


# ---------------------------------------------------------------- Tormentor Sword


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.tormentor-sword")
@pytest.mark.parametrize(
    ("card", "stupid"),
    [
        (hero(a=0, w=3, ld=5), True),
        (rider(a=0, w=3, ld=5, mount={**HORSE, "a": 0}), True),
        (square(a=0, w=3, ld=5, type="monster", size=[1, 1], base_mm=[50, 50]), True),
        (square(a=0, w=3, ld=5, type="monstrous infantry", base_mm=[40, 40]), False),
        (square(a=0, w=3, ld=5), False),
    ],
)
def test_whom_the_tormentor_sword_makes_stupid(owner: int, detail: str, card: dict[str, Any], stupid: bool) -> None:
    """A model that is wounded once and lives. At the start of its next turn, when the bearer is gone, it tests."""
    battle, own, enemy = duel(owner, ["Tormentor Sword"], foe=card, foes=1, detail=detail)
    script(battle, [4, 1, 1, 6])
    fight(battle, own)
    assert battle.models.wounds[enemy.model()] == 2 and models_have(battle, enemy.row, STUPIDITY) == stupid
    assert dice_left(battle) == 0 and faults(battle) == []
    slay(battle, own.model())
    tests = next_turn(battle, enemy, [6, 6])
    assert tests == ([False] if stupid else []) and battle.units.stupid[enemy] == stupid


def next_turn(battle: Battle, unit: UnitHandle, dice: list[int]) -> list[bool]:
    """Whether a unit passes its tests of Stupidity as its player's turn begins."""
    battle.setup.ruleset.enter(battle, "movement", unit.player, 2)
    script(battle, dice)
    battle.clock.over[0] = 0
    battle.run()
    return [row["passed"] for row in told(battle, "wap.special.stupidity.test") if row["unit"] == unit.row]


@OWNERS
@pytest.mark.rule("wap.item.weapon.tormentor-sword")
def test_a_saved_wound_torments_nobody(owner: int) -> None:
    for die, stupid in ((5, False), (4, True)):
        battle, own, enemy = duel(owner, ["Tormentor Sword"], foe=hero(a=0, w=3, rules=["Ward Save (5+)"]), foes=1)
        script(battle, [4, 1, 1, 6, die])
        fight(battle, own)
        assert models_have(battle, enemy.row, STUPIDITY) == stupid and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.tormentor-sword")
def test_a_tormented_character_makes_his_unit_test(owner: int) -> None:
    """The blows of the bearer's horse torment nobody."""
    for own_hits in (True, False):
        scene = RegimentScene()
        card = rider(i=4, a=1, mount={**HORSE, "a": 1, "i": 2})
        own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Tormentor Sword"])
        foe = scene.beside(own, 1 - owner, square(ld=5, **STILL), models=8, files=3)
        lord = scene.unit(1 - owner, hero(a=0, w=3, ld=5), inside=foe, models=1, post=1)
        battle = scene.battle("combat", player=owner, run=False, dice=[4, 6, 1] if own_hits else [1, 4, 6])
        fight(battle, own)
        while kind(battle) == "strike-target":
            choose(battle, "enemy", lord.number)
        assert battle.models.wounds[lord.model()] == 2 and dice_left(battle) == 0
        assert models_have(battle, lord.row, STUPIDITY) == own_hits and not models_have(battle, foe.row, STUPIDITY)
        slay(battle, own.model())
        assert next_turn(battle, foe, [6, 6]) == ([False] if own_hits else [])


# ---------------------------------------------------------------- Warrior Bane


@OWNERS
@pytest.mark.rule("wap.item.weapon.warrior-bane")
def test_the_owner_chooses_a_ward_save_between_blows_at_one_moment(owner: int) -> None:
    """The bearer and the hero whom he wounds strike at the same moment; the hero has the ward saves of 5 and 6, his
    player is asked, and the hero strikes with all of his Attacks.
    """
    foe = hero(w=6, a=3, i=4, rules=["Ward Save (5+)", "Ward Save (6+)"])
    battle, own, enemy = duel(owner, ["Warrior Bane"], foe=foe, foes=1, detail="full")
    script(battle, [4, 4, 1, 6, 6, 2, 2, 1, 1, 1])
    fight(battle, own)
    assert kind(battle) == "ward-choice" and faults(battle) == []
    choose(battle, "option", 0)
    assert attacks(battle, enemy) == [3] and values(battle, enemy, "a") == [1] and dice_left(battle) == 0


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.warrior-bane")
@pytest.mark.parametrize(("wounds", "left"), [(1, 2), (2, 1), (3, 1)])
def test_the_warrior_bane_takes_an_attack_for_each_wound(owner: int, detail: str, wounds: int, left: int) -> None:
    """At once, and in all later rounds, also when the bearer is slain; not of those who strike at the same moment."""
    for initiative, first in ((3, left), (4, 3)):
        foe = hero(w=6, a=3, i=initiative)
        battle, own, enemy = duel(owner, ["Warrior Bane"], foe=foe, foes=1, detail=detail)
        misses = 3 - wounds
        script(battle, [*[4] * wounds, *[1] * misses, *[6] * wounds, *[1] * first])
        fight(battle, own)
        assert attacks(battle, enemy) == [first] and values(battle, enemy, "a") == [left] and dice_left(battle) == 0
        fight_again(battle, own, [1] * (3 + left))
        assert attacks(battle, enemy) == [first, left] and dice_left(battle) == 0 and faults(battle) == []
        slay(battle, own.model())
        assert values(battle, enemy, "a") == [left] and faults(battle) == []


@OWNERS
@pytest.mark.rule("wap.item.weapon.warrior-bane")
def test_the_warrior_bane_goes_on(owner: int) -> None:
    """A wound in each of two rounds. What a wound takes by Multiple Wounds (2) is one wound all the same."""
    battle, own, enemy = duel(
        owner, ["Warrior Bane"], bearer={"rules": ["Multiple Wounds (2)"]}, foe=hero(w=6, a=4, i=1), foes=1
    )
    script(battle, [4, 1, 1, 6, 1, 1, 1])
    fight(battle, own)
    assert battle.models.wounds[enemy.model()] == 4 and values(battle, enemy, "a") == [3] and dice_left(battle) == 0
    fight_again(battle, own, [4, 1, 1, 6, 1, 1])
    assert battle.models.wounds[enemy.model()] == 2 and values(battle, enemy, "a") == [2] and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.warrior-bane")
@pytest.mark.parametrize(
    ("card", "left"),
    [
        (rider(w=3, a=3, i=1, mount={**HORSE, "a": 2}), [2, 2]),
        (hero(w=3, a=0, i=1), [0]),
        (square(w=3, a=4, i=1, type="monster", size=[1, 1], base_mm=[50, 50]), [3, 4]),
        (square(w=3, a=4, i=1, type="monstrous infantry", base_mm=[40, 40]), [4]),
    ],
)
def test_whom_the_warrior_bane_weakens(owner: int, card: dict[str, Any], left: list[int]) -> None:
    """A character loses Attacks of his own, not of his mount; who has none keeps none."""
    battle, own, enemy = duel(owner, ["Warrior Bane"], foe=card, foes=1)
    script(battle, [4, 1, 1, 6])
    fight(battle, own)
    assert battle.models.wounds[enemy.model()] == 2 and values(battle, enemy, "a")[:1] == left[:1]
    assert values(battle, enemy, "a")[-1] in left and faults(battle) == []


@OWNERS
@pytest.mark.rule("wap.item.weapon.warrior-bane")
def test_the_warrior_bane_leaves_an_attack_beside_a_spell_that_may_slay(owner: int) -> None:
    """The spell may bring Strength to nothing, and nothing else."""
    scene = RegimentScene()
    drain = Effect("Drain", On.MODELS, Until.BATTLE, changes=(("s", -2),), deadly=True)
    scene.effects = (drain,)
    own = scene.unit(owner, hero(i=4), (24, 24), models=1, files=1, items=["Warrior Bane"])
    enemy = scene.beside(own, 1 - owner, hero(w=6, a=2, s=3, i=1), models=1, files=1)
    battle = scene.battle("combat", player=owner, run=False)
    begin_effect(battle, battle.setup.statics["effects"].index(drain), enemy.row, owner)
    script(battle, [4, 4, 4, 6, 6, 6, 1])
    fight(battle, own)
    assert attacks(battle, enemy) == values(battle, enemy, "a") == values(battle, enemy, "s") == [1]
    assert battle.models.wounds[enemy.model()] == 3 and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.warrior-bane", "wap.item.weapon.tormentor-sword")
@pytest.mark.parametrize("item", ["Warrior Bane", "Tormentor Sword"])
def test_who_falls_is_under_no_curse(owner: int, item: str) -> None:
    battle, own, enemy = duel(owner, [item], foe=hero(w=1), foes=1)
    script(battle, [4, 1, 1, 6])
    fight(battle, own)
    assert not battle.units.alive[enemy] and list(rows_in_use(battle)) == []


@OWNERS
@pytest.mark.rule("wap.item.weapon.sword-of-anti-heroes")
def test_the_second_weapon_has_nothing_of_it(owner: int) -> None:
    card = {"s": 4, "equipment": ["additional hand weapon"]}
    battle, own, _ = duel(owner, ["Sword of Anti-Heroes"], bearer=card, foe=hero(a=0), foes=1)
    script(battle, [4, 1, 1, 1, 1, 4, 1])
    fight(battle, own)
    assert attacks(battle, own) == [4, 1]
    assert [row["needed"] for row in told(battle, WOUND)] == [2, 3]
