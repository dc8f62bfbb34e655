"""Riders and mounts."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.basics.special_rules import line_has, models_have
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.rulesets.wap.morale.leadership import leadership_of
from wh_env.rulesets.wap.rule_book import FEAR, FRENZY, IMPACT_HITS, KILLING_BLOW, POISONED_ATTACKS, SWIFTSTRIDE
from wh_env.rulesets.wap.troops.cavalry import defence, mount_of
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.saves import armour_save
from wh_env.testing import kind, pick, told
from wh_env.testing.wap import RegimentScene, fight, square

HIT, WOUND = "wap.combat.hit.roll", "wap.combat.wound.roll"
NUMBER, SUPPORT = "wap.combat.attacks.number", "wap.combat.attacks.support.who"
MISSES = [1] * 80
HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}


def riders(mount: dict[str, Any] | None = None, **values: Any) -> dict[str, Any]:
    """Cavalry on bases of one inch, with mounts of their own."""
    return square(type="cavalry", mount={**HORSE, **(mount or {})}, **values)


def fought(scene: RegimentScene, unit: Any, dice: list[int] | None = None, **fields: Any) -> Battle:
    """One round of the combat of a unit."""
    return fight(scene.battle("combat", dice=MISSES if dice is None else dice, run=False, **fields), unit)


def idle(card: dict[str, Any], **fields: Any) -> tuple[Battle, int]:
    """A unit that fights nobody."""
    scene = RegimentScene()
    a = scene.unit(0, card, (24, 24), **fields)
    scene.unit(1, None, (24, 40))
    return scene.battle("combat", run=False), a.row


def needed(battle: Battle, rule: str, unit: Any) -> list[int]:
    """What a unit's dice needed."""
    return [event["needed"] for event in told(battle, rule) if event["unit"] == int(unit)]


@pytest.mark.rule("wap.troop.cavalry.mixed-profile.attack")
def test_rider_and_mount_may_strike_different_enemies() -> None:
    scene = RegimentScene()
    knight = scene.unit(0, riders({"ws": 3, "s": 4}, ws=4, i=5), (24, 24), models=1, files=1, name="knight")
    men = scene.beside(knight, 1, square(ws=3), along=0.5, models=1, files=1, name="men")
    guards = scene.beside(knight, 1, square(ws=3, t=4), along=-0.5, models=1, files=1, name="guards")
    battle = fought(scene, knight, [3, 1, 6, 4, 1, 1, 1, 1])
    pick(battle, "knight at men")
    assert kind(battle) == "strike-target"
    pick(battle, "knight's mounts at guards")
    mine = [(e["target"], e["needed"]) for e in told(battle, HIT) if e["unit"] == knight.row]
    assert mine == [(men.row, 3), (guards.row, 4)]
    assert needed(battle, WOUND, knight) == [4, 4]


@pytest.mark.rule("wap.troop.cavalry.leadership")
def test_the_mount_s_leadership_counts_for_nothing() -> None:
    battle, unit = idle(riders({"ld": 9}, ld=7), models=5)
    assert leadership_of(battle, unit) == 7


@pytest.mark.rule("wap.troop.cavalry.attacked")
@pytest.mark.parametrize(
    ("rider", "mount", "expected"),
    [((4, 3, 1), (3, 4, 1), (4, 4, 1)), ((3, 4, 1), (4, 3, 2), (4, 4, 2)), ((3, 3, 2), (3, 3, 1), (3, 3, 2))],
)
def test_the_higher_values_are_met(rider: tuple[int, ...], mount: tuple[int, ...], expected: tuple[int, ...]) -> None:
    scene = RegimentScene()
    steed = dict(zip(("ws", "t", "w"), mount, strict=True))
    a = scene.unit(0, riders(steed, ws=rider[0], t=rider[1], w=rider[2]), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, square(i=9), models=5, files=5)
    battle = fought(scene, a, [6] * 5 + [1] * 40)
    assert (*defence(battle, a.row), battle.models.max_wounds[a.first]) == expected
    assert needed(battle, HIT, b) == [4]
    assert needed(battle, WOUND, b) == [4 + expected[1] - 3]


@pytest.mark.rule("wap.troop.cavalry.saves")
def test_armour_of_rider_and_mount_adds_up() -> None:
    battle, unit = idle(riders(equipment=["hand weapon", "heavy armour", "shield", "barding"]), models=5)
    assert armour_save(battle, unit) == 2


@pytest.mark.rule("wap.troop.cavalry.saves")
def test_ward_saves_of_rider_and_mount_are_combined() -> None:
    scene = RegimentScene()
    card = riders(rules=["Ward Save (6+)"], mount_rules=["Ward Save (5+)"], a=0)
    a = scene.unit(0, card, (24, 24), models=5, files=5)
    scene.beside(a, 1, square(i=9), models=5, files=5)
    battle = fought(scene, a, [6] * 5 + [6] * 5 + [4, 3, 4, 3, 3] + MISSES)
    assert battle.units.alive[a] == 2


