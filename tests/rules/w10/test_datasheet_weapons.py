"""The characteristics of weapons, Psychic weapons, and the example datasheet (w10.datasheet.weapon.*, .psychic, .example)."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.testing import Scene, UnitHandle, choose, dice_left, melee, ranged, sheet, slots, told


def volley(
    data: dict[str, object],
    dice: list[int],
    foes: dict[str, object] | None = None,
    away: float = 10.0,
    **options: object,
) -> tuple[Battle, UnitHandle]:
    """One model of the datasheet shoots at a unit so many inches away."""
    scene = Scene()
    scene.unit(0, data, at=(10, 10), models=1)
    target = scene.unit(1, foes or sheet("Foes", W=6, Sv=7), at=(11 + away, 10), models=1)
    battle = scene.battle("shooting", dice=dice, **options)  # type: ignore[arg-type]
    choose(battle, "own", 0)
    return battle, target


def brawl(data: dict[str, object], dice: list[int], foes: dict[str, object] | None = None) -> tuple[Battle, UnitHandle]:
    """One model of the datasheet in base contact with a unit, in the Fight phase."""
    scene = Scene()
    scene.unit(0, data, at=(10, 10), models=1)
    target = scene.unit(1, foes or sheet("Foes", W=6, Sv=7), at=(11, 10), models=1)
    return scene.battle("fight", dice=dice), target


BOTH = {"gun": ranged(24, A=1, BS=3, S=4), "blade": melee(2, WS=3, S=4)}


@pytest.mark.rule("w10.datasheet.weapon.range")
def test_ranged_weapons_shoot_and_melee_weapons_fight() -> None:
    """Weapons with Range 24" and Melee: only the first in the Shooting phase, only the second in the Fight phase."""
    battle, _ = volley(sheet("Both", weapons=BOTH), [1])
    assert len(told(battle, "w10.attack.hit.roll")) == 1
    battle, _ = brawl(sheet("Both", weapons=BOTH), [1, 1])
    assert len(told(battle, "w10.attack.hit.roll")) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.weapon.range")
@pytest.mark.parametrize(("away", "reaches"), [(24.0, True), (24.1, False)])
def test_how_far_a_weapon_shoots(away: float, reaches: bool) -> None:
    scene = Scene()
    scene.unit(0, sheet("Both", weapons=BOTH), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(11 + away, 10), models=1)
    battle = scene.battle("shooting")
    assert (battle.decision is not None and battle.decision.kind == "select-to-shoot") == reaches
    # a melee weapon alone never shoots
    scene = Scene()
    scene.unit(0, sheet("Blades", weapons={"blade": melee(2)}), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(13, 10), models=1)
    battle = scene.battle("shooting")
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"


@pytest.mark.rule("w10.datasheet.weapon.attacks")
@pytest.mark.parametrize("attacks", [1, 3])
def test_attacks_are_hit_rolls(attacks: int) -> None:
    """A 3: 3 hit rolls each time one model uses the weapon."""
    battle, _ = volley(sheet("Guns", weapons={"gun": ranged(24, A=attacks)}), [1] * attacks)
    assert len(told(battle, "w10.attack.hit.roll")) == attacks
    assert dice_left(battle) == 0
    battle, _ = brawl(sheet("Blades", weapons={"blade": melee(attacks)}), [1] * attacks)
    assert len(told(battle, "w10.attack.hit.roll")) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.weapon.skill")
