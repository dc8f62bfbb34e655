"""Full detail: where single models may end when they close in, and what the engine does in their place (w10.fight.*)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.testing import Scene, apart, choose, kind, melee, pick, sheet, slots, told

NO_CP = {"cp_each_command_phase": 0}


def piling_in(mine: list[tuple[float, float]], foes: list[tuple[float, float]]) -> tuple[Battle, list[int]]:
    """A unit that charged is about to pile in, model by model; rows of the enemy models."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", weapons={"blade": melee()}), at=mine, models=len(mine), charged=1)
    theirs = [scene.unit(1, sheet(f"Foe {n}", W=9), at=spot, models=1).first for n, spot in enumerate(foes)]
    battle = scene.battle(phase="fight", detail="full", rules=NO_CP)
    pick(battle, "pile in", kind="pile-in")
    assert unit == 0
    return battle, theirs


@pytest.mark.rule("w10.fight.pile-in.closer", "w10.fight.pile-in")
def test_every_place_offered_is_closer_to_the_closest_enemy_model() -> None:
    """Its closest enemy model is 1.4" north, another 1.5" to the east. In contact with that one only places are offered that are closer
    to the first: several on its near side, whichever way round it they are looked for."""
    battle, (north, east) = piling_in([(20, 20), (19, 18.8)], [(20, 22.4), (22.3, 21.0)])
    battle.apply(battle.setup.space.model)
    assert kind(battle) == "close-to"
    before = apart(battle, 0, north)
    assert before < apart(battle, 0, east)
    contacts = {north: 0, east: 0}
    for cell in slots(battle, "cell"):
        branch = battle.clone()
        branch.apply(battle.setup.space.cell + cell)
        assert apart(branch, 0, north) < before - 1e-6
        assert hypot(branch.models.x[0] - 20, branch.models.y[0] - 20) <= 3.0 + 1e-3
        for enemy in contacts:
            contacts[enemy] += apart(branch, 0, enemy) <= 0.01
    assert contacts[north] > 3
    assert contacts[east] > 2


@pytest.mark.rule("w10.fight.pile-in.closer")
def test_contact_with_an_enemy_model_on_the_far_side_is_not_offered() -> None:
    """The closest enemy model is 1.2" north, another 1.6" south: no place in contact with the southern one is closer to the
    northern one, and all round the northern one are there."""
    battle, (north, south) = piling_in([(20, 20)], [(20, 22.2), (20, 17.4)])
    battle.apply(battle.setup.space.model)
    places = []
    for cell in slots(battle, "cell"):
        branch = battle.clone()
        branch.apply(battle.setup.space.cell + cell)
        places.append((apart(branch, 0, north), apart(branch, 0, south), branch.models.x[0] - 20))
    assert all(to_north < 1.2 - 1e-6 for to_north, _, _ in places)
    assert not any(to_south <= 0.01 for _, to_south, _ in places)
    touching = [side for to_north, _, side in places if to_north <= 0.01]
    assert len(touching) > 5  # a place in contact stands for its whole cell
    assert min(touching) < -0.8 and max(touching) > 0.8  # on either side of it


def after_a_kill(marker: float) -> Battle:
    """A unit at (20, 20) has destroyed its only opponent; a marker lies so far east of it, an enemy 6" north."""
    scene = Scene()
    scene.unit(
        0, sheet("Unit", weapons={"blade": melee(A=1, WS=2, S=12, AP=-6, D=9)}), at=(20, 20), models=1, charged=1
    )
    scene.unit(1, sheet("Victim"), at=(20, 18.5), models=1)
    scene.unit(1, sheet("Others", W=9), at=(20, 27), models=1)
    scene.marker(20 + 0.5 + marker + 20 / 25.4, 20)
    return scene.battle(phase="fight", detail="full", rules=NO_CP, dice=[6, 6, 1])


