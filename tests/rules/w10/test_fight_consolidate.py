"""Fight phase: Consolidation moves, and the worked example of a fight (w10.fight.consolidate*, w10.fight.example)."""

from math import hypot

import pytest

from wh_env.content.battle import Battle
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, apart, dice_left, melee, pick, place, sheet, told, words
from wh_env.testing.melee_moves import check_consolidation, check_pile_in_move

TOUCH = 1.005  # between the centres of two bases of 1 inch in contact
KILLER = {"axe": melee(A=1, WS=2, S=8, AP=-6)}
KILL = [6, 6, 1]  # hit, wound, failed save


def marker_gap(battle: Battle, model: int) -> float:
    """Inches from the base of a model to the edge of the first objective marker."""
    o = battle.objectives
    away = hypot(battle.models.x[model] - o.x[0], battle.models.y[model] - o.y[0])
    return away - battle.models.radius[model] - o.radius[0]


def after_the_kill(
    enemies: list[tuple[float, float]], marker: float | None = None, *, models: int = 1, detail: str = "squad"
) -> tuple[Battle, int]:
    """A unit at (20, 20) destroyed its only opponent; further enemy units stand at ``enemies``, a marker so far along x.

    ``marker`` is the distance from the base of the unit's first model to the marker's edge. Returned once the fight of the unit
    has come to its consolidation (or, where none is possible, is over).
    """
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", weapons=KILLER), at=[(20 - 2.6 * n, 20) for n in range(models)])
    scene.unit(1, sheet("Victim"), at=(20, 20 + TOUCH))
    for n, at in enumerate(enemies):
        scene.unit(1, sheet(f"Enemy {n + 1}"), at=at)
    scene.unit(1, sheet("Elsewhere"), at=(55, 40))
    if marker is not None:
        scene.marker(20 + 0.5 + marker + 20 / 25.4, 20)
    battle = scene.battle(phase="fight", dice=KILL, detail=detail)
    if battle.decision.kind == "pile-in":
        pick(battle, "do not pile in")
    assert dice_left(battle) == 0
    assert battle.units.alive[1] == 0
    return battle, unit.row


def asks(battle: Battle) -> bool:
    """Whether a consolidation is offered."""
    return battle.decision is not None and battle.decision.kind == "consolidate"


# ---------------------------------------------------------------- towards the enemy


@pytest.mark.rule("w10.fight.consolidate")
def test_up_to_three_inches():
    """A model not in base contact may move 3.0" and no more."""
    battle, unit = after_the_kill([(20, 24.9)])  # 3.9" away
    assert asks(battle)
    assert check_consolidation(battle.clone(), unit, {0: [(20.0, 23.1)]}) == Fault.TOO_FAR
    assert check_consolidation(battle.clone(), unit, {0: [(20.0, 23.0)]}) == Fault.LEGAL
    pick(battle, "consolidate")
    assert place(battle, 0) == pytest.approx((20.0, 23.0), abs=0.01)


