"""Charging and fighting across a Defence Line (w9.terrain.defence-line)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import dice_left, melee, pick, ranged, sheet, words
from wh_env.testing.melee_moves import check_charge_move

BLADE = {"blade": melee(A=1, WS=2, S=8, AP=0), "gun": ranged(24, BS=2, S=8)}
STILL = {"cp_each_command_phase": 0}


def stay(battle: Battle) -> None:
    """Nobody piles in or consolidates until the Fight phase is over."""
    while battle.decision is not None and battle.decision.kind in ("pile-in", "consolidate"):
        pick(battle, "do not")


def charge(dice: list[int], player: int = 0, kind: str = "barricade", enemy: float = 0.5, **more: Any) -> Battle:
    """A1 with its front 4" before a barricade 1" thick, B1 ``enemy`` inches behind it."""
    scene = NinthScene()
    scene.box(20, 20, 40, 21, 1, kind=kind)
    scene.unit(player, sheet("Chargers", weapons=BLADE), at=(30, 15.5), models=1)
    scene.unit(1 - player, sheet("Foes", weapons=BLADE, W=9), at=(30, 21 + enemy + 0.5), models=1)
    battle: Battle = scene.battle("charge", active=player, dice=dice, rules=STILL, **more)
    pick(battle, "Chargers", kind="select-to-charge")
    if battle.decision is not None and battle.decision.kind == "charge-target":
        pick(battle, "charge Foes")
    while battle.decision is not None and battle.decision.kind == "defend":
        battle.apply(battle.first_legal())  # neither
    if battle.decision is not None and battle.decision.kind == "close-order":
        pick(battle, "leave the move to the engine")
    return battle


def made(battle: Battle) -> bool:
    """Whether the Chargers made their charge move."""
    return any(e.kind == "charges" for e in battle.events)


@pytest.mark.rule("w9.terrain.defence-line")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_charge_ends_at_the_near_side(player: int, detail: str) -> None:
    """B1 0.5" behind: a 4 brings A1 into touch with the barricade, 1.5" from B1; a 3 does not, nor is any other feature charged across."""
    battle = charge([2, 2], player, detail=detail)
    assert made(battle)
    a, b = (battle.models.rows["y"] < 20).argmax(), (battle.models.rows["y"] > 20).argmax()
    assert battle.models.y[a] == pytest.approx(19.5, abs=0.01)
    assert battle.distance(int(a), int(b)) == pytest.approx(1.5, abs=0.01)
    assert not made(charge([1, 2], player, detail=detail))
    assert not made(charge([2, 2], player, kind="debris", detail=detail))


@pytest.mark.rule("w9.terrain.defence-line")
def test_the_enemy_has_to_be_near_the_line() -> None:
    """Just under 1" behind it is near enough, 1.1" is not."""
    assert made(charge([2, 2], enemy=0.99))
    assert not made(charge([2, 2], enemy=1.1))


def judged(y: float, x: float = 30, enemy: float = 0.5, kind: str = "barricade") -> Fault:
    """The verdict on a charge of one model that ends with its centre at (x, y)."""
    scene = NinthScene()
    scene.box(20, 20, 40, 21, 1, kind=kind)
    unit = scene.unit(0, sheet("Chargers"), at=(30, 14), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 21 + enemy + 0.5), models=1)
    return check_charge_move(scene.battle("charge", run=False), unit, [foes], 7, {0: [(x, y)]})


@pytest.mark.rule("w9.terrain.defence-line")
def test_it_ends_touching_the_feature_and_within_two_inches() -> None:
    assert judged(19.5) == Fault.LEGAL
    assert judged(19.4) == Fault.NOT_ENGAGED  # 1.6" away, but not touching
    reach = (3.0**2 - 2.5**2) ** 0.5
    assert judged(19.5, x=30 + reach - 0.001) == Fault.LEGAL
    assert judged(19.5, x=30 + (3.1**2 - 2.5**2) ** 0.5) == Fault.NOT_ENGAGED  # 2.1" away
    assert judged(19.5, kind="debris") == Fault.NOT_ENGAGED


@pytest.mark.rule("w9.terrain.defence-line")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_after_such_a_charge_both_may_fight(player: int, detail: str) -> None:
    """The charger strikes first, then B1 strikes back at what is left."""
    battle = charge([2, 2, 6, 6, 1, 6, 6, 1], player, detail=detail)
    assert made(battle)
    while battle.decision is not None and dice_left(battle):
        stay(battle)
        if battle.decision is not None and dice_left(battle):
            battle.apply(battle.first_legal())
    units = [e.data["unit"] for e in battle.events if e.kind == "selected to fight"]
    names = [battle.setup.names["units"][u] for u in units]
    assert names[:2] == ["Chargers", "Foes"]
    assert dice_left(battle) == 0


def facing(kind: str | None, apart: float = 1.5, phase: str = "fight", thick: float = 0.6, **more: Any) -> Battle:
    """Two units ``apart`` with a feature half way between them."""
    scene = NinthScene()
    middle = 20 + thick / 2
    scene.unit(0, sheet("Chargers", weapons=BLADE, W=9), at=(30, middle - apart / 2 - 0.5), models=1)
    if kind is not None:
        scene.box(20, 20, 40, 20 + thick, 1, kind=kind)
    scene.unit(1, sheet("Foes", weapons=BLADE, W=9), at=(30, middle + apart / 2 + 0.5), models=1)
    battle: Battle = scene.battle(phase, rules=STILL, **more)
    return battle


def fought(battle: Battle) -> int:
    stay(battle)
    return len([e for e in battle.events if e.kind == "selected to fight"])


@pytest.mark.rule("w9.terrain.defence-line")
@pytest.mark.parametrize("active", [0, 1])
def test_units_on_opposite_sides_fight_within_two_inches(active: int) -> None:
    dice = [6, 6, 1, 6, 6, 1]
    for apart, both in ((1.5, True), (2.0, True), (2.1, False)):
        battle = facing("barricade", apart, dice=dice, active=active)
        assert (fought(battle) == 2) == both, apart
        assert (battle.models.wounds[0] < 9) == (battle.models.wounds[1] < 9) == both
    for kind in (None, "debris", "container", "crater"):
        assert fought(facing(kind, dice=dice, active=active)) == 0, kind


@pytest.mark.rule("w9.terrain.defence-line")
def test_each_model_needs_its_target_across_the_line() -> None:
    """Of three models two have the enemy within 2" on the opposite side; past the end of the feature nobody has."""
    scene = NinthScene()
    scene.box(20, 20, 40, 20.6, 1, kind="barricade")
    scene.unit(0, sheet("Chargers", weapons=BLADE, W=9), at=[(30, 19), (31.05, 19), (34, 19)])
    scene.unit(1, sheet("Foes", W=9), at=(30, 21.6), models=1)
    battle = scene.battle("fight", dice=[6, 6, 6, 6, 1, 1], rules=STILL)
    stay(battle)
    assert battle.models.wounds[3] == 7
    for end, fights in ((30.1, True), (29.9, False)):
        scene = NinthScene()
        scene.unit(0, sheet("Chargers", weapons=BLADE, W=9), at=(30, 19), models=1)
        scene.box(20, 20, end, 20.6, 1, kind="barricade")
        scene.unit(1, sheet("Foes", weapons=BLADE, W=9), at=(30, 21.6), models=1)
        assert bool(fought(scene.battle("fight", dice=[6, 6, 1, 6, 6, 1], rules=STILL))) == fights


@pytest.mark.rule("w9.terrain.defence-line")
def test_it_is_no_engagement_range() -> None:
    """1.5" apart across it: either may shoot, make a Normal Move and charge."""
    battle = facing("barricade", phase="charge")
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-charge"
    battle = facing("barricade", phase="shooting")
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-shoot"
    battle = facing("barricade", phase="movement")
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        pick(battle, "Chargers")
    assert any("Normal move" in text for text in words(battle).values())
    assert not any("Fall Back" in text for text in words(battle).values())