@pytest.mark.rule("w10.fight.consolidate.objective", "w10.fight.pile-in")
def test_the_engine_makes_the_move_that_was_begun() -> None:
    """Left to the engine, a Pile-in goes to the enemy in reach, and a Consolidation towards a marker to the marker."""
    battle = after_a_kill(5.0)
    pick(battle, "pile in", kind="pile-in")
    pick(battle, "leave the move to the engine", kind="close-order")
    assert battle.models.y[0] == pytest.approx(19.5, abs=0.01)
    while kind(battle) != "close-order":  # towards a marker only it must consolidate: that is not asked
        battle.apply(battle.first_legal())
    x, y = battle.models.x[0], battle.models.y[0]
    pick(battle, "leave the move to the engine", kind="close-order")
    assert (battle.models.x[0], battle.models.y[0]) != (x, y)
    assert battle.models.x[0] > x + 1.5
    assert told(battle, "w10.fight.consolidate.objective")[-1]["moved"] == 1
    assert told(battle, "w10.fight.pile-in")[-1]["unit"] == 0


@pytest.mark.rule("w10.fight.consolidate.objective", "w10.fight.consolidate.closer")
def test_a_model_consolidates_towards_the_marker_place_by_place() -> None:
    """Full detail: every place offered is closer to the marker, whichever enemy models are nearer; the move ends in range of it."""
    battle = after_a_kill(5.0)
    pick(battle, "do not pile in", kind="pile-in")
    mx, my = battle.objectives.x[0], battle.objectives.y[0]
    away = hypot(mx - 20, my - 20)
    assert slots(battle, "done") == []
    battle.apply(battle.setup.space.model)
    ends = {}
    for cell in slots(battle, "cell"):
        branch = battle.clone()
        branch.apply(battle.setup.space.cell + cell)
        x, y = branch.models.x[0], branch.models.y[0]
        assert hypot(mx - x, my - y) < away
        assert hypot(x - 20, y - 20) <= 3.0 + 1e-3
        ends[cell] = hypot(mx - x, my - y), slots(branch, "done") == [0]
    assert len(ends) > 10
    # 3" from the marker's edge to the base: 20 mm and 0.5" less
    in_range = 3.0 + 20 / 25.4 + 0.5
    assert all(legal == (left <= in_range + 1e-3) for left, legal in ends.values())
    assert {legal for _, legal in ends.values()} == {True, False}
    best = min(ends, key=lambda cell: ends[cell][0])
    battle.apply(battle.setup.space.cell + best)
    pick(battle, "end the move")
    assert battle.models.x[0] > 22.0
    assert told(battle, "w10.fight.consolidate.objective")[-1]["moved"] == 1


@pytest.mark.rule("w10.fight.pile-in.order", "w10.move.models.any-and-order")
@pytest.mark.parametrize("player", [0, 1])
def test_the_model_that_was_chosen_moves_whatever_unit_it_is_of(player: int) -> None:
    """The second unit of either army piles in, its second model first: it alone moves, and only from where it stood."""
    scene = Scene()
    scene.unit(player, sheet("Before"), at=[(50, 22), (51.5, 22)], models=2)
    blade = {"blade": melee()}
    unit = scene.unit(player, sheet("Unit", weapons=blade), at=[(20, 20), (21.5, 19.5)], models=2, charged=1)
    foe = scene.unit(1 - player, sheet("Foe", W=9), at=(20, 22), models=1)
    battle = scene.battle(phase="fight", detail="full", rules=NO_CP, active=player)
    pick(battle, "pile in", kind="pile-in")
    choose(battle, "model", 1)
    assert kind(battle) == "close-to"
    moved, other = unit.model(1), unit.model(0)
    before = apart(battle, moved, foe.first)
    cells = slots(battle, "cell")
    assert len(cells) > 5
    for cell in (cells[0], cells[len(cells) // 2], cells[-1]):
        branch = battle.clone()
        choose(branch, "cell", cell)
        assert apart(branch, moved, foe.first) < before
        assert hypot(branch.models.x[moved] - 21.5, branch.models.y[moved] - 19.5) <= 3.0 + 1e-3
        assert (branch.models.x[other], branch.models.y[other]) == (20.0, 20.0)
