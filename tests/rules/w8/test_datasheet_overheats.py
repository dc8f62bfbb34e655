"""Weapons whose hit rolls of 1 slay their bearer, an ability of datasheets (w8.datasheet.abilities)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from eighth import EighthScene
from eighth_shooting import HIT, declare, house, rolls, shoot, shots, squad, waits, wounds

from wh_env import Battle
from wh_env.content.fields import Amount
from wh_env.content.w8.load import load_datasheet
from wh_env.testing import dice_left, pick, ranged, sheet, told

OVERHEATS = ranged(24, A=2, BS=3, S=8, AP=-6, D=2, abilities=["Assault", "Overheats"])
SAFE = ranged(24, A=2, BS=3, S=8, AP=-6, D=2, abilities=["Assault"])


def slain(battle: Battle) -> list[int]:
    """Models slain by their own weapons, in order."""
    return [e["model"] for e in told(battle, "w8.datasheet.abilities") if "attacker" in e]


@pytest.mark.rule("w8.datasheet.abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("weapon", "dice", "dies"), [
    (OVERHEATS, [1, 3, 2], True),  # the other shot is resolved first: it wounds, no save, 2 damage
    (OVERHEATS, [1, 1], True),  # slain once
    (OVERHEATS, [2, 2], False),
    (SAFE, [1, 1], False),
])  # fmt: skip
def test_a_hit_roll_of_one_slays_the_bearer(weapon, dice, dies, detail, player):
    battle, foe = shoot(weapon, dice, detail=detail, player=player, models=1)
    assert dice_left(battle) == 0
    mine = battle.players.first_unit[player]
    assert bool(battle.units.alive[mine]) is not dies
    assert slain(battle) == ([battle.units.first[mine]] if dies else [])
    assert wounds(battle, foe) == [9 - 2 * (3 in dice)]


@pytest.mark.rule("w8.datasheet.abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_each_bearer_answers_for_its_own_rolls(detail, player):
    """Of three the second rolls a 1: the first and the third stay, and the third shoots on."""
    battle, _ = shoot(OVERHEATS, [2, 2, 1, 2, 2, 2], count=3, detail=detail, player=player, models=1)
    while waits(battle, "profile-order"):
        battle.apply(battle.first_legal())
    assert dice_left(battle) == 0
    first = battle.units.first[battle.players.first_unit[player]]
    assert slain(battle) == [first + 1]
    assert [battle.models.alive[first + k] for k in range(3)] == [1, 0, 1]
    assert [attacker for attacker, _ in shots(battle)] == [first, first, first + 1, first + 1, first + 2, first + 2]


@pytest.mark.rule("w8.datasheet.abilities", "w8.concepts.reroll.before-modifiers")
@pytest.mark.parametrize(("dice", "dies"), [([1, 2, 3, 2], False), ([1, 2, 1], True)])
def test_a_roll_that_was_made_again_counts_as_it_stands(dice: Sequence[int], dies: bool) -> None:
    """A 1 made again is a 3, which wounds, or a second 1."""
    rules = house("re-roll hit rolls of 1")
    battle, _ = shoot(OVERHEATS, dice, rules=rules, models=1)
    assert dice_left(battle) == 0
    assert bool(slain(battle)) is dies


@pytest.mark.rule("w8.datasheet.abilities")
@pytest.mark.parametrize(("effect", "needed"), [("+1 to hit", 2), ("-1 to hit", 4)])
def test_the_die_itself_counts(effect: str, needed: int) -> None:
    """With 1 more a 1 slays the bearer all the same, with 1 less a 2 only misses."""
    battle, _ = shoot(OVERHEATS, [1, 1], rules=house(effect), models=1)
    assert [die[1] for die in rolls(battle, HIT)] == [needed, needed]
    assert slain(battle) == [0]
    battle, _ = shoot(OVERHEATS, [2, 3] if needed == 4 else [2, 2, 1, 1], rules=house(effect), models=1)
    assert slain(battle) == []


@pytest.mark.rule("w8.datasheet.abilities")
@pytest.mark.parametrize("player", [0, 1])
def test_what_the_slain_bearer_has_not_fired_is_lost(player: int) -> None:
    """Its second weapon, at another target, makes no attack; the unit is destroyed, and with it the army."""
    weapons = {"hot": OVERHEATS, "safe": SAFE}
    scene = EighthScene()
    scene.unit(player, squad("Guns", [(1, ["hot", "safe"])], weapons), at=(10, 10))
    for n in range(2):
        scene.unit(1 - player, sheet(f"X{n}", W=9), at=(10 + 10 * n, 20))
    battle = scene.battle("shooting", active=player, detail="full", dice=[1, 1])
    pick(battle, "Guns")
    declare(battle, "at X0", "at X1")
    if waits(battle, "target-order"):
        pick(battle, "X0")
    assert battle.over
    assert len(shots(battle)) == 2
    assert len(slain(battle)) == 1


@pytest.mark.rule("w8.datasheet.abilities", "w8.morale.slain-count")
def test_its_own_unit_counts_it_among_the_slain() -> None:
    battle, _ = shoot(OVERHEATS, [1, 1, 2, 2], count=2, models=1)
    while waits(battle, "profile-order"):
        battle.apply(battle.first_legal())
    assert battle.toll[0] == 1
    assert battle.toll[1] == 0


@pytest.mark.rule("w8.datasheet.abilities", "w8.charge.overwatch.normal-rules")
def test_in_overwatch_too() -> None:
    """The charger goes on with nobody left to fight."""
    scene = EighthScene()
    scene.unit(0, sheet("Mine", W=9), at=(10, 10))
    scene.unit(1, sheet("Guns", weapons={"gun": OVERHEATS}), at=[(10, 16), (12, 16)])
    battle = scene.battle("charge", dice=[1, 2, 2, 2, 6, 6])
    pick(battle, "Mine")
    pick(battle, "Overwatch: Guns")
    assert slain(battle) == [1]
    assert dice_left(battle) == 0
    assert battle.units.alive[1] == 1


@pytest.mark.rule("w8.datasheet.abilities", "w8.datasheet.weapon.profile")
def test_hellblasters_may_supercharge() -> None:
    weapon = load_datasheet("Hellblaster Squad").weapons["Plasma incinerator"]
    standard, hot = weapon.profiles
    assert [(p.S.fixed, p.AP, p.D) for p in (standard, hot)] == [
        (Amount(plus=7), -4, Amount(plus=1)),
        (Amount(plus=8), -4, Amount(plus=2)),
    ]
    assert standard.rules() == ["Rapid Fire 1"]
    assert hot.rules() == ["Overheats", "Rapid Fire 1"]
