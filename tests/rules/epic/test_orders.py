"""Orders: declared once, in secret, revealed; what each of them allows."""

from __future__ import annotations

import pytest

from wh_env import Battle, IllegalAction
from wh_env.core.features import Veil
from wh_env.testing import choose, dice_left, pick, play_until, slots, told, words
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, fire_at, may_move, move_by, place_of

ORDERS = ["advance", "charge", "support-fire", "overwatch", "march"]


def line(scene: EpicScene, player: int, card: str, y: float, count: int = 1, **columns: object) -> FormationHandle:
    return scene.formation(player, card, at=[(20 + 2 * n, y) for n in range(count)], **columns)


@pytest.mark.rule("epic.orders.declare", "epic.morale.retreat-effects")
def test_each_formation_that_is_not_retreating_is_given_one() -> None:
    """Three formations of which one retreats: two orders, none for the third."""
    scene = EpicScene()
    first = line(scene, 0, "Boy", 10)
    fleeing = line(scene, 0, "Boy", 20, retreating=1)
    third = line(scene, 0, "Boy", 30)
    line(scene, 1, "Boy", 110)
    battle = scene.battle("orders")
    asked = []
    while battle.decision is not None and battle.decision.player == 0 and battle.decision.kind == "give-order":
        asked.append(battle.decision.subject)
        told = [text.partition(": ")[2] for text in words(battle).values()]
        assert told == [order.replace("-", " ") for order in ORDERS]
        pick(battle, "charge")
    assert asked == [first.row, third.row]
    assert battle.units.order[fleeing] == 0


@pytest.mark.rule("epic.orders.one-each", "epic.orders.declare")
def test_an_order_is_kept_for_the_turn_and_no_second_one_taken() -> None:
    scene = EpicScene()
    squad = line(scene, 0, "Boy", 10)
    line(scene, 1, "Boy", 110)
    battle = scene.battle("orders")
    first = battle.setup.space.option
    battle.apply(first)
    assert battle.decision is not None
    assert battle.decision.player == 1  # nobody of player 0 is asked again
    battle.apply(first + 1)
    with pytest.raises(IllegalAction):
        battle.apply(first + 2)  # the orders are given: the movement phase asks who moves first
    while battle.clock.round[0] == 1:
        assert battle.units.order[squad] == 1
        battle.apply(battle.first_legal())


@pytest.mark.rule("epic.orders.secret", "epic.orders.reveal")
def test_orders_are_hidden_until_the_movement_counter_is_drawn() -> None:
    """A's Charge is unknown to B, and B's Overwatch to A, until the draw; then both see all, before anyone chooses who moves."""
    scene = EpicScene()
    a, b = line(scene, 0, "Boy", 10), line(scene, 1, "Boy", 110)
    second = line(scene, 1, "Boy", 100)
    battle = scene.battle("orders", dice=[A])
    ruleset = battle.setup.ruleset
    pick(battle, "charge")
    pick(battle, "overwatch")
    for seat, own, enemy in ((0, a, b), (1, b, a)):
        secrets = [h for h in ruleset.hidden(battle, seat) if h.table == "units" and "order" in h.columns]
        assert [h.first <= enemy.row < h.last for h in secrets] == [True]
        assert [h.first <= own.row < h.last for h in secrets] == [False]
        seen = Veil().over(battle, seat)
        assert seen.units.order[enemy] == 0
        assert seen.units.order[own] == battle.units.order[own] != 0
    assert told(battle, "epic.orders.reveal") == []
    assert battle.decision is not None
    assert battle.decision.subject == second.row
    pick(battle, "march")
    assert battle.decision is not None
    assert battle.decision.kind == "who-moves-first"
    assert list(ruleset.hidden(battle, 0)) == list(ruleset.hidden(battle, 1)) == []
    revealed = [(event["unit"], event["order"]) for event in told(battle, "epic.orders.reveal")]
    assert revealed == [(a.row, "charge"), (b.row, "overwatch"), (second.row, "march")]


