"""Fight phase: the sequence of one unit's fight and its Pile-in move (w10.fight.sequence, w10.fight.pile-in*)."""

from math import cos, pi, sin

import pytest

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, apart, choose, melee, pick, place, sheet, slots, told, words
from wh_env.testing.melee_moves import check_pile_in_move

TOUCH = 1.005  # between the centres of two bases of 1 inch in contact


def waiting(scene: Scene, **more: object) -> Battle:
    """The battle before the Fight phase, to judge explicit moves."""
    return scene.battle(phase="fight", run=False, **more)  # type: ignore[arg-type]


# ---------------------------------------------------------------- sequence

STAGES = {
    "pile-in": 0,
    "melee-weapon": 1, "extra-attacks": 1, "attack-target": 1,
    "target-order": 2, "profile-order": 2, "allocate": 2, "save": 2,
    "consolidate": 3,
}  # fmt: skip


@pytest.mark.rule("w10.fight.sequence")
def test_pile_in_attacks_consolidation():
    """A unit of 5 at full detail: every choice comes in its stage, all before another unit is selected."""
    scene = Scene()
    weapons = {"sword": melee(A=1, WS=2, S=8, AP=-6), "axe": melee(A=2)}
    unit = scene.unit(0, sheet("Unit", weapons=weapons), at=[(10 + 1.5 * n, 10) for n in range(5)])
    scene.unit(0, sheet("Second"), at=(40, 10))
    scene.unit(0, sheet("Third"), at=(50, 10))
    scene.unit(1, sheet("X", W=1), at=[(10 + 2 * n, 11.7) for n in range(2)])
    scene.unit(1, sheet("Y", W=1), at=[(14.5 + 2 * n, 11.7) for n in range(2)])
    scene.unit(1, sheet("Z"), at=[(40, 10 + TOUCH)])
    scene.unit(1, sheet("Other"), at=[(50, 10 + TOUCH)])
    battle = scene.battle(phase="fight", detail="full", dice=[6] * 4 + [1] * 2)
    pick(battle, "Unit", kind="select-to-fight")
    kinds: list[str] = []
    aims = ["X", "Y", "X", "Y", "X", "Y"]
    while battle.decision.kind != "select-to-fight":
        kind = battle.decision.kind
        kinds.append(kind)
        if kind == "pile-in":
            pick(battle, "pile in")
        elif kind == "attack-target" and any(aims[0] in w for w in words(battle).values()):
            pick(battle, aims.pop(0))
        else:
            battle.apply(battle.first_legal())
    stages = [STAGES[kind] for kind in kinds if kind in STAGES]
    assert stages == sorted(stages)
    assert set(stages) == {0, 1, 2, 3}
    assert {"pile-in", "melee-weapon", "attack-target", "target-order", "consolidate"} <= set(kinds)
    assert battle.decision.player == 1
    assert [e["unit"] for e in told(battle, "w10.fight.alternate")] == [unit]


# ---------------------------------------------------------------- pile in


@pytest.mark.rule("w10.fight.pile-in")
def test_up_to_three_inches_closer():
    """A model 3.5" from the closest enemy: up to 3.0", closer; 3.1" is too far."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10)], charged=1)
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 14.5))
    battle = waiting(scene)
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 13.1)]}) == Fault.TOO_FAR
    for end, fault in (
        ((10.0, 13.0), Fault.LEGAL),  # 3.0" ahead, 0.5" away
        ((10.0, 12.6), Fault.LEGAL),  # 2.6" ahead, 0.9" away
        ((11.0, 12.8), Fault.LEGAL),  # aside
        ((10.0, 12.4), Fault.NOT_ENGAGED),  # 1.1" away
    ):
        assert check_pile_in_move(battle.clone(), unit, {0: [end]}) == fault
    battle.run()
    pick(battle, "pile in", kind="pile-in")
    assert place(battle, unit.first) == pytest.approx((10.0, 13.0), abs=0.01)
    assert apart(battle, unit.first, enemy.first) == pytest.approx(0.5, abs=0.01)


@pytest.mark.rule("w10.fight.pile-in")
def test_models_in_base_contact_do_not_move():
    """One model touches an enemy, the other does not: only the other moves, and only it may."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10)])
    scene.unit(1, sheet("Enemy", W=5), at=[(10, 10 + TOUCH), (12, 12)])
    battle = waiting(scene)
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.2, 10.0)]}) == Fault.IN_CONTACT
    assert check_pile_in_move(battle.clone(), unit, {1: [(12.0, 11.0)]}) == Fault.LEGAL
    battle.run()
    pick(battle, "pile in", kind="pile-in")
    assert place(battle, unit.model(0)) == (10.0, 10.0)
    assert place(battle, unit.model(1)) == pytest.approx((12.0, 11.0), abs=0.01)
    assert told(battle, "w10.fight.pile-in")[0]["moved"] == 1


