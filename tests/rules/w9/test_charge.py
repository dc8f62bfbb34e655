"""Charge phase: who may charge whom, the roll, the move (w9.charge.*)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import BEFORE_IT_MOVED, Moved
from wh_env.testing import dice_left, kind, offered, pick, place, sheet, slots, told, words
from wh_env.testing.melee_moves import check_charge_move

QUIET = {"cp_each_command_phase": 0}
HORSE = ("MOUNTED",)


def charging(scene: Any, player: int = 0, **more: Any) -> Battle:
    """The Charge phase of a player, without Command points."""
    battle: Battle = scene.battle("charge", active=player, rules=QUIET, **more)
    return battle


def charge(battle: Battle, unit: str, *targets: str) -> bool:
    """Declare these targets, play the charge by the engine, tell whether it succeeded."""
    if kind(battle) == "select-to-charge":
        pick(battle, unit)
    for target in targets:
        if kind(battle) == "charge-target":
            pick(battle, f"charge {target}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    if kind(battle) == "close-order":
        pick(battle, "leave the move to the engine")
    names = battle.setup.names["units"]
    assert {names[t] for e in told(battle, "w9.charge.roll") for t in e["targets"]} == set(targets)
    return unit in [names[e.data["unit"]] for e in battle.events if e.kind == "charges"]


def engaged(battle: Battle, a: Any, b: Any) -> bool:
    """Whether two units are within Engagement Range of each other."""
    return bool(units_engaged(battle.models.rows, battle.units.rows, int(a), int(b), 1.0, 5.0))


# ---------------------------------------------------------------- who, whom


@pytest.mark.rule("w9.charge.eligible")
@pytest.mark.parametrize("player", [0, 1])
def test_who_may_charge(player: int) -> None:
    """At 12.0", 12.1", 0.9" and 6" (Advanced, Fell Back, free): only the first and the last are offered."""
    scene = NinthScene(size=(120, 44))
    rows = {}
    for n, (name, away, moved) in enumerate(
        (("A", 12.0, 0), ("B", 12.1, 0), ("C", 0.9, 0), ("D", 6, Moved.ADVANCE), ("E", 6, Moved.FELL_BACK), ("F", 6, 0))
    ):
        x = 4.0 + 18 * n
        rows[name] = scene.unit(player, sheet(name), at=(x, 10), models=1, name=name, moved=int(moved))
        scene.unit(1 - player, sheet("Foe"), at=(x, 11 + away), models=1)
    battle = charging(scene, player)
    assert set(words(battle).values()) - {"done"} == {"A", "F"} or offered(battle, "select-to-charge") == [0, 5]
    pick(battle, "F")
    assert 5 not in offered(battle, "select-to-charge")  # nobody charges twice


@pytest.mark.rule("w9.charge.eligible")
def test_a_unit_engaged_when_the_phase_starts_charges_nobody() -> None:
    """Its enemy is destroyed by a rule in the phase: it may not charge another one 6" away now."""
    scene = NinthScene()
    scene.unit(0, sheet("Held"), at=(10, 10), models=1, name="Held")
    scene.unit(0, sheet("Free"), at=(30, 10), models=1, name="Free")
    scene.unit(0, sheet("Free 2"), at=(40, 10), models=1, name="Other")
    holder = scene.unit(1, sheet("Holder"), at=(10, 11.5), models=1, name="Holder")
    scene.unit(1, sheet("Foe"), at=(10, 17), models=1, name="Foe")
    scene.unit(1, sheet("Foe 2"), at=(35, 17), models=1, name="Foe 2")
    battle = charging(scene)
    battle.models.on_table[holder.first] = battle.models.alive[holder.first] = 0
    battle.units.place[holder], battle.units.alive[holder] = 5, 0
    pick(battle, "Free")
    while kind(battle) != "select-to-charge":
        battle.apply(battle.first_legal())
    assert "Held" not in words(battle).values()


@pytest.mark.rule("w9.charge.reinforcements")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("columns", [{"arrived": 1, "moved": int(Moved.NORMAL)}, {"disembarked": BEFORE_IT_MOVED}])
@pytest.mark.parametrize(("dice", "made"), [((4, 5), True), ((4, 4), False)])
def test_units_that_arrived_or_disembarked_may_charge(
    player: int, columns: dict[str, int], dice: tuple[int, int], made: bool
) -> None:
    """9.1" away: 8.1" to go, a 9 is enough and an 8 is not."""
    scene = NinthScene()
    scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit", **columns)
    scene.unit(1 - player, sheet("Foe"), at=(10, 20.1), models=1, name="Foe")
    assert charge(charging(scene, player, dice=dice), "Unit", "Foe") == made


