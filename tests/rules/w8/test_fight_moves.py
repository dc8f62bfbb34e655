"""Fight phase: pile in, consolidate, who can be targeted (w8.fight.pile-in*, .consolidate, .targets*)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.fight.close_moves import NOWHERE, TOWARDS_ENEMY, consolidation
from wh_env.rulesets.w40k.fight.weapons import reachable
from wh_env.rulesets.w40k.shoot.declare import melee_targets
from wh_env.testing import apart, kind, melee, pick, place, sheet, slots, words
from wh_env.testing.melee_moves import check_consolidation, check_pile_in_move

KILLER = {"axe": melee(A=1, WS=2, S=8, AP=-6)}


def waiting(scene: Any, **more: Any) -> Battle:
    """The battle before the Fight phase, to judge explicit moves."""
    battle: Battle = scene.battle("fight", run=False, **more)
    return battle


def duel(away: float, *, player: int = 0) -> tuple[Battle, int]:
    """A unit that charged and an enemy so far before it, another one far away."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit", charged=1)
    scene.unit(1 - player, sheet("Enemy", W=9), at=(10, 11 + away), models=1, name="Enemy")
    scene.unit(1 - player, sheet("Far"), at=(50, 40), models=1, name="Far")
    return waiting(scene), unit.row


# ---------------------------------------------------------------- pile in, consolidate


@pytest.mark.rule("w8.fight.pile-in", "w8.fight.consolidate")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("check", [check_pile_in_move, check_consolidation])
def test_a_model_ends_closer_to_the_nearest_enemy(player: int, check: Any) -> None:
    """4" from it: 3" straight on is legal and so is less or aslant, 3.1" is too far, as far away as it was or more is refused."""
    for end, fault in (
        ((10, 13.0), Fault.LEGAL),
        ((10, 10.1), Fault.LEGAL),
        ((11.5, 12.0), Fault.LEGAL),
        ((10, 13.1), Fault.TOO_FAR),
        ((10, 9.5), Fault.NOT_CLOSER),
        ((12.4, 10.6), Fault.NOT_CLOSER),  # 5.0" between the centres, as before
    ):
        battle, unit = duel(4.0, player=player)
        assert check(battle, unit, {0: [end]}) == fault, end


@pytest.mark.rule("w8.fight.pile-in", "w8.fight.consolidate")
def test_coherency_is_kept_and_models_may_stay() -> None:
    scene = EighthScene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (10, 7.5)], charged=1)
    scene.unit(1, sheet("Enemy", W=9), at=(10, 12.5), models=1)
    battle = waiting(scene)
    for check in (check_pile_in_move, check_consolidation):
        assert check(battle.clone(), unit, {0: [(10, 11.4)]}) == Fault.NOT_COHERENT
        assert check(battle.clone(), unit, {0: [(10, 11.4)], 1: [(10, 9.0)]}) == Fault.LEGAL
        assert check(battle.clone(), unit, {0: [(10, 10.4)]}) == Fault.LEGAL


@pytest.mark.rule("w8.fight.pile-in.nearest")
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_the_enemy_that_is_nearest_when_the_model_moves(player: int) -> None:
    """X at 2.0" and Y at 2.5": an end 0.5" from Y is legal 1.9" from X, and refused 2.2" from it."""
    beside = (10 + 3.5 * 0.968, 10 + 3.5 * 0.25)
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(1 - player, sheet("X", W=9), at=(10, 13), models=1)
    scene.unit(1 - player, sheet("Y", W=9), at=beside, models=1)
    battle = waiting(scene)
    for x_away, fault in ((2.2, Fault.NOT_CLOSER), (1.9, Fault.LEGAL)):
        end = meet((10, 13), x_away + 1.0, beside, 1.5)
        assert check_pile_in_move(battle.clone(), unit, {0: [end]}) == fault


def meet(a: tuple[float, float], far_a: float, b: tuple[float, float], far_b: float) -> tuple[float, float]:
    """The place so far from both points that is nearer to (10, 10)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    d = (dx * dx + dy * dy) ** 0.5
    along = (far_a**2 - far_b**2 + d * d) / (2 * d)
    up = (far_a**2 - along**2) ** 0.5
    ends = [
        (a[0] + along * dx / d - side * up * dy / d, a[1] + along * dy / d + side * up * dx / d) for side in (-1, 1)
    ]
    return min(ends, key=lambda end: (end[0] - 10) ** 2 + (end[1] - 10) ** 2)


@pytest.mark.rule("w8.fight.pile-in.nearest")
def test_who_touches_its_nearest_enemy_stays() -> None:
    scene = EighthScene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10), models=1)
    scene.unit(1, sheet("Enemy", W=9), at=(10, 11), models=1)
    assert check_pile_in_move(waiting(scene), unit, {0: [(10.5, 10)]}) == Fault.IN_CONTACT


@pytest.mark.rule("w8.fight.pile-in.any-unit")
@pytest.mark.parametrize("player", [0, 1])
def test_units_that_were_not_charged_may_be_approached_but_not_attacked(player: int) -> None:
    """The nearest enemy belongs to a unit that was no target, 2" away: an end 0.5" from it is legal; it is no target in melee."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=(10, 10), models=1, name="Unit", charged=1)
    target = scene.unit(1 - player, sheet("Target", W=9), at=(10, 14.5), models=1)
    scene.unit(1 - player, sheet("Other", W=9), at=(13, 10), models=1)

    def charge(battle: Battle) -> None:
        battle.charges[unit, target] = 1

    battle = waiting(scene, set_state=charge)
    assert check_pile_in_move(battle, unit, {0: [(11.5, 10)]}) == Fault.LEGAL
    assert reachable(battle, unit.first) == []


