"""Damage that is halved and added to: divisions come before additions and subtractions, in every edition of 40k."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.granting import with_changes
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.testing import Scene, choose, dice_left, kind, ranged, sheet
from wh_env.testing.weapon_rows import gun

SCENES = {"w8": EighthScene, "w9": NinthScene, "w10": Scene}
HALVED = {"name": "Thick", "effect": "halve Damage", "attacks": "suffered", "active": True}
MORE = {"name": "Hard", "effect": "+1 Damage", "active": True}
MADE = {"name": "Hard", "effect": "Damage", "attacks": "made", "by": 1, "active": True}
LESS = {"name": "Slow", "effect": "Damage", "attacks": "suffered", "by": -1, "active": True}


def lost(
    edition: str, player: int, detail: str, own: list[dict[str, Any]], theirs: list[dict[str, Any]], damage: Any = 5,
    dice: tuple[int, ...] = (6, 6, 1), **weapon: Any,
) -> int:  # fmt: skip
    """Wounds that a shot of this Damage costs a model with 20, with abilities of the shooter and of the target."""
    scene = SCENES[edition]()
    cannon = {"cannon": ranged(24, A=1, BS=2, S=10, AP=0, D=damage, **weapon)}
    unit = scene.unit(player, sheet("Gun", weapons=cannon, abilities={"other": own}), at=(10, 10), models=1)
    foe = scene.unit(1 - player, sheet("Foe", W=20, abilities={"other": theirs}), at=(20, 10), models=1)
    scene.unit(player, sheet("Friend"), at=(10, 40), models=1)
    battle: Battle = scene.battle("shooting", active=player, dice=[*dice], detail=detail)
    choose(battle, "own", unit.number)
    while battle.decision is not None and dice_left(battle) and kind(battle) in ("weapon-target", "shoot-target"):
        battle.apply(battle.decision.options[-1])
    assert dice_left(battle) == 0
    return int(20 - battle.models.wounds[foe.first])


@pytest.mark.rule(
    "w8.datasheet.modifiers", "w8.datasheet.modifiers.round-up", "w9.concepts.characteristic.modifiers", "w10.datasheet.abilities"
)  # fmt: skip
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("edition", list(SCENES))
@pytest.mark.parametrize(
    ("own", "theirs", "amount"),
    [
        ([], [HALVED], 3),
        ([MORE], [HALVED], 4),  # 5 / 2 = 3, and 1; not 6 / 2
        ([MADE], [HALVED], 4),
        ([MORE], [HALVED, LESS], 3),
        ([MORE], [], 6),
        ([], [HALVED, LESS], 2),
    ],
)
def test_damage_is_halved_before_it_is_added_to(
    own: list[dict[str, Any]], theirs: list[dict[str, Any]], amount: int, edition: str, detail: str, player: int
) -> None:
    assert lost(edition, player, detail, own, theirs) == amount


@pytest.mark.rule("w8.datasheet.modifiers", "w9.concepts.characteristic.modifiers")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("edition", list(SCENES))
def test_what_a_characteristic_says_itself_is_halved_with_it(edition: str, player: int) -> None:
    """Damage D6+2 with a 3 is 5: halved 3, then 1 more."""
    assert lost(edition, player, "squad", [MORE], [HALVED], "D6+2", (6, 6, 1, 3)) == 4


@pytest.mark.parametrize(
    ("damage", "changes", "mean"),
    [
        (5, [("halve Damage", 0), ("Damage", 1)], 4),
        ((1, 6, 0), [("halve Damage", 0), ("Damage", 1)], 3),
        ((1, 6, 0), [("halve Damage", 0), ("Damage", 2), ("Damage", -1)], 3),
    ],
)
def test_the_odds_count_alike(damage: Any, changes: list[tuple[str, int]], mean: float) -> None:
    """1, 1, 2, 2, 3, 3 and one more: 3 on average."""
    weapon, target = gun(a=1, s=8, ap=-6, d=damage), Target(4, 6, wounds=400)
    plain = damage_distribution(weapon, 0, 1, with_changes(0, [("Damage", 0)]), target, ATTACK_NUMBERS).mean_lost
    first = (weapon["damage_dice"] * 3.5 + weapon["damage_plus"])[0]
    changed = damage_distribution(weapon, 0, 1, with_changes(0, changes), target, ATTACK_NUMBERS).mean_lost
    assert changed / plain == pytest.approx(mean / first)
