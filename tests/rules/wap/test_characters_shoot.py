"""Characters who have other missile weapons than the unit in which they stand."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.rulesets.wap.charge.reactions import HOLD, SHOOT
from wh_env.rulesets.wap.codes import JOINED, MARCHED, MOVED
from wh_env.rulesets.wap.shooting.shooting import targets_of
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

SHOTS, ANSWER = "wap.shoot.hit.roll", "wap.charge.stand-shoot.resolve"


def before_foes(
    own: list[str], weapons: list[list[str]], *, away: float = 10.0, dice: tuple[int, ...] = (), phase: str = "shooting", player: int = 0, **more: Any
) -> tuple[Battle, UnitHandle, list[UnitHandle], UnitHandle]:  # fmt: skip
    """Ten men less the heroes among them, in two ranks, and two dozen enemies so many inches before them."""
    scene = RegimentScene((48, 72))
    unit = scene.unit(0, square(equipment=["hand weapon", *own]), (24, 10), models=10 - len(weapons), files=5)
    lords = [
        scene.unit(0, hero(equipment=["hand weapon", *arms], bs=4, s=4), inside=unit, models=1, post=post, name=f"hero {post}")
        for post, arms in enumerate(weapons)
    ]  # fmt: skip
    foe = scene.unit(1, square(ld=10), (24, 10 + away), models=24, files=6, facing=-1.5707963267948966)
    scene.unit(1, None, (24, 60))
    return scene.battle(phase, dice=dice, player=player, **more), unit, lords, foe


def shoot(battle: Battle, unit: UnitHandle, foe: UnitHandle) -> None:
    choose(battle, "own", unit.number)
    if kind(battle) == "shoot-target":
        choose(battle, "enemy", foe.number)


def volleys(battle: Battle, rule: str = SHOTS) -> list[tuple[int, str, int, int]]:
    """Who has shot with what, how often, and what that needed."""
    return [(shot["unit"], shot["name"], shot["amount"], shot["needed"]) for shot in told(battle, rule)]


@pytest.mark.rule("wap.shoot.one-attack", "wap.shoot.same-target", "wap.character.combined.one-unit")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_he_shoots_his_own_weapon_with_them(detail: str) -> None:
    """Nine crossbows on 4+, then his handgun with his Ballistic Skill on 3+: of its own Strength 4, and once."""
    dice = (*[1] * 9, 3, 4, 1)  # to hit, his hit, wounds and is not saved
    battle, unit, [lord], foe = before_foes(["crossbow"], [["handgun"]], detail=detail, dice=dice)
    shoot(battle, unit, foe)
    assert volleys(battle) == [(unit.row, "crossbow", 9, 4), (lord.row, "handgun", 1, 3)]
    assert [shot["target"] for shot in told(battle, SHOTS)] == [foe.row] * 2
    assert battle.units.alive[foe] == 23
    assert len(told(battle, SHOTS)) == 2 and kind(battle) != "select-to-shoot"  # all have shot


@pytest.mark.rule("wap.shoot.one-attack")
def test_with_the_same_weapon_he_shoots_with_the_others() -> None:
    battle, unit, _, foe = before_foes(["crossbow"], [["crossbow"]], dice=(1,) * 10)
    shoot(battle, unit, foe)
    assert sorted(volleys(battle)) == [(unit.row, "crossbow", 1, 3), (unit.row, "crossbow", 9, 4)]


@pytest.mark.rule("wap.shoot.one-attack", "wap.shoot.target")
def test_he_shoots_from_a_unit_that_has_nothing_to_shoot_with() -> None:
    battle, unit, [lord], foe = before_foes([], [["handgun"]], dice=(3, 4, 1))
    assert targets_of(battle, unit.row) == [foe.row]
    shoot(battle, unit, foe)
    assert volleys(battle) == [(lord.row, "handgun", 1, 3)]
    assert battle.units.alive[foe] == 23 and kind(battle) != "select-to-shoot"


@pytest.mark.rule("wap.shoot.one-attack")
def test_two_of_them_shoot_each_with_his_own() -> None:
    battle, unit, lords, foe = before_foes(["crossbow"], [["handgun"], ["pistol"]], dice=(1,) * 10)
    shoot(battle, unit, foe)
    assert volleys(battle) == [
        (unit.row, "crossbow", 8, 4),
        (lords[0].row, "handgun", 1, 3),
        (lords[1].row, "pistol", 1, 3),
    ]


@pytest.mark.rule("wap.shoot.some-cannot", "wap.shoot.range")
@pytest.mark.parametrize(
    ("own", "arms", "away", "shots"), [("crossbow", "pistol", 14.0, ["crossbow"]), ("pistol", "crossbow", 14.0, ["crossbow"])]
)  # fmt: skip
def test_whose_weapon_reaches_shoots_alone(own: str, arms: str, away: float, shots: list[str]) -> None:
    battle, unit, _, foe = before_foes([own], [[arms]], away=away, dice=(1,) * 10)
    shoot(battle, unit, foe)
    assert [shot["name"] for shot in told(battle, SHOTS)] == shots


@pytest.mark.rule("wap.shoot.hit.moved", "wap.special.move-or-fire")
def test_what_the_unit_has_done_holds_for_him() -> None:
    """The unit has moved: its bows need one more, his crossbow stays silent, a bow of his would need one more too."""
    for arms, shots in (("crossbow", ["bow"]), ("longbow", ["bow", "longbow"])):
        battle, unit, _, foe = before_foes(
            ["bow"], [[arms]], dice=(1,) * 10, set_state=lambda b: b.units.did.__setitem__(0, MOVED)
        )
        shoot(battle, unit, foe)
        assert [(shot["name"], shot["needed"]) for shot in told(battle, SHOTS)] == list(
            zip(shots, (5, 4), strict=False)
        )


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("own", "his", "deeds", "shots"), [
    ("short bow", "short bow", MOVED | JOINED, [("short bow", 10, 4)]),
    ("short bow", "longbow", MOVED | JOINED, [("short bow", 9, 4), ("longbow", 1, 4)]),
    ("short bow", "short bow", MOVED | JOINED | MARCHED, [("short bow", 9, 4)]),
    ("short bow", "longbow", MOVED | JOINED | MARCHED, [("short bow", 9, 4)]),
    ("crossbow", "crossbow", MOVED | JOINED, [("crossbow", 9, 4)]),
    ("short bow", "crossbow", MOVED | JOINED, [("short bow", 9, 4)]),
    ("short bow", "short bow", 0, [("short bow", 9, 4), ("short bow", 1, 3)]),
])  # fmt: skip
@pytest.mark.rule(
    "wap.shoot.hit.moved", "wap.move.march.no-shooting", "wap.special.move-or-fire", "wap.character.join.unit-not-moved"
)
def test_who_has_moved_to_join_shoots_as_who_has_moved(
    player: int, own: str, his: str, deeds: int, shots: list[tuple[str, int, int]]
) -> None:
    """The unit that he joins has not moved; he has, so he needs one more, and shoots not at all after a march or with
    what is moved or fired."""
    scene = RegimentScene((48, 48))
    unit = scene.unit(player, square(equipment=["hand weapon", own]), (24, 20), models=9, files=5, facing=NORTH)
    lord = scene.unit(player, hero(equipment=["hand weapon", his], bs=4), inside=unit, models=1, post=2)
    foe = scene.unit(1 - player, square(ld=10), (24, 31), models=24, files=6, facing=SOUTH)
    battle = scene.battle("shooting", player=player, detail="full", dice=(1,) * 12, run=False)
    battle.units.did[unit], battle.units.did[lord] = JOINED if deeds else 0, deeds
    battle.run()
    shoot(battle, unit, foe)
    while kind(battle) == "shoot-way":
        choose(battle, "option", 0)  # once
    made: dict[tuple[str, int], int] = {}
    for shot in told(battle, SHOTS):
        made[shot["name"], shot["needed"]] = made.get((shot["name"], shot["needed"]), 0) + shot["amount"]
    assert made == {(name, needed): amount for name, amount, needed in shots}


@pytest.mark.rule("wap.charge.stand-shoot.weapons", "wap.charge.stand-shoot.resolve")
@pytest.mark.parametrize("own", [[], ["bow"]])
def test_he_stands_and_shoots(own: list[str]) -> None:
    """At -1: 5+ and 4+."""
    battle, unit, [lord], foe = before_foes(own, [["longbow"]], away=7.0, phase="movement", player=1, dice=(1,) * 10)
    choose(battle, "own", foe.number)
    if kind(battle) == "charge-target":
        choose(battle, "enemy", unit.number)
    assert kind(battle) == "charge-reaction" and slots(battle, "option")[:2] == [HOLD, SHOOT]
    choose(battle, "option", SHOOT)
    rest = [(unit.row, "bow", 9, 5)] if own else []
    assert volleys(battle, ANSWER) == [*rest, (lord.row, "longbow", 1, 4)]
    assert dice_left(battle) <= 9
