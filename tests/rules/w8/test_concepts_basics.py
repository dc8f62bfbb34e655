"""Units, friends and enemies, measuring, destroyed units, cases left open (w8.concepts.*)."""

from __future__ import annotations

from math import pi

import pytest
from eighth import EighthScene

from wh_env.core.tables import DESTROYED, EMBARKED
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import apart, dice_left, kind, pick, ranged, sheet, slots, told, words


@pytest.mark.rule("w8.concepts.unit", "w8.concepts.friend-enemy")
@pytest.mark.parametrize("player", [0, 1])
def test_models_move_in_their_unit_and_have_friends_and_enemies(player: int) -> None:
    scene = EighthScene()
    lone = scene.unit(player, sheet("X"), at=(10, 10), models=1)
    squad = scene.unit(player, sheet("Y"), at=[(20 + 1.5 * k, 10) for k in range(5)])
    foe = scene.unit(1 - player, sheet("Z"), at=(10, 30), models=1)
    battle = scene.battle(active=player, detail="full")
    assert [list(battle.members(unit.row)) for unit in (lone, squad, foe)] == [
        [lone.first], [squad.model(k) for k in range(5)], [foe.first],
    ]  # fmt: skip
    assert list(battle.units_of(player)) == [lone.row, squad.row]
    assert list(battle.units_of(1 - player)) == [foe.row]
    pick(battle, "Y", kind="select-to-move")
    pick(battle, "Normal move")
    assert slots(battle, "model") == [0, 1, 2, 3, 4]  # its own five, nobody else's
    assert all("X" not in w and "Z" not in w for w in words(battle).values())


@pytest.mark.rule("w8.concepts.measuring")
@pytest.mark.parametrize("player", [0, 1])
def test_distances_run_between_the_closest_points_of_the_closest_models(player: int) -> None:
    """Centres of 1" bases 7" apart: 6"; a farther model of the unit makes no difference."""
    scene = EighthScene()
    one = scene.unit(player, sheet("A"), at=(10, 10), models=1)
    two = scene.unit(1 - player, sheet("B"), at=[(17, 10), (20, 10)])
    battle = scene.battle(run=False)
    assert apart(battle, one.first, two.first) == pytest.approx(6)
    assert battle.distance(one, two) == battle.distance(two, one) == pytest.approx(6)


@pytest.mark.rule("w8.concepts.measuring.hull")
@pytest.mark.parametrize(("facing", "gap"), [(pi / 2, 3.0), (0.0, 2.0)])
@pytest.mark.parametrize("reach", [3.0, 2.0, 1.9])
def test_a_model_without_a_base_is_measured_from_its_hull(facing: float, gap: float, reach: float) -> None:
    """A hull of 6" by 4" whose centre is 5" from the edge of a base."""
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(reach)}), at=(10, 10), models=1)
    tank = sheet("Tank", hull_in=(6, 4), base_mm=None, keywords=("VEHICLE",), models=(1, 1))
    scene.unit(1, tank, at=[(15.5, 10, 0, facing)])
    battle = scene.battle("shooting")
    assert apart(battle, 0, 1) == pytest.approx(gap, abs=1e-3)
    assert (kind(battle) == "select-to-shoot") is (reach >= gap)


@pytest.mark.rule("w8.concepts.unit-destroyed")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("models", "destroyed"), [(1, True), (2, False)])
def test_a_unit_is_destroyed_with_its_last_model_only(models: int, destroyed: bool, player: int) -> None:
    scene = EighthScene()
    scene.unit(player, sheet("Gun", weapons={"gun": ranged(24, A=1, BS=2, S=9, AP=-6)}), at=(10, 10), models=1)
    foe = scene.unit(1 - player, sheet("Foe", Sv=6), at=(10, 20), models=models)
    cargo = {"transport": {"capacity": 9, "allowed": ["INFANTRY"]}}
    bus = scene.unit(
        1 - player, sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=cargo), at=(50, 40), models=1
    )
    aboard = scene.unit(1 - player, sheet("Aboard"), models=5, embarked_in=bus)
    battle = scene.battle("shooting", active=player, dice=[6, 6, 1])
    pick(battle, "Gun", kind="select-to-shoot")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "Foe")
    assert (battle.units.place[foe] == DESTROYED) is destroyed
    assert [e["unit"] for e in told(battle, "w8.concepts.unit-destroyed") if "unit" in e] == [foe.row] * destroyed
    assert battle.units.place[aboard] == EMBARKED


@pytest.mark.rule("w8.concepts.most-important-rule")
@pytest.mark.parametrize(("dice", "winner"), [([6, 1], 0), ([2, 2, 1, 6], 1)])
@pytest.mark.parametrize(("outcome", "wounds"), [("X", 0), ("Y", 2)])
def test_the_winner_of_a_roll_off_settles_an_open_case(dice: list[int], winner: int, outcome: str, wounds: int) -> None:
    scene = EighthScene()
    unit = scene.unit(0, sheet("Hurt", W=2), at=(10, 10), models=1, wounds=[1])
    scene.unit(0, sheet("Friend"), at=(20, 5), models=1)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    scene.rule(TimedRule("Open", "command", 0, "dispute", -1, 0))
    outcomes = [
        {"name": "X", "effect": "mortal", "unit": unit.row, "amount": 1},
        {"name": "Y", "effect": "heal", "unit": unit.row, "amount": 1},
    ]
    case = {"name": "who was wounded", "outcomes": outcomes}
    battle = scene.battle(detail="full", dice=dice, rules={"disputes": [case]})
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("resolution", winner)
    pick(battle, outcome)
    assert battle.models.wounds[unit.first] == wounds
    assert dice_left(battle) == 0