def test_each_weapon_has_its_own_skill() -> None:
    """BS 3+ and BS 4+ on one model: rolls of 3 hit with the first and miss with the second; WS alike."""
    guns = {"good": ranged(24, BS=3), "bad": ranged(24, BS=4, S=5)}
    battle, _ = volley(sheet("Guns", weapons=guns), [3, 1, 3])  # the wound roll of the first follows its hit
    rolls = told(battle, "w10.attack.hit.roll")
    assert [(e["die"], e["needed"], e["result"]) for e in rolls] == [(3, 3, 1), (3, 4, 0)]
    assert dice_left(battle) == 0
    for skill, result in ((3, 1), (4, 0)):
        battle, _ = brawl(sheet("Blades", weapons={"blade": melee(1, WS=skill)}), [3, 1][: 1 + result])
        assert [e["result"] for e in told(battle, "w10.attack.hit.roll")] == [result]
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.weapon.strength")
@pytest.mark.parametrize(("strength", "needed"), [(8, 2), (7, 3), (4, 4)])
def test_strength_against_toughness(strength: int, needed: int) -> None:
    """S 8 against T 4: 2+ wounds; 7 is not twice as much."""
    gun = {"gun": ranged(24, BS=2, S=strength)}
    battle, _ = volley(sheet("Guns", weapons=gun), [6, needed, 1], sheet("Foes", W=6, T=4, Sv=6))
    assert told(battle, "w10.attack.wound.roll")[0]["result"] == 1
    battle, _ = volley(sheet("Guns", weapons=gun), [6, needed - 1], sheet("Foes", W=6, T=4, Sv=6))
    assert told(battle, "w10.attack.wound.roll")[0]["result"] == 0
    assert dice_left(battle) == 0


def power(name: str, effect: str, **fields: object) -> dict[str, object]:
    return {"name": name, "effect": effect, "active": True, **fields}


@pytest.mark.rule("w10.datasheet.weapon.ap")
@pytest.mark.parametrize(
    ("ap", "improved", "die", "saved"),
    [
        (0, False, 3, True),
        (0, False, 2, False),
        (0, True, 3, False),
        (0, True, 4, True),
        (-1, True, 4, False),
        (-1, True, 5, True),
    ],
)
def test_armour_penetration_and_its_improvement(ap: int, improved: bool, die: int, saved: bool) -> None:
    """AP 0 improved by 1 against Sv 3+: a roll of 3 fails (3 - 1 = 2), 4 saves; AP -1 becomes -2."""
    abilities = {"other": [power("Sharp", "improve AP by 1")]} if improved else {}
    data = sheet("Guns", weapons={"gun": ranged(24, BS=2, S=4, AP=ap)}, abilities=abilities)
    battle, target = volley(data, [6, 6, die], sheet("Foes", W=6, Sv=3))
    assert battle.models.wounds[target.first] == (6 if saved else 5)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.weapon.damage")
def test_damage_is_lost_wounds() -> None:
    """D 3: an unsaved attack makes a model with W 6 lose 3 wounds; a saved one none."""
    data = sheet("Guns", weapons={"gun": ranged(24, BS=2, S=4, D=3)})
    battle, target = volley(data, [6, 6, 3], sheet("Foes", W=6, Sv=4))
    assert battle.models.wounds[target.first] == 3
    battle, target = volley(data, [6, 6, 4], sheet("Foes", W=6, Sv=4))
    assert battle.models.wounds[target.first] == 6
    assert dice_left(battle) == 0


def test_two_changes_of_a_weapon_add_up() -> None:
    """+1 Strength and +1 Damage on one unit: S 4 wounds T 4 on 3+, D 1 takes 2 wounds."""
    abilities = {"other": [power("Strong", "+1 Strength"), power("Hard", "+1 Damage")]}
    data = sheet("Guns", weapons={"gun": ranged(24, BS=2, S=4)}, abilities=abilities)
    battle, target = volley(data, [6, 3, 1], sheet("Foes", W=6, T=4, Sv=6))
    assert told(battle, "w10.attack.wound.roll")[0]["needed"] == 3
    assert battle.models.wounds[target.first] == 4


# ---------------------------------------------------------------- Psychic


MIND = {"mind": ranged(24, A=2, BS=2, S=4, abilities=["Psychic"])}
HOOD = {"other": [power("Hood", "feel no pain 4+ against Psychic Attacks")]}


@pytest.mark.rule("w10.datasheet.psychic")
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("INFANTRY", "PSYKER")])
def test_only_psykers_use_psychic_weapons(keywords: tuple[str, ...]) -> None:
    """A model without PSYKER cannot use a Psychic weapon, shooting or in melee; its other weapons it can."""
    weapons = {**MIND, "gun": ranged(24, A=1)}
    psyker = "PSYKER" in keywords
    battle, _ = volley(sheet("Minds", weapons=weapons, keywords=keywords), [1] * (3 if psyker else 1))
    assert len(told(battle, "w10.attack.hit.roll")) == (3 if psyker else 1)
    assert dice_left(battle) == 0
    scene = Scene()
    scene.unit(0, sheet("Minds", weapons=MIND, keywords=keywords), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 10), models=1)
    battle = scene.battle("shooting")
    assert (battle.decision is not None and battle.decision.kind == "select-to-shoot") == psyker
    battle, _ = brawl(sheet("Minds", weapons={"will": melee(1, abilities=["Psychic"])}, keywords=keywords), [1])
    assert dice_left(battle) == (0 if psyker else 1)


