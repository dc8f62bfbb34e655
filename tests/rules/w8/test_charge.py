"""Charge phase: who may charge whom, the roll, the move (w8.charge.*)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import Fault
from wh_env.core.procedures import Default
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w40k.codes import BEFORE_IT_MOVED, Moved
from wh_env.testing import choose, dice_left, kind, melee, offered, pick, place, ranged, sheet, slots, told, words
from wh_env.testing.melee_moves import check_charge_move

FLIER = ("INFANTRY", "FLY")


def charging(scene: Any, player: int = 0, **more: Any) -> Battle:
    """The Charge phase of a player."""
    battle: Battle = scene.battle("charge", active=player, **more)
    return battle


def charge(battle: Battle, unit: str, *targets: str, stay: bool = False) -> bool:
    """Declare these targets and play the charge by the engine, nobody fires; tell whether it was made."""
    if kind(battle) == "select-to-charge":
        pick(battle, unit)
    for target in targets:
        if kind(battle) == "charge-target":
            pick(battle, f"charge {target}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    if kind(battle) == "overwatch":
        choose(battle, "done")
    if kind(battle) == "charge-or-stay":
        pick(battle, "stay" if stay else "make the charge move")
    if kind(battle) == "close-order":
        pick(battle, "leave the move to the engine")
    names = battle.setup.names["units"]
    assert {names[t] for e in told(battle, "w8.charge.roll") for t in e["targets"]} == set(targets)
    return unit in [names[e.data["unit"]] for e in battle.events if e.kind == "charges"]


def engaged(battle: Battle, a: Any, b: Any) -> bool:
    """Whether two units are within 1" of each other."""
    return bool(units_engaged(battle.models.rows, battle.units.rows, int(a), int(b), 1.0, 1.0))


# ---------------------------------------------------------------- who


@pytest.mark.rule(
    "w8.charge.select", "w8.charge.ineligible.advanced-or-fell-back", "w8.charge.ineligible.engaged", "w8.charge.once"
)
@pytest.mark.parametrize("player", [0, 1])
def test_who_may_charge(player: int) -> None:
    """At 12.0", 12.1", 1.0", 1.1" and 6" (Advanced, Fell Back, a normal move): the first, the fourth and the last; none twice."""
    scene = EighthScene(size=(160, 44))
    for n, (name, away, moved) in enumerate(
        (
            ("A", 12.0, 0), ("B", 12.1, 0), ("C", 1.0, 0), ("D", 1.1, 0), ("E", 6, Moved.ADVANCE),
            ("F", 6, Moved.FELL_BACK), ("G", 6, Moved.NORMAL),
        )
    ):  # fmt: skip
        x = 4.0 + 20 * n
        scene.unit(player, sheet(name), at=(x, 10), models=1, name=name, moved=int(moved))
        scene.unit(1 - player, sheet("Foe"), at=(x, 11 + away), models=1)
    # C has a second enemy 5" away, which it may not charge either
    scene.unit(1 - player, sheet("Second"), at=(44, 4), models=1, name="Second")
    battle = charging(scene, player, dice=[1, 1])
    assert battle.decision is not None
    assert battle.decision.player == player
    assert offered(battle, "select-to-charge") == [0, 3, 6]
    assert words(battle)[0] == "done"
    pick(battle, "G")
    while kind(battle) != "select-to-charge":
        battle.apply(battle.first_legal())
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [2]  # 6" away: it failed
    assert offered(battle, "select-to-charge") == [0, 3]
    choose(battle, "done")
    assert kind(battle) != "select-to-charge"


@pytest.mark.rule("w8.charge.ineligible.engaged")
def test_who_was_engaged_when_the_phase_began_charges_nobody() -> None:
    """Its enemy is gone by the time it could be chosen: it may not charge another one 5" away in this phase."""
    scene = EighthScene()
    scene.unit(0, sheet("Held"), at=(10, 10), models=1, name="Held")
    scene.unit(0, sheet("Free"), at=(30, 10), models=1, name="Free")
    scene.unit(0, sheet("Free 2"), at=(40, 10), models=1, name="Other")
    holder = scene.unit(1, sheet("Holder"), at=(10, 12.0), models=1, name="Holder")
    scene.unit(1, sheet("Foe"), at=(10, 4), models=1, name="Foe")
    scene.unit(1, sheet("Foe 2"), at=(35, 17), models=1, name="Foe 2")
    battle = charging(scene)
    battle.models.on_table[holder.first] = battle.models.alive[holder.first] = 0
    battle.units.place[holder], battle.units.alive[holder] = 5, 0
    pick(battle, "Free")
    while kind(battle) != "select-to-charge":
        battle.apply(battle.first_legal())
    assert "Held" not in words(battle).values()
    assert "Other" in words(battle).values()