@pytest.mark.rule("w9.charge.declare")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("chosen", [("X",), ("Y",), ("X", "Y")])
def test_any_targets_within_twelve_inches_seen_or_not(player: int, chosen: tuple[str, ...]) -> None:
    """5" away, 11" away behind a wall, 13" away: any of the first two, at least one."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", keywords=HORSE), at=(20, 20), models=1, name="Unit")
    x = scene.unit(1 - player, sheet("X"), at=(20, 26), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y"), at=(8, 20), models=1, name="Y")
    scene.unit(1 - player, sheet("Z"), at=(34, 20), models=1, name="Z")
    scene.box(10, 15, 10.5, 25, 9)
    battle = charging(scene, player)
    pick(battle, "Unit")
    assert kind(battle) == "charge-target"
    assert slots(battle, "done") == []
    assert set(words(battle).values()) == {"charge X", "charge Y"}
    for name in chosen:
        pick(battle, f"charge {name}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    assert told(battle, "w9.charge.roll")[0]["targets"] == [r for r, n in ((x.row, "X"), (y.row, "Y")) if n in chosen]
    assert unit.row == told(battle, "w9.charge.roll")[0]["unit"]


# ---------------------------------------------------------------- roll and move


@pytest.mark.rule("w9.charge.roll")
@pytest.mark.parametrize("player", [0, 1])
def test_each_model_moves_as_far_as_the_roll(player: int) -> None:
    """3 and 4: 7.0" is legal for either model, 7.1" is not."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(10, 10), (11.5, 10)], name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=[(10, 18.4), (11.5, 18.4)], name="Foe")
    battle = charging(scene, player, dice=[3, 4], detail="full")
    before = battle.clone()
    assert charge(battle, "Unit", "Foe")
    assert told(battle, "w9.charge.roll")[0]["roll"] == 7
    assert dice_left(battle) == 0
    for end, fault in ((17.0, Fault.LEGAL), (17.1, Fault.TOO_FAR)):
        moves = {0: [(10.0, end)], 1: [(11.5, end)]}
        assert check_charge_move(before.clone(), unit, [foe], 7, moves) == fault


@pytest.mark.rule("w9.glossary.charge-distance")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("effects", "distance", "away", "made"),
    [
        (["+1 to charge rolls"], 9, 10.0, True),
        (["+1 to charge rolls"], 9, 10.2, False),
        ([], 8, 10.0, False),
        ([], 8, 9.0, True),
        (["-1 to charge rolls"], 7, 8.0, True),
        (["-1 to charge rolls"], 7, 9.0, False),
        (["+1 to charge rolls", "-1 to charge rolls"], 8, 9.0, True),
    ],
)
def test_the_modified_roll_is_the_charge_distance(
    effects: list[str], distance: int, away: float, made: bool, detail: str, player: int
) -> None:
    """A roll of 3 + 5: with +1 the distance is 9", and a target 10" away (within 1" after 9") is reached; the next one is not asked for
    it until it has rolled."""
    abilities = {"other": [{"name": f"A{n}", "effect": e, "active": True} for n, e in enumerate(effects)]}
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", abilities=abilities), at=(10, 10), models=1, name="Unit")
    other = scene.unit(player, sheet("Other"), at=(40, 10), models=1, name="Other")
    scene.unit(1 - player, sheet("Foe"), at=(10, 11 + away), models=1, name="Foe")
    scene.unit(1 - player, sheet("Enemy"), at=(40, 20), models=1, name="Enemy")  # for whom the phase goes on
    battle = charging(scene, player, dice=[3, 5], detail=detail)
    assert charge(battle, "Unit", "Foe") is made
    assert battle.combat.charge_distance[unit.row] == distance
    assert battle.combat.charge_distance[other.row] == 0
    (known,) = told(battle, "w9.glossary.charge-distance")
    assert (known["unit"], known["result"]) == (unit.row, distance)