@pytest.mark.rule("w10.datasheet.psychic")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_each_wound_counts_as_from_a_psychic_attack(detail: str) -> None:
    """2 wounds from a Psychic weapon: both are marked, and against each Feel No Pain 4+ against Psychic Attacks may be used:
    4 ignores the first, 3 does not ignore the second."""
    data = sheet("Minds", weapons=MIND, keywords=("INFANTRY", "PSYKER"))
    foes = sheet("Foes", W=5, Sv=6, abilities=HOOD)
    battle, target = volley(data, [6, 6, 6, 6, 1, 4, 1, 3], foes, detail=detail)
    if detail == "full":
        choose(battle, "enemy", 0)
    assert battle.models.wounds[target.first] == 4
    assert [e["result"] for e in told(battle, "w10.attack.feel-no-pain")] == [1, 0]
    assert len(told(battle, "w10.datasheet.psychic")) == 1
    assert dice_left(battle) == 0
    battle, target = volley(data, [6, 6, 6, 6, 1, 1], sheet("Foes", W=5, Sv=6))  # without that ability
    if detail == "full" and battle.decision is not None and battle.decision.kind == "weapon-target":
        choose(battle, "enemy", 0)
    marks = [(e["target"], e["model"]) for e in told(battle, "w10.datasheet.psychic")]
    assert marks == [(target.row, target.first)] * 2
    assert battle.models.wounds[target.first] == 3


@pytest.mark.rule("w10.datasheet.psychic")
def test_other_attacks_are_no_psychic_attacks() -> None:
    """The ability does nothing against a weapon that is not Psychic, before or after a Psychic one of the same unit."""
    weapons = {"mind": ranged(24, A=1, BS=2, abilities=["Psychic"]), "gun": ranged(24, A=1, BS=2, S=5)}
    data = sheet("Minds", weapons=weapons, keywords=("INFANTRY", "PSYKER"))
    foes = sheet("Foes", W=5, Sv=6, abilities=HOOD)
    battle, target = volley(data, [6, 6, 1, 6, 6, 6, 1], foes)
    assert [e["die"] for e in told(battle, "w10.attack.feel-no-pain")] == [6]
    assert battle.models.wounds[target.first] == 4
    assert told(battle, "w10.datasheet.psychic") == []
    assert dice_left(battle) == 0
    data = sheet("Guns", weapons={"gun": ranged(24, A=2, BS=2)})
    battle, target = volley(data, [6, 6, 6, 6, 1, 1], foes)
    assert told(battle, "w10.attack.feel-no-pain") == []
    assert battle.models.wounds[target.first] == 3


@pytest.mark.rule("w10.datasheet.psychic")
def test_mortal_wounds_of_a_psychic_attack_count_too() -> None:
    """Devastating Wounds of a Psychic weapon and of another: the mortal wounds of the first may be ignored on 4+."""
    weapons = {
        "mind": ranged(24, A=1, BS=2, D=1, abilities=["Psychic", "Devastating Wounds"]),
        "gun": ranged(24, A=1, BS=2, S=5, D=1, abilities=["Devastating Wounds"]),
    }
    data = sheet("Minds", weapons=weapons, keywords=("INFANTRY", "PSYKER"))
    battle, target = volley(data, [6, 6, 6, 6, 4], sheet("Foes", W=5, abilities=HOOD))
    assert [e["die"] for e in told(battle, "w10.attack.feel-no-pain")] == [4]
    assert battle.models.wounds[target.first] == 4
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- the example