@pytest.mark.rule("w10.fight.consolidate")
def test_a_model_in_base_contact_is_not_moved():
    """One model touches another enemy after the fight: it stays, the other moves."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(20, 20), (22, 20)])
    scene.unit(1, sheet("Enemy", W=5), at=[(20, 20 + TOUCH), (22, 22)])
    battle = scene.battle(phase="fight")
    pick(battle, "do not pile in", kind="pile-in")
    assert asks(battle)
    assert check_consolidation(battle.clone(), unit, {0: [(20.1, 20.0)]}) == Fault.IN_CONTACT
    pick(battle, "consolidate")
    assert place(battle, unit.model(0)) == (20.0, 20.0)
    assert place(battle, unit.model(1)) == pytest.approx((22.0, 21.0), abs=0.01)


@pytest.mark.rule("w10.fight.consolidate")
def test_consolidating_is_optional():
    """ "Do not consolidate" leaves everybody where they are."""
    battle, _unit = after_the_kill([(20, 24.8)])
    assert set(words(battle).values()) == {"consolidate", "do not consolidate"}
    pick(battle, "do not consolidate")
    assert place(battle, 0) == (20.0, 20.0)


@pytest.mark.rule("w10.fight.consolidate.enemy")
def test_consolidating_into_another_enemy_unit():
    """An enemy unit 3.8" away: the unit ends within 1" of it, and it becomes eligible to fight."""
    battle, unit = after_the_kill([(20, 24.8)])
    assert asks(battle)
    pick(battle, "consolidate")
    assert units_engaged(battle.models.rows, battle.units.rows, unit, 2, 1.0, 5.0)
    assert [e["unit"] for e in told(battle, "w10.fight.consolidate.enemy")] == [unit]
    assert 2 in [e["unit"] for e in told(battle, "w10.fight.alternate")]


@pytest.mark.rule("w10.fight.consolidate.enemy")
@pytest.mark.parametrize(("distance", "possible"), [(4.0, True), (4.1, False)])
def test_it_must_end_within_engagement_range(distance, possible):
    """3" and 1" of Engagement Range reach 4.0", not 4.1"."""
    battle, unit = after_the_kill([(20, 21 + distance)])
    assert asks(battle) == possible
    if not possible:
        assert check_consolidation(battle, unit, {0: [(20.0, 23.0)]}) == Fault.NOT_ENGAGED
        assert 2 not in [e["unit"] for e in told(battle, "w10.fight.alternate")]


@pytest.mark.rule("w10.fight.consolidate.enemy")
def test_it_must_end_in_coherency():
    """The second model may not be left 2.1" behind."""
    battle, unit = after_the_kill([(20, 24.6)], models=2)
    assert asks(battle)
    lead = (20.0, 23.0)
    for second, fault in (((18.0, 20.7641), Fault.LEGAL), ((18.0, 20.66), Fault.NOT_COHERENT)):
        moves = {0: [lead], 1: [second]}
        assert check_consolidation(battle.clone(), unit, moves) == fault


@pytest.mark.rule("w10.fight.consolidate.closer")
def test_closer_and_into_contact():
    """2" from its closest enemy model with a free way: contact, nothing less; 2.5" away from it is refused."""
    battle, unit = after_the_kill([(20, 23.0), (23.4, 18.5)])
    assert asks(battle)
    assert check_consolidation(battle.clone(), unit, {0: [(20.0, 21.5)]}) == Fault.NOT_CONTACT
    away = (21.75, 19.97)  # 2.5" from the closest one, nearer to the other
    assert check_consolidation(battle.clone(), unit, {0: [away]}) == Fault.NOT_CLOSER
    assert check_consolidation(battle.clone(), unit, {0: [(20.0, 22.0)]}) == Fault.LEGAL
    pick(battle, "consolidate")
    assert apart(battle, 0, 2) <= 0.01


@pytest.mark.rule("w10.fight.consolidate.closer")
@pytest.mark.parametrize("first", [0, 1])
def test_the_player_chooses_the_order(first):
    """Two models, one free place in contact (a niche between boxes): the one moved first takes it."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=("MOUNTED",)), at=[(19.2, 17.4), (20.8, 17.4)], charged=1)
    scene.box(15, 18.4, 19.45, 25, 9)
    scene.box(20.55, 18.4, 25, 25, 9)
    enemy = scene.unit(1, sheet("Enemy", W=5), at=(20, 19.6))
    battle = scene.battle(phase="fight", detail="full")
    pick(battle, "do not pile in", kind="pile-in")
    pick(battle, "consolidate", kind="consolidate")
    battle.apply(battle.setup.space.model + first)
    touching = []
    for action in battle.decision.options[1:]:
        branch = battle.clone()
        branch.apply(action)
        if apart(branch, unit.model(first), enemy.first) <= 0.01:
            touching.append(action)
    battle.apply(touching[0])
    pick(battle, "end the move", kind="close-order")
    assert apart(battle, unit.model(first), enemy.first) <= 0.01
    assert apart(battle, unit.model(1 - first), enemy.first) > 0.5


# ---------------------------------------------------------------- towards an objective marker


def before_the_marker(
    marker: float, models: int = 1, enemies: list[tuple[float, float]] | None = None
) -> tuple[Battle, int]:
    """``after_the_kill`` without the fight: nobody is left to face the unit."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(20 - 2.6 * n, 20) for n in range(models)])
    for n, at in enumerate(enemies or []):
        scene.unit(1, sheet(f"Enemy {n + 1}"), at=at)
    scene.unit(1, sheet("Elsewhere"), at=(55, 40))
    scene.marker(20 + 0.5 + marker + 20 / 25.4, 20)
    return scene.battle(phase="fight", run=False), unit.row