@pytest.mark.rule("w8.fight.consolidate")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_consolidates_towards_a_distant_enemy(player: int, detail: str) -> None:
    """It destroyed its target; the nearest enemy is 10" away: 3" towards it. Without any enemy there is nothing to move towards."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=(10, 10), models=1, name="Unit", charged=1)
    enemy = scene.unit(1 - player, sheet("Enemy"), at=(10, 11.005), models=1, name="Enemy")
    far = scene.unit(1 - player, sheet("Far"), at=(21, 10), models=1, name="Far")
    scene.marker(5, 10)

    def charge(battle: Battle) -> None:
        battle.charges[unit, enemy] = 1

    battle = scene.battle("fight", active=player, dice=[6, 6, 1], detail=detail, set_state=charge)
    assert kind(battle) == "consolidate"
    assert consolidation(battle, unit.row) == TOWARDS_ENEMY
    pick(battle, "consolidate")
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert place(battle, unit.first) == (pytest.approx(13.0, abs=0.01), pytest.approx(10.0, abs=0.01))
    assert apart(battle, unit.first, far.first) == pytest.approx(7.0, abs=0.01)
    battle.models.on_table[far.first] = 0
    assert consolidation(battle, unit.row) == NOWHERE


# ---------------------------------------------------------------- who fights whom


@pytest.mark.rule("w8.fight.targets")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("gaps", "fight"),
    [
        ((1.0, 1.0, 1.0), [0, 1]),
        ((1.0, 1.1, 0.5), [0]),
        ((1.1, 0.0, 0.0), []),
        ((0.0, 0.0, 0.0), [0, 1, 2]),  # the third is 1.0" from the first
    ],
)
def test_within_an_inch_or_an_inch_behind_such_a_model(player: int, gaps: tuple[float, ...], fight: list[int]) -> None:
    """Models in file: a 1.0" from the enemy, b 1.0" behind a, c 1.0" behind b: a and b attack, c does not, at both details."""
    scene = EighthScene()
    y, places = 21.0, []
    for gap in gaps:
        y -= 1 + gap
        places.append((10.0, y))
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=places, name="Unit")
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=(10.0, 21.0), models=1, name="Enemy")
    battle = waiting(scene)
    assert [n for n, model in enumerate(battle.members(unit.row)) if reachable(battle, model)] == fight
    assert melee_targets(battle, unit.row)[0][enemy] == len(fight)


@pytest.mark.rule("w8.fight.targets")
def test_a_model_behind_another_reaches_only_what_that_one_is_near() -> None:
    """The second model stands 1" behind the first, which is within 1" of X: X, and Y only if Y is near either of them."""
    scene = EighthScene()
    unit = scene.unit(0, sheet("Unit", weapons=KILLER), at=[(10, 10), (10, 8.5)], name="Unit")
    x = scene.unit(1, sheet("X", W=9), at=(10, 11.5), models=1)
    scene.unit(1, sheet("Y", W=9), at=(12.2, 10.0), models=1)  # 1.2" from the first model
    battle = waiting(scene)
    assert reachable(battle, unit.model(0)) == [x]
    assert reachable(battle, unit.model(1)) == [x]


@pytest.mark.rule("w8.fight.targets.chargers")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("charged", "expected"), [(1, {"X"}), (0, {"X", "Y"})])
def test_who_charged_fights_only_whom_it_charged(player: int, detail: str, charged: int, expected: set[str]) -> None:
    """It charged X and is within 1" of X and Y: X is its only target; a unit that did not charge has both."""
    scene = EighthScene()
    blade = {"blade": melee(A=2, WS=6, S=1)}
    unit = scene.unit(player, sheet("Unit", weapons=blade), at=(10, 10), models=1, name="Unit", charged=charged)
    x = scene.unit(1 - player, sheet("X", W=9), at=(10, 11.5), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y", W=9), at=(11.5, 10), models=1, name="Y")

    def charge(battle: Battle) -> None:
        battle.charges[unit, x] = 1

    battle = scene.battle("fight", active=player, detail=detail, dice=[1, 1], set_state=charge)
    names = battle.setup.names["units"]
    assert {names[e] for e in reachable(battle, unit.first)} == expected
    assert {names[e] for e in melee_targets(battle, unit.row)[0].nonzero()[0]} == expected
    while kind(battle) in ("select-to-fight", "pile-in"):
        pick(battle, "do not pile in") if kind(battle) == "pile-in" else pick(battle, "Unit")
    if len(expected) > 1:
        assert kind(battle) == ("attack-target" if detail == "full" else "fight-target")
        assert set(words(battle).values()) == expected
        assert len(slots(battle, "enemy")) == 2
    assert y.row != x.row


@pytest.mark.rule("w8.fight.targets.unreached-target")
@pytest.mark.parametrize("player", [0, 1])
def test_a_target_of_the_charge_that_only_the_pile_in_reached(player: int) -> None:
    """The charge against X and Y reached X; after a pile-in within 1" of Y that model may attack Y."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=[(10, 10), (12, 10)], models=2, name="Unit", charged=1)
    x = scene.unit(1 - player, sheet("X", W=9), at=(9, 11.2), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y", W=9), at=(14.8, 10.7), models=1, name="Y")

    def charge(battle: Battle) -> None:
        battle.charges[unit, x] = battle.charges[unit, y] = 1

    battle = waiting(scene, set_state=charge)
    assert reachable(battle, unit.model(1)) == [x]  # from behind the other model
    assert check_pile_in_move(battle, unit, {1: [(12.9, 10.6)]}) == Fault.LEGAL
    assert y in reachable(battle, unit.model(1))
