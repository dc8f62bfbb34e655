"""Magic weapons that are as they are all the time: Strength, Attacks, saves, special rules of the bearer."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import HIT, WOUND, duel, saves, strike
from heroes import HORSE, hero, rider
from results import play, scored

from wh_env import Battle
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.rulesets.wap.rule_book import FRENZY, PANIC
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.rulesets.wap.view.appraise_combat import share_of_wounds
from wh_env.rulesets.wap.view.odds import round_odds
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, fight_again, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
STILL: dict[str, Any] = {"a": 0}  # a foe that does not strike
ARMOURED = ["full plate armour", "shield"]  # 2+
NUMBER = "wap.combat.attacks.number"


def attacks(battle: Battle, unit: UnitHandle) -> list[int]:
    """The attacks of a unit that were told, group by group."""
    return [row["amount"] for row in told(battle, NUMBER) if row["unit"] == unit.row]


def needed(battle: Battle, rule: str, unit: UnitHandle) -> list[int]:
    """What dice of a unit needed, roll by roll."""
    return [row["needed"] for row in told(battle, rule) if row["unit"] == unit.row]


# ---------------------------------------------------------------- Strength and saves


@OWNERS
@pytest.mark.parametrize(
    ("item", "save"),
    [
        pytest.param("Giant Blade", 6, marks=pytest.mark.rule("wap.item.weapon.giant-blade")),
        pytest.param("Ogre Blade", 5, marks=pytest.mark.rule("wap.item.weapon.ogre-blade")),
    ],
)
def test_blades_of_great_strength(owner: int, item: str, save: int) -> None:
    """Strength 4 and 3 or 2 more against Toughness 4 in armour of 2+: 2 wounds, and saves are at -4 or -3."""
    foe = square(t=4, equipment=ARMOURED, **STILL)
    battle, own, enemy = duel(owner, [item], bearer={"s": 4}, foe=foe)
    assert strike(battle, own, [4, 1, 1, 2, save]) == {HIT: (3, 4), WOUND: (1, 2)}
    assert saves(battle, enemy)[0][0] == save and battle.units.alive[enemy] == 10 and dice_left(battle) == 0


@pytest.mark.rule("wap.item.weapon.ogre-blade")
def test_the_ogre_blade_against_armour_of_3() -> None:
    foe = square(t=4, equipment=["heavy armour", "shield"], **STILL)
    battle, own, enemy = duel(0, ["Ogre Blade"], bearer={"s": 4}, foe=foe)
    strike(battle, own, [4, 1, 1, 2, 6])
    assert saves(battle, enemy) == [(6, 7)] and battle.units.alive[enemy] == 10


@OWNERS
@pytest.mark.rule("wap.item.weapon.giant-blade", "wap.item.weapon.dragon-blade", "wap.item.weapon.sword-of-striking")
@pytest.mark.parametrize("item", ["Giant Blade", "Dragon Blade", "Sword of Striking"])
def test_a_horse_has_nothing_of_the_rider_s_weapon(owner: int, item: str) -> None:
    """The horse of Strength 3 hits on 4 and wounds on 4, one wound for a hit."""
    horse = {**HORSE, "a": 1, "i": 2}
    battle, own, _ = duel(owner, [item], bearer=rider(s=4, i=4, mount=horse), foe=square(**STILL))
    script(battle, [1, 1, 1, 4, 3])
    fight(battle, own)
    assert needed(battle, HIT, own)[1] == 4 and needed(battle, WOUND, own) == [4] and dice_left(battle) == 0


@OWNERS
@pytest.mark.parametrize(
    ("item", "save"),
    [
        pytest.param("Sea Gold Blade", 6, marks=pytest.mark.rule("wap.item.weapon.sea-gold-blade")),
        pytest.param("Cutting Blade", 5, marks=pytest.mark.rule("wap.item.weapon.cutting-blade")),
    ],
)
def test_blades_that_pierce_armour(owner: int, item: str, save: int) -> None:
    """Strength 4 against a save of 2+."""
    battle, own, enemy = duel(owner, [item], bearer={"s": 4}, foe=square(equipment=ARMOURED, **STILL))
    strike(battle, own, [4, 1, 1, 6, save])
    assert saves(battle, enemy)[0][0] == save and battle.units.alive[enemy] == 10 and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.obsidian-blade")
def test_the_obsidian_blade_leaves_ward_saves_alone(owner: int) -> None:
    foe = square(rules=["Natural Armour (1+)", "Ward Save (5+)"], **STILL)
    for die, left in ((5, 10), (4, 9)):
        battle, own, enemy = duel(owner, ["Obsidian Blade"], foe=foe)
        strike(battle, own, [4, 1, 1, 6, die])
        assert saves(battle, enemy) == [(7, 5)] and battle.units.alive[enemy] == left and dice_left(battle) == 0


# ---------------------------------------------------------------- Attacks


@OWNERS
@DETAILS
@pytest.mark.parametrize(
    ("item", "own_attacks", "number"),
    [
        pytest.param("Sword of Bloodshed", 3, 6, marks=pytest.mark.rule("wap.item.weapon.sword-of-bloodshed")),
        pytest.param("Sword of Bloodshed", 9, 10, marks=pytest.mark.rule("wap.item.weapon.sword-of-bloodshed")),
        pytest.param("Sword of Strife", 3, 5, marks=pytest.mark.rule("wap.item.weapon.sword-of-strife")),
        pytest.param("Sword of Battle", 3, 4, marks=pytest.mark.rule("wap.item.weapon.sword-of-battle")),
    ],
)
def test_swords_of_many_attacks(owner: int, detail: str, item: str, own_attacks: int, number: int) -> None:
    """His mount has none of them."""
    for card in (hero(a=own_attacks, i=4), rider(a=own_attacks, i=4, mount={**HORSE, "a": 2})):
        battle, own, _ = duel(owner, [item], bearer=card, foe=square(**STILL), detail=detail)
        script(battle, [1] * (number + 2 * ("mount" in card)))
        fight(battle, own)
        assert attacks(battle, own) == [number, 2][: 1 + ("mount" in card)] and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.fencers-blades")
def test_the_fencer_s_blades(owner: int) -> None:
    """Four attacks at Weapon Skill 10, all magical; enemies of Weapon Skill 4 hit him on 5. Two weapons leave no hand
    for a shield, and give Parry (6+).
    """
    foe = square(ws=4, i=1, rules=["Ethereal"])
    battle, own, enemy = duel(owner, ["Fencer's Blades"], bearer={"ws": 4, "equipment": ["shield"]}, foe=foe)
    rolls = strike(battle, own, [2, 2, 2, 1, 4, 4, 4, 5, 5, 4, 5, 4, 4, 3, 6])
    assert rolls == {HIT: (4, 2), WOUND: (3, 4)} and attacks(battle, own) == [4]
    assert saves(battle, enemy) == [(7, 5)] and needed(battle, HIT, enemy) == [5]
    assert saves(battle, own)[0] == (7, 6)


# ---------------------------------------------------------------- dice


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.sword-of-striking")
def test_the_sword_of_striking_hits_on_3(owner: int, detail: str) -> None:
    battle, own, _ = duel(owner, ["Sword of Striking"], foe=square(**STILL), detail=detail)
    assert strike(battle, own, [3, 3, 2, 1, 1]) == {HIT: (3, 3), WOUND: (2, 4)} and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.relic-sword")
@pytest.mark.parametrize(("toughness", "score"), [(6, 3), (5, 3), (3, 3), (2, 2)])
def test_the_relic_sword_wounds_on_3_at_worst(owner: int, toughness: int, score: int) -> None:
    """Strength 4."""
    for die, left in ((score, 9), (score - 1, 10)):
        battle, own, enemy = duel(owner, ["Relic Sword"], bearer={"s": 4}, foe=square(t=toughness, **STILL))
        assert strike(battle, own, [4, 1, 1, die])[WOUND] == (1, score)
        assert battle.units.alive[enemy] == left and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.venom-blade", "wap.special.attack-kind.scope")
@pytest.mark.parametrize(
    ("item", "rules", "immune", "score"),
    [
        ("Venom Blade", [], [], 3),
        ("Venom Blade", ["Poisoned Attacks"], [], 3),
        ("Venom Blade", [], ["Immunity (Poisoned Attacks)"], 4),
        ("Sword of Striking", ["Poisoned Attacks"], [], 4),
    ],
)
def test_the_venom_blade_is_poisoned(owner: int, item: str, rules: list[str], immune: list[str], score: int) -> None:
    """The poison of a bearer is not on another magic weapon."""
    foe = square(t=4, rules=immune, **STILL)
    battle, own, _ = duel(owner, [item], bearer={"s": 4, "rules": rules}, foe=foe)
    assert strike(battle, own, [4, 1, 1, score - 1])[WOUND] == (1, score)


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.bone-blade")
def test_the_bone_blade_takes_d3_wounds(owner: int, detail: str) -> None:
    """An ogre with 3 Wounds; men have one to lose."""
    for die, left in ((4, 1), (1, 2), (6, 0)):
        ogre = square(w=3, type="monstrous infantry", base_mm=[40, 40], **STILL)
        battle, own, enemy = duel(owner, ["Bone Blade"], foe=ogre, foes=1, detail=detail)
        strike(battle, own, [4, 1, 1, 6, die])
        assert battle.models.wounds[enemy.model()] == left and dice_left(battle) == 0
    battle, own, enemy = duel(owner, ["Bone Blade"], foe=square(**STILL), detail=detail)
    strike(battle, own, [4, 1, 1, 6, 6])
    assert battle.units.alive[enemy] == 9


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.dragon-blade")
def test_each_hit_of_the_dragon_blade_is_two(owner: int, detail: str) -> None:
    battle, own, enemy = duel(owner, ["Dragon Blade"], bearer={"a": 4}, foe=square(**STILL), detail=detail)
    rolls = strike(battle, own, [4, 4, 4, 3, 6, 6, 6, 1, 1, 1])
    assert rolls == {HIT: (4, 4), WOUND: (6, 4)} and dice_left(battle) == 0
    assert battle.units.alive[enemy] == 7


# ---------------------------------------------------------------- order


@OWNERS
@pytest.mark.rule("wap.item.weapon.sword-of-swift-slaying")
@pytest.mark.parametrize(("initiative", "again"), [(6, 0), (4, 3)])
def test_the_sword_of_swift_slaying_strikes_first(owner: int, initiative: int, again: int) -> None:
    """Initiative 4: he strikes before quicker enemies, and rolls failures again against those that are not."""
    battle, own, enemy = duel(owner, ["Sword of Swift Slaying"], foe=square(i=initiative))
    script(battle, [1, 1, 1, *[2] * again, *[1] * 3])
    fight(battle, own)
    assert [row["unit"] for row in told(battle, NUMBER)] == [own.row, enemy.row] and dice_left(battle) == 0


# ---------------------------------------------------------------- Parry


@OWNERS
@pytest.mark.rule("wap.item.weapon.parrying-blade", "wap.special.general.no-duplicate")
@pytest.mark.parametrize(("side", "worn", "wards"), [
    (FRONT, [], [(7, 5)]), (FRONT, ["shield"], [(6, 5)]), (FRONT, ["light armour"], [(6, 5)]),
    (LEFT, [], []), (RIGHT, [], []), (REAR, [], []),
])  # fmt: skip
def test_the_parrying_blade(owner: int, side: int, worn: list[str], wards: list[tuple[int, int]]) -> None:
    """Parry is one rule: the blade's 5+ is not better for the 6+ of a shield."""
    for die, left in ((5, 2), (4, 1)):
        scene = RegimentScene()
        card = hero(a=0, equipment=worn)
        own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Parrying Blade"])
        enemy = scene.beside(own, 1 - owner, square(), models=1, side=side)
        dice = [4, 4, *([2] if worn else []), *([die] if wards else [])]
        battle = fight(scene.battle("combat", player=owner, dice=dice, run=False), own)
        assert saves(battle, own) == wards and dice_left(battle) == 0 and needed(battle, HIT, enemy) == [4]
        assert battle.models.wounds[own.model()] == (left if wards else 1)