@pytest.mark.rule("w10.fight.consolidate.objective")
@pytest.mark.parametrize(("distance", "possible"), [(5.0, True), (6.0, True), (6.1, False), (6.5, False)])
def test_towards_the_closest_marker(distance, possible):
    """No enemy within 4", marker 5" away: the unit ends 2" from it; 6.5" away it cannot get in range (3")."""
    battle, unit = before_the_marker(distance, enemies=[(20, 26)])
    assert marker_gap(battle, 0) == pytest.approx(distance)
    probe = battle.clone()
    verdict = check_consolidation(probe, unit, {0: [(23.0, 20.0)]})
    assert (verdict == Fault.LEGAL) == possible
    if possible:
        assert marker_gap(probe, 0) == pytest.approx(distance - 3.0, abs=1e-6)
        assert check_consolidation(battle.clone(), unit, {0: [(17.0, 20.0)]}) == Fault.NOT_CLOSER
        assert check_consolidation(battle.clone(), unit, {0: [(23.1, 20.0)]}) == Fault.TOO_FAR
    battle, unit = after_the_kill([(20, 26)], marker=distance)
    assert not asks(battle)  # where it is possible it must be made
    assert (marker_gap(battle, 0) <= 3.0 + 1e-3) == possible
    assert [e["unit"] for e in told(battle, "w10.fight.consolidate.objective")] == [unit] * possible


@pytest.mark.rule("w10.fight.consolidate.objective")
def test_the_enemy_comes_before_the_marker():
    """With an enemy unit 3.8" away the marker is no alternative: the unit goes for the enemy or stays."""
    battle, unit = after_the_kill([(20, 24.8)], marker=4.0)
    assert asks(battle)
    assert check_consolidation(battle.clone(), unit, {0: [(22.0, 20.0)]}) != Fault.LEGAL
    pick(battle, "consolidate")
    assert told(battle, "w10.fight.consolidate.objective") == []
    assert place(battle, 0) == pytest.approx((20.0, 23.0), abs=0.01)


