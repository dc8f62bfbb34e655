"""Abilities of datasheets: damaged models, wargear, Auras (w10.datasheet.abilities, .wargear-abilities, .aura.*)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from wh_env import Battle, ContentError
from wh_env.content.w10 import load_datasheet
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.abilities import EFFECTS
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, UnitHandle, choose, dice_left, melee, ranged, sheet, slots, told

GUN = {"gun": ranged(24, A=1, BS=4, S=4)}


def ability(name: str, effect: str, **fields: object) -> dict[str, object]:
    return {"name": name, "effect": effect, "active": True, **fields}


def hit_needed(battle: Battle, unit: UnitHandle) -> int:
    """The roll with which the unit hits when it shoots; the one it was scripted to make."""
    choose(battle, "own", unit.number)
    needed = {e["needed"] for e in told(battle, "w10.attack.hit.roll") if e["attacker"] == unit.first}
    assert len(needed) == 1
    return int(needed.pop())


@pytest.mark.rule("w10.datasheet.abilities")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("wounds", "needed"), [(5, 4), (4, 5), (1, 5)])
def test_a_damaged_model_hits_worse(wounds: int, needed: int, detail: str) -> None:
    """ "Damaged: 1-4 wounds remaining, -1 to hit": at 4 wounds BS 4+ hits on 5, at 5 wounds on 4."""
    scene = Scene()
    data = sheet("Tank", W=10, keywords=("VEHICLE",), weapons=GUN, abilities={"damaged": 4})
    tank = scene.unit(0, data, at=(10, 10), models=1, wounds=[wounds])
    scene.unit(1, sheet("Foes"), at=(20, 10), models=1)
    battle = scene.battle("shooting", dice=[needed - 1], detail=detail)
    choose(battle, "own", tank.number)
    if detail == "full":
        choose(battle, "enemy", 0)
    roll = told(battle, "w10.attack.hit.roll")[0]
    assert (roll["needed"], roll["result"]) == (needed, 0)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.abilities")
def test_damage_counts_in_melee_and_as_it_is_suffered() -> None:
    """The same in melee; and two models of one unit are judged on their own."""
    scene = Scene()
    data = sheet(
        "Beasts", W=10, base_mm=40, keywords=("MONSTER",), weapons={"claws": melee(1, WS=3)}, abilities={"damaged": 4}
    )
    scene.unit(0, data, at=[(10, 10), (10, 12)], wounds=[4, 5])
    scene.unit(1, sheet("Foes", W=5, base_mm=60), at=(12, 11), models=1)
    battle = scene.battle("fight", dice=[1, 1])
    while battle.decision is not None and len(told(battle, "w10.attack.hit.roll")) < 2:
        battle.apply(battle.first_legal())
    assert {e["attacker"]: e["needed"] for e in told(battle, "w10.attack.hit.roll")} == {0: 4, 1: 3}


@pytest.mark.rule("w10.datasheet.abilities")
@pytest.mark.parametrize("deep", [True, False])
def test_a_core_ability_by_name_is_the_whole_rule(deep: bool) -> None:
    """ "Core: Deep Strike": Reserves are offered at Declare Battle Formations, and it arrives anywhere more than 9" from the
    enemy, in round 1 too; without it neither."""
    scene = Scene()
    unit = scene.unit(0, sheet("Divers", abilities={"deep_strike": deep}), models=1)
    scene.unit(0, sheet("Rest"), models=1)
    foes = scene.unit(1, sheet("Foes"), models=1)
    battle = scene.battle("mission", rules={"formations": "choose", "first_player": 0})
    asked = battle.decision is not None and battle.decision.kind == "reserves"
    assert asked == deep
    if not deep:
        return
    choose(battle, "option", 1)
    while battle.decision is not None and battle.decision.kind != "select-reserves":
        assert battle.decision.kind != "deploy-to" or battle.decision.subject != unit.row
        battle.apply(battle.first_legal())
    assert battle.clock.round[0] == 1
    choose(battle, "own", unit.number)
    spots = set()
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        assert copy.distance(unit, foes) > 9.0
        spots.add((round(copy.models.x[unit.first]), round(copy.models.y[unit.first])))
    assert any(10 < x < 50 and 12 < y < 32 for x, y in spots)
    choose(battle, "cell", slots(battle, "cell")[0])
    assert battle.units.place[unit] == ON_TABLE


def test_only_known_effects_are_active() -> None:
    """Whatever is declared; an active one must be one of those that are played."""
    assert len(set(EFFECTS)) == len(EFFECTS)
    declared = sheet("S", abilities={"other": [{"name": "A", "effect": "anything at all"}]})
    assert load_datasheet(declared).inactive == ("A",)
    with pytest.raises(ContentError, match="is no effect that can be active"):
        load_datasheet(sheet("S", abilities={"other": [ability("A", "anything at all")]}))


# ---------------------------------------------------------------- wargear


def bearers() -> dict[str, object]:
    """A unit whose first model may carry an icon that gives +1 to Battle-shock tests."""
    data = sheet(
        "Squad", Ld=6, models=(6, 6), abilities={"other": [ability("Icon", "+1 to Battle-shock tests", wargear="icon")]}
    )
    data["models"][0]["options"] = [{"name": "icon", "weapons": [], "max": 1}]
    return data


@pytest.mark.rule("w10.datasheet.wargear-abilities")
@pytest.mark.parametrize(
    ("lost", "dice", "passed"),
    [
        ((0, 1, 2, 3), (2, 3), True),  # the bearer is the last model
        ((0, 1, 2, 3), (2, 2), False),
        ((2, 3, 4, 5), (2, 3), False),
        ((2, 3, 4, 5), (3, 3), True),
    ],
)
def test_wargear_helps_while_its_bearer_lives(lost: tuple[int, ...], dice: tuple[int, int], passed: bool) -> None:
    """An icon gives +1 to Battle-shock tests: a total of 5 passes Ld 6+; once the bearer is destroyed it fails."""
    scene = Scene()
    unit = scene.unit(0, bearers(), at=(10, 10), models=6, equipment={"Squad": {"icon": 1}}, lost=lost)
    scene.unit(1, sheet("Foes"), at=(30, 30), models=1)
    assert [m.option for m in scene.units[0][0]["mustered"].models] == [None] * 5 + ["icon"]
    battle = scene.battle("command", dice=dice, rules={"cp_each_command_phase": 0})
    test = told(battle, "w10.command.battle-shock.test")[0]
    assert (test["roll"], test["needed"], test["passed"]) == (sum(dice), 6, passed)
    assert battle.units.shocked[unit] == (not passed)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.wargear-abilities")
def test_without_the_item_there_is_no_ability() -> None:
    scene = Scene()
    scene.unit(0, bearers(), at=(10, 10), models=6, lost=(0, 1, 2, 3))
    scene.unit(1, sheet("Foes"), at=(30, 30), models=1)
    battle = scene.battle("command", dice=(2, 3), rules={"cp_each_command_phase": 0})
    assert told(battle, "w10.command.battle-shock.test")[0]["passed"] is False


# ---------------------------------------------------------------- Auras


def aura(name: str, effect: str, reach: float = 6.0, **fields: object) -> dict[str, object]:
    return ability(name, effect, range=reach, **fields)


def shooting(
    spots: Mapping[str, tuple[float, float]], auras: list[dict[str, object]], dice: list[int], **guns: object
) -> tuple[Battle, dict[str, UnitHandle]]:
    """Bearers of Auras, a unit of Guns at (10, 10) and an enemy, in the Shooting phase."""
    scene = Scene()
    units = {}
    for name, at in spots.items():
        data = sheet(name, weapons=GUN, abilities={"auras": auras})
        units[name] = scene.unit(0, data, at=at, models=1)
    units["Guns"] = scene.unit(0, sheet("Guns", weapons=GUN, **guns), at=(10, 10), models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes", W=9), at=(10, 30), models=1)
    return scene.battle("shooting", dice=dice), units


@pytest.mark.rule("w10.datasheet.aura.range")
@pytest.mark.parametrize(("gap", "needed"), [(6.0, 3), (6.1, 4), (0.0, 3)])
def test_the_range_of_an_aura(gap: float, needed: int) -> None:
    """An Aura of 6" "+1 to hit" for friendly units: at 6.0" BS 4+ hits on 3, at 6.1" on 4."""
    battle, units = shooting({"Bearer": (11 + gap, 10)}, [aura("P", "+1 to hit")], [1])
    assert hit_needed(battle, units["Guns"]) == needed