@pytest.mark.rule("w9.concepts.dice.modifiers")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("dice", "effects", "distance"),
    [
        ((1, 1), ["-1"] * 4, 1),  # not -2
        ((1, 1), ["-1", "-1", "+1", "+1", "+1"], 3),
        ((2, 3), ["-1", "halve"], 2),  # 2.5 - 1 = 1.5, rounded up
        ((2, 3), ["+1", "double"], 11),
        ((2, 3), ["double", "halve", "halve", "+1"], 4),  # 5 / 2 / 2 * 2 + 1 = 3.5
        ((3, 3), ["halve", "-1", "-1", "-1", "-1"], 1),
    ],
)
def test_modifiers_of_a_roll_are_cumulative_in_order_and_never_make_it_less_than_1(
    dice: tuple[int, int], effects: list[str], distance: int, player: int
) -> None:
    """Abilities of a unit that charges, in either order; a target that far and an inch away is reached, one an eighth farther is not."""
    names = {
        "+1": "+1 to charge rolls",
        "-1": "-1 to charge rolls",
        "halve": "halve charge rolls",
        "double": "double charge rolls",
    }
    for order in (effects, effects[::-1]):
        other = [{"name": f"A{n}", "effect": names[each], "active": True} for n, each in enumerate(order)]
        for away in (distance + 1.0, distance + 1.125):
            scene = NinthScene()
            unit = scene.unit(player, sheet("Unit", abilities={"other": other}), at=(10, 10), models=1, name="Unit")
            scene.unit(player, sheet("Other"), at=(40, 10), models=1, name="Other")
            scene.unit(1 - player, sheet("Foe"), at=(10, 11 + away), models=1, name="Foe")
            scene.unit(1 - player, sheet("Enemy"), at=(40, 20), models=1, name="Enemy")
            battle = charging(scene, player, dice=list(dice))
            reached = charge(battle, "Unit", "Foe") if away <= 12 else None
            if reached is not None:
                assert reached is (away == distance + 1.0)
                assert battle.combat.charge_distance[unit.row] == distance


def two_targets(player: int, dice: tuple[int, int], detail: str = "squad") -> tuple[Battle, Any, Any, Any]:
    """X at 5" before the last, Y at 7" before the first model of a unit of three."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(20, 20), (21.5, 20), (23, 20)], name="Unit")
    x = scene.unit(1 - player, sheet("X"), at=(23, 26), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y"), at=(20, 28), models=1, name="Y")
    return charging(scene, player, dice=dice, detail=detail), unit, x, y


@pytest.mark.rule("w9.charge.success")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_every_target_has_to_be_reached(player: int, detail: str) -> None:
    """A 7 brings one model within 1" of each; at one of them alone the end is refused, a 5 fails against both."""
    battle, unit, x, y = two_targets(player, (3, 4), detail)
    assert charge(battle, "Unit", "X", "Y")
    assert engaged(battle, unit, x)
    assert engaged(battle, unit, y)
    battle, unit, x, y = two_targets(player, (2, 3), detail)
    assert not charge(battle, "Unit", "X", "Y")
    assert [place(battle, unit.model(k)) for k in range(3)] == [(20, 20), (21.5, 20), (23, 20)]
    battle, unit, x, y = two_targets(player, (3, 4), detail)
    only_x = {2: [(23.0, 24.9)], 1: [(21.5, 23.5)], 0: [(20.0, 22.5)]}
    assert check_charge_move(battle.clone(), unit, [x, y], 7, only_x) == Fault.NOT_ENGAGED
    assert check_charge_move(battle.clone(), unit, [x], 7, only_x) == Fault.LEGAL


@pytest.mark.rule("w9.charge.success")
def test_one_model_is_enough_and_none_has_to_touch_or_to_move() -> None:
    """One model ends 0.9" from the target, the other stays or even goes back, in coherency; out of it the move is refused."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 13), (10, 14.5)], name="Unit")
    foe = scene.unit(1, sheet("Foe"), at=(10, 18.9), models=1, name="Foe")
    battle = charging(scene)
    for moves, fault in (
        ({1: [(10, 17.0)]}, Fault.NOT_COHERENT),
        ({1: [(10, 17.0)], 0: [(10, 14.5)]}, Fault.LEGAL),
        ({1: [(10, 16.8)], 0: [(10, 14.5)]}, Fault.NOT_ENGAGED),
    ):
        assert check_charge_move(battle.clone(), unit, [foe], 6, moves) == fault
    near = NinthScene()
    unit = near.unit(0, sheet("Unit"), at=[(10, 13), (10, 14.5)], name="Unit")
    foe = near.unit(1, sheet("Foe"), at=(10, 17), models=1, name="Foe")
    battle = charging(near)
    for moves in ({1: [(10, 15.2)]}, {1: [(10, 15.2)], 0: [(10, 12.5)]}):
        assert check_charge_move(battle.clone(), unit, [foe], 6, moves) == Fault.LEGAL


@pytest.mark.rule("w9.charge.fail")
@pytest.mark.parametrize("player", [0, 1])
def test_a_failed_charge_moves_nobody_and_is_no_charge(player: int) -> None:
    """9" away and a 7: 8" were needed. Nobody moves, in the Fight phase nobody is eligible."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(10, 20), models=1, name="Foe")
    battle = charging(scene, player, dice=[3, 4])
    assert not charge(battle, "Unit", "Foe")
    assert [e["unit"] for e in told(battle, "w9.charge.fail")] == [unit.row]
    assert (place(battle, unit.first), battle.units.charged[unit]) == ((10, 10), 0)
    while battle.clock.turn[0] == player and battle.clock.phase[0] <= Phase.FIGHT:
        battle.apply(battle.first_legal())
    assert [e for e in battle.events if e.kind == "selected to fight"] == []


