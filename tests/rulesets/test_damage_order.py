"""Damage that is halved and added to: divisions come before additions and subtractions, in every edition of 40k."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.granting import with_changes
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.testing.weapon_rows import gun


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
