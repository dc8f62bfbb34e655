"""Models that move through others, as their moves are played (w9.rare.move-through.*)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w9.codes import Phase
from wh_env.testing import UnitHandle, apart, cell_nearest, choose, kind, melee, pick, sheet, slots
from wh_env.testing.moves import walk

FLYING, WALKING = ("INFANTRY", "FLY"), ("INFANTRY",)
ARMS = {"blade": melee()}


def across(
    keywords: tuple[str, ...], near: float, detail: str, player: int, friend: tuple[float, float] = (50, 5)
) -> tuple[Battle, UnitHandle]:
    """A model of M 8" at (10, 20) and a row of enemies from one side to the other, so far beyond its centre along x."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", M=8, keywords=keywords), at=(10, 20), models=1)
    scene.unit(player, sheet("Friend"), at=friend, models=1)
    scene.unit(1 - player, sheet("Foes"), at=[(10 + near, 0.7 + 1.3 * k) for k in range(33)])
    battle = scene.battle(active=player, detail=detail, dice=[1])
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad


def ends(battle: Battle, x: float, reach: float) -> bool:
    """Whether the model may end its move so far along x, straight on."""
    if kind(battle) in ("move-to", "fall-back-to"):
        return cell_nearest(battle, x - 10, 0, reach) in slots(battle, "cell")
    try:
        return abs(walk(battle.clone(), 0, x, 20)[0] - x) < 0.07
    except LookupError:
        return False


@pytest.mark.rule("w9.rare.move-through.engagement", "w9.rare.move-through.end-engaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("keywords", [FLYING, WALKING])
@pytest.mark.parametrize(
    ("move", "near", "reach"), [("Normal move", 3.0, 8.0), ("Advance", 3.0, 9.0), ("Fall Back", 1.9, 8.0)]
)
def test_through_enemies_and_out_of_engagement_range(
    move: str, near: float, reach: float, keywords: tuple[str, ...], detail: str, player: int
) -> None:
    """Beyond the enemies 1.2" from their bases and more is legal with FLY, within 1" of them is not; nobody on foot gets there."""
    battle, _ = across(keywords, near, detail, player)
    pick(battle, f"Squad: {move}")
    step = reach / 8 if detail == "squad" else 0.05
    for gap in (0.4, 0.85, 1.2, 1.9):
        x = 10 + near + 1 + gap
        if detail == "squad":  # the centre of the cell
            x = 10 + round((x - 10) / step) * step
        beyond = x - 10 - near - 1
        if abs(beyond - 1.0) < 0.06 or x - 10 > reach:
            continue
        assert ends(battle, x, reach) == (keywords == FLYING and beyond > 1.0), beyond


@pytest.mark.rule("w9.rare.move-through.end-on")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_never_on_a_model(detail: str, player: int) -> None:
    """A friend 5" on: its base is passed, and no move ends on it."""
    battle, _ = across(FLYING, 30.0, detail, player, friend=(15, 20))
    pick(battle, "Squad: Normal move")
    for x, free in ((12.0, True), (15.0, False), (15.3, False), (17.0, True), (18.0, True)):
        assert ends(battle, x, 8.0) == free


@pytest.mark.rule("w9.rare.move-through.end-charge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "made"), [(2.5, True), (-0.2, False)])
def test_a_charge_at_who_stands_behind_others(gap: float, made: bool, detail: str, player: int) -> None:
    """A charge against B2 alone, a row of whom stands behind a row of B1: with 7 it flies over B1 and ends within 1" of B2 and not of B1;
    with 5 no such place is in reach, although it could end beside both, and it fails. Who declares both ends beside both."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", keywords=FLYING, weapons=ARMS), at=(10, 22), models=1)
    scene.unit(player, sheet("Idle"), at=(3, 3), models=1)
    front = scene.unit(1 - player, sheet("B1"), at=[(14, 0.7 + 1.3 * k) for k in range(33)])
    behind = scene.unit(1 - player, sheet("B2"), at=[(15 + gap, 1.35 + 1.3 * k) for k in range(32)])
    dice = [4, 3] if made else [3, 2]
    battle = scene.battle("charge", active=player, detail=detail, dice=dice, rules={"cp_each_command_phase": 0})
    both = battle.clone()
    for played, declared in ((battle, ("B2",)), (both, ("B1", "B2"))):
        pick(played, "Squad", kind="select-to-charge")
        for name in declared:
            pick(played, name, kind="charge-target")
        while kind(played) == "charge-target":
            choose(played, "done")
        while kind(played) != "select-to-charge" and played.clock.phase[0] == Phase.CHARGE:
            engine: Any = (
                [a for a in played.decision.options if "engine" in played.describe(a)] if played.decision else []
            )
            played.apply(engine[0] if engine else played.first_legal())
    assert engaged(battle, squad, behind) == made
    assert not engaged(battle, squad, front)
    assert bool(battle.units.charged[squad]) == made
    if not made:
        assert engaged(both, squad, behind) and engaged(both, squad, front)


def engaged(battle: Battle, unit: UnitHandle, other: UnitHandle) -> bool:
    """Whether the first model of the unit is within 1" of any of the other."""
    return any(apart(battle, unit.first, k) <= 1.0 for k in battle.members(other.row))