@pytest.mark.rule("w9.charge.fail")
def test_the_same_roll_is_enough_an_inch_nearer() -> None:
    scene = NinthScene()
    scene.unit(0, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(1, sheet("Foe"), at=(10, 19), models=1, name="Foe")
    assert charge(charging(scene, dice=[3, 4]), "Unit", "Foe")


@pytest.mark.rule("w9.charge.move.non-targets")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("targets", "made"), [(("B1",), False), (("B1", "B2"), True)])
def test_nobody_comes_near_a_unit_that_is_no_target(player: int, targets: tuple[str, ...], made: bool) -> None:
    """In a corridor B2 stands so near B1 that every place within 1" of B1 in reach is within 1" of B2."""
    scene = NinthScene()
    scene.unit(player, sheet("Unit", keywords=HORSE), at=(10, 10), models=1, name="Unit")
    scene.box(4, 8, 9.2, 24, 9)
    scene.box(12, 8, 17, 24, 9)
    scene.unit(1 - player, sheet("B1"), at=(10, 17), models=1, name="B1")
    scene.unit(1 - player, sheet("B2"), at=(11.4, 16), models=1, name="B2")
    battle = charging(scene, player, dice=[6, 6])
    assert charge(battle, "Unit", *targets) == made


def over_a_wall(
    high: float, dice: tuple[int, int], keywords: tuple[str, ...], player: int = 0, gap: float = 6.0
) -> bool:
    """Whether a charge across a thin long wall succeeds."""
    scene = NinthScene()
    scene.unit(player, sheet("Unit", keywords=keywords), at=(20, 20), models=1, name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(20, 21 + gap), models=1, name="Foe")
    scene.wall(5, 22.0, 35, 22.0, high, thickness=0.02)
    return charge(charging(scene, player, dice=dice), "Unit", "Foe")


@pytest.mark.rule("w9.charge.move.terrain")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("high", "dice", "made"),
    [(2.0, (4, 4), False), (2.0, (5, 4), True), (1.0, (3, 2), True), (1.0, (2, 2), False), (1.1, (3, 4), False)],
)
def test_what_is_higher_than_an_inch_is_climbed(player: int, high: float, dice: tuple[int, int], made: bool) -> None:
    """5" to go and 2" up and down: 9 is needed, 8 fails; a wall of 1" costs nothing."""
    assert over_a_wall(high, dice, HORSE, player) == made


@pytest.mark.rule("w9.charge.move.fly")
@pytest.mark.parametrize("player", [0, 1])
def test_flyers_charge_over_models_but_climb_terrain(player: int) -> None:
    """A wall 5" high stops a charge of 8" at 6"; enemy models in between stop only who cannot FLY; nobody ends on a model."""
    assert not over_a_wall(5.0, (4, 4), ("INFANTRY", "FLY"), player)
    for keywords, made in ((("INFANTRY", "FLY"), True), (HORSE, False)):
        scene = NinthScene()
        scene.unit(player, sheet("Unit", keywords=keywords), at=(20, 20), models=1, name="Unit")
        scene.box(4, 18, 18, 30, 9)
        scene.box(22, 18, 40, 30, 9)
        scene.unit(1 - player, sheet("Line"), at=[(18.9, 23), (20, 23), (21.1, 23)], name="Line")
        scene.unit(1 - player, sheet("Foe"), at=(20, 25.2), models=1, name="Foe")
        battle = charging(scene, player, dice=[4, 4])
        assert charge(battle, "Unit", "Line", "Foe") == made
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", keywords=("INFANTRY", "FLY")), at=(20, 20), models=1, name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(20, 24), models=1, name="Foe")
    battle = charging(scene, player)
    assert check_charge_move(battle, unit, [foe], 8, {0: [(20, 24.2)]}) == Fault.OVERLAPS_MODEL


@pytest.mark.rule("w9.charge.made", "w9.fight.targets.charged")
@pytest.mark.parametrize("player", [0, 1])
def test_a_charge_that_was_made_is_remembered(player: int) -> None:
    """Declared against X and Y, made: it fights first, and only those two may be its targets in melee."""
    battle, unit, x, y = two_targets(player, (3, 4))
    assert charge(battle, "Unit", "X", "Y")
    assert battle.units.charged[unit]
    assert [int(row) for row in battle.charges[unit].nonzero()[0]] == sorted((x.row, y.row))
    while not any(e.kind == "selected to fight" for e in battle.events):
        battle.apply(battle.first_legal())
    assert next(e.data["unit"] for e in battle.events if e.kind == "selected to fight") == unit.row
    while battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    assert not battle.charges.any()