@pytest.mark.rule("wap.troop.cavalry.equipment")
def test_weapons_serve_the_rider_alone() -> None:
    scene = RegimentScene()
    a = scene.unit(0, riders(equipment=["hand weapon", "great weapon"]), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    line = battle.units.first_line[a]
    assert blow_of(battle, a.row, line, b.row).strength == 5
    assert blow_of(battle, a.row, mount_of(battle, a.row), b.row)[:5] == (1, 1, 3, 3, 3)


@pytest.mark.rule("wap.troop.cavalry.single-profile")
def test_cavalry_with_one_profile() -> None:
    scene = RegimentScene()
    kit = ["hand weapon", "shield"]
    a = scene.unit(0, square(type="cavalry", a=3, equipment=kit), (24, 24), models=10, files=5)
    scene.beside(a, 1, square(i=9), models=5, files=5)
    battle = fought(scene, a, [6] * 5 + [6] * 5 + [5] * 5 + [6, 6, 5, 5, 5] + MISSES)
    made = {rule: [e["amount"] for e in told(battle, rule) if e["unit"] == a.row] for rule in (NUMBER, SUPPORT)}
    assert battle.units.alive[a] == 7  # the shield saves on 6+, Parry two of five
    assert made == {NUMBER: [15], SUPPORT: [4]}


@pytest.mark.rule("wap.troop.cavalry.single-profile")
@pytest.mark.parametrize(("attacks", "supports"), [(3, 2), (2, 2), (1, 1)])
def test_it_supports_with_two_attacks_at_most(attacks: int, supports: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(type="cavalry", a=attacks), (24, 24), models=10, files=5)
    scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    assert [e["amount"] for e in told(battle, SUPPORT) if e["unit"] == a.row] == [5 * supports]


@pytest.mark.rule("wap.troop.cavalry.single-profile")
def test_its_spear_is_that_of_riders() -> None:
    scene = RegimentScene()
    kit = ["hand weapon", "spear (cavalry)"]
    a = scene.unit(0, square(type="cavalry", equipment=kit), (24, 24), models=5, files=5, charging=1)
    b = scene.beside(a, 1, models=5, files=5)
    battle = scene.battle("combat", run=False)
    blow = blow_of(battle, a.row, battle.units.first_line[a], b.row)
    assert (blow.strength, blow.initiative) == (4, 5)


@pytest.mark.rule("wap.troop.cavalry.ranks")
@pytest.mark.parametrize(("models", "files", "bonus"), [(10, 5, 1), (9, 3, 0), (9, 5, 0), (12, 4, 0), (15, 5, 2)])
def test_ranks_of_five(models: int, files: int, bonus: int) -> None:
    battle, unit = idle(riders(), models=models, files=files)
    assert rank_bonus(battle, unit) == bonus


@pytest.mark.rule("wap.troop.cavalry.support")
def test_rider_and_mount_support_with_one_attack_each() -> None:
    scene = RegimentScene()
    a = scene.unit(0, riders({"i": 2, "a": 1}, a=2), (24, 24), models=10, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    assert [e["amount"] for e in told(battle, SUPPORT) if e["unit"] == a.row] == [5, 5]
    rolled = [e["amount"] for e in told(battle, HIT) if (e["unit"], e["target"]) == (a.row, b.row)]
    assert rolled == [10 + 5, 5 + 5]
    assert [e["initiative"] for e in told(battle, "wap.combat.order.initiative")] == [3, 2]


@pytest.mark.rule("wap.troop.cavalry.rules")
def test_impact_hits_have_the_mount_s_strength() -> None:
    scene = RegimentScene()
    a = scene.unit(0, riders({"s": 3}, s=4), (24, 24), models=5, files=5, charging=1)
    b = scene.beside(a, 1, square(i=9), models=20, files=5)
    battle = fought(scene, a)
    assert models_have(battle, a.row, SWIFTSTRIDE) and models_have(battle, a.row, IMPACT_HITS)
    first = told(battle, WOUND)[0]
    assert (first["unit"], first["target"], first["amount"], first["needed"]) == (a.row, b.row, 5, 4)
    assert battle.events.index(next(e for e in battle.events if e.rule == WOUND)) < battle.events.index(
        next(e for e in battle.events if e.rule == HIT)
    )


@pytest.mark.rule("wap.troop.cavalry.rules-scope")
def test_rules_of_rider_mount_and_both() -> None:
    scene = RegimentScene()
    card = riders(rules=["Killing Blow", "Poisoned Attacks"], mount_rules=["Fear", "Frenzy"])
    a = scene.unit(0, card, (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    rider, mount = battle.units.first_line[a], mount_of(battle, a.row)
    assert line_has(battle, rider, POISONED_ATTACKS) and not line_has(battle, mount, POISONED_ATTACKS)
    assert line_has(battle, rider, KILLING_BLOW) and not line_has(battle, mount, KILLING_BLOW)
    assert models_have(battle, a.row, FEAR) and models_have(battle, a.row, FRENZY)
    assert [e["amount"] for e in told(battle, HIT) if e["unit"] == a.row] == [5, 10]
    assert blow_of(battle, a.row, rider, b.row).attacks == 1
    assert blow_of(battle, a.row, mount, b.row).attacks == 2
    assert blow_of(battle, a.row, rider, b.row).wounding == 1 and blow_of(battle, a.row, mount, b.row).wounding == 0


@pytest.mark.rule("wap.troop.cavalry.profile")
def test_unit_strength_and_sight() -> None:
    battle, unit = idle(riders(), models=5)
    assert unit_strength(battle, unit) == 10 and battle.units.sight[unit] == 2