@pytest.mark.rule("w10.datasheet.aura.range")
def test_the_bearers_own_unit_is_in_range() -> None:
    """The bearer's own unit is affected, its models farther than 6" from the bearer too."""
    scene = Scene()
    data = sheet("Bearers", weapons=GUN, abilities={"auras": [aura("P", "+1 to hit", wargear="totem")]})
    data["models"][0]["options"] = [{"name": "totem", "weapons": ["gun"], "max": 1}]
    unit = scene.unit(0, data, at=[(10 + 2.9 * k, 10) for k in range(6)], equipment={"Bearers": {"totem": 1}}, models=6)
    scene.unit(1, sheet("Foes", W=9), at=(15, 20), models=1)
    battle = scene.battle("shooting", dice=[1] * 6)
    choose(battle, "own", unit.number)
    assert {e["needed"] for e in told(battle, "w10.attack.hit.roll")} == {3}
    assert len({e["attacker"] for e in told(battle, "w10.attack.hit.roll")}) == 6


@pytest.mark.rule("w10.datasheet.aura.range")
def test_enemies_are_not_helped_nor_units_of_other_keywords() -> None:
    """An Aura on friendly units leaves enemies alone, one on enemies leaves friends; ``keyword`` narrows it further."""
    for fields, needed in (
        ({}, 3),
        ({"affects": "enemy"}, 4),
        ({"keyword": "BEASTS"}, 4),
        ({"keyword": "INFANTRY"}, 3),
    ):
        battle, units = shooting({"Bearer": (13, 10)}, [aura("P", "+1 to hit", **fields)], [1])
        assert hit_needed(battle, units["Guns"]) == needed
    scene = Scene()
    scene.unit(
        1, sheet("Bearer", abilities={"auras": [aura("P", "-1 to hit", affects="enemy")]}), at=(10, 15), models=1
    )
    guns = scene.unit(0, sheet("Guns", weapons=GUN), at=(10, 10), models=1)
    battle = scene.battle("shooting", dice=[1])
    assert hit_needed(battle, guns) == 5


