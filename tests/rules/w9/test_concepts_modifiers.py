"""Several modifiers of one characteristic, as attacks are made with it (w9.concepts.characteristic.modifiers, .minimum)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.testing import pick, ranged, sheet, told

NAMES = {
    "double": "double Strength",
    "halve": "halve Strength",
    "+1": "+1 Strength",
    "-1": "-1 Strength",
    "6": "Strength 6",
}


def needed(strength: int, toughness: int, rules: str, *, player: int = 0, spread: bool = False) -> int:
    """The wound roll that a gun of this Strength needs against a Toughness, its unit under these rules (those of other units: auras)."""
    scene = NinthScene()
    abilities = [{"name": f"Rule {n}", "effect": NAMES[rule], "active": True} for n, rule in enumerate(rules.split())]
    own: dict[str, Any] = {} if spread else {"other": abilities}
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=strength)}, abilities=own), at=(10, 10))
    for n, ability in enumerate(abilities if spread else []):
        lends = {"auras": [{**ability, "range": 6}]}
        scene.unit(player, sheet(f"Bearer {n}", abilities=lends), at=(10 + 1.5 * n, 8))
    scene.unit(1 - player, sheet("Target", T=toughness, W=9), at=(10, 20))
    battle = scene.battle("shooting", active=player, dice=[6, 1])
    pick(battle, "Guns")
    (event,) = told(battle, "w9.attack.wound")
    return int(event["needed"])


def strength(printed: int, rules: str, **how: Any) -> int:
    """The Strength with which attacks are made: the Toughness that they wound on a 4+."""
    return next(toughness for toughness in range(1, 20) if needed(printed, toughness, rules, **how) == 4)


@pytest.mark.rule("w9.concepts.characteristic.modifiers")
@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("printed", "rules", "result"),
    [
        (3, "double +1", 7),
        (3, "+1 double", 7),
        (5, "halve -1", 2),
        (5, "-1 halve", 2),
        (4, "6 -1", 5),
        (4, "-1 6", 5),
        (5, "halve double", 5),
        (5, "halve", 3),
        (3, "+1 +1", 5),
        (4, "6 double +1 -1", 12),
    ],
)
def test_strength_is_modified_in_order_and_rounded_up_last(
    printed: int, rules: str, result: int, player: int, spread: bool
) -> None:
    """Replaced, divided, multiplied, added, subtracted, in whatever order the rules came; 5/2 - 1 = 1.5 is 2."""
    assert strength(printed, rules, player=player, spread=spread) == result


@pytest.mark.rule("w9.concepts.characteristic.minimum")
@pytest.mark.parametrize(
    ("printed", "rules", "result"), [(1, "-1", 1), (2, "-1 -1", 1), (1, "halve -1", 1), (2, "-1", 1)]
)
def test_a_strength_is_never_below_1(printed: int, rules: str, result: int) -> None:
    assert strength(printed, rules) == result