@pytest.mark.rule("w10.fight.pile-in")
def test_piling_in_is_optional():
    """The unit may stay where it is; a unit all in contact is not asked."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10)])
    scene.unit(1, sheet("Enemy", W=5), at=(10, 11.5))
    battle = scene.battle(phase="fight")
    assert set(words(battle).values()) == {"pile in", "do not pile in"}
    pick(battle, "do not pile in")
    assert place(battle, unit.first) == (10.0, 10.0)
    scene = Scene()
    scene.unit(0, sheet("Unit"), at=[(10, 10)])
    scene.unit(1, sheet("Enemy", W=5), at=(10, 10 + TOUCH))
    battle = scene.battle(phase="fight")
    assert battle.decision is None or battle.decision.kind != "pile-in"


@pytest.mark.rule("w10.fight.pile-in.condition")
@pytest.mark.parametrize(("distance", "possible"), [(5.0, False), (4.1, False), (4.0, True), (3.5, True)])
def test_a_pile_in_must_end_engaged(distance, possible):
    """The target of its charge is gone; closest enemy 5" away: no Pile-in is offered; 3.5": it ends 0.5" away."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10)], charged=1)
    scene.unit(1, sheet("Enemy"), at=(10, 11 + distance))
    battle = waiting(scene)
    closer = check_pile_in_move(battle.clone(), unit, {0: [(10.0, 13.0)]})
    assert closer == (Fault.LEGAL if possible else Fault.NOT_ENGAGED)
    battle.run()
    assert (battle.decision is not None and battle.decision.kind == "pile-in") == possible
    if possible:
        pick(battle, "pile in")
        assert battle.models.y[unit.first] == pytest.approx(13.0, abs=0.01)


@pytest.mark.rule("w10.fight.pile-in.condition")
def test_a_pile_in_must_end_in_coherency():
    """The second model would stay 2.1" behind the first: refused; at 2.0" it is legal."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (10, 8)])
    scene.unit(1, sheet("Enemy", W=5), at=(10, 13.2))
    battle = waiting(scene)
    # contact is 2.2" ahead of the first, 4.2" ahead of the second
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 12.199)], 1: [(10.0, 9.0)]}) == Fault.NOT_COHERENT
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 12.199)], 1: [(10.0, 9.2)]}) == Fault.LEGAL


def hemmed_in() -> tuple[Battle, int]:
    """A model 2" from E, its closest enemy; three friends touching E leave no place to touch it; F is 2.4" away."""
    scene = Scene()
    friends = [(20 + TOUCH * sin(a), 20 - TOUCH * cos(a)) for a in (-pi / 3 - 0.02, 0.0, pi / 3 + 0.02)]
    unit = scene.unit(0, sheet("Unit"), at=[(20, 17), *friends])
    scene.unit(1, sheet("E", W=5), at=(20, 20))
    return waiting(scene), unit.row


@pytest.mark.rule("w10.fight.pile-in.closer")
def test_each_model_ends_closer_to_its_closest_enemy_model():
    """2" from E without a free place in contact: an end 1.5" from E is legal, 2.0" or 2.2" is not."""
    for end, fault in (
        ((20.0, 17.5), Fault.LEGAL),
        ((20.0, 16.8), Fault.NOT_CLOSER),
        ((20.9, 17.137), Fault.NOT_CLOSER),  # as far from E as before
    ):
        battle, unit = hemmed_in()
        assert check_pile_in_move(battle, unit, {0: [end]}) == fault


@pytest.mark.rule("w10.fight.pile-in.closer")
def test_another_enemy_model_does_not_count():
    """2" from E: an end 2.5" from E but 0.5" from F is refused; contact with E is legal."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(20, 17), charged=1)
    e = scene.unit(1, sheet("E", W=5), at=(20, 20))
    f = scene.unit(1, sheet("F", W=5), at=(23.2, 16.55))
    battle = waiting(scene)
    beside_f = (21.75, 16.97)
    probe = battle.clone()
    probe.models.x[unit.first], probe.models.y[unit.first] = beside_f
    assert apart(probe, unit.first, e.first) == pytest.approx(2.5, abs=0.01)
    assert apart(probe, unit.first, f.first) == pytest.approx(0.5, abs=0.02)
    assert check_pile_in_move(battle.clone(), unit, {0: [beside_f]}) == Fault.NOT_CLOSER
    assert check_pile_in_move(battle, unit, {0: [(20.0, 19.0)]}) == Fault.LEGAL


