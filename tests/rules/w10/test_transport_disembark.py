"""Disembarking: when, where, what the unit may still do (w10.transport.disembark.*)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import (
    Scene,
    UnitHandle,
    cell_nearest,
    choose,
    dice_left,
    kind,
    pick,
    ranged,
    sheet,
    slots,
    told,
    words,
)

MIDDLE = 17 * 17 // 2  # the cell of no movement
HALF = (2.5, 1.5)  # half length and width of the bus along x and y


def bus(name: str = "Bus", **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" for 12 INFANTRY."""
    abilities = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    data = {"M": 12, "W": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet(name, keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, **data)  # type: ignore[arg-type]


def loaded(
    models: int = 5, foe: tuple[float, float] = (50, 40), *, at: tuple[float, float] = (20, 10), extra: object = None,
    squad: dict[str, object] | None = None, **battle: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """The Movement phase with a unit embarked in the bus and an enemy model; battle, unit, bus."""
    scene = Scene()
    carrier = scene.unit(0, bus(), at=at, facing=0.0)
    data = squad or sheet("Squad", weapons={"rifle": ranged(24)})
    unit = scene.unit(0, data, models=models, embarked_in=carrier)
    scene.unit(1, sheet("Foe", W=9), at=foe, models=1)
    if callable(extra):
        extra(scene)
    return scene.battle(**battle), unit, carrier  # type: ignore[arg-type]


def farthest(battle: Battle, model: int, carrier: UnitHandle) -> float:
    """From the hull of the bus (facing along x) to the farthest point of a round base."""
    m, hull = battle.models, carrier.first
    dx = max(0.0, abs(m.x[model] - m.x[hull]) - HALF[0])
    dy = max(0.0, abs(m.y[model] - m.y[hull]) - HALF[1])
    return hypot(dx, dy) + m.radius[model]


def drive(battle: Battle, move: str, dx: float = 0.0) -> None:
    """The bus makes this kind of move, 0" or ``dx`` along x."""
    pick(battle, "Bus", kind="select-to-move")
    pick(battle, move, kind="move-kind")
    if kind(battle) == "move-to":
        reach = 12.0 + battle.units.advance[0]
        choose(battle, "cell", cell_nearest(battle, dx, 0.0, reach))


def get_out(battle: Battle, dx: float = 0.0, dy: float = 2.2) -> None:
    """The squad disembarks, its first model as near as can be to this displacement from the middle of the bus."""
    pick(battle, "Squad disembarks", kind="select-to-move")
    assert kind(battle) == "disembark-at"
    assert battle.decision is not None
    m, hull = battle.models, battle.units.first[battle.units.carrier[battle.decision.subject]]

    def off(action: int) -> float:
        x, y = (float(part) for part in battle.describe(action).rsplit(" at ", 1)[1].split(", "))
        return hypot(x - m.x[hull] - dx, y - m.y[hull] - dy)

    battle.apply(min(battle.decision.options, key=off))


# ---------------------------------------------------------------- when


@pytest.mark.rule("w10.transport.disembark.when")
def test_a_unit_that_starts_the_phase_embarked_can_disembark() -> None:
    """Embarked since round 1, in round 2: offered before the bus moves, and it may stay embarked."""
    battle, squad, _ = loaded(round=2)
    assert sorted(words(battle).values()) == ["Bus", "Squad disembarks"]
    drive(battle, "Remain Stationary")
    assert sorted(words(battle).values()) == ["Squad disembarks", "done"]
    staying = battle.clone()
    pick(staying, "done")
    assert staying.units.place[squad] == EMBARKED
    assert (staying.clock.phase[0], staying.clock.turn[0]) != (2, 0)  # the phase is over
    get_out(battle)
    assert (battle.units.place[squad], battle.units.carrier[squad]) == (ON_TABLE, -1)


@pytest.mark.rule("w10.transport.disembark.when")
def test_a_unit_that_embarked_in_this_phase_is_not_offered_to_disembark() -> None:
    """Round 2: a unit embarks, the bus has not moved; 0 options to disembark this phase, one in the next own phase."""
    scene = Scene()
    scene.unit(0, bus(), at=(20, 10), facing=0.0)
    squad = scene.unit(0, sheet("Squad"), at=[(24, 10), (24, 11.25)])
    scene.unit(1, sheet("Foe"), at=[(50, 40)])
    battle = scene.battle(round=2)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", MIDDLE)
    pick(battle, "embark in Bus")
    assert battle.units.place[squad] == EMBARKED
    # the bus is the only unit left, so that it is selected without asking; then the phase is over
    asked = [kind(battle)]
    while battle.clock.phase[0] == 2 and battle.clock.turn[0] == 0:
        assert not [w for w in words(battle).values() if "disembarks" in w]
        battle.apply(battle.first_legal())
        asked.append(kind(battle))
    assert asked[:2] != ["select-to-move", "select-to-move"]
    while not (battle.clock.turn[0] == 0 and battle.clock.phase[0] == 2):
        battle.apply(battle.first_legal())
    assert "Squad disembarks" in words(battle).values()


@pytest.mark.rule("w10.transport.disembark.when")
def test_not_in_the_opponents_movement_phase() -> None:
    """In the opponent's Movement phase nobody of the army disembarks."""
    battle, squad, _ = loaded(active=1)
    while battle.clock.phase[0] == 2 and battle.clock.turn[0] == 1:
        assert battle.decision is not None
        assert battle.decision.player == 1
        battle.apply(battle.first_legal())
    assert battle.units.place[squad] == EMBARKED


# ---------------------------------------------------------------- where


@pytest.mark.rule("w10.transport.disembark.set-up")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_every_base_wholly_within_three_inches_and_out_of_engagement_range(detail: str) -> None:
    """Ten 1" bases, an enemy 3.5" from the bus: wherever they are set up, wholly within 3", more than 1" from it, coherent."""
    battle, squad, carrier = loaded(10, foe=(20, 15.5), detail=detail)
    pick(battle, "Squad disembarks", kind="select-to-move")
    if detail == "squad":
        for action in battle.decision.options if battle.decision else []:
            after = battle.clone()
            after.apply(action)
            _check_set_up(after, squad, carrier)
        return
    for seed in range(3):
        after = battle.clone()
        step = seed
        while kind(after).startswith("place-"):
            assert after.decision is not None
            options = after.decision.options
            after.apply(options[(step * 37) % len(options)])
            step += 1
        _check_set_up(after, squad, carrier)


def _check_set_up(battle: Battle, squad: UnitHandle, carrier: UnitHandle) -> None:
    rows = [squad.model(k) for k in range(10)]
    m = battle.models
    assert all(m.on_table[k] for k in rows)
    assert max(farthest(battle, k, carrier) for k in rows) <= 3.0 + 1e-3
    assert battle.distance(squad, 2) > 1.0
    for k in rows:
        near = [o for o in rows if o != k and hypot(m.x[k] - m.x[o], m.y[k] - m.y[o]) - 1.0 <= 2.0 + 1e-3]
        assert len(near) >= 2


@pytest.mark.rule("w10.transport.disembark.set-up", "w10.concepts.measuring.wholly-within")
def test_three_inches_and_not_a_hair_more() -> None:
    """A hull of 11" whose grid has places with the far edge at 3.00" and at 3.06": the first is legal, the other not."""
    scene = Scene()
    carrier = scene.unit(0, bus(hull_in=(11, 3)), at=(20, 10), facing=0.0)
    squad = scene.unit(0, sheet("Squad"), models=1, embarked_in=carrier)
    scene.unit(1, sheet("Foe"), at=[(50, 40)])
    battle = scene.battle(detail="full")
    pick(battle, "Squad disembarks", kind="select-to-move")
    choose(battle, "cell", 8 * 17 + 16)
    edges = set()
    for fine in slots(battle, "cell"):
        after = battle.clone()
        choose(after, "cell", fine)
        edges.add(round(after.models.x[squad.first] + 0.5 - 25.5, 3))
    assert edges == {round(3.0 - k / 17, 3) for k in range(9)}


def lane(end: float, models: int) -> Battle:
    """A bus of 4.2" by 4.2" in a pen: beside it a lane 1.2" wide, 5.4" down its right side (between the middles of the
    first and the last base in it) and from the corner along its far side to x = ``end``."""

    def walls(scene: Scene) -> None:
        scene.box(12.0, 4.0, 17.9, 20.0, 5)
        scene.box(17.9, 4.0, 22.1, 7.9, 5)
        scene.box(23.3, 4.0, 27.0, 20.0, 5)
        scene.box(17.9, 13.3, 23.3, 20.0, 5)
        scene.box(22.1, 4.0, 23.3, 6.9, 5)
        scene.box(17.9, 12.1, end, 13.3, 5)

    scene = Scene()
    carrier = scene.unit(0, bus(hull_in=(4.2, 4.2)), at=(20, 10), facing=0.0)
    scene.unit(0, sheet("Squad"), models=models, embarked_in=carrier)
    scene.unit(1, sheet("Foe"), at=[(50, 40)])
    walls(scene)
    return scene.battle()


@pytest.mark.rule("w10.transport.disembark.set-up")
def test_if_only_nine_fit_the_unit_stays_embarked() -> None:
    """A lane of 8.7" holds nine 1" bases and no tenth (neighbours in it are at least 0.98" apart along it): nine models can
    disembark, ten cannot; with one inch more they can."""
    assert "Squad disembarks" in words(lane(19.0, 9)).values()
    assert "Squad disembarks" not in words(lane(19.0, 10)).values()
    battle = lane(18.0, 10)
    pick(battle, "Squad disembarks")
    if kind(battle) == "disembark-at":
        battle.apply(battle.first_legal())
    assert sum(battle.models.on_table) == 12


# ---------------------------------------------------------------- before the TRANSPORT moves


@pytest.mark.rule("w10.transport.disembark.before-move")
@pytest.mark.parametrize("stationary", [True, False])
def test_disembarking_before_the_transport_moves_the_unit_acts_normally(stationary: bool) -> None:
    """M 6": a Normal move of 6" or an Advance, then shooting and charging; the TRANSPORT may move afterwards. The same
    where the TRANSPORT Remained Stationary first."""
    battle, squad, carrier = loaded(foe=(20, 28))
    if stationary:
        drive(battle, "Remain Stationary")
    get_out(battle)
    assert [e["unit"] for e in told(battle, "w10.transport.disembark.before-move")] == [squad.row]
    pick(battle, "Squad", kind="select-to-move") if kind(battle) == "select-to-move" else None
    assert {w.split(": ")[1] for w in words(battle).values()} == {"Normal move", "Advance"}
    pick(battle, "Normal move")
    y = battle.models.y[squad.first]
    choose(battle, "cell", cell_nearest(battle, 0.0, 6.0, 6.0))
    assert battle.models.y[squad.first] == pytest.approx(y + 6.0)
    if kind(battle) == "embark":
        pick(battle, "do not embark")
    if not stationary:
        pick(battle, "Bus: Normal move", kind="move-kind")
        choose(battle, "cell", cell_nearest(battle, 12.0, 0.0, 12.0))
        if kind(battle) == "embark":
            pick(battle, "do not embark")
        assert battle.models.x[carrier.first] == pytest.approx(32.0)
    assert kind(battle) == "select-to-shoot"
    assert "Squad" in words(battle).values()
    pick(battle, "done")
    assert kind(battle) == "select-to-charge"
    assert "Squad" in words(battle).values()


@pytest.mark.rule("w10.transport.disembark.before-move")
def test_it_may_advance_after_disembarking() -> None:
    """The Advance roll of 5 lets it move 11"."""
    battle, squad, _ = loaded(dice=[5])
    get_out(battle)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Advance")
    y = battle.models.y[squad.first]
    choose(battle, "cell", cell_nearest(battle, 0.0, 11.0, 11.0))
    assert battle.models.y[squad.first] == pytest.approx(y + 11.0)
    assert (battle.units.moved[squad], dice_left(battle)) == (Moved.ADVANCE, 0)


@pytest.mark.rule("w10.transport.disembark.no-stationary")
def test_a_unit_that_disembarked_cannot_remain_stationary() -> None:
    """Its options are Normal move and Advance; it may move 0"; its Heavy weapon (BS 4+) then has no +1."""
    squad = sheet("Squad", weapons={"heavy": ranged(24, A=1, BS=4, abilities=["Heavy"])})
    battle, unit, _ = loaded(1, foe=(20, 22), squad=squad)
    drive(battle, "Remain Stationary")
    get_out(battle)
    assert sorted(words(battle).values()) == ["Squad: Advance", "Squad: Normal move"]
    where = battle.models.x[unit.first], battle.models.y[unit.first]
    pick(battle, "Normal move")
    choose(battle, "cell", MIDDLE)
    pick(battle, "do not embark") if kind(battle) == "embark" else None
    assert (battle.models.x[unit.first], battle.models.y[unit.first]) == where
    pick(battle, "Squad", kind="select-to-shoot")
    hits = told(battle, "w10.attack.hit.roll")
    assert [hit["needed"] for hit in hits] == [4]
    still = Scene()
    still.unit(0, squad, at=[(20, 10)])
    still.unit(1, sheet("Foe", W=9), at=[(20, 22)])
    other = still.battle()
    pick(other, "Remain Stationary")
    pick(other, "Squad", kind="select-to-shoot")
    assert [hit["needed"] for hit in told(other, "w10.attack.hit.roll")] == [3]


# ---------------------------------------------------------------- after the TRANSPORT's move


@pytest.mark.rule("w10.transport.disembark.after-normal")
def test_disembarking_after_the_transports_normal_move() -> None:
    """The bus moves 10" and the unit gets out 8" from an enemy: it cannot move, can shoot, cannot declare a charge."""
    battle, squad, _ = loaded(foe=(44.2, 10))
    drive(battle, "Normal move", 10.5)
    get_out(battle, 4.0, 0.0)
    assert 7.5 < battle.distance(squad, 2) < 8.5
    assert [e["unit"] for e in told(battle, "w10.transport.disembark.after-normal")] == [squad.row]
    assert (battle.units.moved[squad], battle.units.disembarked[squad]) == (Moved.NORMAL, 2)
    assert kind(battle) == "select-to-shoot"  # nobody was asked to move it
    assert "Squad" in words(battle).values()
    pick(battle, "done")
    # nobody of the army but the bus may charge
    assert kind(battle) == "select-to-charge"
    assert sorted(words(battle).values()) == ["Bus", "done"]


@pytest.mark.rule("w10.transport.disembark.not-after-advance")
def test_no_disembarking_after_an_advance() -> None:
    """M 12", Advance roll 3, two units embarked: before the roll both are offered, after the move neither."""
    scene = Scene()
    carrier = scene.unit(0, bus(), at=(20, 10), facing=0.0)
    for name in ("A", "B"):
        scene.unit(0, sheet(name), models=5, embarked_in=carrier)
    scene.unit(1, sheet("Foe"), at=[(50, 40)])
    battle = scene.battle(dice=[3])
    assert sorted(words(battle).values()) == ["A disembarks", "B disembarks", "Bus"]
    drive(battle, "Advance", 15.0)
    assert battle.models.x[carrier.first] == pytest.approx(35.0)
    assert (battle.clock.phase[0], battle.clock.turn[0]) != (2, 0)  # nobody is left to move or to disembark
    assert [battle.units.place[1], battle.units.place[2]] == [EMBARKED, EMBARKED]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.disembark.not-after-advance")
def test_no_disembarking_after_a_fall_back() -> None:
    """An engaged bus falls back: its passengers, who could get out before, cannot after."""
    battle, squad, _ = loaded(foe=(23.5, 10))
    assert "Squad disembarks" in words(battle).values()
    pick(battle, "Bus", kind="select-to-move")
    pick(battle, "Fall Back")
    choose(battle, "cell", cell_nearest(battle, -9.0, 0.0, 12.0))
    assert [e["unit"] for e in told(battle, "w10.move.fall-back.move")] == [0]
    assert battle.models.x[0] < 12.0
    assert (battle.clock.phase[0], battle.clock.turn[0]) != (2, 0)
    assert battle.units.place[squad] == EMBARKED


# ---------------------------------------------------------------- from Reserves


def arrived(foe: tuple[float, float], models: int = 5) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Round 2: a bus from Strategic Reserves with a unit embarked has been set up at the left table edge, beside (13.5, 22)."""
    scene = Scene()
    carrier = scene.unit(0, bus(), models=1, reserves="strategic")
    unit = scene.unit(0, sheet("Squad", weapons={"rifle": ranged(24)}), models=models, embarked_in=carrier)
    scene.unit(1, sheet("Foe", W=9), at=foe, models=1)
    battle = scene.battle(round=2)
    assert kind(battle) == "select-reserves"
    assert sorted(words(battle).values()) == ["Bus", "done"]
    pick(battle, "Bus")
    assert battle.decision is not None
    at = [(a, battle.describe(a)) for a in battle.decision.options]

    def off(action: int) -> float:
        x, y = (float(part) for part in battle.describe(action).rsplit(" at ", 1)[1].split(", "))
        return hypot(x - 1.8, y - 22)

    battle.apply(min((a for a, _ in at), key=off))
    return battle, unit, carrier


@pytest.mark.rule("w10.transport.disembark.from-reserves")
def test_disembarking_from_a_transport_that_has_just_arrived() -> None:
    """The unit may be set up wholly within 3" of the bus (less than 9" from an enemy), can shoot and cannot charge."""
    battle, squad, carrier = arrived(foe=(13.5, 22))
    assert kind(battle) == "select-to-disembark"
    assert sorted(words(battle).values()) == ["Squad", "done"]
    staying = battle.clone()
    pick(staying, "done")
    assert staying.units.place[squad] == EMBARKED
    pick(battle, "Squad")
    outcomes = []
    assert battle.decision is not None
    m = battle.models
    half = (1.5, 2.5)  # the bus faces along y
    for action in battle.decision.options:
        after = battle.clone()
        after.apply(action)
        for k in range(5):
            model, hull = squad.model(k), carrier.first
            dx = max(0.0, abs(after.models.x[model] - m.x[hull]) - half[0])
            dy = max(0.0, abs(after.models.y[model] - m.y[hull]) - half[1])
            assert hypot(dx, dy) + 0.5 <= 3.0 + 1e-3
        assert after.distance(squad, 2) > 1.0
        outcomes.append(after)
    battle = min(outcomes, key=lambda after: after.distance(squad, 2))
    assert battle.distance(squad, 2) < 9.0
    assert kind(battle) == "select-to-shoot"
    assert "Squad" in words(battle).values()
    assert (battle.units.moved[squad], battle.units.disembarked[squad]) == (Moved.NORMAL, 2)
    pick(battle, "done")
    assert kind(battle) == "select-to-charge"
    assert "Squad" not in words(battle).values()


@pytest.mark.rule("w10.transport.disembark.from-reserves")
def test_it_stays_more_than_an_inch_from_enemy_models() -> None:
    """An enemy 9.1" from the bus and others beside where the passengers could stand: none ends within 1" of any."""
    scene = Scene()
    carrier = scene.unit(0, bus(), models=1, reserves="strategic")
    squad = scene.unit(0, sheet("Squad"), models=2, embarked_in=carrier)
    scene.unit(1, sheet("Foe", W=9), at=[(30, 40)])
    battle = scene.battle(round=2)
    pick(battle, "Bus")
    battle.apply(battle.first_legal())
    m, hull = battle.models, carrier.first
    # an enemy comes up: no rule keeps enemies 9" from a TRANSPORT that stands
    m.x[3], m.y[3] = m.x[hull] + 4.0, m.y[hull]
    battle._options = None
    pick(battle, "Squad", kind="select-to-disembark")
    assert battle.decision is not None
    gaps = []
    for action in battle.decision.options:
        after = battle.clone()
        after.apply(action)
        gaps.append(after.distance(squad, 2))
    assert 1.0 < min(gaps) < 2.0
