"""Terrain that inspires (w9.terrain.inspiring)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.content.w40k.rules import checked_rules
from wh_env.rulesets.w9.numbers import CORE_RULES
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.testing import UnitHandle, sheet, told

STATUE = {"feature": "statue", "keyword": "IMPERIUM"}


def needed(
    player: int,
    at: Any,
    *,
    keywords: tuple[str, ...] = ("INFANTRY", "IMPERIUM"),
    inspiring: tuple[dict[str, str], ...] = (STATUE,),
    die: int = 6,
    detail: str = "squad",
    kinds: tuple[str, ...] = ("statue",),
    **base: Any,
) -> tuple[Battle, UnitHandle, dict[str, Any]]:
    """The Morale test (Ld 7, two slain) of a unit that stands at these places near a statue on (20, 20) to (22, 22)."""
    scene = NinthScene()
    for n, kind in enumerate(kinds):
        scene.box(20, 20 - 3 * n, 22, 22 - 3 * n, 3, kind=kind)
    scene.unit(1 - player, sheet("Calm", keywords=("INFANTRY", "IMPERIUM")), at=(50, 10), models=1)
    data = sheet("Shaken", Ld=7, keywords=keywords, **base)
    unit = scene.unit(player, data, at=[(1, 1), (1, 2.5), *at], lost=range(2), name="Shaken")

    def strike(battle: Battle) -> None:
        for k in range(2):
            battle.toll[unit.model(k)] = 1

    rules = {"cp_each_command_phase": 0, "inspiring": inspiring}
    battle = scene.battle("morale", active=player, dice=[die], set_state=strike, detail=detail, rules=rules)
    (test,) = told(battle, "w9.morale.test")
    return battle, unit, test


@pytest.mark.rule("w9.terrain.inspiring")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_units_wholly_near_have_one_more(player: int, detail: str) -> None:
    """6 + 2 against Ld 7: passed only where it is 8. Without the keyword it stays 7."""
    near = [(26, 21), (27.4, 21)]
    _, _, test = needed(player, near, detail=detail)
    assert (test["needed"], test["passed"]) == (8, True)
    _, _, test = needed(player, near, detail=detail, keywords=("INFANTRY",))
    assert (test["needed"], test["passed"]) == (7, False)
    _, _, test = needed(player, near, detail=detail, keywords=("INFANTRY",), inspiring=({"feature": "statue"},))
    assert test["needed"] == 8
    _, _, test = needed(player, near, detail=detail, inspiring=())
    assert test["needed"] == 7


@pytest.mark.rule("w9.terrain.inspiring")
@pytest.mark.parametrize(
    ("at", "base", "leadership"),
    [
        ([(27.5, 21)], {}, 8),  # the far side of the base is 6" away
        ([(27.6, 21)], {}, 7),
        ([(26, 21), (27.6, 21)], {}, 7),
        ([(22 + 0.7071 * 5.5, 22 + 0.7071 * 5.5)], {}, 8),  # round the corner
        ([(22 + 0.7071 * 5.6, 22 + 0.7071 * 5.6)], {}, 7),
        ([(26.9, 21)], {"base_mm": (90, 52)}, 8),
        ([(27.1, 21)], {"base_mm": (90, 52)}, 7),
        ([(21, 23.0)], {}, 8),
    ],
)
def test_every_part_of_every_base_is_so_near(at: Any, base: dict[str, Any], leadership: int) -> None:
    assert needed(0, at, **base)[2]["needed"] == leadership


@pytest.mark.rule("w9.terrain.inspiring")
def test_only_terrain_that_inspires_and_each_once() -> None:
    """A container beside it does not; two statues add 1 together."""
    assert needed(0, [(24, 21)], kinds=("container",))[2]["needed"] == 7
    assert needed(0, [(24, 20)], kinds=("statue", "statue"))[2]["needed"] == 8
    assert needed(0, [(24, 21)], kinds=("container", "statue"))[2]["needed"] == 8


def test_rules_that_name_no_kind_of_feature_are_refused() -> None:
    assert checked_rules(NINTH_EDITION, CORE_RULES, {"inspiring": [STATUE]})
    for wrong in ({"feature": "moon"}, {"keyword": "IMPERIUM"}, {"feature": "statue", "by": 2}):
        with pytest.raises(ContentError):
            checked_rules(NINTH_EDITION, CORE_RULES, {"inspiring": [wrong]})