@pytest.mark.rule("w8.charge.may-have-shot")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("columns", [{}, {"arrived": 1, "moved": int(Moved.NORMAL)}, {"disembarked": BEFORE_IT_MOVED}])
def test_who_shot_or_arrived_or_disembarked_may_charge(player: int, columns: dict[str, int]) -> None:
    """It shoots its target from 6", then it charges it."""
    scene = EighthScene()
    gun = {"gun": ranged(24, A=1, BS=3)}
    unit = scene.unit(player, sheet("Unit", weapons=gun), at=(10, 10), models=1, name="Unit", **columns)
    foe = scene.unit(1 - player, sheet("Foe", W=9), at=(10, 17), models=1, name="Foe")
    battle = scene.battle("shooting", active=player, dice=[1, 3, 3])
    pick(battle, "Unit", kind="select-to-shoot")
    if kind(battle) == "shoot-target":
        pick(battle, "Foe")
    assert [e["unit"] for e in told(battle, "w8.shoot.select")] == [unit.row]
    while kind(battle) != "select-to-charge":
        choose(battle, "done")
    assert charge(battle, "Unit", "Foe")
    assert engaged(battle, unit, foe)


# ---------------------------------------------------------------- whom


@pytest.mark.rule("w8.charge.targets", "w8.charge.targets.unrestricted")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("chosen", [("X",), ("Y",), ("X", "Y")])
def test_any_enemies_within_twelve_inches_seen_or_not(player: int, chosen: tuple[str, ...]) -> None:
    """X at 5", within 1" of a friend; Y, a CHARACTER, at 12.0" behind a wall; Z at 12.1": any set of the first two, at least one."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=(20, 20), models=1, name="Unit")
    scene.unit(player, sheet("Friend"), at=(21.5, 26), models=1, name="Friend")
    x = scene.unit(1 - player, sheet("X"), at=(20, 26), models=1, name="X")
    hero = sheet("Y", keywords=("INFANTRY", "CHARACTER"))
    y = scene.unit(1 - player, hero, at=(7, 20), models=1, name="Y")
    scene.unit(1 - player, sheet("Z"), at=(33.1, 20), models=1, name="Z")
    scene.box(10, 15, 10.5, 25, 9)
    battle = charging(scene, player, dice=[1, 1])
    pick(battle, "Unit")
    assert (kind(battle), slots(battle, "done")) == ("charge-target", [])
    assert set(words(battle).values()) == {"charge X", "charge Y"}
    for name in chosen:
        pick(battle, f"charge {name}")
    if kind(battle) == "charge-target":
        assert slots(battle, "done") == [0]
        pick(battle, "no more targets")
    roll = told(battle, "w8.charge.roll")[0]
    assert roll["targets"] == sorted(r for r, n in ((x.row, "X"), (y.row, "Y")) if n in chosen)
    assert roll["unit"] == unit.row


# ---------------------------------------------------------------- roll and move


@pytest.mark.rule("w8.charge.roll", "w8.charge.move.first-model")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("dice", "away", "made"),
    [((3, 4), 6.0, True), ((1, 3), 6.0, False), ((3, 4), 8.0, True), ((3, 4), 8.1, False)],
)
def test_the_roll_is_enough_to_come_within_an_inch(
    player: int, detail: str, dice: tuple[int, int], away: float, made: bool
) -> None:
    """7 reaches a target at 6.0" and at 8.0", not at 8.1"; 4 does not reach one at 6"."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(10, 10), (10, 8.5)], name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(10, 11 + away), models=1, name="Foe")
    battle = charging(scene, player, dice=dice, detail=detail)
    assert charge(battle, "Unit", "Foe") is made
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [sum(dice)]
    assert dice_left(battle) == 0
    assert engaged(battle, unit, foe) is made


