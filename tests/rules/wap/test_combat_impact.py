"""Impact hits."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.combat.impact_hits import hits_each, number_of
from wh_env.testing import kind, pick, slots, told
from wh_env.testing.play import dice_left
from wh_env.testing.wap import RegimentScene, fight, fight_again, square

NUMBER, HIT, WOUND = "wap.special.impact-hits.number", "wap.combat.hit.roll", "wap.combat.wound.roll"
MISSES = [1] * 60


def fought(scene: RegimentScene, unit: Any, dice: list[int], **fields: Any) -> Battle:
    """One round of the combat of a unit."""
    return fight(scene.battle("combat", dice=dice, run=False, **fields), unit)


def chariot(rules: list[str], **values: Any) -> dict[str, Any]:
    """A chariot on a base of two inches; it has Impact Hits (D6) from its type."""
    return square(type="chariot", base_mm=[50.8, 50.8], s=5, rules=rules, **values)


def hits(battle: Battle) -> list[int]:
    """Impact hits that were rolled."""
    return [event["amount"] for event in told(battle, NUMBER)]


def wound_rolls(battle: Battle) -> list[tuple[int, int]]:
    """What dice to wound needed and how many there were, up to the first roll to hit."""
    found = []
    for event in battle.events:
        if event.rule == HIT:
            break
        if event.rule == WOUND:
            found.append((event.data["needed"], event.data["amount"]))
    return found


@pytest.mark.rule("wap.special.impact-hits.number")
@pytest.mark.parametrize(
    ("rules", "die", "expected"),
    [(["Impact Hits (D6+1)"], 3, 4), ([], 3, 3), (["Impact Hits (1)"], 5, 5), (["Impact Hits (2D6)"], 2, 4)],
)
def test_of_two_values_the_higher_is_used(rules: list[str], die: int, expected: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, chariot(rules), (24, 24), models=1, files=1, charging=1)
    scene.beside(a, 1, models=20, files=5)
    battle = fought(scene, a, [die] * 2 if "(2D6)" in str(rules) else [die])
    assert hits(battle) == [expected]


@pytest.mark.rule("wap.special.impact-hits.number")
def test_every_model_rolls_for_itself() -> None:
    scene = RegimentScene()
    a = scene.unit(0, chariot([]), (24, 24), models=3, files=3, charging=1)
    scene.beside(a, 1, models=20, files=5)
    battle = fought(scene, a, [1, 3, 6, *MISSES])
    assert hits(battle) == [10] and wound_rolls(battle) == [(2, 10)]


@pytest.mark.parametrize(
    ("words", "number"),
    [("1", (0, 6, 1)), ("D6", (1, 6, 0)), ("D6+1", (1, 6, 1)), ("2D6", (2, 6, 0)), ("D3", (1, 3, 0))],
)
def test_numbers_of_dice(words: str, number: tuple[int, int, int]) -> None:
    assert number_of(words) == number


def test_no_number() -> None:
    with pytest.raises(ValueError, match="expected a number"):
        number_of("many")


@pytest.mark.rule("wap.special.impact-hits.when", "wap.troop.cavalry.rules")
def test_only_models_in_contact_and_only_in_the_round_of_the_charge() -> None:
    scene = RegimentScene()
    a = scene.unit(0, "knights", (24, 24), models=6, files=6, charging=1)
    width = 25 / 25.4
    scene.beside(a, 1, square(base_mm=[25, 25], i=9), along=width, models=15, files=5)
    battle = fought(scene, a, MISSES)
    assert hits(battle) == [5]
    order = [event.rule for event in battle.events if event.rule in (NUMBER, HIT)]
    assert order[0] == NUMBER and HIT in order  # ahead of the quickest blow
    known = len(battle.events)
    fight_again(battle, a, MISSES)
    assert [event for event in battle.events[known:] if event.rule == NUMBER] == []


@pytest.mark.rule("wap.special.impact-hits.when")
def test_who_was_charged_makes_none() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10, files=5, charging=1)
    scene.beside(a, 1, "knights", models=5, files=5)
    assert hits(fought(scene, a, MISSES)) == []


@pytest.mark.rule("wap.special.impact-hits.when")
def test_only_units_that_were_charged_are_hit() -> None:
    """Knights that have charged one unit are held in the flank by another one."""
    scene = RegimentScene()
    a = scene.unit(0, square(type="cavalry"), (24, 24), models=5, files=5, charging=1)
    target = scene.beside(a, 1, models=5, files=5, name="target")
    other = scene.beside(a, 1, side=1, models=5, files=5, name="other")
    battle = fought(scene, a, MISSES)
    assert [event["targets"] for event in told(battle, NUMBER)] == [(target.row,)]
    assert hits(battle) == [5] and other.row not in [e["target"] for e in told(battle, WOUND)]


@pytest.mark.rule("wap.special.impact-hits.distribution")
@pytest.mark.parametrize(("odd", "expected"), [("left", {"left": 3, "right": 2}), ("right", {"left": 2, "right": 3})])
def test_the_odd_hit_is_the_player_s_choice(odd: str, expected: dict[str, int]) -> None:
    scene = RegimentScene()
    a = scene.unit(0, chariot([]), (24, 24), models=1, files=1, charging=1)
    found = {
        "left": scene.beside(a, 1, along=1, models=2, files=2, name="left"),
        "right": scene.beside(a, 1, along=-1, models=2, files=2, name="right"),
    }
    battle = fought(scene, a, [5, *MISSES])
    assert kind(battle) == "strike-target" and len(slots(battle, "enemy")) == 2
    assert battle.decision is not None and battle.decision.player == 0
    pick(battle, f"at {odd}")
    amounts = {e["target"]: e["amount"] for e in told(battle, WOUND)[:2]}
    assert amounts == {found[name].row: amount for name, amount in expected.items()}


@pytest.mark.rule("wap.special.impact-hits.distribution")
def test_an_even_number_is_divided_without_a_question() -> None:
    scene = RegimentScene()
    a = scene.unit(0, chariot([]), (24, 24), models=1, files=1, charging=1)
    scene.beside(a, 1, along=1, models=2, files=2)
    scene.beside(a, 1, along=-1, models=2, files=2)
    battle = fought(scene, a, [4, *MISSES])
    assert [(e["unit"], e["amount"]) for e in told(battle, WOUND)[:2]] == [(a.row, 2), (a.row, 2)]
    assert {e["target"] for e in told(battle, WOUND)[:2]} == {1, 2}


@pytest.mark.rule("wap.special.impact-hits.strength", "wap.combat.phase.definition")
def test_strength_saves_and_score() -> None:
    """Four hits at Strength 5 on Toughness 3 wound on 2+; light armour and shield save on 7+, Parry does not serve: no die is rolled."""
    scene = RegimentScene()
    a = scene.unit(0, chariot([], a=0), (24, 24), models=1, files=1, charging=1)
    b = scene.beside(a, 1, square(equipment=["hand weapon", "shield", "light armour"], a=0), models=10, files=5)
    battle = fought(scene, a, [4, 2, 2, 1, 1, 3])
    assert hits(battle) == [4] and wound_rolls(battle) == [(2, 4)]
    assert battle.units.alive[b] == 8 and battle.units.dealt[a] == 2 and dice_left(battle) == 1


@pytest.mark.rule("wap.special.impact-hits.strength")
def test_weaker_hits_are_saved_by_armour() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(type="cavalry", a=0), (24, 24), models=5, files=5, charging=1)
    b = scene.beside(a, 1, square(equipment=["hand weapon", "shield", "light armour"], a=0), models=10, files=5)
    battle = fought(scene, a, [4, 4, 3, 3, 3, 5, 4, 1])
    assert wound_rolls(battle) == [(4, 5)] and battle.units.alive[b] == 9 and dice_left(battle) == 1


@pytest.mark.rule("wap.special.impact-hits.no-other-rules")
def test_no_rule_of_the_attacks_helps_them() -> None:
    scene = RegimentScene()
    rules = ["Killing Blow", "Poisoned Attacks", "Ignores Armour Saves", "Armour Piercing (2)"]
    a = scene.unit(0, square(type="cavalry", s=3, a=0, rules=rules), (24, 24), models=5, files=5, charging=1)
    b = scene.beside(a, 1, square(equipment=["hand weapon", "full plate armour"], a=0), models=10, files=5)
    battle = fought(scene, a, [6, 4, 3, 3, 3, 3, 2, 6])
    assert wound_rolls(battle) == [(4, 5)]
    assert battle.units.alive[b] == 9 and dice_left(battle) == 1


@pytest.mark.rule("wap.special.impact-hits.number")
def test_more_than_one_number() -> None:
    scene = RegimentScene()
    a = scene.unit(0, chariot(["Impact Hits (D6+1)", "Impact Hits (3)"]), (24, 24), models=1, files=1)
    scene.unit(1, None, (24, 40))
    assert hits_each(scene.battle("combat", run=False), a.row) == (1, 6, 1)


@pytest.mark.rule("wap.special.impact-hits.number")
def test_the_most_impact_hits_that_can_be_written_find_room() -> None:
    """Thirty-two in one rank with nine dice and nine each: two thousand dice to wound are thrown together."""
    scene = RegimentScene()
    unit = scene.unit(0, square(rules=["Impact Hits (9D6+9)"], s=1), (24, 24), models=32, files=32, charging=1)
    scene.beside(unit, 1, square(t=10), models=32, files=32)
    battle = scene.battle("combat", run=False, dice=[6] * 288)
    room = battle.work.strikes.dice
    assert len(room) >= 32 * 63
    fight(battle, unit)
    assert hits(battle) == [32 * 63] and wound_rolls(battle) == [(6, 32 * 63)]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("die", "hits_made"), [(1, 3), (6, 8)])
@pytest.mark.rule("wap.core.dice.modifier")
def test_a_number_is_added_to_the_die(die: int, hits_made: int, player: int) -> None:
    """D6+2 impact hits are 3 to 8."""
    scene = RegimentScene()
    a = scene.unit(player, chariot(["Impact Hits (D6+2)"]), (24, 24), models=1, charging=1)
    scene.beside(a, 1 - player, models=20, files=5)
    assert hits(fought(scene, a, [die, *MISSES])) == [hits_made]