@OWNERS
@pytest.mark.rule("wap.item.weapon.parrying-blade")
def test_who_rides_does_not_parry(owner: int) -> None:
    battle, own, _ = duel(owner, ["Parrying Blade"], bearer=rider(a=0, mount={**HORSE, "a": 0}), foes=1)
    script(battle, [4, 4])
    fight(battle, own)
    assert saves(battle, own) == [] and battle.models.wounds[own.model()] == 1 and dice_left(battle) == 0


# ---------------------------------------------------------------- minds


def joined(owner: int, item: str, **card: Any) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A bearer in a unit of ten with Leadership 5 at its owner's turn, with an enemy far away."""
    scene = RegimentScene()
    host = scene.unit(owner, square(ld=5), (24, 24), models=10)
    own = scene.unit(owner, hero(**{"ld": 5, **card}), inside=host, models=1, items=[item])
    scene.unit(1 - owner, None, (24, 6 if owner == 0 else 42), models=10)
    return scene.battle("movement", player=owner), host, own


@OWNERS
@pytest.mark.rule("wap.item.weapon.sword-of-courage")
def test_the_sword_of_courage_steels_bearer_and_unit(owner: int) -> None:
    """Until he leaves the unit, or is slain."""
    for gone in ("", "leaves", "slain"):
        battle, host, own = joined(owner, "Sword of Courage")
        if gone == "slain":
            slay(battle, own.model())
        elif gone:
            step_out(battle, own.row)
        assert immune_to(battle, host.row, PANIC) == (not gone)
        assert gone == "slain" or immune_to(battle, own.row, PANIC)
        suffer(battle, host.row, 3)
        play(battle, Panic, dice=[6, 6, 1, 1])
        tests = [row["unit"] for row in told(battle, "wap.panic.heavy-casualties") if "passed" in row]
        assert tests == ([host.row] if gone else []) and battle.units.fleeing[host] == bool(gone)


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.berserker-sword")
@pytest.mark.parametrize(("item", "rules", "after"), [("Berserker Sword", [], 4), ("Sword of Might", ["Frenzy"], 3)])
def test_the_frenzy_of_the_berserker_sword_is_never_lost(
    owner: int, detail: str, item: str, rules: list[str], after: int
) -> None:
    """Other frenzy is lost with the combat."""
    foe = square(**STILL, rules=["Unbreakable"])
    battle, own, _ = duel(owner, [item], bearer={"rules": rules}, foe=foe, detail=detail)
    script(battle, [1] * 4)
    fight(battle, own)
    assert attacks(battle, own) == [4]
    score_combat(battle)
    assert len(told(battle, "wap.special.frenzy.loss")) == (after == 3)
    assert models_have(battle, own.row, FRENZY) == (after == 4) and immune_to(battle, own.row, PANIC) == (after == 4)
    fight_again(battle, own, [1] * after)
    assert attacks(battle, own)[-1] == after and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.weapon.berserker-sword")