@pytest.mark.rule("w10.fight.consolidate.objective")
def test_only_the_closest_marker_counts():
    """Two markers in reach: the moves go towards the one closest to the unit."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", weapons=KILLER), at=(20, 20))
    scene.unit(1, sheet("Victim"), at=(20, 20 + TOUCH))
    scene.unit(1, sheet("Elsewhere"), at=(55, 40))
    scene.marker(20 + 0.5 + 5.0 + 20 / 25.4, 20)
    scene.marker(20 - 0.5 - 5.5 - 20 / 25.4, 20)
    battle = scene.battle(phase="fight", dice=KILL)
    assert place(battle, unit.first) == pytest.approx((23.0, 20.0), abs=0.01)


@pytest.mark.rule("w10.fight.consolidate.objective")
def test_in_coherency_at_the_marker():
    """Two models: one goes for the marker, the other may not be left behind."""
    battle, unit = before_the_marker(5.0, models=2)
    assert check_consolidation(battle.clone(), unit, {0: [(22.5, 20.0)]}) == Fault.NOT_COHERENT
    assert check_consolidation(battle.clone(), unit, {0: [(22.5, 20.0)], 1: [(20.0, 20.0)]}) == Fault.LEGAL


@pytest.mark.rule("w10.fight.consolidate.objective-optional")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_must_be_made_where_it_is_possible(detail):
    """Nobody is asked whether to consolidate; at full detail the player chooses where the models end, not whether they move."""
    battle, unit = after_the_kill([], marker=3.9, detail=detail)
    if detail == "full":
        assert battle.decision.kind == "close-order"
        assert "end the move" not in words(battle).values()
        pick(battle, "move Unit 1")
        battle.apply(0)  # it stays after all
        assert "end the move" not in words(battle).values()
        pick(battle, "leave the move to the engine")
    assert not asks(battle)
    assert marker_gap(battle, 0) <= 3.0 + 1e-3
    assert [e["unit"] for e in told(battle, "w10.fight.consolidate.objective")] == [unit]


@pytest.mark.rule("w10.fight.consolidate.objective-optional")
def test_each_model_moves_and_by_less_than_three_inches_if_it_likes():
    """1" closer with the unit in range at the end is legal, 0.5" leaves it out of range; a model that could move may not stay."""
    battle, unit = before_the_marker(3.9)
    probe = battle.clone()
    assert check_consolidation(probe, unit, {0: [(21.0, 20.0)]}) == Fault.LEGAL
    assert marker_gap(probe, 0) == pytest.approx(2.9)
    assert check_consolidation(battle.clone(), unit, {0: [(20.5, 20.0)]}) == Fault.NOT_IN_RANGE
    battle, unit = before_the_marker(3.9, models=2)
    assert check_consolidation(battle.clone(), unit, {0: [(21.0, 20.0)], 1: [(18.0, 20.0)]}) == Fault.LEGAL
    assert check_consolidation(battle.clone(), unit, {1: [(18.9, 20.0)]}) == Fault.NOT_IN_RANGE
    near, unit = before_the_marker(2.5, models=2)
    assert check_consolidation(near.clone(), unit, {0: [(20.2, 20.0)]}) == Fault.NOT_CLOSER
    assert check_consolidation(near, unit, {0: [(20.2, 20.0)], 1: [(17.5, 20.0)]}) == Fault.LEGAL


@pytest.mark.rule("w10.fight.consolidate.none")
def test_no_consolidation_possible():
    """Closest enemy 6" and closest marker 8" away: nothing is asked, nobody moves, the fight is over."""
    battle, unit = after_the_kill([(20, 27)], marker=8.0)
    assert not asks(battle)
    assert place(battle, 0) == (20.0, 20.0)
    assert told(battle, "w10.fight.consolidate.enemy") + told(battle, "w10.fight.consolidate.objective") == []
    assert check_consolidation(battle, unit, {0: [(20.0, 23.0)]}) != Fault.LEGAL
    assert told(battle, "w10.round.end-of-turn")  # nobody else was eligible: the turn is over


# ---------------------------------------------------------------- the worked example


@pytest.mark.rule("w10.fight.example")
def test_the_worked_example_with_ten_termagants():
    """2 of 10 start in contact and stay; 5 + 3 fight and 2 do not; one enemy falls; 3 in contact stay, 7 may move."""
    r = 28.5 / 25.4 / 2
    front = 20 - 0.5 - r - 0.004  # in contact with an enemy model at y = 20
    rear = front - 2 * r - 0.003  # in contact with a friend there
    start = [
        (20, front), (23, front),  # in contact
        (26, 17.0), (17.0, 17.2), (29.0, 17.2),  # one comes into contact, two within 1"
        (20, 15.5), (23, 15.5), (26, 15.5),  # come into contact with a friend
        (17.0, 14.5), (29.0, 14.5),  # too far away
    ]  # fmt: skip
    scene = Scene()
    unit = scene.unit(0, "Termagants", at=start)
    enemy = scene.unit(1, sheet("Veterans", T=3, Sv=3), at=[(20, 20), (23, 20), (26, 20), (23, 21.5)])
    battle = scene.battle(phase="fight", dice=[4, *[1] * 7, 6, 1], detail="full")
    assert battle.decision.kind == "pile-in"
    for n in (0, 1):
        moved = {n: [(start[n][0] + 0.1, start[n][1])]}
        assert check_pile_in_move(battle.clone(), unit, moved) == Fault.IN_CONTACT
    piles_in = {
        2: [(26.0, front)],
        3: [(18.681, 18.769)],
        4: [(27.319, 18.769)],
        5: [(20.0, rear)],
        6: [(23.0, rear)],
        7: [(26.0, rear)],
        8: [(18.2, 16.9)],
        9: [(27.8, 16.9)],
    }
    assert check_pile_in_move(battle, unit, piles_in) == Fault.LEGAL
    pick(battle, "do not pile in")  # it was made above
    # 5 within 1" and 3 behind them: 8 attacks, of which one hits, wounds and is not saved
    pick_model = battle.setup.space.model + 3
    assert battle.decision.kind == "allocate"
    battle.apply(pick_model)
    assert len(told(battle, "w10.attack.hit.roll")) == 8
    assert battle.units.alive[enemy] == 3
    assert dice_left(battle) == 0
    # the 3 models in contact stay, whatever the others do
    assert battle.decision.kind == "consolidate"
    stay = (0, 1, 2)
    before = [place(battle, unit.model(n)) for n in range(10)]
    for n in stay:
        x, y = before[n]
        assert check_consolidation(battle.clone(), unit, {n: [(x, y + 0.001)]}) == Fault.IN_CONTACT
    pick(battle, "consolidate")
    pick(battle, "leave the move to the engine", kind="close-order")
    after = [place(battle, unit.model(n)) for n in range(10)]
    moved = {n for n in range(10) if after[n] != before[n]}
    assert moved == {3, 4, 5, 6, 7, 8, 9}