def moving(order: str | None, card: str = "Tactical Marine", **columns: object) -> tuple[Battle, FormationHandle]:
    """A squad about to move, enemies far away."""
    scene = EpicScene()
    squad = line(scene, 0, card, 60, order=order, **columns)
    line(scene, 1, "Boy", 119, order="march")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    return battle, squad


@pytest.mark.parametrize(
    ("order", "allowance"),
    [("advance", 5.0), ("charge", 10.0), ("support-fire", 2.0), ("march", 15.0)],
)
@pytest.mark.rule(
    "epic.orders.advance", "epic.orders.charge", "epic.orders.support-fire", "epic.orders.march", "epic.move.distance"
)
def test_how_far_an_order_lets_a_unit_move(order: str, allowance: float) -> None:
    """A Movement of 5 cm: 5, 10, 2 and 15 cm are legal; a tenth more is rejected."""
    battle, squad = moving(order)
    for dx, dy in ((allowance, 0.0), (0.0, -allowance), (0.6 * allowance, 0.8 * allowance), (0.0, 0.0)):
        assert may_move(battle, squad, dx, dy)
    assert not may_move(battle, squad, allowance + 0.1, 0.0)
    assert not may_move(battle, squad, 0.6 * allowance + 0.06, 0.8 * allowance + 0.08)
    choose(battle, "own", 0)
    assert move_by(battle, allowance, 0.0) == pytest.approx((allowance, 0.0))
    assert place_of(battle, squad.model()) == pytest.approx((20 + allowance, 60))


@pytest.mark.rule("epic.orders.overwatch", "epic.move.distance")
def test_overwatch_does_not_move() -> None:
    battle, squad = moving("overwatch")
    assert battle.units.order[squad] == 4
    assert battle.decision is None or battle.decision.player == 1 or battle.decision.kind != "select-to-move"
    assert not may_move(battle, squad, 0.1, 0.0)


@pytest.mark.rule("epic.orders.support-fire", "epic.move.distance")
def test_support_fire_moves_2_cm_whatever_the_movement() -> None:
    battle, tank = moving("support-fire", "Predator")
    assert may_move(battle, tank, 2.0, 0.0)
    assert not may_move(battle, tank, 3.0, 0.0)


@pytest.mark.parametrize(
    ("order", "fires"),
    [("advance", True), ("charge", False), ("support-fire", True), ("overwatch", True), ("march", False)],
)
@pytest.mark.rule(
    "epic.orders.advance",
    "epic.orders.charge",
    "epic.orders.support-fire",
    "epic.orders.overwatch",
    "epic.orders.march",
)
def test_which_orders_fire_in_the_fire_phase(order: str, fires: bool) -> None:
    scene = EpicScene()
    line(scene, 0, "Tactical Marine", 60, order=order)
    line(scene, 1, "Boy", 75, order="march")
    battle = scene.battle("fire", dice=[A])
    asked = battle.decision is not None and battle.decision.kind == "select-to-fire"
    assert asked is fires


@pytest.mark.parametrize(
    ("order", "moves"),
    [("advance", False), ("charge", True), ("support-fire", False), ("overwatch", False), ("march", False)],
)
@pytest.mark.rule(
    "epic.orders.advance",
    "epic.orders.charge",
    "epic.orders.support-fire",
    "epic.orders.overwatch",
    "epic.orders.march",
    "epic.assault.charge-move",
)
def test_which_orders_move_in_the_assault_phase(order: str, moves: bool) -> None:
    scene = EpicScene()
    line(scene, 0, "Tactical Marine", 60, order=order)
    line(scene, 1, "Boy", 66, order="march")
    battle = scene.battle("assault", dice=[A])
    pick(battle, "own side first")
    asked = battle.decision is not None and battle.decision.kind == "select-to-assault"
    assert asked is moves


# ---------------------------------------------------------------- support fire


def supporting(dice: list[int], order: str = "support-fire") -> Battle:
    """A marine (5+) about to fire at a Boy at full detail, these dice to come."""
    scene = EpicScene()
    squad = line(scene, 0, "Tactical Marine", 60, order=order)
    line(scene, 1, "Boy", 75, order="march")
    battle = scene.battle("fire", dice=[A, *dice], detail="full")
    choose(battle, "own", squad.number)
    choose(battle, "enemy", 0)  # the only unit of it is taken for granted
    return battle