def test_a_unit_loses_its_own_frenzy_beside_the_berserker(owner: int) -> None:
    scene = RegimentScene()
    host = scene.unit(owner, square(rules=["Frenzy"]), (24, 24), models=10)
    own = scene.unit(owner, hero(), inside=host, models=1, items=["Berserker Sword"])
    foe = scene.beside(host, 1 - owner, models=10)
    battle = scored(scene, host, {(foe, host): 4})
    assert [row["unit"] for row in told(battle, "wap.special.frenzy.loss")] == [host.row]
    assert not models_have(battle, host.row, FRENZY) and models_have(battle, own.row, FRENZY)


# ---------------------------------------------------------------- odds


@pytest.mark.parametrize(("item", "card", "toughness", "lost"), [
    ("Dragon Blade", {}, 3, [0.625, 0.25, 0.125]),
    ("Dragon Blade", {"a": 2}, 3, [25 / 64, 20 / 64, 14 / 64, 1 / 16, 1 / 64]),
    ("Relic Sword", {}, 6, [2 / 3, 1 / 3]), ("Relic Sword", {"s": 6}, 3, [7 / 12, 5 / 12]),
    ("Sword of Striking", {}, 3, [2 / 3, 1 / 3]), ("Venom Blade", {}, 3, [2 / 3, 1 / 3]),
    ("Sword of Might", {}, 3, [2 / 3, 1 / 3]), ("Sword of Battle", {}, 3, [9 / 16, 6 / 16, 1 / 16]),
])  # fmt: skip
def test_odds_and_averages_know_magic_weapons(
    item: str, card: dict[str, Any], toughness: int, lost: list[float]
) -> None:
    """Chances worked out by hand, of enemies without saves."""
    battle, own, enemy = duel(0, [item], bearer={"a": 1, **card}, foe=square(t=toughness, **STILL))
    odds, line = round_odds(battle, own.row, enemy.row), battle.units.first_line[own]
    assert odds.lost[0, : len(lost)].tolist() == pytest.approx(lost) and odds.lost[0, len(lost) :].sum() == 0
    blow = blow_of(battle, own.row, line, enemy.row)
    mean = sum(n * chance for n, chance in enumerate(lost))
    assert blow.attacks * share_of_wounds(battle, blow, enemy.row, FRONT) == pytest.approx(mean)