@pytest.mark.rule("w10.fight.pile-in.base-contact")
def test_base_contact_if_it_can_be_reached():
    """2" from its closest enemy with a free way: contact, nothing less; 4" away: up to 3" closer without it."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10), charged=1)
    enemy = scene.unit(1, sheet("Enemy", W=5), at=(10, 13))
    battle = waiting(scene)
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 11.5)]}) == Fault.NOT_CONTACT
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 12.0)]}) == Fault.LEGAL
    battle.run()
    pick(battle, "pile in", kind="pile-in")
    assert apart(battle, unit.first, enemy.first) <= 0.01

    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10), charged=1)
    enemy = scene.unit(1, sheet("Enemy", W=5), at=(10, 15))
    battle = waiting(scene)
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 13.0)]}) == Fault.LEGAL
    assert check_pile_in_move(battle.clone(), unit, {0: [(10.0, 14.0)]}) == Fault.TOO_FAR
    battle.run()
    pick(battle, "pile in", kind="pile-in")
    assert apart(battle, unit.first, enemy.first) == pytest.approx(1.0, abs=0.001)


def one_free_place() -> tuple[Scene, int, int]:
    """Two models that can both reach the only free place in contact with the enemy model, in a niche between boxes."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=("MOUNTED",)), at=[(19.2, 17.4), (20.8, 17.4)])
    scene.box(15, 18.4, 19.45, 25, 9)
    scene.box(20.55, 18.4, 25, 25, 9)
    enemy = scene.unit(1, sheet("Enemy", W=5), at=(20, 19.6))
    return scene, unit.row, enemy.first


def ends_in_contact(battle: Battle, model: int, enemy: int) -> list[int]:
    """The places offered to a model (by action) that touch the enemy model."""
    assert battle.decision.kind == "close-to"
    found = []
    for action in battle.decision.options[1:]:
        branch = battle.clone()
        branch.apply(action)
        if apart(branch, model, enemy) <= 0.01:
            found.append(action)
    return found


@pytest.mark.rule("w10.fight.pile-in.order")
@pytest.mark.parametrize("first", [0, 1])
def test_the_players_order_decides_who_takes_the_free_place(first):
    """Whoever is moved first may take the place in contact; then it is not offered to the other."""
    scene, unit, enemy = one_free_place()
    battle = scene.battle(phase="fight", detail="full", set_state=lambda b: b.units.charged.__setitem__(unit, 1))
    pick(battle, "pile in", kind="pile-in")
    model = battle.setup.space.model
    battle.apply(model + first)
    battle.apply(ends_in_contact(battle, first, enemy)[0])
    battle.apply(model + 1 - first)
    assert ends_in_contact(battle, 1 - first, enemy) == []
    choose(battle, "done")  # the other stays
    pick(battle, "end the move", kind="close-order")
    assert apart(battle, first, enemy) <= 0.01
    assert apart(battle, 1 - first, enemy) > 0.5


@pytest.mark.rule("w10.fight.pile-in", "w10.fight.pile-in.base-contact")
def test_models_pile_in_one_by_one():
    """Full detail: each model that may move is chosen and placed; the move can only end where it is legal."""
    scene, unit, enemy = one_free_place()
    battle = scene.battle(phase="fight", detail="full", set_state=lambda b: b.units.charged.__setitem__(unit, 1))
    pick(battle, "pile in", kind="pile-in")
    model = battle.setup.space.model
    assert slots(battle, "model") == [0, 1]
    assert (
        slots(battle, "done") == slots(battle, "option")[:-1] == []
    )  # nothing moved yet: no end, nothing to take back
    before = place(battle, 0)
    battle.apply(model)
    touching = ends_in_contact(battle, 0, enemy)
    short = [a for a in battle.decision.options[1:] if a not in touching]
    for action in short:
        branch = battle.clone()
        branch.apply(action)
        # closer to the enemy model, but contact could have been reached
        assert apart(branch, 0, enemy) < apart(battle, 0, enemy)
        assert slots(branch, "done") == []
    battle.apply(short[0])
    pick(battle, "take the move back")
    assert place(battle, 0) == before
    assert slots(battle, "model") == [0, 1]
    pick(battle, "leave the move to the engine")
    assert min(apart(battle, n, enemy) for n in (0, 1)) <= 0.01


@pytest.mark.rule("w10.fight.pile-in.order")
def test_explicit_moves_are_judged_in_the_order_given():
    """Once the first has taken the place in contact the second need not touch anyone; while it is free it must."""
    scene, unit, _enemy = one_free_place()
    battle = waiting(scene)
    into, behind = [(20.0, 17.6), (20.0, 18.598)], {0: (19.5, 17.7), 1: (20.5, 17.7)}
    for first in (0, 1):
        second = 1 - first
        both = {first: into, second: [behind[second]]}
        assert check_pile_in_move(battle.clone(), unit, both) == Fault.LEGAL
        assert check_pile_in_move(battle.clone(), unit, {first: into, second: into}) == Fault.OVERLAPS_MODEL
        assert check_pile_in_move(battle.clone(), unit, {second: [behind[second]]}) == Fault.NOT_CONTACT