@pytest.mark.rule("epic.orders.support-fire")
def test_a_natural_1_may_be_rolled_again_once() -> None:
    """A 1, re-rolled as a 5: hit."""
    battle = supporting([1, 5, 1])
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.kind) == (0, "re-roll-ones")
    pick(battle, "re-roll 1 natural 1")
    assert [event["hit"] for event in told(battle, "epic.fire.to-hit")] == [False]
    assert [(event["roll"], event["hit"]) for event in told(battle, "epic.orders.support-fire")] == [(5, True)]
    assert battle.units.alive[1] == 0


@pytest.mark.rule("epic.orders.support-fire")
def test_the_1_may_be_kept_and_a_second_one_is_final() -> None:
    kept = supporting([1])
    pick(kept, "keep them")
    assert told(kept, "epic.orders.support-fire") == []
    assert kept.units.alive[1] == 1
    again = supporting([1, 1])
    pick(again, "re-roll 1 natural 1")
    assert again.units.alive[1] == 1
    assert dice_left(again) == 0
    assert again.decision is None or again.decision.kind != "re-roll-ones"


@pytest.mark.parametrize(
    ("roll", "order"), [(2, "support-fire"), (4, "support-fire"), (1, "advance"), (1, "overwatch")]
)
@pytest.mark.rule("epic.orders.support-fire")
def test_nothing_else_is_rolled_again(roll: int, order: str) -> None:
    battle = supporting([roll], order)
    assert battle.decision is None or battle.decision.kind != "re-roll-ones"
    assert battle.units.alive[1] == 1


@pytest.mark.parametrize(
    ("dice", "asked", "alive"), [([1, 6, 4, 1], True, 0), ([1, 6, 3], True, 1), ([6, 1], False, 1)]
)
@pytest.mark.rule("epic.orders.support-fire", "epic.fire.seven-plus")
def test_a_re_roll_where_7_is_needed(dice: list[int], asked: bool, alive: int) -> None:
    """In a fortification: a 1 is rolled again and may be the 6 that is followed by 4+; a 1 that follows a 6 is final."""
    scene = EpicScene()
    scene.area("fortification", 15, 70, 25, 80)
    line(scene, 0, "Tactical Marine", 60, order="support-fire")
    boy = line(scene, 1, "Boy", 75, order="march")
    battle = scene.battle("fire", dice=[A, *dice], detail="full")
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert (battle.decision is not None and battle.decision.kind == "re-roll-ones") is asked
    if asked:
        pick(battle, "re-roll 1 natural 1")
    assert battle.units.alive[boy] == alive
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- overwatch


def watching(
    dice: list[int], *, detail: str = "squad", fired: int = 0
) -> tuple[Battle, FormationHandle, FormationHandle]:
    """Boyz end a charge move 20 cm away from a marine on overwatch."""
    scene = EpicScene()
    watch = line(scene, 0, "Tactical Marine", 60, order="overwatch", fired=fired)
    mob = line(scene, 1, "Boy", 90, 2, order="charge")
    other = line(scene, 1, "Boy", 70, order="march")
    battle = scene.battle("movement", dice=[B, *dice], detail=detail)
    pick(battle, "own side first")
    assert other.row == 2
    choose(battle, "own", 0)
    if detail == "full":
        for unit in (0, 1):
            choose(battle, "model", unit)
            move_by(battle, 0, -10, mob.model(unit))  # with both moved there is nothing left but to be done
    else:
        move_by(battle, 0, -10)
    assert place_of(battle, mob.model())[1] == pytest.approx(80)
    return battle, watch, mob