@pytest.mark.rule("w8.charge.roll", "w8.charge.move.first-model")
@pytest.mark.parametrize("player", [0, 1])
def test_each_model_moves_as_far_as_the_roll_the_first_one_to_the_target(player: int) -> None:
    """A 7: 7.0" is legal, 7.1" is not; who moves first has to end within 1" of the target, whoever comes after it does."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(10, 10), (11.5, 10)], name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(10, 19), models=1, name="Foe")
    battle = charging(scene, player)
    for moves, fault in (
        ({0: [(10.0, 17.0)], 1: [(11.5, 15.5)]}, Fault.LEGAL),
        ({0: [(10.0, 17.1)], 1: [(11.5, 15.5)]}, Fault.TOO_FAR),
        ({1: [(11.5, 15.5)], 0: [(10.0, 17.0)]}, Fault.NOT_ENGAGED),
        ({0: [(10.0, 16.9)], 1: [(11.5, 15.5)]}, Fault.NOT_ENGAGED),
    ):
        assert check_charge_move(battle.clone(), unit, [foe], 7, moves) == fault


@pytest.mark.rule("w8.charge.move.others")
@pytest.mark.parametrize("player", [0, 1])
def test_the_others_go_anywhere_in_coherency_or_stay(player: int) -> None:
    """Five models and a roll of 5: one ends within 1" of the target and four stay, or one of them goes back, or aside as far as the roll. None goes
    farther, out of coherency, or within 1" of a unit that is no target."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(10 + 1.5 * k, 10) for k in range(5)], name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(10, 14), models=1, name="Foe")
    scene.unit(1 - player, sheet("Other"), at=(17, 13.5), models=1, name="Other")
    battle = charging(scene, player)
    for moves, fault in (
        ({0: [(10.0, 12.2)]}, Fault.LEGAL),
        ({0: [(10.0, 12.2)], 4: [(16.0, 8.0)]}, Fault.LEGAL),
        ({0: [(10.0, 12.2)], 4: [(17.5, 8.0), (15.1, 8.0)]}, Fault.LEGAL),
        ({0: [(10.0, 12.2)], 4: [(16.0, 11.4)]}, Fault.LEGAL),
        ({0: [(10.0, 12.2)], 4: [(16.0, 12.0)]}, Fault.ENGAGES_ON_THE_WAY),
        ({0: [(10.0, 12.2)], 4: [(17.5, 8.0), (15.1, 8.0), (14.6, 8.0)]}, Fault.TOO_FAR),
        ({0: [(10.0, 12.2)], 4: [(17.1, 6.5)]}, Fault.NOT_COHERENT),
        ({0: [(8.6, 13.8)]}, Fault.NOT_COHERENT),
        ({4: [(16.0, 8.0)]}, Fault.NOT_ENGAGED),
    ):
        assert check_charge_move(battle.clone(), unit, [foe], 5, moves) == fault, moves


@pytest.mark.rule("w8.charge.move.others")
@pytest.mark.parametrize("player", [0, 1])
def test_four_of_five_stay_where_they_are(player: int) -> None:
    """In play, model by model: the first one goes within 1" of the target, and the player is done."""
    scene = EighthScene()
    spots = [(10 + 1.5 * k, 10.0) for k in range(5)]
    unit = scene.unit(player, sheet("Unit"), at=spots, name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(10, 14), models=1, name="Foe")
    battle = charging(scene, player, detail="full", dice=[2, 3])
    pick(battle, "Unit")
    pick(battle, "make the charge move")
    assert kind(battle) == "close-order" and not slots(battle, "done")  # nobody is within 1" yet
    choose(battle, "model", 0)
    xs, ys = battle.pending().cells(battle.setup.space.grid)
    choose(battle, "cell", min(slots(battle, "cell"), key=lambda cell: abs(xs[cell] - 10) + abs(ys[cell] - 12.2)))
    assert kind(battle) == "close-order" and slots(battle, "done")
    choose(battle, "done")
    assert [place(battle, unit.model(k)) for k in range(1, 5)] == spots[1:]
    assert engaged(battle, unit, foe) and battle.units.charged[unit] == 1


