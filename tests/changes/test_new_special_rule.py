"""A change try: a special rule of regiments is one entry of the book and, where it acts at a point, one handler.

"Cold Blood": most of the models of a unit have it, then it rolls three dice for each Leadership test and leaves out the
highest. "Bloodlust": a model has one Attack more, and is Immune to Psychology. Cards, odds, the schema and all callers
know both without another line.
"""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.wap import compile as compiling
from wh_env.content.wap.schema_units import Card
from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.breaking.break_tests import break_test
from wh_env.rulesets.wap.codes import HELD
from wh_env.rulesets.wap.morale.leadership import ON_LEADERSHIP_TEST, LeadershipTest, is_unmoved
from wh_env.rulesets.wap.rule_book import IMMUNITY, PSYCHOLOGY, Covers, SpecialRule, Within
from wh_env.rulesets.wap.turns.handlers import HANDLERS
from wh_env.rulesets.wap.view.appraise_aftermath import chance_to_restrain
from wh_env.rulesets.wap.weapons.blows import ON_ATTACKS, blow_of
from wh_env.testing import dice_left, told
from wh_env.testing.wap import SOUTH, RegimentScene, UnitHandle, special_rules_of, square

# the entries
COLD_BLOOD = SpecialRule("Cold Blood", None, Within.MODEL, Covers.MOST)
BLOODLUST = SpecialRule("Bloodlust", includes=(IMMUNITY.of(PSYCHOLOGY.name),), can_be_gained=True)


# ... and what they do
def with_three_dice(_g: BattleCore, _unit: int, test: LeadershipTest) -> LeadershipTest:
    return test._replace(dice=3)


def one_more_attack(_g: BattleCore, _line: int, _target: int) -> int:
    return 1


NEW = (ON_LEADERSHIP_TEST.does(COLD_BLOOD, with_three_dice), ON_ATTACKS.does(BLOODLUST, one_more_attack))


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two entries stand in the book, their handlers with the others."""
    monkeypatch.setattr(rule_book, "BOOK", rule_book.BOOK.with_rules(COLD_BLOOD, BLOODLUST))
    monkeypatch.setattr(compiling, "HANDLERS", (*HANDLERS, *NEW))


def lizards(
    models: int = 5, heroes: int = 0, *, rules: tuple[str, ...] = ("Cold Blood",), **columns: Any
) -> tuple[RegimentScene, UnitHandle]:
    """A unit with heroes who are not of its blood."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=7, rules=list(rules)), (20, 20), models=models, **columns)
    for _ in range(heroes):
        scene.unit(0, hero(ld=7), inside=unit, models=1)
    scene.unit(1, None, (20, 46))
    return scene, unit


@pytest.mark.parametrize(
    ("rules", "dice", "roll"), [(("Cold Blood",), [6, 4, 1], 5), ((), [6, 4, 1, 1], 10)], ids=["cold", "hot"]
)
def test_a_rally_test_is_rolled_with_three_dice(rules: tuple[str, ...], dice: list[int], roll: int) -> None:
    """On a Leadership of 7. Who fails flees on, by the two dice that are left."""
    scene, unit = lizards(rules=rules, facing=SOUTH, fleeing=1)
    battle = scene.battle("movement", dice=dice)
    found = told(battle, "wap.compulsory.rally.test")
    assert [(note["roll"], note["passed"]) for note in found] == [(roll, bool(rules))]
    assert bool(battle.units.fleeing[unit]) is not bool(rules) and dice_left(battle) == 0


def beaten(models: int, heroes: int, dice: list[int]) -> tuple[Battle, UnitHandle]:
    """A unit that is to take a break test at -2."""
    scene, unit = lizards(models, heroes)
    battle = scene.battle("movement", dice=dice)
    battle.units.outcome[unit], battle.units.penalty[unit] = HELD, 2
    return battle, unit


@pytest.mark.parametrize(("models", "heroes", "cold"), [(2, 1, True), (2, 2, False), (1, 2, False), (3, 2, True)])
def test_most_models_of_the_unit_and_its_heroes_must_have_it(models: int, heroes: int, cold: bool) -> None:
    battle, unit = beaten(models, heroes, [6, 2, 1])
    assert has(battle, unit.row, COLD_BLOOD) is cold
    assert break_test(battle, unit.row) is cold and dice_left(battle) == int(not cold)
    assert [note["roll"] for note in told(battle, "wap.break.test") if "roll" in note] == [3 if cold else 8]


def test_odds_follow_the_dice() -> None:
    """What a plan expects is asked of the test itself."""
    cold, unit = beaten(5, 0, [])
    hot, other = beaten(1, 2, [])
    chances = [chance_to_restrain(battle, one.row, []) for battle, one in ((cold, unit), (hot, other))]
    assert (
        chances[1] == 21 / 36
        and chances[0]
        == sum(sum(sorted((a, b, c))[:2]) <= 7 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)) / 6**3
    )


def test_a_rule_of_profiles_adds_an_attack_and_what_it_includes() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(a=1, rules=["Bloodlust"]), (24, 24), models=5, files=5)
    foe = scene.beside(unit, 1, square(a=1), models=5, files=5)
    battle = scene.battle("combat", run=False)
    attacks = [blow_of(battle, a.row, battle.units.first_line[a], b.row).attacks for a, b in ((unit, foe), (foe, unit))]
    assert attacks == [2, 1]
    assert special_rules_of(battle, unit) == ("Bloodlust",) and models_have(battle, unit.row, IMMUNITY)
    assert is_unmoved(battle, unit.row) and not is_unmoved(battle, foe.row)


def test_the_schema_knows_the_name() -> None:
    with pytest.raises(ContentError, match="did you mean 'Cold Blood'"):
        validate(Card, square(rules=["Cold Blod"]), "<sheet>")
    with pytest.raises(ContentError, match="expected Cold Blood alone"):
        validate(Card, square(rules=["Cold Blood (2)"]), "<sheet>")
