"""Enchanted items that their bearers wear all the time: the Crown of Command and the Terrifying Mask of EEE!"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from charging import charge
from heroes import hero, horse, rider
from results import play, rescored, scored, state

from wh_env import Battle
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.codes import BROKEN, HELD
from wh_env.rulesets.wap.morale.leadership import leadership_value
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.special.psychology import is_stubborn
from wh_env.testing import dice_left, kind, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
CROWN = "Crown of Command"


def beaten(
    scene: RegimentScene, unit: UnitHandle, foe: UnitHandle, lost_by: int, set_state: Callable[[Battle], None] | None
) -> Battle:
    """The battle after a combat that a unit has lost by so many points, before its break test."""
    battle = scored(scene, unit, set_state=set_state)
    own, against = (state(battle, row)["own"] for row in (unit, foe))
    return rescored(battle, {(foe, unit): lost_by - against + own})


@OWNERS
@pytest.mark.rule("wap.item.enchanted.crown-of-command")
@pytest.mark.parametrize(
    ("where", "outcome"), [("inside", HELD), ("slain", BROKEN), ("elsewhere", BROKEN), ("nobody", BROKEN)]
)
def test_the_crown_of_command_makes_a_unit_stubborn(owner: int, where: str, outcome: int) -> None:
    """Leadership 8, beaten by 4 by twice as many: with the wearer it holds with an 8, without him it needs 4."""
    scene = RegimentScene()
    unit = scene.unit(owner, square(ld=8), (24, 20 if owner == 0 else 28), models=10, files=5)
    wearer = scene.unit(
        owner, hero(ld=8), **({"at": (6, 6)} if where == "elsewhere" else {"inside": unit}), models=1, files=1,
        items=[CROWN] if where != "nobody" else [],
    )  # fmt: skip
    foe = scene.beside(unit, 1 - owner, models=30, files=5)
    battle = beaten(scene, unit, foe, 4, (lambda battle: slay(battle, wearer.model())) if where == "slain" else None)
    play(battle, BreakTests, dice=[4, 4])
    assert battle.units.penalty[unit] == 4 and dice_left(battle) == 0
    assert battle.units.outcome[unit] == outcome
    if outcome == BROKEN:
        assert told(battle, "wap.break.test")[0]["leadership"] == 4


@OWNERS
@pytest.mark.rule("wap.item.enchanted.crown-of-command")
def test_riders_have_the_crown_of_command_with_a_rider(owner: int) -> None:
    """Another hero in the unit too; none of another unit."""
    scene = RegimentScene()
    unit = scene.unit(owner, horse(), (24, 24), models=5, files=5)
    wearer = scene.unit(owner, rider(), inside=unit, models=1, items=[CROWN])
    friend = scene.unit(owner, rider(), inside=unit, models=1)
    other = scene.unit(owner, horse(), (8, 24), models=5, files=5)
    scene.unit(1 - owner, None, (6, 46 if owner == 0 else 2), models=5)
    battle = scene.battle("combat", player=owner, run=False)
    assert [is_stubborn(battle, row.row) for row in (unit, wearer, friend, other)] == [True, True, True, False]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.crown-of-command")
def test_the_wearer_of_the_crown_of_command_is_stubborn_alone(owner: int) -> None:
    scene = RegimentScene()
    wearer = scene.unit(owner, hero(ld=8, w=9), (24, 20 if owner == 0 else 28), models=1, files=1, items=[CROWN])
    foe = scene.beside(wearer, 1 - owner, models=10, files=5)
    battle = beaten(scene, wearer, foe, 5, None)
    play(battle, BreakTests, dice=[4, 4])
    assert battle.units.penalty[wearer] == 5 and battle.units.outcome[wearer] == HELD


# ---------------------------------------------------------------- the mask


MASK = "Terrifying Mask of EEE!"
CHARGED = "wap.special.terror.charged"
PANICS = "wap.panic.heavy-casualties"


@OWNERS
@pytest.mark.rule("wap.item.enchanted.terrifying-mask")
@pytest.mark.parametrize(("items", "value"), [([], 9), ([MASK], 7)])
def test_nobody_uses_the_leadership_of_the_wearer_of_the_mask(owner: int, items: list[str], value: int) -> None:
    """A General of Leadership 9 in a unit of Leadership 7: that unit, and one 6 inches away, panic with an 8."""
    scene = RegimentScene()
    unit = scene.unit(owner, square(ld=7), (24, 24), models=10, files=5)
    general = scene.unit(owner, hero(ld=9), inside=unit, models=1, leads=["general"], items=items)
    other = scene.unit(owner, square(ld=7), (35, 24), models=10, files=5)
    scene.unit(1 - owner, None, (6, 46 if owner == 0 else 2), models=5)
    battle = scene.battle("combat", player=owner, run=False)
    for row in (unit, other):
        script(battle, [4, 4])
        assert takes_fright(battle, row.row, PANICS) == (value == 7)
        assert told(battle, PANICS)[-1]["leadership"] == value and dice_left(battle) == 0
    assert leadership_value(battle, general.row) == 9
    assert leadership_value(battle, unit.row, unmodified=True) == value
    assert leadership_value(battle, unit.row, steadfast=True) == value


@OWNERS
@pytest.mark.rule("wap.item.enchanted.terrifying-mask")
@pytest.mark.parametrize("first", [True, False])
def test_the_wearer_of_the_mask_has_his_own_leadership(owner: int, first: bool) -> None:
    """Once the unit has fallen, the character beside him leads; when he has fallen too, the wearer does."""
    scene = RegimentScene()
    unit = scene.unit(owner, square(ld=7), (24, 24), models=10, files=5)
    wears = [[MASK], []] if first else [[], [MASK]]
    heroes = [scene.unit(owner, hero(ld=9 if items else 8), inside=unit, models=1, items=items) for items in wears]
    scene.unit(1 - owner, None, (6, 46 if owner == 0 else 2), models=5)
    battle = scene.battle("combat", player=owner, run=False)
    wearer, other = heroes if first else reversed(heroes)
    assert leadership_value(battle, unit.row) == 8
    suffer(battle, unit.row, 10)
    assert leadership_value(battle, heroes[0].row) == 8 and battle.units.alive[unit] == 0
    slay(battle, other.model())
    assert leadership_value(battle, wearer.row) == 9


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.enchanted.terrifying-mask")
@pytest.mark.parametrize("items", [[MASK], []])
def test_the_mask_causes_terror(owner: int, detail: str, items: list[str]) -> None:
    """An enemy of Leadership 7 fails with a 12 as the wearer's unit charges, and flees."""
    scene = RegimentScene()
    y, ahead = (20, 26) if owner == 0 else (28, 22)
    unit = scene.unit(owner, None, (24, y), models=10, files=5)
    scene.unit(owner, hero(), inside=unit, models=1, items=items)
    foe = scene.unit(1 - owner, square(ld=7), (24, ahead), models=10, files=5)
    scene.unit(owner, None, (44, 24), models=5)  # it keeps the phase from going on
    battle = scene.battle("movement", player=owner, dice=[6, 6] * len(items), detail=detail)
    charge(battle, unit, foe)
    assert [row["passed"] for row in told(battle, CHARGED) if "passed" in row] == [False] * len(items)
    assert battle.units.fleeing[foe] == len(items) and (kind(battle) == "charge-reaction") is not bool(items)