def two_targets(player: int, dice: tuple[int, int], detail: str) -> tuple[Battle, Any, Any, Any]:
    """X at 4" and Y at 11" before a unit of two; others far away, for whom the phase goes on."""
    scene = EighthScene()
    scene.unit(player, sheet("Idle"), at=(50, 10), models=1, name="Idle")
    scene.unit(1 - player, sheet("Far"), at=(50, 20), models=1, name="Far")
    unit = scene.unit(player, sheet("Unit"), at=[(20, 20), (21.5, 20)], name="Unit")
    x = scene.unit(1 - player, sheet("X"), at=(20, 25), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y"), at=(20, 8), models=1, name="Y")
    return charging(scene, player, dice=dice, detail=detail), unit, x, y


@pytest.mark.rule("w8.charge.move.every-target")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_one_of_the_targets_is_enough(player: int, detail: str) -> None:
    """Against X at 4" and Y at 11" a 5 reaches X alone: the charge is made; a 2 reaches neither: it fails."""
    battle, unit, x, y = two_targets(player, (2, 3), detail)
    assert charge(battle, "Unit", "X", "Y")
    assert (engaged(battle, unit, x), engaged(battle, unit, y)) == (True, False)
    assert [int(row) for row in battle.charges[unit].nonzero()[0]] == sorted((x.row, y.row))
    battle, unit, x, y = two_targets(player, (1, 1), detail)
    assert not charge(battle, "Unit", "X", "Y")
    assert [place(battle, unit.model(k)) for k in range(2)] == [(20, 20), (21.5, 20)]
    assert check_charge_move(battle, unit, [x, y], 5, {0: [(20.0, 23.5)], 1: [(21.0, 22.0)]}) == Fault.LEGAL


@pytest.mark.rule("w8.charge.move.every-target")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_two_targets_are_not_reached_at_the_price_of_coherency(detail: str) -> None:
    """X and Y lie 5" away on either side: who went to both would tear the unit apart, so the engine goes to one."""
    scene = EighthScene()
    unit = scene.unit(0, sheet("Unit"), at=[(20, 20), (21.5, 20)], name="Unit")
    x = scene.unit(1, sheet("X"), at=(14, 20), models=1, name="X")
    y = scene.unit(1, sheet("Y"), at=(27.5, 20), models=1, name="Y")
    battle = charging(scene, dice=[2, 3], detail=detail)
    assert charge(battle, "Unit", "X", "Y")
    assert engaged(battle, unit, x) != engaged(battle, unit, y)


@pytest.mark.rule("w8.charge.move.non-targets")
@pytest.mark.parametrize("player", [0, 1])
def test_nobody_comes_within_an_inch_of_a_unit_that_is_no_target(player: int) -> None:
    """X and Y 1.5" apart: 0.9" from both is refused, 1.0" from X and 1.1" from Y is legal; as a target Y may be approached."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=(20, 10), models=1, name="Unit")
    x = scene.unit(1 - player, sheet("X"), at=(18.75, 20), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y"), at=(21.25, 20), models=1, name="Y")
    battle = charging(scene, player)
    near = (20.0, 20.0 - (1.9**2 - 1.25**2) ** 0.5 + 1e-4)
    # distances of 2.0" and 2.1" between the centres
    across = (2.1**2 - 2.0**2) / (4 * 1.25)
    aside = (20.0 - across, 20.0 - (2.0**2 - (1.25 - across) ** 2) ** 0.5 + 1e-4)
    for end, targets, fault in (
        (near, [x], Fault.ENGAGES_ON_THE_WAY),
        (near, [x, y], Fault.LEGAL),
        (aside, [x], Fault.LEGAL),
    ):
        assert check_charge_move(battle.clone(), unit, targets, 10, {0: [end]}) == fault


@pytest.mark.rule("w8.charge.move.non-targets", "w8.charge.fail")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("targets", "made"), [(("B1",), False), (("B1", "B2"), True)])
def test_a_charge_that_is_only_possible_past_others_fails(player: int, targets: tuple[str, ...], made: bool) -> None:
    """In a corridor B2 stands so near B1 that every place within 1" of B1 in reach is within 1" of B2."""
    scene = EighthScene()
    scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.box(4, 8, 9.2, 24, 9)
    scene.box(12, 8, 17, 24, 9)
    scene.unit(1 - player, sheet("B1"), at=(10, 17), models=1, name="B1")
    scene.unit(1 - player, sheet("B2"), at=(11.4, 16), models=1, name="B2")
    assert charge(charging(scene, player, dice=[6, 6]), "Unit", *targets) == made


# ---------------------------------------------------------------- failed and declined


@pytest.mark.rule("w8.charge.fail")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("dice", "made"), [((2, 3), False), ((3, 3), True)])
def test_a_failed_charge_moves_nobody(player: int, detail: str, dice: tuple[int, int], made: bool) -> None:
    """6.5" away: 5.5" are needed, a 5 fails and a 6 does not; it is not offered again."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(10, 10), (11.5, 10)], name="Unit")
    scene.unit(player, sheet("Other"), at=(40, 10), models=1, name="Other")
    scene.unit(1 - player, sheet("Foe"), at=(10, 17.5), models=1, name="Foe")
    scene.unit(1 - player, sheet("Foe 2"), at=(40, 17.5), models=1, name="Foe 2")
    battle = charging(scene, player, dice=dice, detail=detail)
    assert charge(battle, "Unit", "Foe") is made
    assert (place(battle, unit.first) == (10, 10)) is not made
    assert [e["unit"] for e in told(battle, "w8.charge.fail")] == ([] if made else [unit.row])
    assert set(words(battle).values()) == {"done", "Other"}


@pytest.mark.rule("w8.charge.fail.not-charged")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_whose_charge_failed_has_not_charged(player: int) -> None:
    """An enemy that it did not charge slays a friend and consolidates into it: it fights in the alternation, and that enemy."""
    scene = EighthScene()
    fist = {"fist": melee(A=1, WS=2, S=8, AP=-6)}
    unit = scene.unit(player, sheet("Unit", W=9, weapons=fist), at=(10, 10), models=1, name="Unit")
    bait = scene.unit(player, sheet("Bait"), at=(14.0, 10), models=1, name="Bait")
    foe = scene.unit(1 - player, sheet("Foe", W=9), at=(10, 20), models=1, name="Foe")
    other = scene.unit(1 - player, sheet("Other", W=9, weapons=fist), at=(13.0, 11.0), models=1, name="Other")
    battle = charging(scene, player, dice=[1, 1, 6, 6, 1, 1])
    pick(battle, "Unit")
    pick(battle, "charge Foe")
    pick(battle, "no more targets")
    assert [e["unit"] for e in told(battle, "w8.charge.fail")] == [unit.row]
    assert (battle.charges[unit, foe], battle.charges[unit, other]) == (1, 0)
    while dice_left(battle):
        if kind(battle) in ("pile-in", "consolidate"):
            pick(battle, "consolidate" if kind(battle) == "consolidate" else "do not pile in")
        else:
            battle.apply(battle.first_legal())
    fights = [(e.data["unit"], e.data["step"]) for e in battle.events if e.kind == "selected to fight"]
    assert fights == [(bait.row, 2), (other.row, 2), (unit.row, 2)]  # the first step is that of the units that charged
    assert [e["target"] for e in told(battle, "w8.attack.hit") if e["attacker"] == unit.first] == [other.row]


@pytest.mark.rule("w8.charge.decline-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "asked"), [((6, 6), True), ((1, 2), False)])
def test_the_move_may_be_declined_after_a_sufficient_roll(player: int, dice: tuple[int, int], asked: bool) -> None:
    """5" away: with a 12 the unit may stay where it is, and has not charged; with a 3 there is nothing to decide."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(player, sheet("Other"), at=(40, 10), models=1, name="Other")
    scene.unit(1 - player, sheet("Foe"), at=(10, 16), models=1, name="Foe")
    scene.unit(1 - player, sheet("Foe 2"), at=(40, 20), models=1, name="Foe 2")
    battle = charging(scene, player, dice=dice, detail="full")
    pick(battle, "Unit")
    assert (kind(battle) == "charge-or-stay") is asked
    if asked:
        assert battle.decision is not None
        assert (battle.decision.player, set(words(battle).values())) == (player, {"stay", "make the charge move"})
        pick(battle, "stay")
    assert (place(battle, unit.first), battle.units.charged[unit]) == ((10, 10), 0)
    assert [e["unit"] for e in told(battle, "w8.charge.fail")] == [unit.row]
    assert set(words(battle).values()) == {"done", "Other"}


@pytest.mark.rule("w8.charge.decline-move")
@pytest.mark.parametrize("player", [0, 1])
def test_left_to_the_engine_the_move_is_made(player: int) -> None:
    """5" away with a 12, model by model."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(10, 16), models=1, name="Foe")
    policies = {"charge-or-stay": Default(EIGHTH_EDITION.kind_by_name["charge-or-stay"])}
    battle = charging(scene, player, dice=(6, 6), detail="full", delegates=policies)
    assert charge(battle, "Unit", "Foe")
    assert engaged(battle, unit, foe)
    battle = charging(scene, player, dice=(6, 6), detail="full")
    if kind(battle) == "select-to-charge":
        pick(battle, "Unit")
    assert kind(battle) == "charge-or-stay"
    assert words(battle)[policies["charge-or-stay"](battle, None)] == "make the charge move"


# ---------------------------------------------------------------- terrain, FLY


@pytest.mark.rule("w8.charge.move.fly-and-terrain")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("keywords", "dice", "made"),
    [(("INFANTRY",), (4, 4), False), (FLIER, (1, 2), True)],
)
def test_a_wall_is_walked_round_or_flown_over(
    player: int, detail: str, keywords: tuple[str, ...], dice: tuple[int, int], made: bool
) -> None:
    """A long wall 9" high and 3" to the target: round it it is more than 9", so an 8 fails; who flies needs no more than 3."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", keywords=keywords), at=(20, 20), models=1, name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=(20, 24), models=1, name="Foe")
    scene.wall(15.0, 22.0, 50.0, 22.0, 9.0, thickness=0.02)
    battle = charging(scene, player, dice=dice, detail=detail, run=False)
    round_it = {0: [(14.3, 21.0), (14.3, 23.0), (18.0, 24.0)]}  # 5.8", 2.0" and 3.8"
    for roll, fault in ((12, Fault.LEGAL), (8, Fault.TOO_FAR)):
        assert check_charge_move(battle.clone(), unit, [foe], roll, round_it) == fault
    battle.run()
    assert charge(battle, "Unit", "Foe") == made


@pytest.mark.rule("w8.charge.move.fly-and-terrain")
@pytest.mark.parametrize(("dice", "made"), [((3, 4), False), ((4, 4), True)])
def test_height_counts(dice: tuple[int, int], made: bool) -> None:
    """A wall of 2" that reaches from edge to edge, 4" to go: up and down are 4" more, a 7 fails, an 8 does."""
    scene = EighthScene()
    scene.unit(0, sheet("Unit"), at=(20, 20), models=1, name="Unit")
    scene.unit(1, sheet("Foe"), at=(20, 26), models=1, name="Foe")
    scene.wall(0.1, 22.5, 59.9, 22.5, 2.0, thickness=0.02)
    assert charge(charging(scene, dice=dice), "Unit", "Foe") == made


@pytest.mark.rule("w8.charge.move.fly-and-terrain")
@pytest.mark.parametrize(("keywords", "made"), [(FLIER, True), (("INFANTRY",), False)])
def test_models_are_flown_over(keywords: tuple[str, ...], made: bool) -> None:
    """A corridor closed by a line of friends; only who flies comes past them."""
    scene = EighthScene()
    scene.unit(0, sheet("Unit", keywords=keywords), at=(20, 20), models=1, name="Unit")
    scene.box(4, 18, 18, 30, 9)
    scene.box(22, 18, 40, 30, 9)
    scene.unit(0, sheet("Line"), at=[(18.9, 23), (20, 23), (21.1, 23)], name="Line", moved=int(Moved.ADVANCE))
    scene.unit(1, sheet("Foe"), at=(20, 25.2), models=1, name="Foe")
    assert charge(charging(scene, dice=[4, 4]), "Unit", "Foe") == made