@pytest.mark.rule("epic.orders.overwatch", "epic.fire.modifiers")
@pytest.mark.parametrize(("roll", "hit"), [(5, False), (6, True)])
def test_overwatch_fires_in_the_enemys_movement_at_minus_1(roll: int, hit: bool) -> None:
    """The marine (5+) hits on 6+, and does not fire again in the fire phase."""
    battle, watch, mob = watching([roll, 1])
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.kind, battle.decision.subject) == (0, "overwatch", mob.row)
    choose(battle, "own", 0)
    assert slots(battle, "enemy") == [0]  # only the formation that moved
    choose(battle, "enemy", 0)
    assert told(battle, "epic.fire.to-hit")[0]["needed"] == 6
    assert battle.units.alive[mob] == 2 - hit
    assert battle.units.fired[watch] == 1
    while battle.clock.phase[0] <= 3:
        assert battle.decision is not None
        assert battle.decision.player == 1 or battle.decision.kind not in ("select-to-fire", "overwatch")
        battle.apply(battle.first_legal())


@pytest.mark.rule("epic.orders.overwatch")
def test_one_that_waits_may_fire_in_the_fire_phase_without_the_modifier() -> None:
    battle, watch, mob = watching([])
    pick(battle, "wait")
    assert battle.units.fired[watch] == 0
    play_until(battle, "select-to-fire")
    choose(battle, "own", 0)
    assert slots(battle, "enemy") == [0, 1]  # anybody
    battle.script_array[:2] = 5, 1
    battle.dice.script_at[0], battle.dice.script_end[0] = 0, 2
    choose(battle, "enemy", 0)
    assert told(battle, "epic.fire.to-hit")[0]["needed"] == 5
    assert battle.units.alive[mob] == 1


@pytest.mark.rule("epic.orders.overwatch")
def test_it_reacts_to_each_move_until_it_has_fired_and_not_to_those_that_stay() -> None:
    battle, watch, _ = watching([])
    pick(battle, "wait")
    choose(battle, "own", 1)  # the other formation moves too
    move_by(battle, 5, 0)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("overwatch", 0)
    fired, _, _ = watching([], fired=1)
    assert fired.decision is not None
    assert fired.decision.kind == "select-to-move"
    scene = EpicScene()
    line(scene, 0, "Tactical Marine", 60, order="overwatch")
    line(scene, 1, "Boy", 80, order="charge")
    still = scene.battle("movement", dice=[B])
    pick(still, "own side first")
    choose(still, "own", 0)
    move_by(still, 0, 0)
    assert still.decision is None or still.decision.kind != "overwatch"
    assert watch.row == 0


@pytest.mark.rule("epic.orders.overwatch", "epic.assault.charge-move")
def test_overwatch_does_not_fire_at_assault_moves() -> None:
    """It reacts to moves of the movement phase only, though it has not fired and sees the enemy come."""
    scene = EpicScene()
    watch = line(scene, 0, "Tactical Marine", 60, order="overwatch")
    mob = line(scene, 1, "Boy", 75, 2, order="charge")
    battle = scene.battle("assault", dice=[B])
    pick(battle, "own side first")
    choose(battle, "own", 0)
    move_by(battle, 0, -5)
    assert place_of(battle, mob.model())[1] == pytest.approx(70)
    assert battle.units.fired[watch] == 0
    assert battle.decision is None or battle.decision.kind != "overwatch"


@pytest.mark.rule("epic.orders.overwatch", "epic.fire.declare-targets")
def test_overwatch_names_single_targets_at_full_detail() -> None:
    battle, _, mob = watching([6, 1], detail="full")
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("fire-at-unit", mob.row)
    choose(battle, "model", 1)
    assert [battle.models.on_table[mob.model(n)] for n in (0, 1)] == [1, 0]


@pytest.mark.rule("epic.orders.overwatch")
def test_fire_at_helper_and_overwatch_fire_once() -> None:
    """Overwatch that fires in the fire phase has fired for the turn."""
    scene = EpicScene()
    watch = line(scene, 0, "Tactical Marine", 60, order="overwatch")
    boy = line(scene, 1, "Boy", 75, order="march")
    battle = scene.battle("fire", dice=[A, 1])
    fire_at(battle, watch, boy)
    assert battle.units.fired[watch] == 1
    assert battle.clock.phase[0] > 3 or battle.over