@pytest.mark.rule("w10.datasheet.aura.range")
def test_it_ends_with_its_bearer() -> None:
    scene = Scene()
    data = sheet("Bearers", weapons=GUN, abilities={"auras": [aura("P", "+1 to hit")]})
    scene.unit(0, data, at=(13, 10), models=1, place="destroyed")
    guns = scene.unit(0, sheet("Guns", weapons=GUN), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes", W=9), at=(10, 30), models=1)
    assert hit_needed(scene.battle("shooting", dice=[1]), guns) == 4


@pytest.mark.rule("w10.datasheet.aura.several")
@pytest.mark.parametrize(("p", "q"), [(True, True), (True, False), (False, True), (False, False)])
def test_several_auras_apply_at_a_time(p: bool, q: bool) -> None:
    """Aura P (re-roll hit rolls of 1) and Aura Q (+1 to Leadership tests): within range of both, both apply."""
    scene = Scene()
    rerolls = [aura("P", "re-roll hit rolls of 1")]
    courage = [aura("Q", "+1 to Leadership tests")]
    scene.unit(0, sheet("Captain", abilities={"auras": rerolls}), at=(13, 10) if p else (50, 10), models=1)
    scene.unit(0, sheet("Priest", abilities={"auras": courage}), at=(7, 10) if q else (50, 5), models=1)
    guns = scene.unit(0, sheet("Guns", Ld=7, weapons=GUN), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes", W=9), at=(10, 30), models=1)
    scene.rule(TimedRule("Test", "command", 0, "leadership", guns.row, 0))
    dice = [3, 3, 1, 6, 1] if p else [3, 3, 1]
    battle = scene.battle("command", dice=dice, rules={"cp_each_command_phase": 0})
    test = told(battle, "w10.datasheet.leadership-test")[0]
    assert (test["roll"], test["bonus"], test["passed"]) == (6, int(q), q)
    while battle.decision is not None and battle.decision.kind != "select-to-shoot":
        battle.apply(battle.first_legal())
    choose(battle, "own", guns.number)
    assert len(told(battle, "w10.concepts.reroll.optional")) == p
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.aura.same-once")
def test_the_same_aura_applies_once() -> None:
    """Two bearers of an Aura "+1 to hit rolls" within 6" of a damaged unit: +1 and -1 is 0, so BS 4+ hits on 4; two
    different Auras of +1 make it 3."""
    damaged = {"W": 5, "abilities": {"damaged": 5}}
    for auras, needed in (([aura("P", "+1 to hit")], 4), ([aura("P", "+1 to hit"), aura("Q", "+1 to hit")], 3)):
        battle, units = shooting({"One": (13, 10), "Two": (7, 10)}, auras, [1], **damaged)
        assert hit_needed(battle, units["Guns"]) == needed
    battle, units = shooting({"One": (13, 10)}, [aura("P", "+1 to hit")], [1], **damaged)
    assert hit_needed(battle, units["Guns"]) == 4
    battle, units = shooting({}, [], [1], **damaged)
    assert hit_needed(battle, units["Guns"]) == 5


@pytest.mark.rule("w10.datasheet.aura.same-once")
def test_the_same_aura_on_a_test_applies_once() -> None:
    """Two bearers of "+1 to Leadership tests": Ld 7+ is passed with 6 and failed with 5."""
    for dice, passed in (((3, 3), True), ((2, 3), False)):
        scene = Scene()
        courage = [aura("Q", "+1 to Leadership tests")]
        for x in (7, 13):
            scene.unit(0, sheet("Priest", abilities={"auras": courage}), at=(x, 10), models=1)
        guns = scene.unit(0, sheet("Guns", Ld=7), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(10, 30), models=1)
        scene.rule(TimedRule("Test", "command", 0, "leadership", guns.row, 0))
        battle = scene.battle("command", dice=dice, rules={"cp_each_command_phase": 0})
        test = told(battle, "w10.datasheet.leadership-test")[0]
        assert (test["bonus"], test["passed"]) == (1, passed)


# ---------------------------------------------------------------- what Auras do to those who are attacked


def under_fire(effect: str, gap: float, dice: list[int], ap: int = 0, **foes: object) -> tuple[Battle, UnitHandle]:
    """A unit with an Aura's bearer so many inches away is shot at by a gun of BS 2+."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=4, AP=ap, D=2)}), at=(10, 10), models=1)
    target = scene.unit(1, sheet("Foes", W=5, **foes), at=(10, 20), models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Bearer", abilities={"auras": [aura("P", effect)]}), at=(11 + gap, 20), models=1)
    battle = scene.battle("shooting", dice=dice)
    choose(battle, "own", 0)
    choose(battle, "enemy", target.number)
    return battle, target


@pytest.mark.rule("w10.datasheet.aura.range")
@pytest.mark.parametrize(("gap", "wounds"), [(6.0, 4), (6.1, 3)])
def test_an_aura_of_feel_no_pain(gap: float, wounds: int) -> None:
    """Feel no pain 5+ for friendly units: 5 and 4 ignore the first of two wounds; out of range both are lost."""
    battle, target = under_fire("feel no pain 5+", gap, [6, 6, 1, 5, 4] if gap == 6.0 else [6, 6, 1], Sv=6)
    assert battle.models.wounds[target.first] == wounds
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.aura.range")
@pytest.mark.parametrize(("gap", "die", "wounds"), [(6.0, 5, 5), (6.0, 4, 3), (6.1, 5, 3)])
def test_an_aura_of_an_invulnerable_save(gap: float, die: int, wounds: int) -> None:
    """An invulnerable save of 5+ against AP -4."""
    battle, target = under_fire("invulnerable save 5+", gap, [6, 6, die], -4, Sv=4)
    assert battle.models.wounds[target.first] == wounds
    assert dice_left(battle) == 0


@pytest.mark.parametrize(
    ("effect", "rolls", "wounds"),
    [
        ("attacks at it: -1 to hit", [2], 5),
        ("attacks at it: -1 to wound", [6, 4], 5),
        ("+1 to saving throws", [6, 6, 3], 5),
        ("Benefit of Cover", [6, 6, 3], 5),
        ("Stealth", [2], 5),
        ("+1 to hit", [6, 6, 3], 3),  # an ability on its own attacks
    ],
)
def test_abilities_against_attacks(effect: str, rolls: list[int], wounds: int) -> None:
    """BS 2+, S 4 against T 4, Sv 4+: the roll that would just do fails, or just saves."""
    battle, target = under_fire(effect, 3.0, rolls)
    assert battle.models.wounds[target.first] == wounds
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- several abilities with the same effect


@pytest.mark.rule("w10.datasheet.aura.several")
def test_two_abilities_that_add_strength_both_count() -> None:
    """S 4 against T 6: 5+; with one ability of +1 Strength S 5, still 5+; with two S 6, 4+; the same one twice counts once."""
    for names, needed in (((), 5), (("P",), 5), (("P", "Q"), 4), (("P", "P"), 5)):
        scene = Scene()
        abilities = {"other": [ability(name, "+1 Strength") for name in names]}
        guns = scene.unit(0, sheet("Guns", weapons=GUN, abilities=abilities), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes", T=6), at=(10, 20), models=1)
        battle = scene.battle("shooting", dice=[4, 1])
        choose(battle, "own", guns.number)
        assert [e["needed"] for e in told(battle, "w10.attack.wound.roll")] == [needed]
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.aura.several")
def test_two_abilities_of_an_attack_more_both_count() -> None:
    """A 1: two hit rolls with one ability of +1 Attacks, three with two of them."""
    for names in ("", "P", "PQ"):
        scene = Scene()
        abilities = {"other": [ability(name, "+1 Attacks") for name in names]}
        guns = scene.unit(0, sheet("Guns", weapons=GUN, abilities=abilities), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(10, 20), models=1)
        battle = scene.battle("shooting", dice=[1] * (1 + len(names)))
        choose(battle, "own", guns.number)
        assert len(told(battle, "w10.attack.hit.roll")) == 1 + len(names)
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.hit.cap")
def test_the_sum_of_many_modifiers_is_taken_before_it_is_limited() -> None:
    """BS 4+: three rules of +1 and two of -1 make 3+, two and three make 5+, three and three 4+."""
    for better, worse, needed in (("PQR", "ST", 3), ("PQ", "RST", 5), ("PQR", "STU", 4)):
        scene = Scene()
        hit = [ability(n, "+1 to hit") for n in better] + [ability(n, "-1 to hit") for n in worse]
        guns = scene.unit(0, sheet("Guns", weapons=GUN, abilities={"other": hit}), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(10, 20), models=1)
        assert hit_needed(scene.battle("shooting", dice=[1]), guns) == needed