def example(**fields: object) -> dict[str, object]:
    """The datasheet that the rules print as their example."""
    weapons = {
        "pistol": ranged(12, A="D3", BS=2, S=4, AP=-1, abilities=["Pistol"]),
        "rapid fire gun": ranged(24, A=2, BS=2, S=4, abilities=["Rapid Fire 1"]),
        "blade": melee(4, WS=2, S=4, AP=-3),
    }
    rites = power("Rites of Battle", "re-roll hit rolls of 1", range=6.0, keyword="TESTERS")
    return sheet(
        "Example", M=5, T=4, Sv=2, W=7, Ld=4, OC=1, invuln=4, models=(1, 1), weapons=weapons,
        abilities={"deep_strike": True, "auras": [rites]}, **fields,
    )  # type: ignore[arg-type]  # fmt: skip


@pytest.mark.rule("w10.datasheet.example")
def test_the_example_fights() -> None:
    """A hit roll of 2 with its blade hits, 1 does not."""
    battle, target = brawl(example(), [2, 2, 2, 1, 3, 6, 6, 6, 4, 1, 1, 1], sheet("Foes", T=4, W=9, Sv=2))
    rolls = [(e["die"], e["result"]) for e in told(battle, "w10.attack.hit.roll")]
    assert rolls == [(2, 1), (2, 1), (2, 1), (1, 0)]  # and the 1 is rolled again by its Aura, a hit
    assert told(battle, "w10.attack.save.roll")[0]["needed"] == 5  # 2+ worsened by AP -3
    assert battle.models.wounds[target.first] < 9


@pytest.mark.rule("w10.datasheet.example")
@pytest.mark.parametrize(
    ("ap", "die", "saved"), [(0, 2, True), (-1, 2, False), (-4, 4, True), (-4, 3, False), (-1, 3, True)]
)
def test_the_example_saves(ap: int, die: int, saved: bool) -> None:
    """Sv 2+ and a 4+ invulnerable save."""
    data = sheet("Guns", weapons={"gun": ranged(24, A=1, BS=2, S=4, AP=ap)})
    battle, target = volley(data, [6, 6, die], example())
    assert battle.models.wounds[target.first] == (7 if saved else 6)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.example")
@pytest.mark.parametrize(("away", "attacks"), [(12.0, 3), (12.1, 2), (24.0, 2)])
def test_the_example_shoots(away: float, attacks: int) -> None:
    """At 12" its Rapid Fire 1 weapon makes 3 attacks, beyond half range 2; its pistol is the other choice at 12"."""
    battle, _ = volley(example(), [2] * attacks + [1] * attacks, sheet("Foes", W=9), away)
    guns = told(battle, "w10.shoot.attacks.number")
    assert [e["result"] for e in guns] == [attacks]
    assert [e["result"] for e in told(battle, "w10.attack.hit.roll")] == [1] * attacks


@pytest.mark.rule("w10.datasheet.example")
@pytest.mark.parametrize(("gap", "rerolled"), [(6.0, True), (6.1, False)])
def test_the_example_helps_others(gap: float, rerolled: bool) -> None:
    """A friendly unit of the faction within 6" re-rolls hit rolls of 1, one at 6.1" does not."""
    scene = Scene()
    scene.unit(0, example(), at=(10, 10))
    guns = scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=1, BS=2)}), at=(10, 11 + gap), models=1)
    scene.unit(1, sheet("Foes"), at=(10, 30), models=1)
    battle = scene.battle("shooting", dice=[1, 6, 1])
    choose(battle, "own", guns.number)
    assert len(told(battle, "w10.concepts.reroll.optional")) == rerolled
    assert dice_left(battle) == (0 if rerolled else 2)


@pytest.mark.rule("w10.datasheet.example")
def test_the_example_arrives_by_deep_strike() -> None:
    """Core: Deep Strike: it may start in Reserves and be set up anywhere more than 9" from the enemy."""
    scene = Scene()
    unit = scene.unit(0, example(), reserves="deep-strike")
    foes = scene.unit(1, sheet("Foes"), at=(30, 22), models=1)
    battle = scene.battle()
    choose(battle, "own", unit.number)
    middle = []
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        assert copy.distance(unit, foes) > 9.0
        x, y = copy.models.x[unit.first], copy.models.y[unit.first]
        middle.append(min(x, 60 - x, y, 44 - y) > 6.5)
    assert any(middle)  # and not only along an edge
    choose(battle, "cell", slots(battle, "cell")[0])
    assert battle.units.place[unit] == 1
